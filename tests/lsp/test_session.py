"""What a session knows of its documents, whatever is typed."""

import gc
import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from lsprotocol import types
from pygls.protocol import default_converter

from conftest import lint_text, told
from grpo_lint.checker.findings import Report, span_of
from grpo_lint.engine import lint, lint_bytes
from grpo_lint.fixes.search import PIECE, Work
from grpo_lint.launch import context as launch_context
from grpo_lint.lsp import actions as actions_module
from grpo_lint.lsp.actions import actions, complete
from grpo_lint.lsp.client import Client, ClientSettings, read_settings
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.definition import definition, links
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.numbers import code_lenses, inlay_hints, symbols
from grpo_lint.lsp.session import Session
from grpo_lint.lsp.view import View
from grpo_lint.report.json import diagnostic
from grpo_lint.source.text import Text
from grpo_lint.source.yaml import reader as yaml_reader

TEXT = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7 # 😀
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
run_name: "é😀"
"""
SCRIPT = "NPROC_PER_NODE=7 swift rlhf \\\n    --rlhf_type grpo \\\n    --num_generations 8 # 😀\n"
EXAMPLES = Path(__file__).parents[2] / "examples"
CLIENT = Client(
    related=True,
    tags=(1, 2),
    code_description=True,
    data=True,
    document_changes=True,
    annotations=True,
    lazy_edits=True,
)
CONVERTER = default_converter()
PIECES = [
    "8",
    "\n",
    "\r\n",
    "\r",
    ": ",
    "#",
    "beta: 0.1\n",
    "num_generations: 4\n",
    "😀",
    "é",
    "\u2028",
    "\x0b",
    "  ",
    "{",
    "]",
    '"',
    "&a ",
    "*a",
    "\t",
    "",
    "\ud83d",
]
SIGNS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)  # with NUL it is no text
EDITS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 400), st.one_of(st.sampled_from(PIECES), SIGNS), st.booleans()),
    max_size=12,
)


@pytest.mark.slow
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
    for found, finding in zip(diagnostics(document, session.report(document), encoding, CLIENT), report.findings):
        assert found["range"] == diagnostic(report, finding, encoding)["range"]


@pytest.mark.slow
@settings(max_examples=150)
@given(edits=EDITS, at=st.integers(0, 400), script=st.booleans())
def test_whatever_is_asked_of_any_text_has_an_answer(edits, at, script):
    """And each answer is what the protocol says it is."""
    text = SCRIPT if script else TEXT
    for first, length, new, _ in edits:
        first = first % (len(text) + 1)
        text = text[:first] + new + text[first + length % 7 :]
    session = Session("utf-16")
    document = session.open("file:///nowhere/file", "/nowhere/train.sh" if script else "/nowhere/config.yaml", 0, text)
    report, at = session.report(document), at % (len(text) + 1)
    assert "linter-does-not-fail" not in {finding.rule.name for finding in report.findings}
    found = {
        types.Hover | None: hover(report, at, "utf-16"),
        list[types.CompletionItem]: completion(document.text, at, document.good, session.context(document), "utf-16"),
        list[types.InlayHint]: inlay_hints(report, 0, len(text), "utf-16"),
        list[types.CodeLens]: code_lenses(report, document.uri, "utf-16"),
        list[types.DocumentSymbol]: symbols(report, "utf-16"),
        list[types.Location]: definition(report, document.path, document.uri, at, "utf-16"),
        list[types.DocumentLink]: links(report, document.path, "utf-16"),
        list[types.Diagnostic]: diagnostics(document, report, "utf-16", CLIENT),
    }
    offered = [action for action in actions(session, document, 0, len(text), None, CLIENT) if action]
    for action in offered:
        complete(session, document, action, CLIENT)
    for kind, answer in {**found, list[types.CodeAction]: offered}.items():
        CONVERTER.structure(answer, kind)


def test_what_the_command_line_does_not_check_is_not_checked():
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, TEXT + "x: y\n" * 60_000)
    (finding,) = session.report(document).findings
    assert finding.rule.name == "file-can-be-read"
    assert [action for action in actions(session, document, 0, 0, None, CLIENT) if action] == []


def test_only_fixes_that_somebody_asks_for_are_looked_for():
    command = "NPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 1 --output_dir {}\n"
    session = Session()
    document = session.open(
        "file:///nowhere/train.sh",
        "/nowhere/train.sh",
        0,
        "# grpo-lint: version=4.6.0\n" + "".join(map(command.format, range(40))),
    )
    at = document.text.starts[30] + 60
    offered = [action for action in actions(session, document, at, at, ["quickfix"], CLIENT) if action]
    complete(session, document, offered[0], CLIENT)
    assert {edit["range"]["start"]["line"] for edit in offered[0]["edit"]["documentChanges"][0]["edits"]} == {30}
    assert len(session.report(document).findings) == 40 and len(document.searches) == 1


@pytest.mark.parametrize("path", sorted((EXAMPLES / "bad").glob("*.[ys]*[lh]")), ids=lambda path: path.name)
def test_the_fixes_are_those_of_the_command_line(path):
    session = Session()
    document = session.open(path.as_uri(), str(path), 0, path.read_text())
    by_editor = session.report(document)
    for finding in by_editor.findings:
        session.look_for_fixes(document, finding)
    by_command = lint(document.text, session.context(document))
    assert told(by_editor) == told(by_command)
    fixes = [
        [(fix.title, fix.safety, fix.edits) for finding in report.findings for fix in finding.fixes]
        for report in (by_editor, by_command)
    ]
    assert fixes[0] == fixes[1] != []


TYPED = 'beta: 0.04\nuse_vllm: true\nvllm_mode: colocate\nrun_name: "x y"\nreward_funcs: [accuracy]\n'


@pytest.mark.parametrize("line", range(TEXT.count("\n") + 1))
def test_a_half_typed_line_takes_nothing_away(line):
    """What was found stays where it was found, whatever is typed above, below or between."""
    lines = TEXT.splitlines(keepends=True)
    above, below = "".join(lines[:line]), "".join(lines[line:])
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, TEXT)
    session.report(document)
    broken = 0
    for length in range(1, len(TYPED) + 1):
        session.change(document, length, [(None, f"{above}{TYPED[:length]}\n{below}")])
        report, view = session.report(document), session.view(document)
        broken += not report.launches
        found = {each["code"]: each for each in diagnostics(document, report, "utf-16", CLIENT, view)}
        assert "GRPO203" in found, TYPED[:length]
        assert ("GRPO001" in found) == (not report.launches)
        row = found["GRPO203"]["range"]["start"]["line"]
        assert document.text.line_text(row).startswith("num_generations")
        hints = view.shown(inlay_hints(view.report, 0, len(document.text.text), "utf-16"), "utf-16")
        assert {document.text.line_text(hint["position"]["line"]).partition(":")[0] for hint in hints} == {
            "num_generations",
            "gradient_accumulation_steps",
        }
        (lens,) = view.shown(code_lenses(view.report, document.uri, "utf-16"), "utf-16")
        assert ":" in document.text.line_text(lens["range"]["start"]["line"])
        there = view.offset(row, 3, "utf-16")
        told_of_key = view.shown(hover(view.report, there, "utf-16"), "utf-16")
        assert "size of a group" in told_of_key["contents"]["value"] and told_of_key["range"]["start"]["line"] == row
    assert broken > 20


def test_what_is_kept_is_of_what_stands_around_today():
    """The number of processes changes in the settings while a line is half typed."""
    text = TEXT.replace(" world-size=7", "")
    session = Session()
    session.settings = read_settings({"worldSize": 7})
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, text)
    session.report(document)
    session.change(document, 1, [(None, text + "bet")])
    report = session.report(document)
    assert "GRPO203" in {
        each["code"] for each in diagnostics(document, report, "utf-16", CLIENT, session.view(document))
    }
    session.settings = read_settings({"worldSize": 8})
    session.forget()
    report = session.report(document)
    found = {each["code"] for each in diagnostics(document, report, "utf-16", CLIENT, session.view(document))}
    assert "GRPO203" not in found and "GRPO001" in found


def test_a_text_that_breaks_on_its_own_keeps_nothing():
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, TEXT + "beta")
    report, view = session.report(document), session.view(document)
    assert [each["code"] for each in diagnostics(document, report, "utf-16", CLIENT, view)] == ["GRPO001"]
    assert not view.is_earlier


def test_a_nul_byte_is_what_the_command_line_says_it_is():
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, TEXT + "x: \0\n")
    assert told(session.report(document)) == told(lint_bytes((TEXT + "x: \0\n").encode(), "/nowhere/config.yaml"))


def test_thousands_of_findings_are_not_all_worked_on(monkeypatch):
    """One request reads the text a few times, not once for each duplicate."""
    session = Session()
    text = TEXT + "".join(f"num_generations: {number}\n" for number in range(1_500))
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, text)
    read = []
    monkeypatch.setattr(actions_module, "lint", lambda *words, **options: read.append(0) or lint(*words, **options))
    assert len(session.report(document).findings) > 1_500
    list(actions(session, document, 0, len(text), ["quickfix"], CLIENT))
    assert 0 < len(read) < 30


def test_counts_that_work_are_offered_where_the_number_of_processes_is_unknown():
    session = Session()
    text = "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 12\nper_device_train_batch_size: 3\n"
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, text)
    found = [str(each["title"]) for each in actions(session, document, 0, 0, ["refactor"], CLIENT) if each]
    assert [title.split()[1] for title in found] == ["world-size=8", "world-size=4", "world-size=16"]


SEARCHED = """\
#!/bin/bash
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=gae data.train_batch_size=1000 actor_rollout_ref.rollout.n=1 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=9 actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=3 trainer.n_gpus_per_node=7 trainer.nnodes=4
"""


def test_a_search_is_made_in_pieces_and_once_for_a_text():
    """Whoever is stopped in between has lost nothing: the next one goes on there."""

    def asked(*stops):
        """(the fixes of each finding, the tries of each piece) when the search is stopped, and asked for again."""
        session = Session()
        document = session.open("file:///nowhere/run.sh", "/nowhere/run.sh", 0, SEARCHED)
        found, pieces = {}, [document.work.tries]
        for finding in session.report(document).findings:
            for stop in (*stops, None, None):
                for number, _ in enumerate(session.looking_for_fixes(document, finding)):
                    pieces.append(document.work.tries)
                    if number == stop:
                        break
            found[finding.key] = [(str(fix.title), fix.edits) for fix in finding.fixes]
            pieces.append(document.work.tries)
        return found, [before - after for before, after in zip(pieces, pieces[1:])]

    whole, pieces = asked()
    assert len(pieces) > 50 and sum(pieces) > 10_000 and max(pieces) < 3 * PIECE
    stopped, others = asked(3, 0, 11)
    assert stopped == whole and sum(others) == sum(pieces)


def test_what_no_knob_cures_is_given_up_at_once():
    """Several micro batches are missing, and each could only be any number."""
    session = Session()
    document = session.open("file:///nowhere/run.sh", "/nowhere/run.sh", 0, SEARCHED)
    (finding,) = [each for each in session.report(document).findings if each.rule.code == "GRPO715"]
    session.look_for_fixes(document, finding)
    assert Work().tries - document.work.tries < 1_000


def test_one_request_reads_a_long_script_again_for_few_fixes():
    """Each proof reads the whole script: one request makes those that there is room for, and the next one goes on there."""
    head = "#!/bin/bash\n# grpo-lint: version=4.6.0\nNPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 1\n"
    text = head + 'if [ -d "$OUT" ]; then cp "$OUT/a" b; fi\n' * 1_500
    session, place = Session(), head.index("num_generations")
    document = session.open("file:///nowhere/run.sh", "/nowhere/run.sh", 0, text)
    assert len(text) > actions_module._LINTED_OF_SCRIPTS

    def asked():
        """(titles of the fixes, how many characters were linted again for them)."""
        found = [each for each in actions(session, document, place, place, ["quickfix"], CLIENT) if each is not None]
        return [str(each["title"]) for each in found if "Ignore" not in str(each["title"])], sum(
            offered.linted for offered, _ in document.searches.values()
        )

    counts, read = [], 0
    for _ in range(6):
        titles, linted = asked()
        assert linted - read < actions_module._LINTED_OF_SCRIPTS + 1.5 * len(text)
        read = linted
        counts.append(len(titles))
    assert counts[0] == 1 and counts == sorted(counts)
    whole = Session()
    other = whole.open("file:///nowhere/run.sh", "/nowhere/run.sh", 0, text)
    (finding,) = [each for each in whole.report(other).findings if each.rule.code == "GRPO203"]
    whole.look_for_fixes(other, finding)
    assert counts[-1] == len(finding.fixes) > 1


def test_a_search_that_has_taken_long_begins_with_no_other_finding(monkeypatch):
    session = Session()
    text = TEXT + "".join(f"num_generations: {number}\n" for number in range(20))
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, text)
    looked = []
    monkeypatch.setattr(actions_module, "_LONGEST_SEARCH", -1.0)
    monkeypatch.setattr(session, "looking_for_fixes", lambda document, finding, room: looked.append(finding) or ())
    list(actions(session, document, 0, len(text), ["quickfix"], CLIENT))
    assert len(session.report(document).findings) > 10 and len(looked) == 1


@given(old=st.text("ab\n", max_size=12), new=st.text("ab\n", max_size=12), kept=st.integers(0, 12))
def test_what_is_seen_of_an_earlier_text_stands_in_lines_that_are_still_there(old, new, kept):
    old, new = (Text(text) for text in (old[:kept] + old, old[:kept] + new))
    view = View(Report("", old), "", new, is_earlier=True)
    for line in range(new.line_count):
        offset = view.offset(line, 0, "utf-16")
        if offset is not None:
            row, column = old.position(offset)
            assert (old.line_text(row), column) == (new.line_text(line), 0)


@pytest.mark.parametrize("typed, known", [("x\ny\nz", [0, 1, None]), ("new\nx\ny", [None, 0, 1]), ("x\nyy", [0, None]), ("xx\ny", [None, 1]),
                                          ("x\ny", [0, 1]), ("x\n!\ny", [0, None, 1]), ("!", [None])])  # fmt: skip
def test_only_the_line_that_is_typed_is_unknown(typed, known):
    old, new = Text("x\ny"), Text(typed)
    view = View(Report("", old), "", new, is_earlier=True)
    offsets = [view.offset(line, 0, "utf-16") for line in range(new.line_count)]
    assert [None if offset is None else old.position(offset)[0] for offset in offsets] == known


def test_a_place_in_a_long_line_of_wide_characters_is_found():
    text = Text("😀" * 1_000_000)
    assert text.encoded_offset(0, 1_000_001, "utf-16") == 500_000
    assert text.encoded_offset(0, 3_999_999, "utf-8") == 999_999


def test_the_actions_of_a_line_are_offered_wherever_the_cursor_stands_on_it():
    """Also those of the diagnostics that the client shows, on whichever line it stands."""
    session = Session()
    text = (
        TEXT.replace("num_generations: 8", "{num_generations: 8").replace('"é😀"', '"é😀"}').replace("\nper", ",\n per")
    )
    text = text.replace("\ngradient", ",\n gradient").replace("\nrun", ",\n run")
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 0, text)
    (finding,) = session.report(document).findings
    start = document.text.starts[1]
    assert span_of(finding)[0] == start + 1
    for first, shown in ((start, ()), (len(text), {("GRPO203", start + 1)})):
        offered = [action for action in actions(session, document, first, first, ["quickfix"], CLIENT, shown) if action]
        assert offered and {each["diagnostics"][0]["code"] for each in offered} == {"GRPO203"}
    assert not [each for each in actions(session, document, len(text), len(text), ["quickfix"], CLIENT) if each]


class TestDefinition:
    """A script that starts a config, both in a repository."""

    CONFIG = (
        "# grpo-lint: version=1.16.0 dialect=trl\nnum_generations: 8\nbeta: 0.1\ndeepspeed: zero.json\nx: &a 1\ny: *a\n"
    )
    SCRIPT = "accelerate launch --num_processes 8 train.py --config configs/grpo.yaml \\\n    --num_generations 4 --beta 0.2\n"

    @pytest.fixture(autouse=True)
    def files(self, tmp_path):
        (tmp_path / ".git").mkdir()
        (tmp_path / "configs").mkdir()
        self.config, self.script = tmp_path / "configs" / "grpo.yaml", tmp_path / "train.sh"
        self.config.write_text(self.CONFIG)
        self.script.write_text(self.SCRIPT)
        (tmp_path / "zero.json").write_text("{}")
        self.folder, self.session = tmp_path, Session()

    def asked(self, path, word):
        document = self.session.open(path.as_uri(), str(path), 0, path.read_text())
        report = self.session.report(document)
        found = definition(report, document.path, document.uri, document.text.text.index(word) + 1, "utf-16")
        return [
            (each["uri"].rpartition("/")[2], each["range"]["start"]["line"], each["range"]["start"]["character"])
            for each in found
        ]

    def test_a_named_file_is_found_as_the_run_finds_it(self):
        assert self.asked(self.script, "configs/grpo.yaml") == [("grpo.yaml", 0, 0)]
        assert self.asked(self.config, "zero.json") == [("zero.json", 0, 0)]

    def test_a_key_leads_to_the_flag_that_overrides_it_and_back(self):
        assert self.asked(self.config, "num_generations") == [("train.sh", 1, 6)]
        assert self.asked(self.script, "--num_generations") == [("grpo.yaml", 1, 0)]

    def test_an_alias_leads_to_its_anchor(self):
        assert self.asked(self.config, "*a") == [("grpo.yaml", 4, 3)]

    def test_what_names_files_is_a_link(self):
        for path, name in ((self.config, "zero.json"), (self.script, "grpo.yaml")):
            document = self.session.open(path.as_uri(), str(path), 0, path.read_text())
            (link,) = links(self.session.report(document), document.path, "utf-16")
            assert link["target"].endswith(f"/{name}")

    def test_nothing_outside_of_the_repository_is_a_link(self, tmp_path_factory):
        outside = tmp_path_factory.mktemp("outside") / "other.yaml"
        outside.write_text("a: b\n")
        self.config.write_text(f"num_generations: 8\na: {outside}\nb: ../../{outside.parent.name}/other.yaml\n")
        document = self.session.open(self.config.as_uri(), str(self.config), 0, self.config.read_text())
        assert links(self.session.report(document), document.path, "utf-16") == []


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


@pytest.mark.slow
def test_thousands_of_edits_leave_nothing_behind(monkeypatch):
    """Each edit makes a key that nobody has seen before; after the first thousand nothing more is remembered."""
    monkeypatch.setattr(yaml_reader, "_WORDS_LIMIT", 100)  # words are remembered, so many and no more
    monkeypatch.setattr(launch_context, "MOST_REMEMBERED", 300)  # and so are results of rules
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
    grown = edit(1_000, 4_000) - before
    assert document.text.text.endswith("key_3999: 3999\n")
    assert grown < 500, f"{grown} blocks of memory in 3,000 edits"


def test_the_settings_of_the_innermost_folder_are_in_force():
    session = Session()
    outer, inner = ClientSettings(), ClientSettings()
    session.settings_of_folders = {"/w": outer, "/w/in": inner, "/w/in/of/a.yaml": ClientSettings()}
    for path, expected in {
        "/w/in/a.yaml": inner,
        "/w/in/of/a.yaml": session.settings_of_folders["/w/in/of/a.yaml"],
        "/w/inner/a.yaml": outer,
        "/wide/a.yaml": session.settings,
    }.items():
        assert session.client_settings(session.open(f"file://{path}", path, 1, "a: 1\n")) is expected
    assert session.client_settings(session.open("untitled:a.yaml", None, 1, "a: 1\n")) is session.settings


def test_of_a_changed_program_only_those_are_checked_again_that_looked_for_it():
    """A program that makes a config of its own names no files; a check may have read it all the same."""
    session = Session()
    program = session.open("file:///nowhere/train.py", "/nowhere/train.py", 0, "print(1)\n")
    reader, other = (
        session.open(f"file:///nowhere/{name}.yaml", f"/nowhere/{name}.yaml", 0, TEXT) for name in ("reader", "other")
    )
    reader.asked, other.asked = frozenset({program.path}), frozenset()
    assert program.is_program
    assert session.affected_by(program) == [reader]
    assert set(session.affected_by(reader)) <= {program, other}


def test_every_language_that_the_extension_sends_is_known():
    """Also of a text that is not saved yet, whose name says nothing."""
    folder = EXAMPLES.parent / "editors" / "vscode"
    events = json.loads((folder / "package.json").read_text())["activationEvents"]
    languages = [event.removeprefix("onLanguage:") for event in events]
    (listed,) = re.findall(r"LANGUAGES = (\[.*?\])", (folder / "src" / "extension.ts").read_text())
    assert json.loads(listed) == languages
    for language in languages:
        assert Session().open(f"untitled:Untitled-{language}", None, 1, "", language) is not None
