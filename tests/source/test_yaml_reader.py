"""The YAML reader: faithful to yaml.safe_load, exact about places, and hard to upset."""

import math
import random

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from grpo_lint.source.entry import loaded
from grpo_lint.source.text import Text
from grpo_lint.source.yaml import (
    extent as yaml_extent,
    parsing as yaml_parsing,
    reader as yaml_reader,
)
from grpo_lint.source.yaml.reader import UNREADABLE, Alias, Mapping, Scalar, Sequence, read_yaml, target, to_python
from grpo_lint.unknown import UNKNOWN


def read(source):
    return read_yaml(Text(source))


def written(document, node):
    return document.text.text[node.start : node.end]


def spans(source):
    """What stands in the file for every entry of the root mapping."""
    document = read(source)
    return {entry.name: written(document, entry.value) for entry in document.root.entries}


def picture(node):
    """A node and everything below it as plain data, for comparing trees."""
    if isinstance(node, Scalar):
        return (node.start, node.end, node.text, node.style, node.tag, node.anchor, repr(node.value))
    if isinstance(node, Alias):
        return (node.start, node.end, node.name, node.target is not None and node.target.start)
    head = (node.start, node.end, node.flow, node.anchor, node.tag)
    if isinstance(node, Sequence):
        return (*head, [picture(item) for item in node.items])
    return (
        *head,
        [(picture(entry.key), picture(entry.value)) for entry in node.entries],
        [(name, entry.key.start, entry.merged) for name, entry in node.items()],
    )


def everything(source):
    document = read(source)
    problems = [(problem.offset, problem.end, problem.kind, problem.message) for problem in document.problems]
    return [picture(root) for root in document.documents], problems, document.partial, document.comments


@pytest.fixture(params=["libyaml", "pure"])
def parser(request, monkeypatch):
    monkeypatch.setattr(yaml_reader, "LONGEST_PLAIN", -1)  # nothing is simple enough
    if request.param == "pure":
        monkeypatch.setattr(yaml_parsing, "CParser", None)
    elif yaml_parsing.CParser is None:
        pytest.skip("PyYAML without libyaml")


def equal(ours, theirs):
    if isinstance(theirs, float) and math.isnan(theirs):
        return isinstance(ours, float) and math.isnan(ours)
    if isinstance(theirs, dict):
        return (
            isinstance(ours, dict)
            and list(map(repr, ours)) == list(map(repr, theirs))
            and all(equal(a, b) for a, b in zip(ours.values(), theirs.values()))
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(equal, ours, theirs))
    return type(ours) is type(theirs) and ours == theirs


