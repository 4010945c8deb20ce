"""Code actions: a fix of one finding, all safe fixes at once, a comment that suppresses a finding, facts declared in
the file."""

import re
import time
from difflib import SequenceMatcher

from ..checker.findings import preferred, span_of
from ..engine import is_script, lint, repair
from ..files.discovery import PYTHON, has_suffix
from ..fixes.edits import apply
from ..fixes.offering import Room, may_have_safe_fixes
from ..launch.comment_grammar import comment_verb
from ..launch.facts import option_name
from ..message import NOTHING, Message, within
from ..report.json import diagnostic, lsp_range, uri
from ..report.repeated import same_in, shared_fixes, spoken_for, told
from ..source.text import Edit, Span, Text
from ..unknown import UNKNOWN
from .numbers import SHOW_PLAN, place_of_launch
from .places import lines_of, places_of
from .words import capital

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        Client,
        Collection,
        Context,
        Finding,
        Fix,
        Iterable,
        Iterator,
        Json,
        Launch,
        Report,
        Sequence,
        Session,
    )
    from .session import Document, Part


QUICK_FIX, REFACTOR, FIX_ALL = "quickfix", "refactor.rewrite.grpo-lint", "source.fixAll.grpo-lint"
EXPLAIN = "explain.grpo-lint"
KINDS = (QUICK_FIX, REFACTOR, FIX_ALL, EXPLAIN)
SHOW_RULE = "grpo-lint.rule"  # the server's command that shows the page of a rule
_DECLARED = frozenset(("world_size", "version"))  # facts that an action can declare
_DONE = object()
_UNSAFE = Message("changes the run")
_IGNORED = re.compile(r"#\s*grpo[-_]lint\s*:?\s*ignore\[([^\]\n]*)\]", re.IGNORECASE)
# One request looks at no more findings than these: each proof that a comment suppresses a finding lints the whole text
# again.
_MOST_FINDINGS, _MOST_PROOFS, _READ_IN_PROOFS = 50, 20, 200_000
# A script is read as a whole for each proof of a fix: when so many characters were read, the fixes that are proven are told; the search
# goes on there when somebody asks again, as editors do with each move of the cursor.
_LINTED_OF_SCRIPTS = 50_000
# After so many seconds of processor time no further finding is begun, since the user is waiting for a menu.
_LONGEST_SEARCH = 1.0
_MATCHED_LINES = 2_000
_END_OF_LINE = 1 << 31
_MOST_COUNTS = 3  # that are offered, of these
_USUAL_COUNTS = (8, 4, 2, 16, 1, 32, 64, 6, 12, 24, 48, 3, 5, 7, 128)


def wanted(kind: str, only: "Sequence[str] | None") -> bool:
    """Whether a client that asks for the kinds `only` (None: for all) wants one of `kind`. `source` includes
    `source.fixAll.x`, and an empty kind includes all."""
    return not only or any(f"{kind}.".startswith(each and f"{each}.") for each in only)


