"""`lint(text)`: one file in, its report out. The only entry for the command line, the hook and the editor."""

from .dialects import dialect as dialect_named
from .dialects.recognition import may_be_ours, recognise
from .facts import Fact, read_comment
from .judge import Finding, judge
from .keys import key_findings
from .launch.launch import Launch, Setting, value_of
from .launch.versions import find_versions
from .rules import RULES
from .source.text import NotText, Text
from .source.yaml_reader import Alias, Mapping, Scalar, read_yaml, to_python


class Surroundings:
    """What is known about a file besides its text.

    `outside`: facts from the command line; `settings`: facts from a settings file; `pins`: {package: Pin} of the repository;
    `files`: finds the files that the text names (`launch.files.Files`), None when nobody may look.
    """

    __slots__ = ("outside", "settings", "pins", "files")

    def __init__(self, outside=None, settings=None, pins=None, files=None):
        self.outside = outside or {}
        self.settings = settings or {}
        self.pins = pins or {}
        self.files = files


class Report:
    """What was found in one file. `skipped`: why it was passed over, None when it was judged."""

    __slots__ = ("path", "text", "document", "skipped", "why", "launches", "findings")

    def __init__(self, path, text=None, skipped=None):
        self.path = path
        self.text = text
        self.document = None
        self.skipped = skipped
        self.why = ""
        self.launches = []
        self.findings = []


def lint(text, surroundings=None, fixes=True):
    """Check the text of one file. Never raises for what the file says."""
    surroundings = surroundings or Surroundings()
    report = Report(text.path, text)
    if not may_be_ours(text.text) and not _forced(surroundings):
        report.skipped = "no key of GRPO-family training"
        return report
    report.document = document = read_yaml(text)
    facts, comment_problems = _facts_of(document, surroundings)
    root = _root(document)
    found, report.why = _recognise(root, facts)
    if found is None:
        if root is None or not facts or not _from_comments(facts):
            report.skipped = report.why
        else:
            report.findings += [_comment_finding(*problem) for problem in comment_problems]
            report.findings.append(_unrecognised(facts))
        return report
    report.findings += [_comment_finding(*problem) for problem in comment_problems]
    report.findings += _reading_findings(document, root, found)
    if root is None or document.problems:
        return report
    _judge_mapping(report, found, root, facts, surroundings)
    if fixes:
        from .fixes import offer_fixes

        offer_fixes(report, surroundings)
    report.findings.sort(key=_position)
    return report


