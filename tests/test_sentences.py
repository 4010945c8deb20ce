"""Every key and every section of every release has a sentence for hover, completion and schemas."""

import re

import pytest

from grpo_lint.frameworks.descriptions import MEANING, describe
from grpo_lint.frameworks.registry import NAMES, framework, meanings
from grpo_lint.message import NO_VALUES, Message
from grpo_lint.report.translation import CHINESE

LONGEST = 140
TITLES = {  # what a sentence about another framework would call it
    "trl": r"\bTRL\b",
    "swift": r"\bms-swift\b",
    "megatron": r"\bMegatron-SWIFT\b",
    "verl": r"\bverl\b(?!-agent)",
    "easyr1": r"\bEasyR1\b",
    "verl-agent": r"\bverl-agent\b",
    "nemo-rl": r"\bNeMo-RL\b",
    "slime": r"\bslime\b",
    "openrlhf": r"\bOpenRLHF\b",
}
ENGINES = {"verl": [("dp",), ("megatron",), ("veomni",), ("torchtitan",)]}  # trees that an engine chooses


def keys_of(name):
    """The keys of all releases, whatever engine trains, and the sections that they are in."""
    catalogue, trainer = framework(name).catalogue, framework(name).reader.trainer
    keys = {
        key
        for groups in ENGINES.get(name, [trainer.groups("grpo", "script"), trainer.groups("rloo", "script")])
        for release in range(len(catalogue.releases))
        for key in catalogue.fields(groups, release).names()
    }
    parts = [key.split(".") for key in keys]
    return keys | {".".join(each[:depth]) for each in parts for depth in range(1, len(each))}


@pytest.mark.parametrize("name", NAMES)
def test_every_key_and_section_has_a_sentence(name):
    """The list of those that have none is what is to be written."""
    found = keys_of(name)
    assert len(found) > 150
    assert sorted(key for key in found if not describe(name, key)) == []


def in_both(name):
    """{key: its sentence in English, and in Chinese} of all keys that have one, of older releases as well."""
    sentences = {key: told for table in reversed(meanings(name).TABLES) for key, told in table.items()}
    return {key: (told, CHINESE.text(Message(told, NO_VALUES, context=MEANING))) for key, told in sentences.items()}


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_short_and_whole_in_both_languages(name):
    CHINESE.missing.clear()
    for key, (english, chinese) in in_both(name).items():
        assert english.endswith((".", ".)")) and chinese.endswith(("。", "。）")), key
        assert max(len(english), len(chinese)) <= LONGEST and "\n" not in english + chinese, (key, english)
    assert CHINESE.missing == set()


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_names_another_framework(name):
    assert TITLES.keys() == {*NAMES}
    others = re.compile("|".join(pattern for each, pattern in TITLES.items() if each != name), re.ASCII)
    assert {key: told for key, told in in_both(name).items() if others.search("\n".join(told))} == {}
