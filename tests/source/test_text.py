"""Text: decoding, lines, and the ways between offsets and places."""

import codecs

import pytest

from grpo_lint.fixes.edits import apply
from grpo_lint.source.text import Edit, NotText, Span, Text
from grpo_lint.source.yaml.reader import read_yaml


@pytest.mark.parametrize(
    ("data", "bom"),
    [
        ("a: é😀".encode(), False),
        ("a: é😀".encode("utf-8-sig"), True),
        (codecs.BOM_UTF16_LE + "a: é😀".encode("utf-16-le"), True),
        (codecs.BOM_UTF16_BE + "a: é😀".encode("utf-16-be"), True),
    ],
)
def test_decodes_what_pyyaml_decodes(data, bom):
    text = Text.from_bytes(data, "x.yaml")
    assert (text.text, text.bom, text.path) == ("a: é😀", bom, "x.yaml")


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"a: \xff\xfe", 3),
        (b"ab\0c", 2),
        ("é\0".encode(), 2),
        (codecs.BOM_UTF16_LE + b"a", 2),
        (codecs.BOM_UTF16_LE + "a\0".encode("utf-16-le"), 4),
        (codecs.BOM_UTF32_LE + "a".encode("utf-32-le"), 2),
    ],
)
def test_refuses_what_is_no_text(data, offset):
    with pytest.raises(NotText) as caught:
        Text.from_bytes(data, "x.yaml")
    assert caught.value.offset == offset
    assert f"(byte {offset})" in str(caught.value)


def test_a_bom_in_a_string_is_not_part_of_the_text():
    text = Text("\ufeffa: 1")
    assert text.text == "a: 1" and text.bom


MIXED = "one\ntwo\r\nthree\rfour\x85\u2028\u2029still four\n"


def test_only_the_line_breaks_of_editors_count():
    text = Text(MIXED)
    assert [text.line_text(line) for line in range(text.line_count)] == [
        "one", "two", "three", "four\x85\u2028\u2029still four", "",
    ]  # fmt: skip


@pytest.mark.parametrize("source", [MIXED, "", "\n", "a", "\r\r\n\n", "é😀\nx"])
def test_every_offset_has_a_place_and_comes_back(source):
    text = Text(source)
    for offset in range(len(source) + 1):
        line, column = text.position(offset)
        if source[offset - 1 : offset + 1] != "\r\n":  # between the two there is no place of its own
            assert text.offset(line, column) == offset
    assert text.position(-5) == (0, 0)
    assert text.position(10**6) == text.position(len(source))


def test_utf16_counts_an_emoji_twice():
    text = Text("ä: x\nk: 😀😀 y")
    end = len(text.text)
    assert text.position(end) == (1, 7)
    assert text.encoded_position(end) == (1, 9)
    assert text.encoded_position(text.text.index("y")) == (1, 8)
    assert text.encoded_position(4) == (0, 4)
    for offset in range(end + 1):
        for encoding in ("utf-8", "utf-16", "utf-32"):
            assert text.encoded_offset(*text.encoded_position(offset, encoding), encoding) == offset
    assert text.encoded_offset(1, 4) == text.offset(1, 3), "half an emoji is before it"


def test_places_outside_of_the_text_are_moved_inside():
    text = Text("ab\r\ncd")
    assert text.offset(0, 99) == 2
    assert text.offset(9, 0) == 6
    assert text.offset(-1, 3) == 0
    assert text.offset(1, -4) == 4
    assert text.line_text(7) == ""


def test_a_span_is_told_by_the_names_of_its_ends():
    text = Text("seed: 1  # why")
    found = Span.of(read_yaml(text).root.entries[0].key)
    assert (found.start, found.end, text[found], text[found.moved(9)]) == (0, 4, "seed", "# wh")
    assert found in {Span(0, 4)} and 3 in found.offsets and 4 not in found.offsets


def test_edits_sort_by_their_places():
    later, earlier = Edit(6, 7, "2"), Edit(0, 4, "max_steps")
    assert [edit.new for edit in sorted([later, earlier])] == ["max_steps", "2"]
    assert apply(Text("seed: 1"), [later, earlier]).text == "max_steps: 2"