# One line per oddity that was found in real configs, and some that were not.
NASTY = [
    "",
    "# only a comment\n",
    "---\n",
    "just text",
    "reward_funcs:\n- a\n- b\nempty:\nlast:",
    "# num_generations: 16\nnum_generations: 7 # one per GPU\n",
    "top_k: ~\nmin_p: null\nn: Null\n",
    "提示: 你好，世界\nemoji: 😀 x # 注释\n",
    "out: ${oc.env:X}\nseed: ${data.seed}\nplain: ${VAR}/x\n",
    "learning_rate: 5e-6\nother: 5.0e-6\n",
    "chat_template: \"{% if x != 'y' %}{{ z }} # no comment{% endif %}\"\nb: 1\n",
    "bf16: True\nfp16: False\na: on\nb: no\n",
    "defaults:\n  - _self_\n  - model: qwen\n",
    "num_nodes: \"1\"\nother: '2'\n",
    "hyphen-key: 1\n",
    "a: 1\r\nb: |\r\n  x\r\n  y\r\n\r\nc: 3\r\n",
    "extends:\n  - ../base.yaml\n",
    "max_steps: 1\nbeta: 0\nmax_steps: 2\n",
    "prompt: |\n  You # no comment\n\n  are\n\nb: >-\n  folded\n  text\n# comment\nc: |+\n  keep\n\n",
    "n: 10_000\n",
    "base: &base\n  lr: 1\n  x: [1]\nrun:\n  <<: *base\n  lr: 2\n",
    "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  z: 3\n  <<: [*a, *b]\nd:\n  <<: *a\n  <<: {z: 2}\n",
    "a: {<<: {x: {<<: {y: 1}}}}\n",
    "1: x\non: y\n0x1: z\n1.0: w\nnull: v\n~: u\n",
    '"1": a\n1: b\n',
    "a: {b: , c, d: [e: f, {g: h}], }\n",
    "? complex\n: value\n? only key\n",
    "x: &x key\n*x : 1\n",
    "a: ! 3\nb: ! '3'\nc: !!int '3'\nd: !!str 3\ne: !!float 3\n",
    "s: !!set {a, b}\no: !!omap [a: 1, b: 2]\np: !!pairs [a: 1, a: 2]\nq: !!seq [1]\nm: !!map {a: 1}\n",
    "b: !!binary aGVsbG8=\nt: 2024-01-01\nu: 2024-01-01 10:00:00\n",
    "%YAML 1.1\n---\na: 1\n...\n",
    "a: x\u2028b: 3\u2029c: 4\x85d: |\x85  e\u2028  f\n",
    "a: multi\n  line\n\n  plain\nb: 'multi\n\n  line'\nc: \"with \\\n  escape \\u00e9 \\x41\"\n",
    "a: 'it''s'\nb: \"say \\\"x\\\"\"\n",
    "a: [what, http://x.y/z]\nb: http://x.y/z?q=1\n",
    "a#b: c#d # e\n'x # y': \"z # z\"# near\n",
    "a: |2\n    indented\n  more\nb: |-\nc: >\n",
    "- - 1\n  - 2\n-\n  - 3\n- \n",
    "a:\n- b:\n  - c\n  -\n",
    "\ufeffa: 1\nb: x\ufeffy\n",
    "\n\ufeffa: 1\n",
    '{"a": 1, "b": [true, null, 1e3]}',
    "a: 1\n# grpo-lint: ignore[X]\n\n\n",
    "'<<': 1\n=: 2\n",
]

RECURSIVE = ["a: &a\n  b: 1\n  c: *a\n", "&r [1, *r]"]
NASTY += RECURSIVE

BROKEN = [
    "a: 1\n5\nb: 2\n",
    "a: 1\n\tb: 2\nc: 3\n",
    "a:\tx\nb: 1\n",
    "t:\n  lr: 1\n\tx: 2\nq: 1\n",
    "a: 'x\nb: 2\n",
    "a: 'it's\nb: 2\n",
    "a: [1, 2\nb: 3\nc: 4\n",
    "a: {x: 1\nb: 3\n",
    "a: 1\n  b: 2\nc: 3\n",
    "a: b: c\nd: 1\n",
    "a: @x\nb: `y`\nc: %z\nd: 1\n",
    "a: *.json\nb: 1\n",
    "a: &\nb: 1\n",
    "a: 1\n}\nb: 2\n",
    'a: "\\d"\nb: 2\n',
    'a: "\\U00110000"\nb: 2\n',
    "a: | text\nb: 2\n",
    "  a: 1\n  b: @\n  c: 2\n",
    "%FOO bar\na: 1\n",
    "a: !x!y z\nb: 1\n",
    "a: [is it?, no]\nb: 1\n",
    "- a\n- b: [\n",
    "no key at all\na: 1\n",
    "{a: 1, b: [",
    "a: \x01z\nb: \x7f\nc: 1\n",
    "a: \0\nb: 1\n",
    "a: \ud800\nb: 1\n",
    "a: \ufffe\nb: 1\n",
    "a: &x [1]\nb: @\nc: *x\na: 2\n",
]

REFUSED = [
    ("a: *nope\n", "undefined-alias", "*nope"),
    ("a: &x 1\nb: &x 2\n", "duplicate-anchor", "&x"),
    ("a: !reference [x, y]\n", "tag", "!reference"),
    ("a: !!python/object/apply:os.system ['true']\n", "tag", "!!python/object/apply:os.system"),
    ("a: !!int maybe\n", "tag", "!!int"),
    ("a: !!int [1]\n", "tag", "!!int"),
    ("? [a, b]\n: x\n", "unhashable-key", "[a, b]"),
    ("a: {{ x }}\n", "unhashable-key", "{ x }"),
    ("a: 1\n<<: 3\n", "merge", "<<: 3"),
    ("a: &a [x]\n<<: [*a]\n", "merge", "<<: [*a]"),
    ("a: 1\n---\nb: 2\n", "several-documents", "---"),
]