def actions(
    session: "Session",
    document: "Document",
    first: int,
    last: int,
    only: "Sequence[str] | None",
    client: "Client",
    shown: "Collection[tuple[str, int]]" = (),
) -> "Iterator[Json | None]":
    """Yield the LSP CodeActions for the text between two offsets, and None between pieces of work, where the caller may
    stop.

    `shown`: (code, start) of the diagnostics that the client asks about. They may be anywhere on the line of its
    cursor.
    """
    report, begun = session.report(document), time.process_time()
    findings = _asked_about(report, first, last, shown)
    has_comments = not has_suffix(document.text.path, (".json",))
    if wanted(QUICK_FIX, only):
        listed: dict[object, Json] = {}
        room = Room(_LINTED_OF_SCRIPTS) if is_script(document.text) else None
        for finding in _in_time(findings, begun):
            for each in spoken_for(report, finding):
                yield None
                yield from session.looking_for_fixes(document, each, room)
            yield from _quick_fixes(session, document, finding, client, listed)
        proofs = max(1, min(_MOST_PROOFS, _READ_IN_PROOFS // max(len(report.text.text), 1)))
        for finding in _in_time(findings[:proofs], begun) if has_comments else ():
            yield None
            yield from _ignoring(session, document, finding, client)
    if wanted(FIX_ALL, only) and may_have_safe_fixes(report):
        yield {
            "title": Message("Fix all that leaves the training as it is (grpo-lint)"),
            "kind": FIX_ALL,
            "data": {"uri": document.uri, "fix_all": True},
        }
    if wanted(REFACTOR, only) and has_comments:
        yield from _declarations(session, document, client)
    if wanted(EXPLAIN, only) and client.opens_documents:
        yield from _explanations(document, report, findings)


def _explanations(document: "Document", report: "Report", findings: "list[Finding]") -> "Iterator[Json]":
    """Yield actions that open the plan of the runs, and the pages of the rules that are broken."""
    if any(launch.candidates for launch in report.launches):
        yield _opening(Message("Explain this run"), SHOW_PLAN, {"uri": document.uri})
    for rule in dict.fromkeys(finding.rule for finding in findings if finding.rule.name not in report.rules):
        title = Message("Explain the rule {code} ({rule})", {"code": rule.code, "rule": rule.name})
        yield _opening(title, SHOW_RULE, rule.code)


def _opening(title: Message, command: str, about: object) -> "Json":
    return {
        "title": title,
        "kind": EXPLAIN,
        "command": {"title": title, "command": command, "arguments": [about]},
    }


def _in_time(findings: "list[Finding]", begun: float) -> "Iterator[Finding]":
    """Yield the findings until the time is up, and the first one in any case; `begun`: when the search for fixes
    began."""
    for finding in findings:
        if finding is not findings[0] and time.process_time() - begun > _LONGEST_SEARCH:
            return
        yield finding


def _asked_about(report: "Report", first: int, last: int, shown: "Collection[tuple[str, int]]") -> "list[Finding]":
    """The findings between two offsets and those that are shown. Where there are none, the findings on the same
    lines."""
    known = told(report)
    findings = [
        finding
        for finding in known
        if any(span.start <= last and first <= span.end for span in places_of(finding))
        or (finding.rule.code, span_of(finding).start) in shown
    ]
    if not findings:
        row = report.text.position(last)[0]
        start, end = report.text.starts[report.text.position(first)[0]], report.text.offset(row, _END_OF_LINE)
        findings = [finding for finding in known if any(start <= span.start <= end for span in places_of(finding))]
    return findings[:_MOST_FINDINGS]


def searching(session: "Session", document: "Document", action: "Json") -> "Iterator[None]":
    """Search in pieces what `complete` needs for an action, where the text has changed since it was offered."""
    data = action.get("data") or {}
    for finding in session.report(document).findings if "finding" in data and not action.get("edit") else ():
        if _name(session.report(document), finding) == data["finding"]:
            for _ in session.looking_for_fixes(document, finding):
                if any(fix.title == data["title"] for fix in finding.fixes):
                    return
                yield


def complete(session: "Session", document: "Document", action: "Json", client: "Client") -> None:
    """Compute the edit of an action that has none yet. It stays without one when the current text has no such fix."""
    data = action.get("data")
    if action.get("edit") or not data:
        return
    if data.get("fix_all"):
        edit = edit_of_fix_all(session, document, client)
    else:
        edit = _edit_of_fix(session, document, data, client)
    if edit is not None:
        action["edit"] = edit


# --- one finding ----------------------------------------------------------------------------------------------------


def _quick_fixes(
    session: "Session", document: "Document", finding: "Finding", client: "Client", listed: "dict[object, Json]"
) -> "Iterator[Json]":
    """Yield an action for each fix; its edit is computed when the action is chosen. A fix that is `listed` for another
    finding cures both, and is listed once."""
    report = session.report(document)
    same = spoken_for(report, finding)
    finding.fixes = shared_fixes(same)
    best = preferred(finding, unsafe=True)
    concerned = [_plain(diagnostic(report, finding, session.encoding, client.language))]
    for fix in finding.fixes:
        if not fix.can_be_applied:
            continue
        title, effect = capital(fix.title), _effect(fix)
        if effect:  # the title states the effect, so no editor needs to ask for confirmation
            title = within(title, effect)
        edited = (str(fix.title), tuple(fix.edits), tuple((text.path, tuple(each)) for text, each in fix.beside))
        if edited in listed:
            listed[edited]["isPreferred"] |= fix is best
            continue
        data = {"uri": document.uri, "finding": _name(report, same[0]), "title": str(fix.title)}
        listed[edited] = {
            "title": title, "kind": QUICK_FIX, "diagnostics": concerned, "isPreferred": fix is best, "data": data
        }  # fmt: skip
        yield listed[edited]


def _name(report: "Report", finding: "Finding") -> "list[object]":
    """What identifies a finding until its fix is chosen: code, key, and which of the launches."""
    code, key = finding.key
    return [code, key, report.launches.index(finding.launch) if finding.launch in report.launches else None]


def _ignoring(session: "Session", document: "Document", finding: "Finding", client: "Client") -> "Iterator[Json]":
    """Yield an action that writes a comment suppressing the finding, where such a comment can be written."""
    report, context = session.report(document), session.context(document)
    same = spoken_for(report, finding)
    edits = next((edits for edits in _comments_on(report, same) if _suppresses(report, context, same, edits)), None)
    if edits is not None:
        lines = [str(report.text.position(span_of(each).start)[0] + 1) for each in same]
        title = Message("Ignore {code} ({rule}) on this line", {"code": finding.rule.code, "rule": finding.rule.name})
        yield {
            "title": within(title, same_in(lines)) if len(same) > 1 else title,
            "kind": QUICK_FIX,
            "diagnostics": [_plain(diagnostic(report, finding, session.encoding, client.language))],
            "isPreferred": False,
            "edit": workspace_edit(document, edits, session.encoding, client),
        }


def _comments_on(report: "Report", same: "list[Finding]") -> "Iterator[list[Edit]]":
    """Yield edits that could suppress findings of one cause, each with a comment of its own."""
    proposed = [list(_comments(report, each)) for each in same]
    for place in range(max(map(len, proposed))):
        chosen = {edit.start: edit for each in proposed for edit in [each[min(place, len(each) - 1)]]}
        yield [edit for _, comment in sorted(chosen.items()) for edit in _in_file(report, comment)]


def _comments(report: "Report", finding: "Finding") -> "Iterator[Edit]":
    """Yield edits that could suppress a finding: one more code in an existing comment, a comment behind the line, a
    comment above it. In a notebook they edit the Python of its cells."""
    text, code = _written(report), finding.rule.code
    row = text.position(_inner(report, span_of(finding).start))[0]
    line = text.line_text(row)
    start, end = text.starts[row], text.starts[row] + len(line)
    present = _IGNORED.search(line)
    if present:
        place = start + present.end(1)
        yield Edit(place, place, f", {code}")
    if not line.rstrip().endswith("\\"):  # behind that nothing is a comment
        yield Edit(start + len(line.rstrip()), end, f"  # grpo-lint: ignore[{code}]")
    origin = finding.launch and finding.launch.origin
    if origin and origin.script is None:  # a command may go on over several lines; the comment goes above all of them
        row = text.position(_inner(report, origin.invocation.command.start))[0]
        line, start = text.line_text(row), text.starts[row]
    indentation = line[: len(line) - len(line.lstrip())]
    yield Edit(start, start, f"{indentation}# grpo-lint: ignore[{code}]{_line_break(text)}")


def _written(report: "Report") -> "Text":
    """The text in which comments are written: for a notebook, the text of its cells."""
    return report.text if report.code is None else report.code.shown


def _inner(report: "Report", offset: int) -> int:
    return offset if report.code is None else report.code.inner(offset)


def _in_file(report: "Report", edit: "Edit") -> "list[Edit]":
    """An edit of that text as edits of the file."""
    return [edit] if report.code is None else report.code.edits(*edit)


def _suppresses(report: "Report", context: "Context", same: "list[Finding]", edits: "list[Edit]") -> bool:
    """Whether the edits remove these findings, remove no other, and add none. Of a script its beginning mostly shows it."""
    origins = [each.launch and each.launch.origin for each in same]
    ends = [each.invocation.command.end for each in origins if each and each.script is None]
    if is_script(report.text) and len(ends) == len(same):
        last = report.text.text.find("\n", max(ends)) + 1
        if last >= max(edit.end for edit in edits) and _suppresses_in(report, context, same, edits, last):
            return True
    return _suppresses_in(report, context, same, edits, len(report.text.text))


def _suppresses_in(report: "Report", context: "Context", same: "list[Finding]", edits: "list[Edit]", end: int) -> bool:
    """Whether the edits remove these findings of the text up to an offset, remove no other of it, and add none."""
    beginning = Text(report.text.text[:end], report.text.path, report.text.bom)
    after = lint(apply(beginning, edits), context, fixes=False)
    before = [str(each.key) for each in report.findings if span_of(each).start <= end]
    return sorted(before) == sorted(str(each.key) for each in (*after.findings, *same))


def _plain(shown: "Json") -> "Json":
    """A diagnostic without the parts that only some clients accept, so that it identifies its finding."""
    return {name: shown[name] for name in ("range", "severity", "code", "source", "message")}


def _edit_of_fix(session: "Session", document: "Document", data: "Json", client: "Client") -> "Json | None":
    """The WorkspaceEdit of a quick fix, identified by the `data` of its action. None when the current text has no such
    fix."""
    report = session.report(document)
    for finding in report.findings:
        if _name(report, finding) == data["finding"]:
            fix = _searched(session, document, finding, data["title"])
            if fix is not None:
                risk = None if fix.safety == "safe" else _effect(fix)
                return workspace_edit(document, fix.edits, session.encoding, client, risk, fix.beside)
    return None


def _searched(session: "Session", document: "Document", finding: "Finding", title: str) -> "Fix | None":
    """The fix of a finding with a title, searched for no longer than until it is found."""
    pieces = session.looking_for_fixes(document, finding)
    while True:
        found = next((fix for fix in finding.fixes if fix.title == title and fix.can_be_applied), None)
        if found is not None or next(pieces, _DONE) is _DONE:
            return found


def _effect(fix: "Fix") -> Message:
    """What a fix changes in the run, in a few words; empty where it leaves the run as it is."""
    return fix.effect or (NOTHING if fix.safety == "safe" else _UNSAFE)


def workspace_edit(
    document: "Document",
    edits: "Iterable[Edit]",
    encoding: str,
    client: "Client",
    risk: "str | None" = None,
    beside: "Iterable[tuple[Text, list[Edit]]]" = (),
) -> "Json":
    """An LSP WorkspaceEdit of edits. `risk`: what the user should know before applying it, None for nothing; `beside`:
    edits of other files (`Fix.beside`)."""
    return _edit_of_parts(document.parts(edits), encoding, client, risk, beside)


def _edit_of_parts(
    parts: "Sequence[Part]",
    encoding: str,
    client: "Client",
    risk: "str | None" = None,
    beside: "Iterable[tuple[Text, list[Edit]]]" = (),
) -> "Json":
    found: list[tuple[Json, list[Json]]] = [
        ({"uri": part.uri, "version": part.version}, _text_edits(part.text, edits, encoding)) for part, edits in parts
    ]
    found += [({"uri": uri(text.path), "version": None}, _text_edits(text, each, encoding)) for text, each in beside]
    found = [(place, each) for place, each in found if each] or found
    if not client.document_changes:
        return {"changes": {place["uri"]: each for place, each in found}}
    changed: Json = {"documentChanges": [{"textDocument": place, "edits": each} for place, each in found]}
    if risk is not None and client.annotations:
        for edit in (edit for _, each in found for edit in each):
            edit["annotationId"] = "run"
        changed["changeAnnotations"] = {
            "run": {"label": Message("Changes the run"), "needsConfirmation": False, "description": risk}
        }
    return changed


def _text_edits(text: "Text", edits: "Iterable[Edit]", encoding: str) -> "list[Json]":
    return [{"range": lsp_range(text, Span.of(edit), encoding), "newText": edit.new} for edit in edits]


# --- all findings ---------------------------------------------------------------------------------------------------


def edit_of_fix_all(session: "Session", document: "Document", client: "Client") -> "Json | None":
    """The WorkspaceEdit of all safe fixes, as `check --fix` makes them; None when there is nothing to do."""
    try:
        data = document.text.text.encode("utf-8-sig")  # the mark goes before an encoding that Python declares
    except UnicodeEncodeError:  # half of a surrogate pair that is being typed
        return None
    after = repair(data, document.text.path, session.context(document), tells=False).data.decode("utf-8-sig")
    parts = document.difference(after)
    return _edit_of_parts(parts, session.encoding, client) if parts else None


def difference(before: str, after: str) -> "list[Edit]":
    """The line-by-line edits that turn one text into the other."""
    old, new = lines_of(before), lines_of(after)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    # Lines that recur throughout a long text are not matched one by one, which would take quadratic time.
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > _MATCHED_LINES)
    return [
        Edit(starts[first], starts[last], "".join(new[new_first:new_last]))
        for kind, first, last, new_first, new_last in matcher.get_opcodes()
        if kind != "equal"
    ]


# --- facts ----------------------------------------------------------------------------------------------------------


def _declarations(session: "Session", document: "Document", client: "Client") -> "Iterator[Json | None]":
    """Yield actions that declare facts the file leaves open: the assumed release, and a number of processes that
    works. What a comment of a script declares holds for all its commands."""
    report, context = session.report(document), session.context(document)
    launches = [launch for launch in report.launches if launch.candidates]
    launch = min(launches, key=lambda each: each.world_size is not UNKNOWN, default=None)
    if launch is None:
        return
    assumed = [
        finding for finding in report.findings if not _DECLARED.isdisjoint(finding.assumes) and finding.launch is launch
    ]
    concerned = [_plain(diagnostic(report, finding, session.encoding, client.language)) for finding in assumed]
    for name, value, why in _open_facts(launch, report, context):
        if value is None:
            yield None
            continue
        edits = _declaration(report, launch, name, value)
        yield {
            "title": Message(
                "Declare {option}={value} in this file ({why})",
                {"option": option_name(name), "value": value, "why": why},
            ),
            "kind": REFACTOR,
            "diagnostics": [each for each, finding in zip(concerned, assumed) if name in finding.assumes],
            "edit": workspace_edit(document, edits, session.encoding, client),
        }


def _open_facts(launch: "Launch", report: "Report", context: "Context") -> "Iterator[tuple[str, object, Message]]":
    """Yield (fact, value, reason) for what the file could declare. The value is None after a piece of work that led to
    nothing."""
    frameworks = {each.framework.name for each in report.launches}  # two of them have two releases
    if "version" not in launch.facts and len(frameworks) == 1:
        why = Message("from {source}", {"source": launch.version_source})
        if launch.version_source == "inferred":
            why = Message("the release that is assumed")
        yield "version", launch.candidates[0].text, why
    if launch.world_size is UNKNOWN:
        offered = 0
        for count in _USUAL_COUNTS:
            if _runs_on(report, launch, context, count):
                yield "world_size", count, Message("a number of processes that works; change it to yours")
                offered += 1
                if offered == _MOST_COUNTS:
                    return
            yield "world_size", None, NOTHING


def _runs_on(report: "Report", launch: "Launch", context: "Context", count: int) -> bool:
    """Whether the run has this number of processes when the file declares it, and nothing is wrong that was not."""
    declared = lint(apply(report.text, _declaration(report, launch, "world_size", count)), context, fixes=False)
    before = {(finding.key, finding.severity) for finding in report.findings if finding.severity == "warning"}
    wrong = [each for each in declared.findings if each.severity != "info" and (each.key, each.severity) not in before]
    return _left_open(declared) < _left_open(report) and not wrong


def _left_open(report: "Report") -> int:
    """How many runs of a file have a number of processes that nobody states."""
    return sum(launch.world_size is UNKNOWN for launch in report.launches if launch.candidates)


def _declaration(report: "Report", launch: "Launch", name: str, value: object) -> "list[Edit]":
    """The edits of a file that declare a fact; in a notebook, in the cell of the launch."""
    text, code = _written(report), report.code
    first = 0
    if code is not None and text is not report.text:
        start = code.cell_start(code.inner(place_of_launch(launch).start))
        first = text.position(start)[0]
        first += text.line_text(first).lstrip()[:1] in ("%", "!")
    return _in_file(report, declaration(text, name, value, first))


def declaration(text: "Text", name: str, value: object, first: int = 0) -> "Edit":
    """The edit that declares a fact: in the comment that declares others, else in a new comment at the top or above the
    line `first`."""
    for line in range(text.line_count):
        content = text.line_text(line)
        at = content.find("#")
        if at >= 0 and comment_verb(content[at:]) == "facts":
            end = text.starts[line] + len(content.rstrip())
            return Edit(end, end, f" {option_name(name)}={value}")
    if text.text[:2] == "#!" and (is_script(text) or has_suffix(text.path, PYTHON)):
        first = max(first, 1)
    start = text.starts[first] if first < text.line_count else len(text.text)
    return Edit(start, start, f"# grpo-lint: {option_name(name)}={value}{_line_break(text)}")


def _line_break(text: "Text") -> str:
    """The line break that a text uses."""
    return text.text[: text.starts[1]][len(text.line_text(0)) :] if text.line_count > 1 else "\n"
