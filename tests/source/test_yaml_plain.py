"""What is read without PyYAML is read as with it: the same nodes, places, values and problems."""

import random
from pathlib import Path

import pytest
import yaml
from test_yaml_reader import BROKEN, NASTY, equal, everything, picture

from grpo_lint.source.text import Text
from grpo_lint.source.yaml import parsing
from grpo_lint.source.yaml.reader import PlainReading, read_yaml, to_python

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples", "tests", "docs", "conformance", "grpo_lint/rules", ".github")
ATOMS = """
a b: b:: on: "on": 1: no: a-b: a.b: a/b: -a: é: <<: ?: :x: a:b: [a]: # \\ x "x" 'x' 'it''s' "a\\"b" "a 'b'c" 'a"b" "a"b "a"# "a":
1 -1 -.5 .5 +1 ~ null true 1e-6 0o7 1:30 2020-01-01 - -- --- ... | > |- & &a *a !t @a `a % %a [a] {a} [ ] { } , a,b a] ? a? ?a = == << a=b $HOME ${a} ~/x /x
http://x:80 a#b #a a: a:  :a a:b a\u2028b é \xa0 \t \x85 \ufeff \x00 \U0001f600 (a) a\x7fb 'a:_b' a:_b a_#b yes y N 12_000 0x1f 08 .inf -.inf .nan =
""".split(" ")  # fmt: skip
LINES = ["a: 1", "b:", "b: ", "b:  # why", "- a", "-  a", "-", "- a: 1", "- - a", "  a: 1", "  - a", "    - a", "    c:", " d: 2", "", "  ", "# c", "  # c", "---", "--- ",
         "--- a", "...", "%YAML 1.1", "x", "  x", "\"a\": 1", "a:\tb", "a : 1", "e: 'x'", "e: \"x\"  # c", "e: 'x' y", "a: b: c", "a: 'b': c", "a: |", "    text", "on: 1", "null:"]  # fmt: skip


def read_by_plain(source):
    reading = PlainReading(source)
    return reading if reading.read() else None


def same(source):
    """Whether a text was simple enough; fails where it is read otherwise than by either parser of PyYAML."""
    found = read_by_plain(source)
    if found is None:
        return False
    for parser in (parsing.CParser, None):
        reading, is_partial = parsing.read_events(source)
        if parser is None:
            reading = parsing.EventReading(source)
            from grpo_lint.source.yaml.pure_parser import PureParser

            assert reading.run(PureParser) is None, source
        assert not is_partial and reading.problems == [] == found.problems, source
        assert [*map(picture, found.roots)] == [*map(picture, reading.roots)], source
        places = [[(a.key.start, b.key.start) for _, a, b in each.duplicates] for each in (found, reading)]
        assert places[0] == places[1], source
    return True


def files():
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.yaml"))


def test_the_files_of_this_project_are_read_alike():
    read = [same(path.read_bytes().decode("utf-8", "replace")) for path in files()]
    assert sum(read) > 25


def test_odd_texts_are_read_alike_or_not_at_all():
    for source in (*NASTY, *BROKEN):
        same(source)
        same(f"a: 1\n{source}\n")


@pytest.mark.parametrize("seed", range(20))
def test_lines_in_any_order_are_read_alike(seed):
    chance = random.Random(seed)
    read = 0
    for _ in range(2_000):
        read += same("\n".join(chance.choice(LINES) for _ in range(chance.randint(1, 7))) + chance.choice(("", "\n")))
    assert read > 20


@pytest.mark.parametrize("seed", range(20))
def test_values_and_keys_are_read_alike(seed):
    chance = random.Random(seed)
    read = 0
    for _ in range(1_500):
        words = [chance.choice(ATOMS).replace("_", chance.choice(" _")) for _ in range(chance.randint(1, 3))]
        value = chance.choice(("", " ")).join(words)
        read += same(
            chance.choice(
                ("a: {}", "a:\n- {}", "a:\n  b: {}\n  c: 1", "{}", "{}: 1", "a: {}  # c\nb: 2", "a:   {} ")
            ).format(value)
        )
    assert read > 100


def test_simple_texts_are_read_without_pyyaml_and_have_the_values_of_safe_load():
    source = "---\n# c\na: 1\nb:\n  c: 'x'  # d\n  e:\n    - 1.5\n    - yes\nf:\n- \"a: b\"\n- -1\ng:\nh: $HOME/x y\n"
    assert read_by_plain(source) is not None
    assert equal(to_python(read_yaml(Text(source)).root), yaml.safe_load(source))


@pytest.mark.parametrize(
    "source",
    [
        "",
        "# c",
        "a: [1]",
        "a: &x 1",
        "a: !t 1",
        "a: |\n  b",
        "a: b\n  c",
        'a: "\\n"',
        "- a",
        "a: b: c",
        "a:\tb",
        "a: é\x85",
        "a: 1\n---\nb: 2",
    ],
)
def test_what_is_not_simple_is_left_to_pyyaml(source):
    assert read_by_plain(source) is None
    everything(source)