@pytest.mark.parametrize("source", NASTY)
def test_builds_what_safe_load_builds(source, parser):
    """Which of two merged mappings wins hangs on the release of PyYAML: from 6.0.4 on on whether their keys are one object."""
    document = read(source)
    assert document.problems == []
    assert not document.partial
    ours, theirs = to_python(document.root), yaml.safe_load(source)
    if source in RECURSIVE:  # not comparable by ==
        assert repr(ours) == repr(theirs)
    elif "<<: " in source:  # the order in a merged mapping is SafeLoader's affair
        assert ours == theirs
    else:
        assert equal(ours, theirs)


@pytest.mark.parametrize("source", [*NASTY, *BROKEN, *(source for source, _, _ in REFUSED)])
def test_both_parsers_give_identical_trees(source, monkeypatch):
    if yaml_parsing.CParser is None:
        pytest.skip("PyYAML without libyaml")
    fast = everything(source)
    monkeypatch.setattr(yaml_reader, "LONGEST_PLAIN", -1)
    assert fast == everything(source)
    monkeypatch.setattr(yaml_parsing, "CParser", None)
    assert fast == everything(source)


@pytest.mark.parametrize(("source", "kind", "place"), REFUSED)
def test_what_only_safe_load_refuses_is_a_problem(source, kind, place, parser):
    with pytest.raises(Exception):
        yaml.safe_load(source)
    document = read(source)
    assert [problem.kind for problem in document.problems] == [kind]
    assert written(document, Scalar(document.problems[0].offset, document.problems[0].end, "")) == place
    assert not document.partial and document.root is not None


@pytest.mark.parametrize("source", BROKEN)
def test_a_broken_file_is_one_problem(source, parser):
    with pytest.raises(Exception):
        yaml.safe_load(source)
    document = read(source)
    assert document.partial
    assert [problem.kind for problem in document.problems] in (["syntax"], ["unprintable"])
    assert 0 <= document.problems[0].offset <= document.problems[0].end <= len(source)


def saved(source):
    return {entry.name: to_python(entry.value) for entry in read(source).root.entries}


@pytest.mark.parametrize(
    ("source", "place", "kept"),
    [
        ("a: 1\n5\nb: 2\n", "5", {"a": 1, "b": 2}),
        ("a: 1\n\tb: 2\nc: 3\n", "\tb: 2", {"a": 1, "c": 3}),
        ("a: 'x\nb: 2\n", "'x", {"a": "'x", "b": 2}),
        ("a: [1, 2\nb: 3\nc: 4\n", "[1, 2", {"a": [1, 2], "b": 3, "c": 4}),
        ("a: 1\n  b: 2\nc: 3\n", ": 2", {"a": 1, "c": 3}),
        ("a: @x # no\nb: `y`\nd: 1\n", "@x # no", {"a": "@x", "b": "`y`", "d": 1}),
        ("t:\n  lr: 1\n\tx: 2\nq: 1\n", "\tx: 2", {"t": {"lr": 1}, "q": 1}),
        ("a: 1\n}\nb: 2\n", "}", {"a": 1, "b": 2}),
        ("  a: 1\n  b: @\n  c: 2\n", "@", {"a": 1, "b": "@", "c": 2}),
        ('a: "\\U00110000"\nb: 2\n', "\\U00110000", {"a": '"\\U00110000"', "b": 2}),
        ("no key at all\na: 1\n", ": 1", {"a": 1}),
        ("a: &x [1]\nb: @\nc: *x\n", "@", {"a": [1], "b": "@", "c": [1]}),
        ("a: z\x01\nb: 1\n", "\x01", {"a": "z\ufffd", "b": 1}),
        ("a: |\n  text\nb: @\nc:\n  d:\n  - 1\n", "@", {"a": "text\n", "b": "@", "c": {"d": [1]}}),
    ],
)
def test_the_rest_of_a_broken_file_is_still_read(source, place, kept, parser):
    document = read(source)
    problem = document.problems[0]
    assert source[problem.offset : problem.end] == place
    assert saved(source) == kept
    for entry in document.root.entries:
        assert written(document, entry.key) == entry.name
    assert document.root.get("nothing") is None
    assert {name for name, _ in document.root.items()} == set(kept)


