"""The targets of fuzzing. A target takes the bytes of an input and raises when a property does not hold."""

import ast
import json
import os
import re
import shlex
import subprocess
import tempfile
import warnings
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from itertools import islice
from pathlib import Path
from shutil import which

import yaml

from grpo_lint.checker import baseline
from grpo_lint.checker.findings import preferred, span_of
from grpo_lint.cli.options import FORMATS
from grpo_lint.engine import lint_bytes, repair
from grpo_lint.fixes.edits import apply
from grpo_lint.fixes.repair import encoded
from grpo_lint.frameworks.shared import deepspeed
from grpo_lint.frameworks.versions import version_key
from grpo_lint.launch import commands, comment_grammar, pins
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.launch.programs import Library
from grpo_lint.launch.scripts import read_embedded
from grpo_lint.report.json import diagnostic
from grpo_lint.report.messages import message
from grpo_lint.settings import files as settings
from grpo_lint.source.embedded import embedded_scripts
from grpo_lint.source.notebook import NoNotebook, read_notebook
from grpo_lint.source.shell.reader import read_shell
from grpo_lint.source.shell.word_syntax import PLACEHOLDER
from grpo_lint.source.text import NotText, Text, encoding_of
from grpo_lint.source.yaml.reader import Mapping, Sequence, nodes, read_yaml, to_python

from .corpus import FILE, SCRIPT
from .harmless import faults
from .own_output import check_own_output
from .sandbox import HERE, STARTS, Sandbox, inside, is_safe, process, said, watched
from .strangers import check_git, check_names

BASH = which("bash")


def text_of(data, path="config.yaml"):
    """The Text of an input, None where it is not text."""
    try:
        return Text.from_bytes(data, path)
    except NotText as refusal:
        assert 0 <= refusal.offset < max(len(data), 1), refusal
        return None


# --- YAML -----------------------------------------------------------------------------------------------------------


def check_yaml(data):
    text = text_of(data)
    if text is None:
        return
    document = read_yaml(text)
    size = len(text.text)
    for root in document.documents:
        _check_tree(root, size)
    for problem in document.problems:
        assert 0 <= problem.offset <= problem.end <= size, problem
        assert problem.message.isprintable() and len(problem.message) < 600, problem
    assert document.comments == sorted(document.comments)
    for (_, end), (start, _) in zip(document.comments, document.comments[1:]):
        assert end <= start, document.comments
    assert all(text.text[start] == "#" and end <= size for start, end in document.comments)
    _check_against_pyyaml(document)
    for row in range(min(text.line_count, 50)):
        assert text.position(text.offset(row, 0)) == (row, 0)


def _check_tree(root, size):
    """Check that spans are in the text, children inside their parents, and siblings in order."""
    for node in nodes([root]):
        assert 0 <= node.start <= node.end <= size, node
        children = (
            [each for entry in node.entries for each in (entry.key, entry.value)] if type(node) is Mapping else ()
        )
        if type(node) is Sequence:
            children = node.items
        for left, right in zip(children, children[1:]):
            assert left.end <= right.start, (left, right)
        if children:
            assert node.start <= children[0].start and children[-1].end <= node.end, node


def _check_against_pyyaml(document):
    refused = False
    try:
        theirs = yaml.safe_load(document.text.text)
    except yaml.YAMLError:
        refused = True
    except (
        Exception
    ):  # a date such as 2020-01-64: it lets errors of Python through, and we take such a value for a text
        return
    kinds = {problem.kind for problem in document.problems}
    if refused:
        assert kinds or document.text.text.startswith("\ufeff"), "PyYAML refuses what we find no fault with"
    else:
        # safe_load ignores the tag of a mapping that is only merged
        assert kinds <= {"tag", "too-much"}, (kinds, "but PyYAML reads it")
        if not kinds:
            assert _same(to_python(document.root), theirs), "PyYAML reads something else"


# --- shell ----------------------------------------------------------------------------------------------------------


def check_shell(data):
    text = text_of(data, "run.sh")
    if text is None:
        return
    script = read_shell(text)
    _check_script(script, text.text)
    _check_against_bash(script)


