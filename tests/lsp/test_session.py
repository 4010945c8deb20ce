"""What a session knows of its documents, whatever is typed."""

import gc
import sys

import pytest
from conftest import lint_text, told
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_lint.lsp.diagnostics import Client, diagnostics
from grpo_lint.lsp.session import Session
from grpo_lint.report.json import diagnostic
from grpo_lint.source import yaml_reader

TEXT = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7 # 😀
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
run_name: "é😀"
"""
PIECES = ["8", "\n", "\r\n", "\r", ": ", "#", "beta: 0.1\n", "num_generations: 4\n", "😀", "é", "\u2028", "\x0b", "  ", "{", "]", '"', "&a ", "*a", "\t", "", "\ud83d"]
EDITS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 400), st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), st.booleans()), max_size=12
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@settings(max_examples=60)
@given(edits=EDITS)
def test_any_edits_end_where_the_final_text_is(encoding, edits):
    """The text is that of the editor, and so are the findings, in its units; some edits come several to a message."""
    session = Session(encoding)
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, TEXT)
    expected, waiting = TEXT, []
    for version, (first, length, new, at_once) in enumerate(edits, 1):
        first = min(first, len(expected))
        last = min(first + length % 7, len(expected))
        waiting.append(({"start": place(expected, first, encoding), "end": place(expected, last, encoding)}, new))
        first, last = (within(expected, offset) for offset in (first, last))
        expected = expected[:first] + new + expected[last:]
        if at_once:
            session.change(document, version, waiting)
            waiting = []
            session.report(document)
    session.change(document, 99, waiting)
    assert document.text.text == expected.removeprefix("\ufeff")
    report = lint_text(expected, path="/nowhere/config.yaml")
    assert told(session.report(document)) == told(report)
    client = Client(related=True, tags=(1, 2), code_description=True)
    for found, finding in zip(diagnostics(document, session.report(document), encoding, client), report.findings):
        assert found["range"] == diagnostic(report, finding, encoding)["range"]


def place(text, offset, encoding):
    """Where an editor says that an offset is: lines end at CR, LF and CRLF only, columns count code units."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    if text[offset - 1 : offset + 1] == "\r\n":  # between the two there is no place: it is the end of the line
        before = before[:-1]
    line = before.rpartition("\n")[2]
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    units = line.encode(f"{encoding}-le" if width > 1 else encoding, "surrogatepass")
    return {"line": before.count("\n"), "character": len(units) // width}


def within(text, offset):
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" else offset


def test_ten_thousand_edits_leave_nothing_behind(monkeypatch):
    """Each edit makes a key that nobody has seen before; after the first thousand nothing more is remembered."""
    monkeypatch.setattr(yaml_reader, "_WORDS_LIMIT", 100)  # words are remembered, so many and no more
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, TEXT)

    def edit(first, last):
        for version in range(first, last):
            where = {"start": {"line": 5, "character": 0}, "end": {"line": 6, "character": 0}}
            session.change(document, version, [(where, f"key_{version}: {version}\n")])
            session.report(document)
        gc.collect()
        return sys.getallocatedblocks()

    before = edit(0, 1_000)
    grown = edit(1_000, 10_000) - before
    assert document.text.text.endswith("key_9999: 9999\n")
    assert grown < 1_000, f"{grown} blocks of memory in 9,000 edits"