def test_what_follows_a_mistake_is_a_full_part_of_the_tree():
    document = read("a: @\nb: &x {c: 1, c: 2}\nd: *x\n")
    root = document.root
    assert root.get("d").value.target is root.get("b").value
    assert [(mapping, later.value.text) for mapping, _, later in document.duplicates] == [(root.get("b").value, "2")]


def test_an_unreadable_value_says_so():
    root = read("a: @x\nb: 1\n").root
    assert root.get("a").value.tag == UNREADABLE
    assert root.get("b").value.tag is None


def test_messages_are_in_our_words_and_quote_pyyaml():
    (problem,) = read("a: 'x\nb: 2\n").problems
    assert problem.message.startswith("this quote is never closed (PyYAML: ")
    (problem,) = read("a:\n\tb: 1\n").problems
    assert "tab" in problem.message


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a: 1 # c\nb:   x y  \n", {"a": "1", "b": "x y"}),
        ("a:\nb:   \nc: # x\n", {"a": "", "b": "", "c": ""}),
        ("a: 'x' \nb: \"y\"#\n", {"a": "'x'", "b": '"y"'}),
        ("a: &x 8\nb: !!int 8\nc: &y !!str # z\n  8\nd: &z\n", {"a": "8", "b": "8", "c": "8", "d": ""}),
        ("a: |\n  x\n  y \n\n\nb: >- # c\n  z\n# d\nc: |", {"a": "|\n  x\n  y ", "b": ">- # c\n  z", "c": "|"}),
        ("é😀: 😀 é\r\nb: '漢'\r\n", {"é😀": "😀 é", "b": "'漢'"}),
        ("\ufeffa: 1\nb: 2\n", {"a": "1", "b": "2"}),
        ("a: x\u2028b: y\x85c: z\n", {"a": "x", "b": "y", "c": "z"}),
        ("a:\n- 1\n- 2 # x\n\n\nb:\n  c: d # y\n\ne: [1, 2] # z\n", {"a": "- 1\n- 2", "b": "c: d", "e": "[1, 2]"}),
        (
            "a: &x\n  b: 1\n\nc: &y # z\n- 1\nd: &z {q: 1}\ne: *x # f\n",
            {"a": "b: 1", "c": "- 1", "d": "{q: 1}", "e": "*x"},
        ),
    ],
)  # fmt: skip
def test_spans_hold_the_value_and_nothing_else(source, expected, parser):
    assert spans(source) == expected


def test_an_empty_value_sits_right_after_its_colon(parser):
    source = "a:   # x\nb: {c:  , d: }\n? e\n:   # y\n"
    root = read(source).root
    assert root.get("a").value.start == source.index("a:") + 2
    inner = root.get("b").value
    assert [entry.value.start for entry in inner.entries] == [source.index("c:") + 2, source.index("d:") + 2]
    assert root.get("e").value.start == source.index("\n:") + 2


def test_duplicates_are_kept_and_the_last_one_counts():
    document = read("a: 1\nb: 2\na: 3\nc: {x: 1, 'x': 2}\na: 4\n")
    root = document.root
    first, _, second, nested, third = root.entries
    assert [pair[1:] for pair in document.duplicates if pair[0] is root] == [(first, second), (second, third)]
    x, y = nested.value.entries
    assert sorted((pair[1].key.start, pair[2].key.start) for pair in document.duplicates) == sorted(
        [(first.key.start, second.key.start), (second.key.start, third.key.start), (x.key.start, y.key.start)]
    )
    assert root.get("a") is third
    assert [name for name, _ in root.items()] == ["a", "b", "c"]