def _check_script(script, source):
    size = len(source)
    for command in script.commands:
        assert 0 <= command.start <= command.end <= size
        for word in [*command.words, *command.environment.values()]:
            assert 0 <= word.start <= word.end <= size
            name, value = word.partition("=")
            assert 0 <= name.start <= name.end <= size and (value is None or 0 <= value.start <= value.end <= size)
            command.path(word)
            if word.origin:
                assert source[slice(*word.origin)].replace("\r\n", "\n") == word.shown()
    for problem in script.problems:
        assert 0 <= problem.offset <= problem.end <= size
    for lost in script.lost:
        assert 0 <= lost.start <= lost.end <= size
    for heredoc in script.heredocs:
        assert heredoc.path.value is None or type(heredoc.path.value) is str


# Common mistakes. There are rarer ones, in patterns and array subscripts, after which the reader continues.
_MISTAKE = (
    r"line (\d+): (?:syntax error near unexpected token `(?:fi|done|then|else|elif|do|esac|;;|\)|\}|newline|\||\|\||&&|&|;)'"
    r"|syntax error: unexpected end of file)"
)


def _check_against_bash(script):
    """Check that bash refuses every script that the reader says it refuses, and that no command is reported in a script
    that bash refuses, except above the error: bash reads line by line."""
    source = script.text.text
    if BASH is None or "\r" in source or "\0" in source or PLACEHOLDER.search(source):
        return
    path = Path(_folder.name, "run.sh")
    path.write_bytes(source.encode("utf-8", "surrogatepass"))
    told = subprocess.run([BASH, "--norc", "-n", path], capture_output=True, env={"LC_ALL": "C.UTF-8"}, check=False)
    error = told.stderr.decode("utf-8", "replace")
    if script.refusals:
        assert told.returncode or "conditional" in error, f"bash reads this in spite of {script.refusals[0][1]!r}"
    elif told.returncode and not script.problems and (where := re.search(_MISTAKE, error)):
        line = int(where[1])
        known = [word for command in script.commands for word in command.words if word.value is not None]
        below = [word for word in known if script.text.position(word.start)[0] + 1 >= line]
        assert not below, f"bash refuses {below[0]!r}: {error.splitlines()[0]}"


def check_embedded(data):
    text = text_of(data)
    if text is None:
        return
    for embedded in embedded_scripts(read_yaml(text), commands.STARTS, commands.STARTERS):
        for piece in (*embedded.pieces, *(piece for word in embedded.environment.values() for piece in word.pieces)):
            assert 0 <= piece.start <= piece.end <= len(text.text)
            assert not piece.exact or text.text[piece.start : piece.end].replace("\r\n", "\n") in (piece.text, "\r"), (
                piece
            )
        _check_script(read_embedded(text, embedded), text.text)


# --- our own inputs -------------------------------------------------------------------------------------------------


def check_comments(data):
    text = text_of(data)
    if text is None:
        return
    for offset in (0, 7):
        found, problems = comment_grammar.read_comment(text.text, offset)
        for span, problem in problems:
            assert (
                offset <= span.start <= span.end <= offset + len(text.text)
                and "\n" not in problem
                and len(problem) < 400
            )
        for fact in found.values():
            assert offset <= fact.where[1] < fact.where[2] <= offset + len(text.text)
    comment_grammar.comment_verb(text.text)
    report = lint_bytes(b"# grpo-lint: dialect=trl\nnum_generations: 8\n" + data, "config.yaml", fixes=False)
    _check_findings(report)


_folder = tempfile.TemporaryDirectory()


def check_settings(data):
    path = Path(_folder.name, "grpo-lint.toml")
    path.write_bytes(data)
    settings.forget()
    for found in (settings.settings_for_folder(_folder.name), _settings_in_pyproject(data)):
        lines = data.count(b"\n") + 2
        assert all(problem.line is None or 1 <= problem.line <= lines + 1 for problem in found.problems), found.problems
        assert all(str(problem).isprintable() and len(problem.message) < 500 for problem in found.problems), (
            found.problems
        )
        for name in ("a.yaml", "recipes/eight-gpus/b.yaml", "vendor/x/y.yaml"):
            name = os.path.join(_folder.name, name)
            found.facts_for(name), found.policy_for(name), found.excludes(name)
        inside = os.path.join(os.path.realpath(_folder.name), "")
        assert found.baseline is None or os.path.realpath(found.baseline).startswith(inside), found.baseline


