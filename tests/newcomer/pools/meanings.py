TABLES = ({"learner.gpus": "GPUs that train.", "sampler.gpus": "GPUs that generate."},)
SUGGESTIONS = {}
