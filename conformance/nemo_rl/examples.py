"""Write what the examples of releases of NeMo-RL set otherwise than its usual one, with their verdicts, for the tests.

    python conformance/nemo_rl/examples.py VERDICTS CHECKOUT... | gzip -9n > tests/truth/nemo-rl/examples.gz

VERDICTS is a folder with `examples-RELEASE.jsonl`, lines as `ask.py` writes them, whose `id` is the path of the example. What is written is no
copy of a file: {"id", "version", "accepted", "stage", "base", "config": {path: number, truth value, null, reference or short word}}. An example
that builds on none has no base, and all that it sets.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path

USUAL = "examples/configs/grpo_math_1B.yaml"
TEXT = "a text"
WORD = re.compile("[a-z_0-9]{1,24}")


def loader_of(checkout):
    """The function of a release that reads a config with all on which it builds."""
    spec = importlib.util.spec_from_file_location("config", checkout / "nemo_rl/utils/config.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load_config


def flat(tree, above=""):
    """{path: value} of the leaves of a tree."""
    found = {}
    for name, value in tree.items():
        path = f"{above}.{name}" if above else name
        found.update(flat(value, path) if isinstance(value, dict) and value else {path: value})
    return found


def plain(value):
    """A value that is one of a fixed set, a number, or refers to other settings; in the place of what an author made up, another one."""
    if isinstance(value, (list, dict)):
        return type(value)()
    return TEXT if isinstance(value, str) and "${" not in value and not WORD.fullmatch(value) else value


def built_on_any(path):
    return any(line.startswith("defaults:") for line in path.read_text(encoding="utf-8").splitlines())


def rows(checkout, verdicts):
    from omegaconf import OmegaConf

    load = loader_of(checkout)

    def settings(path):
        return flat(OmegaConf.to_container(load(checkout / path), resolve=False))

    usual = settings(USUAL)
    for line in verdicts.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if told["accepted"] is None:
            continue
        is_based = built_on_any(checkout / told["id"]) or told["id"] == USUAL
        config = settings(told["id"])
        if is_based:
            config = {path: value for path, value in config.items() if path not in usual or usual[path] != value}
            config = {path: value for path, value in config.items() if plain(value) == value}
        config = {path: plain(value) for path, value in config.items()}
        base = "grpo_math_1B" if is_based else ""
        yield {
            "id": told["id"],
            "version": told["version"],
            "accepted": told["accepted"],
            "stage": told["stage"],
            "base": base,
            "config": config,
        }


def main():
    verdicts, *checkouts = map(Path, sys.argv[1:])
    for checkout in checkouts:
        for row in rows(checkout, verdicts / f"examples-{checkout.name.rpartition('-')[2]}.jsonl"):
            print(json.dumps(row))


if __name__ == "__main__":
    main()