def _settings_in_pyproject(data):
    folder = os.path.join(_folder.name, "project")
    os.makedirs(os.path.join(folder, ".git"), exist_ok=True)
    Path(folder, "pyproject.toml").write_bytes(b"[tool.grpo-lint]\n" + data)
    return settings.settings_for_folder(folder)


def check_baseline(data):
    path = Path(_folder.name, "known.json")
    path.write_bytes(data)
    try:
        known = baseline.read_baseline(str(path))
    except baseline.BadBaseline as refusal:
        assert len(str(refusal)) < 500
        return
    tally = baseline.Tally(known, (os.path.join(_folder.name, ""),))
    path.write_text(baseline.as_text(known.paths), encoding="utf-8")
    assert baseline.read_baseline(str(path)).paths == known.paths
    _check_findings(tally.report())
    tally.renewed()


def check_neighbours(data):
    """Check files beside a config: pins, the DeepSpeed configuration, the training script."""
    text = data.decode("utf-8", "replace")
    for name in (
        "requirements.txt",
        "pyproject.toml",
        "uv.lock",
        "environment.yml",
        "Dockerfile",
        "Pipfile.lock",
        "setup.py",
        "setup.cfg",
    ):
        folder = os.path.join(_folder.name, "pinned")
        os.makedirs(os.path.join(folder, ".git"), exist_ok=True)
        for other in os.listdir(folder):
            if other != ".git":
                os.unlink(os.path.join(folder, other))
        Path(folder, name).write_bytes(data)
        pins.forget()
        for pin in pins.pins_for(os.path.join(folder, "config.yaml")).values():
            version_key(pin.version)
            assert 1 <= pin.line <= data.count(b"\n") + data.count(b"\r") + 1
    for found in deepspeed.attached("{" + text, None).values(), deepspeed.attached(text, None).values():
        assert all(isinstance(each.place, str) for each in found)
    Library({"train.py": text}.get).program("train.py")


# --- the whole ------------------------------------------------------------------------------------------------------


def _bundle(data):
    """(path, bytes, Context) of an input with the files that it may name."""
    parts = re.split(rb"(?m)^" + FILE.encode() + rb"([^\r\n]*)\r?\n", data)
    named = {
        name.decode("utf-8", "replace"): text.decode("utf-8", "replace") for name, text in zip(parts[1::2], parts[2::2])
    }
    path = os.path.join(_folder.name, "run.sh" if parts[0].startswith((b"#!", SCRIPT)) else "config.yaml")
    files = Files(path, lambda path: named.get(os.path.basename(path)))
    return path, parts[0], Context(files=files)


def check_lint(data):
    """Check findings, fixes and all formats."""
    path, data, surroundings = _bundle(data)
    report = lint_bytes(data, path, surroundings)
    again = lint_bytes(data, path, surroundings)
    assert [str(each) for each in again.findings] == [str(each) for each in report.findings]
    _check_report(report, data)


def _check_report(report, data):
    _check_findings(report)
    if report.skipped is not None or not report.findings:
        return
    if report.launches:
        assert encoded(report.text, data) == data
    for finding in report.findings:
        for fix in finding.fixes:
            _check_fix(report, finding, fix)
    for form, printer in FORMATS.items():
        module, _, name = printer.partition(".")
        printer = getattr(__import__(f"grpo_lint.report.{module}", fromlist=[name]), name)(False, 80)
        output = printer.file(report) or ""
        wrong = list(faults(form, output + printer.end(_totals(report))))
        assert not wrong, (form, wrong[0])


def _totals(report):
    from grpo_lint.report.totals import Totals

    totals = Totals()
    totals.add(report, lambda path: "warning")
    return totals


_OUR_OWN_ERRORS = (
    "GRPO903",
    "GRPO904",
)  # these are not refusals of a framework: expectations of the file, and a team's rule that cannot be evaluated


