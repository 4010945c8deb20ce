"""Judges a file of settings: as it stands, in the commands that start a run with it, and in the scripts that stand
inside of it."""

from ..files.budget import JUDGED
from ..files.discovery import has_suffix
from ..frameworks.recognition import may_be_written_by_us, may_hold_a_command, sets_a_batch
from ..frameworks.registry import NAMES, framework as framework_named, recognise
from ..launch.assembly import launch_of, started_launch
from ..launch.comments import facts_in_comments
from ..launch.launch import Setting
from ..launch.sighting import Sighting, sighted, trains_with_a_copy
from ..message import Message, either
from ..source.entry import loaded, reader_of, sections_of
from ..source.quoting import plural
from ..source.text import Problem, Span, Text
from ..source.yaml.reader import Mapping, Scalar, entries_of, read_yaml
from ..unknown import UNKNOWN
from .findings import Finding, comment_finding, passed_over
from .judge import disagreements, idle_under_all, judge_launch, span_of_fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        Context,
        Document,
        Fact,
        Framework,
        Iterable,
        Iterator,
        Launch,
        Node,
        Origin,
        Report,
        Severity,
        Wrong,
    )


SCHEMA_SECTION = "properties"  # of a JSON Schema: it describes keys and sets none


def judge_config(report: "Report", context: "Context") -> None:
    """Find the launches of a YAML or JSON file that may be about training, and add them with their findings to its report."""
    text = report.text
    report.document = document = read_yaml(_as_yaml(text), context.blocks)
    if may_be_written_by_us(text.text):
        from ..launch.own_files import written_by_us

        if own := written_by_us(document):
            report.document, report.skipped = None, own
            return
    facts, comment_problems = _facts_of(document, context)
    if "expect" in text.text:
        from .expectations import expect

        comment_problems += expect(report, context.policy)
    in_comments = [comment_finding(*problem) for problem in comment_problems]
    root = _root(document)
    if _judge_origins(report, root, facts, context):
        report.findings += in_comments
        return
    found, report.why = _recognise(root, facts, context)
    found = _unless_prose(_as_programs_have_it(found, text, facts, context), text, root)
    if found is None and _judge_inside(report, root, facts, context):
        report.findings += in_comments
    elif found is not None:
        report.findings += [*in_comments, *_reading_findings(document, root, found)]
        if root is not None and not document.problems:
            _judge_mapping(report, found, root, facts, context)
    elif root is not None and (addressed := _addressed_to_us(report, facts)):
        report.findings += [*in_comments, _unrecognised(addressed[0])]
    else:
        report.skipped = passed_over(report.text, report.why)


_PROSE = (".rst", ".txt", ".adoc", ".org")  # a heading and a colon make a mapping of it


def _unless_prose(found: "Framework | None", text: "Text", root: "Mapping | None") -> "Framework | None":
    """The framework of a text, None for prose that names no setting of it."""
    if found is None or not has_suffix(text.path, _PROSE):
        return found
    named = root.entries if root is not None else ()
    return found if any(found.catalogue.knows(entry.name) for entry in named) else None


def _judge_inside(report: "Report", root: "Mapping | None", facts: "dict[str, Fact]", context: "Context") -> bool:
    """Judge what stands inside of a file that is no config as a whole: a script, or sections of settings; whether there is such."""
    if context.is_met and _is_a_record(report.text):
        report.why = Message("a record of a conversation or of what a program wrote: its commands start nothing")
        return False
    if may_hold_a_command(report.text.text):
        from .script_file import judge_embedded

        if judge_embedded(report, _in_comments(facts), context):
            return True
    return root is not None and _judge_sections(report, root, facts, context)


def _is_a_record(text: "Text") -> bool:
    """Whether JSON holds turns of a conversation, or what a command wrote: a trace of an agent, a chat, a log."""
    if not has_suffix(text.path, (".json",)):
        return False
    return ('"role"' in text.text and '"content"' in text.text) or '"stdout"' in text.text


def _addressed_to_us(report: "Report", facts: "dict[str, Fact]") -> "list[Span]":
    """The places of a file where somebody says how it is to be judged."""
    told = [span_of_fact(fact) for fact in _in_comments(facts).values()]
    return told or [expectation.span for expectation in report.expected]


def judge_written(
    report: "Report", root: "Mapping", facts: "dict[str, Fact]", context: "Context", is_part: bool = False
) -> None:
    """Judge the settings of a file that stands in another one, and that nothing there names; `facts`: of its comments; `is_part`: whether
    they are those of a fragment, which leaves others out."""
    told = {**context.settings, **facts, **context.outside}
    found, _ = _recognise(root, told, context)
    if found is not None:
        sighting = Sighting(framework=found, root=root, facts=told, asked=report.asked, is_part=is_part)
        judge_launch(report, launch_of(sighting, context))


def _as_yaml(text: "Text") -> "Text":
    """The Text of a JSON file as YAML reads it: between its tokens YAML takes no tabs."""
    if "\t" in text.text and has_suffix(text.path, (".json",)):
        return Text(text.text.replace("\t", " "), text.path, text.bom)
    return text