def test_keys_are_duplicates_when_python_thinks_so():
    assert len(read("1: a\n0x1: b\n").duplicates) == 1
    assert len(read("on: a\ntrue: b\n").duplicates) == 1
    assert len(read("on: a\n1: b\n").duplicates) == 1, "True == 1"
    assert read('1: a\n"1": b\n').duplicates == []
    assert read("on: a\n'on': b\n").duplicates == []
    assert read("k: a\nq: b\n").duplicates == []
    assert len(read("!!null k: a\n!!null q: b\n").duplicates) == 1
    assert read('"1": a\n').duplicates == read('"1": a\n1: b\n').duplicates == [], "nothing is remembered between files"


def test_names_are_the_text_as_written():
    root = read("on: x\n2: y\n0x1F: z\n'q': w\n").root
    assert [entry.name for entry in root.entries] == ["on", "2", "0x1F", "q"]
    assert root.get("on").value.text == "x"
    assert root.get("True") is None


def test_merges_apply_as_in_safe_loader():
    root = read("base: &b {lr: 1, seed: 2}\nrun:\n  lr: 3\n  <<: *b\n").root
    run = root.get("run").value
    assert [entry.name for entry in run.entries] == ["lr", "<<"]
    assert {name: (entry.value.text, entry.merged) for name, entry in run.items()} == {
        "lr": ("3", False),
        "seed": ("2", True),
    }
    assert run.get("<<") is None


def test_aliases_know_their_target():
    root = read("a: &x [1]\nb: *x\nc: &y {d: *y}\n").root
    alias = root.get("b").value
    assert isinstance(alias, Alias) and alias.name == "x" and alias.target is root.get("a").value
    inner = root.get("c").value
    assert inner.get("d").value.target is inner
    assert read("a: *x\n").root.get("a").value.target is None


def test_to_python_keeps_identity_and_cycles():
    value = to_python(read("a: &x [1]\nb: *x\nc: &y {d: *y}\n").root)
    assert value["a"] is value["b"]
    assert value["c"]["d"] is value["c"]


def test_comments_are_only_what_yaml_calls_so(parser):
    source = (
        "# one\na: x#y # two\nb: '# no' # three\nc: | # four\n  # no\n  text # no\n# five\n"
        'd: ["#no", e] # six\nf: "a\n  # no\n  b" # seven\ng: &x # eight\n  h\n# nine'
    )
    document = read(source)
    words = "one two three four five six seven eight nine".split()
    assert [source[start:end] for start, end in document.comments] == [f"# {word}" for word in words]


def test_comments_of_a_broken_file():
    source = "a: 1 # one\nb: 'x\nc: 2 # two\n"
    assert [source[start:end] for start, end in read(source).comments] == ["# one", "# two"]


def test_several_documents():
    document = read("a: 1\n--- # x\nb: &x 2\n--- [c]\n")
    assert len(document.documents) == 3
    assert document.root is document.documents[0]
    assert [type(root) for root in document.documents] == [Mapping, Mapping, Sequence]
    assert len(document.problems) == 1


def test_anchors_end_with_their_document():
    kinds = [problem.kind for problem in read("a: &x 1\n--- {b: &x 2}\n--- [c, *x]\n").problems]
    assert kinds == ["several-documents", "undefined-alias"]


def test_styles():
    root = read("a: x\nb: 'x'\nc: \"x\"\nd: |\n  x\ne: >\n  x\n").root
    assert [entry.value.style for entry in root.entries] == ["", "'", '"', "|", ">"]