def _check_findings(report):
    size = len(report.text.text) if report.text is not None else 0
    for finding in report.findings:
        assert finding.severity != "error" or finding.stage != "never" or finding.rule.code in _OUR_OWN_ERRORS, finding
        start, end = span_of(finding)
        assert 0 <= start <= end <= size, finding
        shown = diagnostic(report, finding)
        first, last = (
            (place["line"], place["character"]) for place in (shown["range"]["start"], shown["range"]["end"])
        )
        assert (0, 0) <= first <= last and last[0] < report.text.line_count, shown
        json.dumps(shown, allow_nan=False)
        assert shown["message"] and len(shown["message"]) < 3000, len(shown["message"])
    starts = [span_of(finding)[0] for finding in report.findings]
    assert starts == sorted(starts) or report.document is None


def _check_fix(report, finding, fix):
    text = report.text.text
    position = 0
    pieces = []
    for start, end, new in fix.edits:  # in order, inside the text, without overlaps
        assert position <= start <= end <= len(text), fix.edits
        pieces += [text[position:start], new]
        position = end
    pieces.append(text[position:])
    after = apply(report.text, fix.edits)
    assert after.text == "".join(pieces)
    if fix.edits and report.document is not None and not report.document.problems:
        _check_what_changed(report, read_yaml(after), fix)


def _check_what_changed(report, after, fix):
    """Check that the text after a fix is still YAML, and that only the keys of the fix have changed."""
    assert not after.problems, (fix.title, after.problems)
    try:
        theirs = yaml.safe_load(after.text.text)
    except (
        ValueError,
        RecursionError,
    ):  # more digits than Python reads, or a date that is none: it lets errors of Python through
        return
    # read again: a node caches its value, and those of the report are bounded
    ours, new = to_python(read_yaml(report.text).root), to_python(after.root)
    assert _same(new, theirs)
    if not fix.changes or not isinstance(ours, dict):
        return
    if not isinstance(new, dict) or report.starts_runs:
        return
    changed = {key for key in {*ours, *new} if _bare(ours.get(key, "absent")) != _bare(new.get(key, "absent"))}
    if fix.title.startswith("rename "):  # the old name disappears
        changed -= {key for key in changed if key not in new}
    told = tuple(fix.changes)  # by the framework's name, which may be abbreviated in the file
    stray = {
        key
        for key in changed
        if not isinstance(ours.get(key), (dict, list)) and not any(name.startswith(str(key)) for name in told)
    }
    assert not stray, (fix.title, fix.changes, stray)


def _same(ours, theirs):
    """Whether two values are equal. Values that expand to millions of nodes are assumed to be, since comparing them
    would not end."""
    return _written_out(ours) > 20_000 or ours == theirs or repr(ours) == repr(theirs)  # NaN is the same only in words


def _written_out(value, known=None):
    """How many nodes a value has with every shared part counted each time."""
    known = {} if known is None else known
    if isinstance(value, (dict, list)) and id(value) not in known:
        known[id(value)] = 1  # a value that contains itself
        children = [*value, *value.values()] if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_written_out(child, known) for child in children)
    return known.get(id(value), 1)


def _bare(value):
    """A value as a text. Blank lines after a `|+` belong to what follows, and bombs are considered equal."""
    if _written_out(value) > 20_000:
        return "a bomb"
    if type(value) is int:  # Python writes no number of more than 4,300 digits as a decimal
        return hex(value)
    return repr(value.rstrip("\n") if isinstance(value, str) else value)


def check_repair(data):
    """Check `--fix`: a fixed file stays fixed, and is no more broken than before."""
    path, data, surroundings = _bundle(data)
    _check_repair(data, path, surroundings)