def _root(document: "Document") -> "Mapping | None":
    """The mapping that is judged: the first document of the stream."""
    root = document.root
    return root if type(root) is Mapping else None


def _recognise(
    root: "Mapping | None", facts: "dict[str, Fact]", context: "Context"
) -> "tuple[Framework | None, Message]":
    stated = facts.get("dialect")
    if stated is not None and context.forces(stated):
        return framework_named(stated.value), Message("the {source} says so", {"source": stated.source})
    if root is None:
        return None, Message("not a mapping of keys to values")
    entries = entries_of(root)
    name, why = recognise(entries.keys(), reader_of(entries))
    if name and stated is not None:
        return framework_named(stated.value), Message("the {source} says so", {"source": stated.source})
    found = framework_named(name) if name else None
    if found is not None and ("framework" in entries or "library" in entries):
        from .described import is_for_another

        if other := is_for_another(found, reader_of(entries)):
            return None, other
    if found is not None and trains_with_a_copy(found, entries, context):
        return None, Message(
            "{key} chooses a trainer of the copy of {framework} in this repository",
            {"key": found.reader.trainer.key, "framework": found.title},
        )
    if found is not None and _is_of_a_copy(found, context):
        return None, Message(
            "the defaults of the copy of {framework} in this repository, which start no run of their own",
            {"framework": found.title},
        )
    return found, why


def _is_of_a_copy(framework: "Framework", context: "Context") -> bool:
    """Whether a file that nobody named is in the tree of a copy of a framework."""
    if not context.is_met or context.files is None or not framework.reader.primaries.folder:
        return False
    from ..launch.composition import is_of_a_copy  # few frameworks have such a tree

    return is_of_a_copy(framework, context.files.path)


def _as_programs_have_it(
    framework: "Framework | None", text: "Text", facts: "dict[str, Fact]", context: "Context"
) -> "Framework | None":
    """A framework as the programs of the repository have it that start from a file, whose commands nobody knows."""
    if framework is None or "dialect" in facts or context.repository is None:
        return framework
    programs = context.repository.programs_from(text, context.budget)
    if not programs:
        return framework
    from ..launch.adopted import as_programs_have_it  # which parses Python

    return as_programs_have_it(framework, programs)


def _facts_of(document: "Document", context: "Context") -> "tuple[dict[str, Fact], list[Wrong]]":
    """The facts from all sources, the stronger one winning, and what is wrong in the comments."""
    in_comments, problems = facts_in_comments(document)
    return {**context.settings, **in_comments, **context.outside}, problems


def _in_comments(facts: "dict[str, Fact]") -> "dict[str, Fact]":
    """The facts that the comments of the file itself tell."""
    return {name: fact for name, fact in facts.items() if fact.source == "comment"}


def _judge_mapping(
    report: "Report", framework: "Framework", root: "Mapping", facts: "dict[str, Fact]", context: "Context"
) -> None:
    launch = launch_of(Sighting(framework=framework, root=root, facts=facts, asked=report.asked), context)
    if launch.candidates and report.document is not None:
        _add(report, launch, _encoding_findings(report.text, launch))
        _add(report, launch, _duplicate_findings(report.document, launch))
        _add(report, launch, _no_yaml_findings(launch))
    judge_launch(report, launch)


def _judge_sections(report: "Report", root: "Mapping", facts: "dict[str, Fact]", context: "Context") -> bool:
    """Judge a config whose settings stand in sections, which a loader of somebody's own reads; whether it is one."""
    sections = sections_of(root)
    if not sections or SCHEMA_SECTION in sections or not sets_a_batch(entries_of(root, sections).keys()):
        return False
    from .sections import judge_sections

    return judge_sections(report, root, sections, facts, context)


def _judge_origins(report: "Report", root: "Mapping | None", facts: "dict[str, Fact]", context: "Context") -> bool:
    """Judge a config in each of the commands that start a run with it; whether there is one that starts such a run."""
    if context.repository is None or root is None:
        return False
    found = [*_started(report, context.repository.origins_of(report.text, context.budget), root, facts, context)]
    if not found or report.document is None or report.document.problems:
        return False
    first = found[0][1]
    _add(report, first, _encoding_findings(report.text, first))
    _add(report, first, _duplicate_findings(report.document, first))
    for origin, launch in found:
        judge_launch(report, launch)
        report.linked += [origin.script.path] if origin.script else []
        report.findings += disagreements(origin, facts, origin.place)
    if len(found) > 1 and not context.budget.has_cut(JUDGED):
        report.findings = [each for each in report.findings if each.rule.name != "settings-have-an-effect"]
        report.findings += idle_under_all([launch for _, launch in found])
    report.why = Message("{launches} of it", {"launches": plural(len(found), "launch")})
    return True


def _started(
    report: "Report", origins: "Iterable[Origin]", root: "Mapping", facts: "dict[str, Fact]", context: "Context"
) -> "Iterator[tuple[Origin, Launch]]":
    """The commands that start a run of ours with a config, and these runs, as many as may be judged."""
    for origin in origins:
        launch = started_launch(sighted(origin, root, facts, context, report.asked), context)
        if launch is not None and not context.budget.judges(len(launch.entries), origin.place):
            return
        if launch is not None:
            yield origin, launch