LIMITS = {
    "open brackets": "[" * 10_000,
    "closed brackets": "[" * 2_000 + "]" * 2_000,
    "braces": "{a: " * 5_000,
    "block nesting": "".join(" " * depth + "a:\n" for depth in range(400)),
    "merges in merges": "{<<: " * 2_000 + "{a: 1}" + "}" * 2_000,
    "a bomb": "a: &a [x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefghijklmn", "bcdefghijklmno")),
    "a bomb of merges": "a: &a {x: 1}\n"
    + "".join(f"{b}: &{b}\n  <<: [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefghijklmn", "bcdefghijklmno")),
    "a recursive merge": "&a {<<: *a, b: 1}",
    "a recursive key": "&a {? *a : 1}",
    "a large template": 'a: "' + "{% if x %}{{ y }} # z" * 50_000 + '"\nb: 1\n',
    "an unclosed template": 'a: "' + "{% if x %}{{ y }} # z" * 50_000 + "\nb: 1\n",
    "many broken lines": "".join(f"k{number}: @\n" for number in range(500)),
    "many hashes": "a: &x " + "# a " * 5_000 + "\n@",
    "many blanks": "a: @\nk" + " " * 50_000 + "\n" * 5_000 + "b",
    "many duplicates": "a: 1\n" * 5_000,
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_survived(name):
    document = read(LIMITS[name])
    to_python(document.root)
    if isinstance(document.root, Mapping):
        document.root.items()
    assert isinstance(document.comments, list)


def test_a_bomb_of_merges_stays_small():
    assert to_python(read(LIMITS["a bomb of merges"]).root)["o"] == {"x": 1}


def values(text):
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | text | st.dates() | st.datetimes()
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4)
        | st.dictionaries(text | st.integers() | st.booleans(), inner, max_size=4),
        max_leaves=12,
    )  # fmt: skip


PRINTABLE = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12)
SPICY = st.text(alphabet="ab1 :#-?![]{}&*<>=|>'\"%@`,~.\n\\é😀", max_size=12)
STYLES = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([True, False, None]),
        "default_style": st.sampled_from([None, '"', "'", "|", ">"]),
        "allow_unicode": st.booleans(),
        "width": st.sampled_from([5, 80]),
        "indent": st.sampled_from([2, 4]),
        "line_break": st.sampled_from(["\n", "\r\n", "\r"]),
        "explicit_start": st.booleans(),
    }
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(values(PRINTABLE | SPICY), STYLES)
def test_whatever_pyyaml_dumps_is_read_as_safe_load_reads_it(value, style):
    source = yaml.safe_dump(value, **style)
    document = read(source)
    try:
        theirs = yaml.safe_load(source)
    except (yaml.YAMLError, ValueError):  # some texts do not survive PyYAML's own round trip
        return
    assert document.problems == []
    assert equal(to_python(document.root), theirs)


ATOMS = (
    "a|b: |- |a: |\n|\n  |\n- |\na: |\n  b: |[|]|{|}|, |: |? |&x |*x|!t |!!int |\"|'| # c|#|1|é|😀|\t|\r\n|\x85|\u2028|<<: |0x1|~|on"
    '|---\n|...\n|\\|@|"q # r"|\'s\'| |x y|!<q,r> |"k": |-|\n\n|!|>-\n'
).split("|") + ["|\n", "|2\n", "%YAML 1.1\n"]


def mangled(seed):
    chance = random.Random(seed)
    return "".join(chance.choice(ATOMS) for _ in range(chance.randint(1, 20)))


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(st.integers(0, 10**9).map(mangled))
def test_scrambled_texts_are_judged_as_safe_load_judges_them(source):
    fast = everything(source)
    kept, yaml_parsing.CParser = yaml_parsing.CParser, None
    try:
        assert everything(source) == fast
    finally:
        yaml_parsing.CParser = kept
    document = read(source)
    try:
        theirs = yaml.safe_load(source)
    except Exception:
        return
    # safe_load never looks at the tag of a mapping that it only merges
    assert {problem.kind for problem in document.problems} <= {"tag"}
    assert repr(to_python(document.root)) == repr(theirs) or to_python(document.root) == theirs