def _check_repair(data, path, surroundings):
    for unsafe in (False, True):
        done = repair(data, path, surroundings, unsafe)
        if done.data == data:
            continue
        assert done.report.skipped is None
        before, after = _count(done.first), _count(done.report)
        assert (
            after["error"] + after["warning"] <= before["error"] + before["warning"]
            and after["error"] <= before["error"]
        ), (before, after)
        left = [fix for fix in (preferred(finding, unsafe) for finding in done.report.findings) if fix is not None]
        again = repair(done.data, path, surroundings, unsafe)
        assert again.data == done.data or not done.ended, f"a second --fix changes more: {[fix.title for fix in left]}"
        assert _rest(done.first, data) >= _rest(done.report, done.data), "a line break or a comment has changed"


def _count(report):
    return Counter(finding.severity for finding in report.findings)


def _rest(report, data):
    """What no fix may change: the byte order mark, and the kinds of line breaks."""
    return {data[:3] == b"\xef\xbb\xbf", *re.findall(rb"\r\n|\n|\r", data)} | {None}


# --- repositories of strangers --------------------------------------------------------------------------------------


def check_values(data):
    """Check all output about a config or a script in a repository: findings, fixes, formats, plans, settings, and
    answers to an editor."""
    from grpo_lint.checker.contexts import Around
    from grpo_lint.report.explain import explanation

    sandbox = Sandbox(data)
    with inside(), watched():
        for path in sandbox.files:
            name, data = os.path.relpath(path), Path(path).read_bytes()
            if not name.endswith((".yaml", ".sh", ".json")):
                continue
            surroundings = Around().of(name)
            report = lint_bytes(data, name, surroundings)
            _check_report(report, data)
            _check_output(["explain"], explanation(report, False, 80, True, picture=True))
            _check_repair(data, name, surroundings)
            _check_editor(path, data)
        for words in (
            ["check", "--show-settings", "."],
            ["check", ".", "--baseline", "new.json", "--write-baseline"],
            ["check", ".", "--baseline", "new.json"],
        ):
            status, output, error = said(words)
            _check_run(words, status, output, error)
    sandbox.assert_untouched()