def _add(report: "Report", launch: "Launch", findings: "Iterable[Finding]") -> None:
    for finding in findings:
        finding.launch = launch
        report.findings.append(finding)


# --- findings about the reading -------------------------------------------------------------------------------------


def _reading_findings(document: "Document", root: "Mapping | None", found: "Framework") -> "Iterator[Finding]":
    if document.problems and _is_template(document.text, first := document.problems[0]):
        told = Message("this file is a template: what fills it in makes the config, and that can be checked")
        span = Span(first.offset, max(first.end, first.offset))
        yield Finding("file-can-be-parsed", "info", "never", span=span, values={"problem": told})
        return
    for problem in document.problems:
        span = Span(problem.offset, max(problem.end, problem.offset))
        yield Finding("file-can-be-parsed", "error", "read", span=span, values={"problem": problem.message})
    if document.partial:
        return
    if root is None and not document.problems:
        what = Message("a single value") if isinstance(document.root, Scalar) else Message("a list")
        told = Message(
            "{framework} reads a mapping of keys to values; this file is {what}",
            {"framework": found.title, "what": Message("empty") if document.root is None else what},
        )
        yield Finding("file-is-a-mapping", "error", "read", span=Span(0, 0), values={"problem": told})


def _is_template(text: "Text", problem: "Problem") -> bool:
    """Whether a text is no YAML because of the marks of a template (of Jinja and its like)."""
    line = text.line_text(text.position(problem.offset)[0])
    if "{%" in line and "%}" in line:
        return True
    if "{{" not in line:
        return False
    import re

    return re.search(r"\{\{-? ?[\w.]+ ?(?:\|[^{}]{0,80})?-?\}\}", line) is not None


def _encoding_findings(text: "Text", launch: "Launch") -> "Iterator[Finding]":
    """A file of UTF-16, which a loader of YAML would take from its bytes; the frameworks decode it as UTF-8 before."""
    if not text.is_utf16 or not launch.candidates:
        return
    told = Message(
        "this file is UTF-16, and {framework} opens it as UTF-8: that fails", {"framework": launch.framework.title}
    )
    is_read_so = launch.origin is not None and not launch.reader
    finding = Finding("file-can-be-parsed", "error" if is_read_so else "info", "read", candidate=launch.candidates[0],
                      span=Span(0, 0), values={"problem": told, "advice": Message("Save it as UTF-8.")})  # fmt: skip
    if not is_read_so:
        finding.note = Message(
            "assuming that {framework} itself reads this file", {"framework": launch.framework.title}
        )
        finding.assumes = ["loader"]
    yield finding


def _duplicate_findings(document: "Document", launch: "Launch") -> "Iterator[Finding]":
    for mapping, earlier, later in document.duplicates:
        first, last = (_shown(document.text.text, entry.value) for entry in (earlier, later))
        severity: Severity = "info" if first == last else "warning"
        from ..source.credentials import unless_secret  # only what is told pays for it

        first, last = unless_secret(later.name, first), unless_secret(later.name, last)
        finding = Finding(
            "key-stands-once",
            severity,
            "never",
            at=Setting(later.name, later),
            values={"key": later.name, "consequence": _which_counts(first, last)},
        )
        finding.related.append((earlier.name, first, Span.of(earlier.key)))
        if launch is not None and launch.framework.reader.files.refuses_duplicates(launch.candidates):
            finding.severity, finding.stage = "error", "read"
            finding.values["consequence"] = Message("this version's YAML loader refuses the file")
        yield finding


def _which_counts(first: str, last: str) -> str:
    if first == last:
        return Message("with the same value, {value}", {"value": last})
    return Message("the last one, {last}, counts and {first} has no effect", {"last": last, "first": first})


def _shown(source: str, node: "Node") -> str:
    value = loaded(node)
    text = source[node.start : node.end] if value is UNKNOWN else "null" if value is None else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _unrecognised(span: "Span") -> "Finding":
    """A comment of ours in a file that no framework recognises: its author expects it to be checked."""
    names = either([f"dialect={name}" for name in NAMES])
    told = Message("the keys do not show which framework reads this file; add {dialects}", {"dialects": names})
    return comment_finding(span, told)


def _no_yaml_findings(launch: "Launch") -> "Iterator[Finding]":
    """ms-swift before 3.10 reads no YAML; the keys are then judged as its flags."""
    newest = launch.candidates[0]
    if launch.framework.reader.files.reads_yaml_since and newest.key < launch.framework.reader.files.reads_yaml_since:
        yield Finding(
            "version-reads-yaml",
            "info",
            "never",
            span=_first_key(launch),
            values={"title": launch.framework.title, "version": newest.text},
        )


def _first_key(launch: "Launch") -> "Span":
    return next((Span.of(entry.key) for entry in launch.entries.values()), Span(0, 0))
