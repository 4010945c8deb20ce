"""One key at a time with odd values, as the real frameworks answered (`conformance/values`), and what is said of each.

`values/DIALECT-VERSION.json.gz` holds a letter for each kind of value of a key: `a` accepted, `-` not asked, or the stage that refuses.
"""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "values").glob("*.json.gz"))
CONFORMANCE = Path(__file__).parents[2] / "conformance"
SAMPLE = 25  # of each file, in the fast set
# {file: keys of which a refused value is not told}, each for the reason that stands behind it
LEFT: "dict[str, dict[str, str]]" = {
    "swift-4.6.0": {"accelerator_config": "a key that accelerate does not know", "mrl_dims": "keys that are no numbers"},
}  # fmt: skip


@pytest.fixture(scope="module")
def values():
    sys.path.insert(0, str(CONFORMANCE))
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader = SourceFileLoader("conformance_values", str(CONFORMANCE / "values"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    try:
        loader.exec_module(module)
        yield module
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(CONFORMANCE))


def astray(values, path, every):
    """(how many were asked, what is told but taken, the keys of which something refused is not told) of each so-manieth answer."""
    target, answers = values.heard(path)
    asked = [each for each in answers if each[3] is not None][::every]
    wrong, untold = [], {}
    for key, _, case, theirs, _ in asked:
        kind = values.kind(target.dialect, theirs, target.ours(case))
        if kind == "told but taken":
            wrong.append(target.text(case))
        if kind == "untold":
            untold.setdefault(key, []).append(target.text(case))
    return len(asked), wrong, untold


def left_of(path):
    return LEFT.get(path.name.removesuffix(".json.gz"), {}).keys()


def test_of_a_sample_nothing_that_is_taken_is_told(values):
    for path in FILES:
        count = sum(each[3] is not None for each in values.heard(path)[1])
        _, wrong, untold = astray(values, path, count // SAMPLE)
        assert (wrong, {key: lines for key, lines in untold.items() if key not in left_of(path)}) == ([], {}), path.name


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_what_is_refused_is_told_and_what_is_taken_is_not(values, path):
    count, wrong, untold = astray(values, path, 1)
    assert count > 300 and wrong == []
    assert untold.keys() == left_of(path)
    assert sum(map(len, untold.values())) <= 0.02 * count
