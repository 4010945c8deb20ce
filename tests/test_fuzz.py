"""The fuzzer itself, for some seconds and always with the same inputs; and the inputs that once broke something."""

import random
import sys
import warnings
from pathlib import Path

import pytest
from conftest import counted

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from fuzz.corpus import seeds  # noqa: E402
from fuzz.mutations import mutated  # noqa: E402
from fuzz.targets import TARGETS  # noqa: E402

sys.path.pop(0)

INPUTS = {"yaml": 400, "shell": 100, "embedded": 200, "comments": 150, "settings": 200, "baseline": 200, "neighbours": 60, "lint": 100, "repair": 60}


@pytest.mark.parametrize("path", sorted((ROOT / "fuzz" / "found").iterdir()), ids=lambda path: path.name)
def test_what_was_found_stays_mended(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TARGETS[path.name.partition("-")[0]](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_some_inputs(target):
    chance, corpus = random.Random(target), seeds(target)
    for _ in range(INPUTS[target]):
        data = mutated(chance.choice(corpus), chance, corpus)
        try:
            TARGETS[target](data)
        except Exception as error:
            raise AssertionError(data) from error
    counted.append(f"fuzzed: {INPUTS[target]} inputs of {target}")


def test_targets_can_fail():
    """A fuzzer that notices nothing finds nothing."""
    from fuzz.harmless import faults

    assert list(faults("concise", "a \x1b[31m")) and list(faults("json", '"##[x"')) and list(faults("github", "::error::x\n"))
    assert list(faults("markdown", "| error | a | <b> |\n")) and list(faults("full", "  ::set-output name=a::b\n"))
    assert not list(faults("full", "a ::b:: # [x]\n"))
