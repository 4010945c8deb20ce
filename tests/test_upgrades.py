"""`upgrade` from each release to the newest, in each kind of file: the result parses, starts the same runs, and the newest release has its
keys. What is drawn are settings that a release has, those first that no later one has."""

import random

import pytest

from grpo_lint.changes.upgrade import upgrade
from grpo_lint.checker.contexts import Around
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.frameworks.versions import resolve_version, version_key
from grpo_lint.launch.facts import Fact
from grpo_lint.planning.starts import Start, in_override, in_words, in_yaml

MOST = 8  # settings that are drawn
OF_KEYS = {"key-is-known", "key-is-of-this-version", "appended-key-is-new", "field-outside-the-tree-is-appended"}
OF_TEXTS = {"GRPO001", "GRPO002", "GRPO003", "GRPO004", "GRPO005", "GRPO901", "GRPO906"}
NEWEST = {name: resolve_version("latest", framework(name).catalogue.releases) for name in NAMES}
# a file of NeMo-RL builds on an example, and only TRL is also configured in Python
NESTED = ("nemo-rl",)
IN_PYTHON = ("trl",)


def kinds_of(name, release):
    """The kinds of files in which a release is given settings, of those that are tried."""
    start = Start(name, release)
    yield "shell"
    if start.reads_files or name in NESTED:
        yield "yaml"
    if name in IN_PYTHON:
        yield "python"


CASES = [
    (name, release, kind)
    for name in NAMES
    for release in framework(name).catalogue.releases
    if version_key(release) < version_key(NEWEST[name])
    for kind in kinds_of(name, release)
]


def is_written(name, field):
    """Whether a default can be written as it is, in each kind of file."""
    return field is not None and type(field.default) in (bool, int, float) and not name.startswith(("_", "+"))


def drawn(name, release, written):
    """{setting of a release: its default}, of those that are not written, some that the newest release lacks first."""
    reader, catalogue = framework(name).reader, framework(name).catalogue
    index, newest = (catalogue.release_index(version_key(each)) for each in (release, NEWEST[name]))
    groups = reader.trainer.groups("grpo", "script", {"--config-name": "grpo_math_1B"}.get)
    then, now = catalogue.fields(groups[:1], index), catalogue.fields(groups, newest)
    known = sorted(each for each in catalogue.names() if each not in written and is_written(each, then[each]))
    chance = random.Random(f"{name} {release}")
    gone = [each for each in known if now[each] is None]
    chosen = chance.sample(gone, min(MOST // 2, len(gone)))
    rest = [each for each in known if each not in chosen]
    chosen += chance.sample(rest, MOST - len(chosen))
    return {each: then[each].default for each in chosen}


def text_of(name, release, kind):
    """(path, text) of a run with drawn settings."""
    start, flags = Start(name, release), framework(name).reader.flags
    text = start.written({}, 8) if kind == "yaml" and name not in NESTED else start.command({}, 8)
    settings = drawn(name, release, text.replace("-", "_"))
    if kind == "python":
        told = ", ".join(f"{each}={value!r}" for each, value in settings.items())
        return (
            "run.py",
            f"from trl import GRPOConfig\n\nGRPOConfig(num_generations=8, per_device_train_batch_size=8, {told})\n",
        )
    if kind == "yaml" and name in NESTED:
        tree = {}
        for each, value in settings.items():
            *sections, last = each.split(".")
            inner = tree
            for section in sections:
                inner = inner.setdefault(section, {})
            inner[last] = value
        return "run.yaml", f"# grpo-lint: dialect={name}\ndefaults: grpo_math_1B.yaml\n" + "".join(
            f"{each}: {in_yaml(value)}\n" for each, value in tree.items()
        )
    if kind == "yaml":
        return "run.yaml", text + "".join(f"{each}: {in_yaml(value)}\n" for each, value in settings.items())
    nested = framework(name).reader.configs.nested
    words = [
        in_override(each, value) if nested else flags.written(each) + ("" if value is True else f" {in_words(value)}")
        for each, value in settings.items()
        if nested or value is not False
    ]
    return "run.sh", " \\\n    ".join([text.rstrip(), *words]) + "\n"


def context(name, release, path):
    found = Around({"version": Fact(release, "command line"), "dialect": Fact(name, "command line")}).of(path)
    found.pins = {}
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "release", "kind"), CASES)
def test_the_newest_release_has_the_keys_of_what_is_written(name, release, kind):
    path, text = text_of(name, release, kind)
    done = upgrade(text.encode(), path, context(name, release, path), context(name, NEWEST[name], path))
    runs = len(done.report.launches)
    assert runs and runs == len(done.after.launches), text
    assert not OF_TEXTS & {each.rule.code for each in done.after.findings}
    before = {each.at.name for each in done.report.findings if each.rule.name in OF_KEYS}
    assert not before, (text, before)
    told = {each.at.name for each in done.refusals if each.at is not None}
    silent = [each.at.name for each in done.after.findings if each.rule.name in OF_KEYS and each.at.name not in told]
    assert silent == [], (text, done.data.decode())


def test_each_framework_is_upgraded_in_the_kinds_of_files_that_it_has():
    assert {name for name, *_ in CASES} == {*NAMES}
    assert {kind for name, _, kind in CASES if name == "trl"} == {"shell", "yaml", "python"}
    assert {kind for name, _, kind in CASES if name == "nemo-rl"} == {"shell", "yaml"}
    assert {kind for name, _, kind in CASES if name == "slime"} == {"shell"}
