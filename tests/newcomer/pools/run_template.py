from ..run_template import RunTemplate

TEMPLATE = RunTemplate(framework="pools", launcher="pools train config.yaml", epochs=())