def test_each_list_and_mapping_is_measured_once(monkeypatch):
    asked, parts = [], yaml_extent._parts
    monkeypatch.setattr(yaml_extent, "_parts", lambda node: (asked.append(id(node)), parts(node))[1])
    levels = [
        f"b{n}: &b{n} {{<<: *b{n - 1}, {', '.join(f'{n}k{k}: *b{n - 1}' for k in range(6))}}}" for n in range(1, 12)
    ]
    document = read("\n".join(["b0: &b0 {x: y}", *levels, *(f"a{n}: {{<<: *b11}}" for n in range(100))]))
    sizes = {yaml_extent.extent(document.root.get(f"a{n}").value)[0] for n in range(100)}
    assert sizes == {yaml_extent.ENOUGH}
    assert len(asked) == len(set(asked)) == 100 + 11
    assert yaml_extent.extent(document.root.get("b1").value) == (1 + 2 + 6 * 3 + 6 * 3, 2)


def test_merged_entries_are_shared():
    root = read("a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}\nd: {<<: [*b, *a]}\n").root
    first, second, third = (dict(root.get(key).value.items()) for key in "bcd")
    assert first["x"] is second["x"] is third["x"] and first["x"].merged
    assert [tables["y"].merged for tables in (first, second, third)] == [False, True, True]


def test_the_holders_of_all_keys_are_found_in_one_walk(monkeypatch):
    document = read("a: {b: 1, c: {d: 2}}\ne: [{f: 3}]\ng: &g {h: 4}\ni: {<<: *g}\n")
    walks, nodes = [], yaml_reader.nodes
    monkeypatch.setattr(yaml_reader, "nodes", lambda roots: (walks.append(roots), nodes(roots))[1])
    mappings = [node for node in nodes(document.documents) if isinstance(node, Mapping)]
    assert all(document.holder_of(entry) is mapping for mapping in mappings for entry in mapping.entries)
    merged = document.root.get("i").value.get("h")
    assert document.holder_of(merged) is document.root.get("g").value
    assert len(walks) == 1


@pytest.mark.parametrize(
    ("merged", "size"),
    [
        ("<<: [*a, *b]", UNKNOWN),
        ("<<: [*a, *a, {other: 3}]", 1),
        ("<<: [*b, {size: 2.0}]", 2),
        ("size: 3\n  <<: [*a, *b]", 3),
        ("<<: *a\n  <<: *b", 2),
        ("<<: [*a, {size: [1]}]", UNKNOWN),
    ],
)
def test_what_releases_of_pyyaml_merge_otherwise_is_unknown(merged, size):
    """6.0.3 and older take the first of a list of mappings, 6.0.4 the last."""
    source = f"a: &a {{size: 1, x: 1}}\nb: &b {{size: 2, x: 2}}\nrun:\n  {merged}\n"
    run = target(read(source).root.get("run").value)
    assert loaded(run.get("size").value) == size and run.get("size").merged is ("size: 3" not in merged)
    if size is not UNKNOWN:
        assert yaml.safe_load(source)["run"]["size"] == size


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 1_500 + "]" * 1_500,
        "a: " + "[" * 1_500,
        "a: " + "{b: " * 900,
        "a: [\n" + "[\n" * 600,
        "".join(" " * depth + "a:\n" for depth in range(1_100)),
    ],
)
def test_what_nests_deep_is_left_to_libyaml(text, monkeypatch):
    """The time of PyYAML's own parser grows with the square of the depth."""
    from grpo_lint.source.yaml import parsing
    from grpo_lint.source.yaml.pure_parser import PureParser

    begin, asked = PureParser.__init__, []

    def note(self, source):
        asked.append(len(source))
        begin(self, source)

    if parsing.CParser is None:
        pytest.skip("PyYAML has no libyaml here")
    monkeypatch.setattr(PureParser, "__init__", note)
    document = read_yaml(Text(f"num_generations: 8\n{text}\n"))
    assert document.problems and dict(document.root.items())["num_generations"].value.value == 8
    assert max(asked, default=0) < 10  # a first line
    read_yaml(Text("some: [1\nmore: 2\n"))
    assert max(asked) > 10


def test_what_nests_too_deep_is_said():
    for text in ("[" * 1_001 + "]" * 1_001, "".join(" " * depth + "a:\n" for depth in range(1_001))):
        (problem,) = read_yaml(Text(text)).problems
        assert problem.message == "this file nests more than 1,000 lists and mappings, and the rest is not read"
