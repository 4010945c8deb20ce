"""Every key and every section of a framework's newest release has a sentence for hover, completion and schemas."""

import re

import pytest

from grpo_lint.frameworks.descriptions import describe
from grpo_lint.frameworks.registry import NAMES, framework, meanings

LONGEST = 140
TITLES = {  # what a sentence about another framework would call it
    "trl": r"\bTRL\b",
    "swift": r"\bms-swift\b",
    "megatron": r"\bMegatron-SWIFT\b",
    "verl": r"\bverl\b(?!-agent)",
    "easyr1": r"\bEasyR1\b",
    "verl-agent": r"\bverl-agent\b",
}
ENGINES = {"verl": [("dp",), ("megatron",), ("veomni",), ("torchtitan",)]}  # trees that an engine chooses


def keys_of_newest(name):
    """The keys of the newest release, whatever engine trains, and the sections that they are in."""
    catalogue, trainer = framework(name).catalogue, framework(name).reader.trainer
    keys = {
        key
        for groups in ENGINES.get(name, [trainer.groups("grpo", "script")])
        for key in catalogue.fields(groups, len(catalogue.releases) - 1).names()
    }
    parts = [key.split(".") for key in keys]
    return keys | {".".join(each[:depth]) for each in parts for depth in range(1, len(each))}


@pytest.mark.parametrize("name", NAMES)
def test_every_key_and_section_of_the_newest_release_has_a_sentence(name):
    """The list of those that have none is what is to be written."""
    assert sorted(key for key in keys_of_newest(name) if not describe(name, key)) == []


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_short_and_whole(name):
    for table in meanings(name).TABLES:
        for key, told in table.items():
            assert len(told) <= LONGEST and "\n" not in told and told.endswith((".", ".)")), (key, told)


def test_no_sentence_names_another_framework():
    for name in NAMES:
        others = "|".join(pattern for each, pattern in TITLES.items() if each != name)
        named = [told for table in meanings(name).TABLES for told in table.values() if re.search(others, told)]
        assert named == [], name
