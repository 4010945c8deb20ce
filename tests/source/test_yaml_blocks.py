"""A text that is read again after each edit is what it would be if it were read for the first time."""

import random

import pytest
from hypothesis import given, settings, strategies as st
from test_yaml_reader import picture

from grpo_lint.source.text import Text
from grpo_lint.source.yaml import blocks as yaml_blocks, parsing as yaml_parsing, reader as yaml_reader
from grpo_lint.source.yaml.blocks import Blocks
from grpo_lint.source.yaml.reader import read_yaml, to_python

TEXT = """\
# a head
num_generations: 8
notes:
  - {name: one, reward: [0.5, 1]}
  - two: >-
      a text

      of lines
"beta": 0.1 # why
system: |
  x: 1
  # no comment

reward_funcs: [accuracy, format]
list:
- a
- b: c
empty:
last: 'q'
"""
SIGNS = """8|\n|\r\n|\r|: |#| # x|\u2028|\x85|\x0b|  |{|]|"|'|&a |*a|\t|- a\n|? |=|!!str |!x |...\n|---\n|%YAML|\x07|\ufeff|`|@|x|"""
PIECES = [*SIGNS.split("|"), "|\n", "|#", ">+\n", "|\n  x\n"]
LINES = [
    "beta: 0.2\n", "key:\n", "- a\n", "  - {a: b}\n", "a: [1,\n", "b: 2]\n", "? a\n: b\n", "half", "a#b: 1\n", "<<: {a: 1}\n",
    "{a?: 1}\n", "*x: 1\n", "{a: 1, a: 2}\n", "d: {a: 1, a: 2}\n", "s: =\n", "x: !!str 1\n", "y: &b\n", "z: *b\n", "more\n",
]  # fmt: skip
EDITS = st.lists(st.tuples(st.integers(0, 999), st.sampled_from([0, 1, 2, 9, 60]), st.sampled_from(PIECES)), max_size=8)
INSERTED = st.lists(st.tuples(st.integers(0, 99), st.sampled_from(LINES)), max_size=4)


def whole(document):
    """All that a document says, with its places."""
    pairs = [(mapping.start, earlier.key.start, later.key.start) for mapping, earlier, later in document.duplicates]
    problems = [(problem.offset, problem.end, problem.kind, problem.message) for problem in document.problems]
    roots = [None if root is None else picture(root) for root in document.documents]
    return document.partial, roots, problems, pairs, document.comments, repr(to_python(document.root))


def edited(text, edits, lines):
    """The texts that edits lead to, one after the other."""
    for at, line in lines:
        rows = text.splitlines(keepends=True)
        at %= len(rows) + 1
        text = "".join([*rows[:at], line, *rows[at:]])
        yield text
    for first, length, new in edits:
        first %= len(text) + 1
        text = text[:first] + new + text[first + length :]
        yield text


@settings(max_examples=100)
@given(edits=EDITS, lines=INSERTED)
def test_what_was_read_before_makes_no_difference(edits, lines):
    blocks = Blocks()
    for text in (TEXT, *edited(TEXT, edits, lines)):
        assert whole(read_yaml(Text(text), blocks)) == whole(read_yaml(Text(text)))


@pytest.mark.slow
def test_nor_does_it_in_long_histories():
    """Nor is anything told of a text touched by those that come after it."""
    chance = random.Random(19)
    for _ in range(60):
        edits = [(chance.randrange(999), chance.choice([0, 1, 9]), chance.choice(PIECES)) for _ in range(20)]
        lines = [(chance.randrange(99), chance.choice(LINES)) for _ in range(5)]
        blocks, told = Blocks(), []
        for text in edited(TEXT, edits, lines):
            document = read_yaml(Text(text), blocks)
            assert whole(document) == whole(read_yaml(Text(text)))
            told.append((document, whole(document)))
        for document, before in told:
            assert whole(document) == before


@pytest.mark.parametrize("typed", ["num_iterations: 2", "notes: [a", "x", '"quo', "key: {a: 1}"])
@pytest.mark.parametrize("above", ["num_generations", "last"])
def test_only_the_line_that_is_typed_is_parsed(monkeypatch, typed, above):
    """A whole line or half of one: what stands around it was read before, however much it is."""
    at = TEXT.index(above)
    text = TEXT[:at] + "long:\n" + "  - {a: 1}\n" * 1_000 + TEXT[at:]
    at = text.index(above)
    blocks, asked = Blocks(), []
    read_yaml(Text(text), blocks)
    read = yaml_parsing._read

    def counted(source, *rest, **more):
        asked.append(len(source))
        return read(source, *rest, **more)

    for module in (yaml_parsing, yaml_blocks):
        monkeypatch.setattr(module, "_read", counted)
    for end in range(1, len(typed) + 1):
        asked.clear()
        document = read_yaml(Text(text[:at] + typed[:end] + "\n" + text[at:]), blocks)
        assert sum(asked) < 4 * len(TEXT), typed[:end]
        assert len(document.root.get("long").value.items) == 1_000


def test_what_moves_keeps_its_values_and_is_moved_when_it_is_asked_for():
    blocks = Blocks()
    before = read_yaml(Text(TEXT), blocks).root.get("notes").value
    made = to_python(before)
    after = read_yaml(Text("beta: 1\n" + TEXT), blocks).root.get("notes").value
    assert after is not before
    assert after.origin == (before, 8)
    assert to_python(after) is made
    assert [item.start for item in after.items] == [item.start + 8 for item in before.items]
    assert after.origin is None


def test_a_text_with_too_much_in_it_is_refused_as_it_is_for_the_first_time(monkeypatch):
    monkeypatch.setattr(yaml_reader, "LONGEST_PLAIN", -1)
    monkeypatch.setattr(yaml_parsing, "MOST_EVENTS", 60)
    monkeypatch.setattr(yaml_blocks, "MOST_EVENTS", 60)
    blocks = Blocks()
    for count in (3, 13, 27, 28, 29, 60):
        text = "".join(f"key_{number}: value\n" for number in range(count))
        for more in ("", "half", "more: [1, 2"):
            assert whole(read_yaml(Text(text + more), blocks)) == whole(read_yaml(Text(text + more)))