def lint_path(path, surroundings=None, fixes=True):
    """Check the file at `path`; one that cannot be read is a finding."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        return unreadable(path, f"cannot be read: {error.strerror or error}")
    except ValueError as error:  # a path with a NUL byte
        return unreadable(path, f"cannot be read: {error}")
    return lint_bytes(data, path, surroundings, fixes)


def lint_bytes(data, path, surroundings=None, fixes=True):
    """Check the bytes of a file; what is no text is a finding."""
    try:
        text = Text.from_bytes(data, path)
    except NotText as error:
        return unreadable(path, f"is not text: {error}")
    return lint(text, surroundings, fixes)


def unreadable(path, reason):
    """The report of a file that cannot be checked."""
    report = Report(path, Text("", path))
    report.findings.append(Finding(RULES["file-can-be-read"], "error", "read", span=(0, 0), values={"problem": reason}))
    return report


# --- what kind of file it is ----------------------------------------------------------------------------------------


def _forced(surroundings):
    return "dialect" in surroundings.outside or "dialect" in surroundings.settings


def _root(document):
    """The mapping that is judged: the first document of the stream."""
    root = document.root
    return root if type(root) is Mapping else None


def _recognise(root, facts):
    forced = facts.get("dialect")
    if forced is not None:
        return dialect_named(forced.value), f"the {forced.source} says so"
    if root is None:
        return None, "not a mapping of keys to values"
    name, why = recognise({name for name, _ in root.items()}, _reader(root))
    return name and dialect_named(name), why


def _reader(root):
    def value(name):
        entry = root.get(name)
        return None if entry is None else to_python(entry.value)

    return value


def _facts_of(document, surroundings):
    """The facts from all sources, the stronger one winning, and what is wrong in the comments."""
    in_comments, problems = {}, []
    source = document.text.text
    for word in ("grpo-lint", "grpo_lint"):
        for start, end in document.comments_naming(word) if word in source else ():
            found, wrong = read_comment(source[start:end], start)
            in_comments = {**found, **in_comments}
            problems += wrong
    return {**surroundings.settings, **in_comments, **surroundings.outside}, problems


# --- findings about the reading -------------------------------------------------------------------------------------


def _comment_finding(start, end, message):
    return Finding(RULES["comment-is-understood"], "warning", "never", span=(start, end), values={"problem": message})


def _from_comments(facts):
    return [fact for fact in facts.values() if fact.source == "comment"]


def _unrecognised(facts):
    """A comment of ours in a file that no dialect recognises: its author expects it to be checked."""
    fact = _from_comments(facts)[0]
    problem = "the keys do not tell which framework reads this file; add dialect=trl, dialect=swift or dialect=megatron"
    return _comment_finding(*fact.where[1:], problem)


def _reading_findings(document, root, found):
    syntax = RULES["file-can-be-parsed"]
    for problem in document.problems:
        span = (problem.offset, max(problem.end, problem.offset))
        yield Finding(syntax, "error", "read", span=span, values={"problem": problem.message})
    if document.partial:
        return
    if root is None and not document.problems:
        problem = f"{found.title} reads a mapping of keys to values; this file is " + (
            "empty" if document.root is None else "a list" if not isinstance(document.root, Scalar) else "a single value"
        )
        yield Finding(RULES["file-is-a-mapping"], "error", "read", span=(0, 0), values={"problem": problem})


def _duplicate_findings(document, launch):
    for mapping, earlier, later in document.duplicates:
        first, last = _shown(earlier.value), _shown(later.value)
        finding = Finding(
            RULES["key-stands-once"],
            "info" if first == last else "warning",
            "never",
            at=Setting(later.name, later),
            values={"key": later.name, "consequence": f"the last one, {last}, counts and {first} has no effect"},
        )
        finding.related.append((earlier.name, first, (earlier.key.start, earlier.key.end)))
        if launch is not None and launch.dialect.refuses_duplicates(launch.candidates):
            finding.severity, finding.stage = "error", "read"
            finding.values["consequence"] = "this version's YAML loader refuses the file"
        yield finding


def _shown(node):
    text = str(to_python(node)) if node is not None else "nothing"
    return text if len(text) <= 40 else text[:37] + "..."


# --- the launch of a mapping ----------------------------------------------------------------------------------------


def _judge_mapping(report, dialect, root, facts, surroundings):
    launch = build_launch(dialect, root, facts, surroundings)
    report.launches.append(launch)
    if not launch.candidates:
        report.findings.append(_no_trainer(launch))
        return
    report.findings += _duplicate_findings(report.document, launch)
    report.findings += _no_yaml_findings(launch)
    report.findings += key_findings(launch)
    report.findings += judge(launch)


def build_launch(dialect, root, facts, surroundings):
    """The launch that a mapping describes."""
    entries = _entries_of(root, dialect.sections)
    names = entries.keys()
    algorithm = facts["algorithm"].value if "algorithm" in facts else dialect.algorithm(names)
    loader = facts["loader"].value if "loader" in facts else "script"
    groups = dialect.groups(algorithm, loader)
    for name, (value, key) in dialect.facts_in_file(_reader(root)).items():
        facts.setdefault(name, Fact(value, f"key {key}"))
    versions = find_versions(dialect, groups, names, facts.get("version"), surroundings.pins.get(dialect.package))
    stated = {package: facts[package].value for package in ("transformers", "trl") if package in facts}
    for package, pin in surroundings.pins.items():
        if package != dialect.package:
            stated.setdefault(package, pin.version)
    attached = _attached(dialect, entries, surroundings.files)
    return Launch(dialect, algorithm, loader, entries, facts, versions, stated, attached)


def _attached(dialect, entries, files):
    """{operand: Attached}: what the files that the settings name contribute to the run."""
    found = {}
    for name, read in dialect.attachments.items():
        if name in entries:
            found.update(read(value_of(entries[name]), files))
    return found


def _entries_of(root, sections):
    """{name: entry} at the top, and those of the sections that count as if they stood there."""
    entries = dict(root.items())
    for section in sections:
        entry = entries.get(section)
        node = None if entry is None else entry.value.target if type(entry.value) is Alias else entry.value
        if type(node) is Mapping:
            del entries[section]
            for name, inner in node.items():
                entries.setdefault(name, inner)
    return entries


def _no_trainer(launch):
    fact = launch.facts.get("version")
    span = fact.where[1:] if fact is not None and fact.where else (0, 0)
    oldest = launch.dialect.first_release(launch.groups)
    return Finding(
        RULES["version-has-the-trainer"],
        "error",
        "config",
        span=span,
        values={
            "title": launch.dialect.title,
            "version": launch.missing,
            "algorithm": launch.algorithm.upper(),
            "consequence": f"that came with {oldest}",
        },
    )


def _no_yaml_findings(launch):
    """ms-swift before 3.10 reads no YAML; the keys are then judged as its flags."""
    newest = launch.candidates[0]
    if launch.dialect.reads_yaml_since and newest.key < launch.dialect.reads_yaml_since:
        yield Finding(
            RULES["version-reads-yaml"],
            "info",
            "never",
            span=_first_key(launch),
            values={"title": launch.dialect.title, "version": newest.text},
        )


def _first_key(launch):
    return next(((entry.key.start, entry.key.end) for entry in launch.entries.values()), (0, 0))


def _position(finding):
    return span_of(finding)[0]


def span_of(finding):
    """(start, end) of what a finding points at; the start of the file when there is nothing to point at."""
    if finding.span is not None:
        return finding.span
    return finding.at.key if finding.at is not None else (0, 0)