def _check_editor(path, data):
    """Make an editor's requests at the findings of a file, and at some other places."""
    from grpo_lint.lsp import numbers as hints
    from grpo_lint.lsp.actions import actions, complete
    from grpo_lint.lsp.client import Client
    from grpo_lint.lsp.completion import completion
    from grpo_lint.lsp.diagnostics import diagnostics
    from grpo_lint.lsp.hover import hover
    from grpo_lint.lsp.session import Session

    session, client = Session(), Client()
    document = session.open(f"file://{path}", path, 1, data.decode("utf-8", "replace"))
    report = session.report(document)
    failures = [message(finding) for finding in report.findings if finding.rule.name == "linter-does-not-fail"]
    assert not failures, failures
    size = len(document.text.text)
    answers = [
        *diagnostics(document, report, "utf-16", client),
        *hints.code_lenses(report, document.uri, "utf-16"),
        *hints.symbols(report, "utf-16"),
    ]
    answers += hints.inlay_hints(report, 0, size, "utf-16")
    for offset in sorted({*(span_of(finding)[0] for finding in report.findings[:9]), *range(0, size, size // 9 + 1)}):
        answers.append(hover(report, offset, "utf-16"))
    answers += completion(document.text, size, report, session.context(document), "utf-16")[:20]
    for action in filter(None, islice(actions(session, document, 0, size, None, client), 6)):
        complete(session, document, action, client)
        answers.append(action)
    assert len(json.dumps(answers, allow_nan=False)) < 40 * size + 400_000


def check_surroundings(data):
    """Run watched command lines in a hostile repository: nothing outside of it is read, shown or written."""
    sandbox = Sandbox(data)
    for line in sandbox.commands:
        words = _words_of(line)[1:]
        if words[:1] == ["server"] or not is_safe(words):
            continue
        with inside(), watched():
            status, output, error = said(words)
        sandbox.assert_untouched(output + error + _written(words))
        _check_run(words, status, output, error)


def check_command(data):
    """Run command lines in a hostile repository as limited processes: they end by themselves with a valid status."""
    sandbox = Sandbox(data)
    for line in sandbox.commands:
        start, *words = _words_of(line) or [""]
        limits = {}
        if start.startswith("ROOM="):
            limits["largest_file"] = int(start[5:])
            start, *words = words
        if start not in STARTS or not is_safe(words):
            continue
        if start == "module" and any(name.startswith("grpo_lint") for name in os.listdir(HERE)):
            continue  # Python runs that package and not ours, as grpo_lint/__main__.py says
        status, output, error = process(start, words, _standard_input(words), **limits)
        sandbox.assert_untouched(output + error + _written(words))
        assert status in (0, 1, 2), (status, error[-300:])
        if "server" not in words:
            _check_run(words, status, output, error, has_room=not limits)


def _words_of(line):
    try:
        return shlex.split(line)
    except ValueError:  # an unclosed quote
        return []


def _standard_input(words):
    """A config; for a server, the messages of an editor."""
    config = "num_generations: 8\nper_device_train_batch_size: 3\nlearning_rate: 1\n"
    if words[:1] != ["server"]:
        return config.encode()
    folder = Path(HERE).as_uri()
    document = {"uri": f"{folder}/config.yaml", "languageId": "yaml", "version": 1, "text": config}
    messages = (
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": folder, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {
            "id": 2,
            "method": "textDocument/hover",
            "params": {"textDocument": {"uri": document["uri"]}, "position": {"line": 0, "character": 3}},
        },
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    )
    told = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
    return "".join(f"Content-Length: {len(each)}\r\n\r\n{each}" for each in told).encode()


def _written(words):
    """The text of the file that --output-file names."""
    path = Path(HERE, words[words.index("--output-file") + 1]) if "--output-file" in words[:-1] else None
    return path.read_text(errors="replace") if path and path.is_file() and not path.is_symlink() else ""


def _check_run(words, status, output, error, has_room=True):
    """Check how a command line ends, and what it prints."""
    assert status in (0, 1, 2), (status, words)
    told = error.replace("\r", "")
    assert "Traceback" not in told and "internal error" not in told, told[max(told.find("internal error") - 100, 0) :][
        :600
    ]
    assert status != 2 or error or not has_room, f"no word about what is wrong: {words}"
    assert len(output) + len(error) < 30 << 20
    _check_output(words, output, status)
    written = _written(words)
    if written and status != 2:
        _check_output(words, written, status)
    wrong = list(faults("full", told))
    assert not wrong, wrong[0]


def _check_output(words, output, status=0):
    """Check that a document is well-formed and harmless, as far as grpo-lint writes it."""
    if (
        ("--color" in words and "always" in words)
        or ("--fix" in words and "-" in words)
        or words[:1] in (["completion"], ["schema"], ["rule"])
    ):
        return
    asked_for = [after for word, after in zip(words, words[1:]) if word == "--output-format" and after in FORMATS]
    form = asked_for[-1] if asked_for else "full"
    if form in ("json", "sarif", "gitlab", "junit") and not output:
        assert (
            status == 2 or "--output-file" in words or {"--write-baseline", "--help", "--show-settings"} & {*words}
        ), f"no document: {words}"
        return
    form = "full" if {"--help", "--show-settings", "--diff"} & {*words} else form
    if "--diff" in words:  # it is applied: the mark at the beginning of a file is a part of its first line
        output = re.sub(r"(?m)^([ +-])\ufeff", r"\1", output)
    wrong = list(faults(form, output.replace("\r\n", "\n")))
    assert not wrong, (form, wrong[0])


# --- Python ---------------------------------------------------------------------------------------------------------


def check_python(data):
    """Check a Python file like a config; a fix leaves a program that differs only in literals and the arguments of
    calls."""
    _check_program(data, "train.py", _check_fixed_program)


def check_calls(data):
    """Check a program of many calls: a report, and what --fix makes of it, within the limits."""
    path = os.path.join(_folder.name, "train.py")
    report = lint_bytes(data, path, Context(files=Files(path, lambda path: None)))
    _check_report(report, data)


def check_encoded(data):
    """Check that --fix keeps each byte outside of its edits."""
    path = os.path.join(_folder.name, "train.py")
    surroundings = Context(files=Files(path, lambda path: None))
    done = repair(data, path, surroundings, True)
    if done.data == data:
        return
    encoding = encoding_of(data, path) if data[:2] not in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-16"
    assert done.data[:2] == data[:2]
    before, after = data.decode(encoding).splitlines(), done.data.decode(encoding).splitlines()
    kept, left = ([line for line in lines if line.startswith(("#", "from "))] for lines in (before, after))
    assert kept == left, "a line changed that no fix edits"  # a call may go over several lines


def check_notebook(data):
    """Check a notebook like Python in its cells; a fix changes nothing else of the JSON."""
    _check_cells(data)
    _check_program(data, "train.ipynb", _check_fixed_notebook)


def _check_program(data, name, check_fixed):
    path = os.path.join(_folder.name, name)
    surroundings = Context(files=Files(path, lambda path: None))
    report = lint_bytes(data, path, surroundings)
    again = lint_bytes(data, path, surroundings)
    assert [str(each) for each in again.findings] == [str(each) for each in report.findings]
    _check_report(report, data)
    for finding in report.findings:
        for fix in finding.fixes:
            if fix.edits:
                check_fixed(report.text.text, apply(report.text, fix.edits).text)
    _check_repair(data, path, surroundings)


def _check_fixed_program(before, after):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert _frame(ast.parse(before)) == _frame(ast.parse(after)), after


def _frame(tree):
    """A program without its literals, the arguments of its calls and the items of its lists."""

    class Frame(ast.NodeTransformer):
        def visit_Call(self, node):
            return ast.Call(node.func, [], [])

        def visit_Constant(self, node):
            return ast.Constant(0)

        def visit_UnaryOp(self, node):
            return ast.Constant(0)

        def visit_List(self, node):
            return ast.List([], node.ctx)

        visit_Tuple = visit_List

        def visit_Dict(self, node):
            return ast.Dict([], [])

    return ast.dump(Frame().visit(tree))


def _check_cells(data):
    """Check that the text read from a notebook equals its JSON content, and that each character has its correct
    place."""
    text = text_of(data, "train.ipynb")
    try:
        theirs = json.loads(text.text) if text else None
        code = read_notebook(text) if text else None
    except (ValueError, RecursionError, NoNotebook):
        return
    if code is None:
        return
    cells = theirs.get("cells") if type(theirs) is dict else None
    if type(cells) is not list or any(type(cell) is not dict or len({*cell}) != len(cell) for cell in cells):
        return
    told = []
    for cell in cells:
        held = cell.get("source", "")
        if cell.get("cell_type") != "code" or not (type(held) is str or type(held) is list):
            continue
        if type(held) is list and not all(type(each) is str for each in held):
            return
        told.append("".join(held) + "\n")
    if data.count(b'"source"') == data.count(b'"cell_type"') == len(cells):
        assert (
            code.shown.text == "".join(told).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            or "\ufffd" in code.shown.text
        )
    assert len(code.shown.text) == len(code.text.text)
    for offset in range(0, len(code.shown.text), max(1, len(code.shown.text) // 200)):
        start, end = code.raw(offset), code.raw_end(offset + 1)
        shown = code.shown.text[offset]
        assert 0 <= start <= end <= len(text.text)
        assert shown == "\n" or text.text[start:end] == shown or text.text[start] == "\\", (
            offset,
            shown,
            text.text[start:end],
        )


def _check_fixed_notebook(before, after):
    try:
        theirs = json.loads(before)
    except ValueError:
        return
    ours = json.loads(after)
    for notebook in (theirs, ours):
        for cell in notebook["cells"]:
            if cell.get("cell_type") == "code":
                cell["source"] = None
    assert ours == theirs


TARGETS = {
    "calls": check_calls,
    "encoded": check_encoded,
    "yaml": check_yaml,
    "shell": check_shell,
    "embedded": check_embedded,
    "comments": check_comments,
    "settings": check_settings,
    "baseline": check_baseline,
    "neighbours": check_neighbours,
    "lint": check_lint,
    "repair": check_repair,
    "values": check_values,
    "surroundings": check_surroundings,
    "command": check_command,
    "start": check_command,
    "python": check_python,
    "notebook": check_notebook,
    "git": check_git,
    "names": check_names,
    "own": check_own_output,
}
