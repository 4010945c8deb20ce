"""`lint(text)`: one file in, its report out. The only entry for the command line, the hook and the editor."""

from . import disk
from .assembly import entries_of, launch_of, reader_of, sections_of
from .dialects import dialect as dialect_named
from .dialects.recognition import may_be_ours, may_be_trls, recognise
from .discovery import SCRIPTS, has_suffix
from .facts import Counts, read_comment
from .judge import Finding, Patience, judge
from .keys import key_findings, strange_keys
from .launch.files import LARGEST_FILE
from .launch.launch import Setting
from .plan import UNKNOWN
from .rules import RULES
from .source.text import NotText, Text
from .source.yaml_reader import MOST_COMMENTS, Mapping, Scalar, read_yaml, to_python

MOST_ALIKE = 100  # findings of one rule that are told of one file
_FOREIGN = "no key of GRPO-family training"
_SURELY_OURS = (b"grpo-lint", b"num_generations", b"rlhf_type")  # which of the large files somebody expects to be checked


class Surroundings:
    """What is known about a file besides its text.

    `outside`: facts from the command line; `settings`: facts from a settings file; `pins`: {package: Pin} of the repository;
    `files`: finds the files that the text names (`launch.files.Files`), `repository`: the scripts that name a file
    (`launch.repository.Repository`), None when nobody may look; `baseline`: the findings that are known (`baseline.Baseline`);
    `policy`: what a team wants to hear of (`policy.Policy`).
    """

    __slots__ = ("outside", "settings", "pins", "files", "repository", "baseline", "policy")

    def __init__(self, outside=None, settings=None, pins=None, files=None, repository=None, baseline=None, policy=None):
        self.outside = outside or {}
        self.settings = settings or {}
        self.pins = pins or {}
        self.files = files
        self.repository = repository
        self.baseline = baseline
        self.policy = policy


class Report:
    """What was found in one file. `skipped`: why it was passed over, None when it was judged.

    `linked`: paths of the files that take part in its launches: the configs that a script names, the scripts that name a config.
    `known`: [(finding, path, entry)] that a baseline knows; they are no longer among the findings.
    `rules`: {name: Rule} of the team that it was judged by; `expected`: what the file expects of its runs (`expectations.Expectation`);
    `patience`: how long its launches look for numbers of processes for which these hold.
    """

    __slots__ = ("path", "text", "document", "skipped", "why", "launches", "findings", "linked", "known", "rules", "expected", "patience")

    def __init__(self, path, text=None, skipped=None):
        self.path = path
        self.text = text
        self.document = None
        self.skipped = skipped
        self.why = ""
        self.launches = []
        self.findings = []
        self.linked = []
        self.known = []
        self.rules = {}
        self.expected = []
        self.patience = Patience()

    @property
    def starts_runs(self):
        """Whether the file holds the commands that start its runs: a script, or a job with a script inside."""
        return self.document is None or any(launch.origin and launch.origin.script is None for launch in self.launches)


def is_script(text):
    """Whether a file is a shell script, by its name or its first line."""
    return has_suffix(text.path, SCRIPTS) or (text.text[:2] == "#!" and "sh" in text.text[:60].partition("\n")[0].rpartition("/")[2])


def lint(text, surroundings=None, fixes=True):
    """Check the text of one file. Never raises for what the file says."""
    surroundings = surroundings or Surroundings()
    report = Report(text.path, text)
    if surroundings.policy and surroundings.policy.rules:
        report.rules = surroundings.policy.wanted_rules()
        for rule in report.rules.values():
            rule.start_anew()
    if is_script(text):
        from .scripts import judge_script

        judge_script(report, surroundings)
    else:
        _judge_config(report, surroundings)
    if report.rules and report.launches:
        report.findings += _failures(report)
    if report.skipped is None and "ignore" in text.text and "lint" in text.text:
        from .suppressions import suppress

        suppress(report)
    if surroundings.policy and report.findings:
        report.findings = surroundings.policy.apply(report.findings)
    if surroundings.baseline and report.findings:
        report.known = surroundings.baseline.known(report)
        known = {id(finding) for finding, *_ in report.known}
        report.findings = [finding for finding in report.findings if id(finding) not in known]
    if fixes and report.launches:
        from .fixes import offer_fixes

        offer_fixes(report, surroundings)
    report.findings.sort(key=_position)
    return report


def told(report):
    """The findings of a report of which there is something new to say: the first ones of each rule, and how many more there are."""
    if len(report.findings) <= MOST_ALIKE:
        return report.findings
    counts, kept, more = {}, [], {}
    for finding in report.findings:
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
        if counts[finding.rule] <= MOST_ALIKE:
            kept.append(finding)
        else:
            more.setdefault(finding.rule, finding)
    for rule, first in more.items():
        problem = f"this one of {rule.code} and {counts[rule] - MOST_ALIKE - 1:,} more of its kind in this file are not told"
        kept.append(Finding(RULES["file-is-looked-at-to-its-end"], "info", "never", span=span_of(first), values={"problem": problem}))
    return sorted(kept, key=_position) if more else report.findings


def _failures(report):
    """What rules of the team that are functions failed on, told once for a file."""
    for rule in report.rules.values():
        if problem := rule.failure:
            yield Finding(RULES["team-rule-runs"], "error", "never", span=(0, 0),
                          values={"code": rule.code, "name": rule.name, "problem": problem})  # fmt: skip


def _as_yaml(text):
    """The Text of a JSON file as YAML reads it: between its tokens YAML takes no tabs."""
    if "\t" in text.text and has_suffix(text.path, (".json",)):
        return Text(text.text.replace("\t", " "), text.path, text.bom)
    return text


def _judge_config(report, surroundings):
    text = report.text
    if not may_be_ours(text.text) and not _forced(surroundings):
        report.skipped = _FOREIGN
        return
    report.document = document = read_yaml(_as_yaml(text))
    facts, comment_problems = _facts_of(document, surroundings)
    if "expect" in text.text:
        comment_problems += expect(report, surroundings.policy)
    root = _root(document)
    origins = surroundings.repository.origins_of(text) if surroundings.repository and root is not None else []
    found, report.why = _recognise(root, facts)
    if origins and _judge_origins(report, origins, root, facts, surroundings):
        report.findings += [comment_finding(*problem) for problem in comment_problems]
        return
    if found is None and _starts_training(text.text):
        from .scripts import judge_embedded

        if judge_embedded(report, {name: fact for name, fact in facts.items() if fact.source == "comment"}, surroundings):
            report.findings += [comment_finding(*problem) for problem in comment_problems]
            return
    if found is None and root is not None and _judge_sections(report, root, facts, surroundings):
        report.findings += [comment_finding(*problem) for problem in comment_problems]
        return
    if found is None:
        addressed = [fact.where[1:] for fact in _from_comments(facts)] or [expectation.span for expectation in report.expected]
        if root is None or not addressed:
            report.skipped = report.why
        else:
            report.findings += [comment_finding(*problem) for problem in comment_problems]
            report.findings.append(_unrecognised(addressed[0]))
        return
    report.findings += [comment_finding(*problem) for problem in comment_problems]
    report.findings += _reading_findings(document, root, found)
    if root is not None and not document.problems:
        _judge_mapping(report, found, root, facts, surroundings)


def lint_path(path, surroundings=None, fixes=True):
    """Check the file at `path`; one that cannot be read is a finding."""
    try:
        return lint_bytes(read(path), path, surroundings, fixes)
    except CannotRead as problem:
        return unreadable(path, str(problem))


class CannotRead(Exception):
    """A file that cannot be had; the message says why."""


def read(path, unless=None):
    """The bytes of a file, at most so many as show that it is too large; None where the test `unless` of the bytes holds."""
    try:
        return disk.read(path, LARGEST_FILE) if unless is None else disk.read_unless(path, LARGEST_FILE, unless)
    except disk.Special:
        return _read_special(path)
    except OSError as error:
        raise CannotRead(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a NUL byte
        raise CannotRead(f"cannot be read: {error}") from None


def foreign(path):
    """The report of a file that is none of ours, and whose text nobody needs."""
    return Report(path, skipped=_FOREIGN)


def _read_special(path):
    """The bytes of a device, or of a pipe of the shell (`<(...)`); any other pipe may wait for ever for somebody to write."""
    if not path.startswith("/dev/"):
        raise CannotRead("cannot be read: it is a pipe")
    try:
        return disk.read_special(path, LARGEST_FILE)
    except OSError as error:
        raise CannotRead(f"cannot be read: {error.strerror or error}") from None


def lint_bytes(data, path, surroundings=None, fixes=True):
    """Check the bytes of a file; what is no text is a finding, and so is what looks like ours and is too large to be a config or a script."""
    if len(data) > LARGEST_FILE:
        limit = f"larger than {LARGEST_FILE >> 10} KB"
        if any(word in data[:LARGEST_FILE] for word in _SURELY_OURS):
            return unreadable(path, f"is {limit}, and is not checked")
        return Report(path, skipped=limit)
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
    entries = entries_of(root)
    name, why = recognise(entries.keys(), reader_of(entries))
    return name and dialect_named(name), why


def _facts_of(document, surroundings):
    """The facts from all sources, the stronger one winning, and what is wrong in the comments."""
    in_comments, problems = facts_in_comments(document)
    return {**surroundings.settings, **in_comments, **surroundings.outside}, problems


def expect(report, policy, comments=None):
    """Note in a report what its comments expect of the runs, all or those at [(start, end)]; returns what is wrong with them."""
    from .comments import comments_of
    from .expectations import read_expectations

    report.expected, problems = read_expectations(report.text.text, comments_of(report) if comments is None else comments, policy)
    return problems


def facts_in_comments(document):
    """({fact: Fact}, problems) of the comments of a config file."""
    spans = [span for word in ("grpo-lint", "grpo_lint") if word in document.text.text for span in document.comments_naming(word)]
    return facts_in_spans(document.text, spans)


def facts_in_spans(text, spans):
    """The same of comments with these spans, as far as they are read."""
    found, problems = {}, []
    for start, end in spans[:MOST_COMMENTS]:
        facts, wrong = read_comment(text.text[start:end], start)
        found = {**facts, **found}
        problems += wrong
    if len(spans) > MOST_COMMENTS:
        problems.append((*spans[MOST_COMMENTS], f"{MOST_COMMENTS} comments for grpo-lint are read in one file: this one and all below it are not"))
    return found, problems


# --- findings about the reading -------------------------------------------------------------------------------------


def comment_finding(start, end, message):
    return Finding(RULES["comment-is-understood"], "warning", "never", span=(start, end), values={"problem": message})


def _from_comments(facts):
    return [fact for fact in facts.values() if fact.source == "comment"]


def _unrecognised(span):
    """A comment of ours in a file that no dialect recognises: its author expects it to be checked."""
    problem = "the keys do not tell which framework reads this file; add dialect=trl, dialect=swift or dialect=megatron"
    return comment_finding(*span, problem)


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
    launch = launch_of(dialect, root, facts, surroundings)
    if launch.candidates:
        _add(report, launch, _duplicate_findings(report.document, launch))
        _add(report, launch, _no_yaml_findings(launch))
    judge_launch(report, launch)


def _judge_sections(report, root, facts, surroundings):
    """Judge a config whose settings of TRL stand in sections, which a loader of its own reads; whether it is one."""
    sections = sections_of(root)
    entries = entries_of(root, sections)
    if not {"num_generations", "per_device_train_batch_size"} <= entries.keys() or recognise(entries.keys(), reader_of(entries))[0] != "trl":
        return False
    report.why = f"has keys of TRL's GRPO family in its sections ({', '.join(sections)})"
    judge_launch(report, launch_of(dialect_named("trl"), root, facts, surroundings, sections=sections))
    return True


def _add(report, launch, findings):
    for finding in findings:
        finding.launch = launch
        report.findings.append(finding)


def _judge_origins(report, origins, root, facts, surroundings):
    """Judge a config in each of the commands that start a run with it; whether there is one that starts such a run."""
    found = [launch for launch in (started_launch(origin, root, facts, surroundings) for origin in origins) if launch is not None]
    if not found or report.document.problems:
        return False
    _add(report, found[0], _duplicate_findings(report.document, found[0]))
    for launch in found:
        judge_launch(report, launch)
        report.linked.append(launch.origin.script.path)
        report.findings += disagreements(launch, facts, launch.origin.place)
    report.why = f"{len(found)} launch{'' if len(found) == 1 else 'es'} of it"
    return True


def started_launch(origin, root, facts, surroundings):
    """The launch that a command starts; None when it trains something else.

    `root`: the mapping of its file, None when it has none; `facts`: what comments and settings say.
    """
    invocation = origin.invocation
    entries = {**entries_of(root), **invocation.flags}
    forced = facts.get("dialect") or origin.stated.get("dialect")
    if invocation.dialect:
        found = dialect_named(invocation.dialect)
        kind = reader_of(entries)(found.trainer_key) if found.trainer_key else "grpo"
        if kind not in ("grpo", UNKNOWN):
            return None
    else:
        name = forced.value if forced else recognise(entries.keys(), reader_of(entries))[0]
        if name is None and may_be_trls(entries.keys()) and origin.program and origin.program.trains:
            name = "trl"  # few keys, but a script that trains with them
        if name is None or (name == "trl" and not forced and origin.program and origin.program.leaves_trl):
            return None
        found = dialect_named(name)
    known = {name: fact for name, fact in facts.items() if name not in origin.stated or fact.source != "settings"}
    return launch_of(found, root, {**origin.stated, **known, **origin.facts(), **surroundings.outside}, surroundings, origin)


def disagreements(launch, facts, place):
    """Comments that say something else than the command that starts the run, which stands at a place."""
    for name, fact in launch.origin.facts().items():
        stated = facts.get(name)
        if stated is not None and stated.source == "comment" and not _agree(stated.value, fact.value):
            problem = f"{name} is {stated.value} here, but {place} starts the run with {fact.value} ({fact.source}), which counts"
            yield comment_finding(*stated.where[1:], problem)


def _agree(stated, value):
    """Whether a comment says what a command does; it may name several numbers of processes."""
    return value in stated if isinstance(stated, Counts) else stated == value


def _starts_training(text):
    """Whether a YAML file may hold a script that starts training."""
    return any(words in text for words in ("rlhf", "launch", "torchrun", "trl", "deepspeed", "python"))


def judge_launch(report, launch, also=()):
    """Add a launch to a report, with the findings about it that belong to the file of the report: one for each cause.

    `also`: findings about the command that starts it.
    """
    report.launches.append(launch)
    launch.patience = report.patience
    launch.demands += [expectation for expectation in report.expected if expectation.concerns(launch)]
    known = {(finding.key, span_of(finding)) for finding in report.findings if finding.launch not in (None, launch)}
    said = [*also]
    findings = [*said, *_findings_of(launch)]
    if any(finding.severity != "info" for finding in findings) and _is_read_otherwise(launch):
        findings = [*said, *_findings_of(launch)]
    for finding in findings:
        finding.launch = launch
        if launch.origin is not None:
            _place_in_launch(finding, launch.origin, report.text)
        elsewhere = launch.origin and (finding.at.text is not None if finding.at is not None else finding.span is None)
        speaker = next((other for other in said if _says_already(other, finding)), None)
        if speaker is not None:
            speaker.speak_for(finding)
        elif not elsewhere and ((finding.key, span_of(finding)) not in known or finding.at is None):
            report.findings.append(finding)


def _findings_of(launch):
    return [*(() if launch.reader else key_findings(launch)), *judge(launch)] if launch.candidates else [_no_trainer(launch)]


def _is_read_otherwise(launch):
    """Take note of what reads a config in the place of TRL's parser, as the training scripts of its repository and its own keys tell; whether something does.

    That is asked only where there is something to say, for it takes a look at the repository's Python.
    """
    stated = "loader" in launch.facts or "dialect" in launch.facts
    if launch.reader or launch.origin or not launch.dialect.read_by_scripts or launch.loader != "script" or stated:
        return False
    if launch.program and launch.program.own_parser:
        launch.read_by(f"the parser of {launch.program.name}")
    elif 2 * len(strange_keys(launch)) > len(launch.entries):
        launch.read_by("what reads this file")  # a format of somebody's own, that shares some names with TRL
    return bool(launch.reader)


def _says_already(other, finding):
    """Whether a finding about the command speaks for another one: where the processes are not those that are meant, all about their number."""
    if other.rule.name in finding.rule.blocked_by:
        return True
    if other.rule.name != "launch-reads-its-processes" or finding.rule.broken is None:
        return False
    return not {"world_size", "processes_per_node"}.isdisjoint(finding.plan.leaves(finding.rule.broken.names))


def _place_in_launch(finding, origin, text):
    """What no key says, and for how many processes a run is good, is said where the run is started; what a comment says, with that place."""
    if finding.rule.span:
        place = origin.place or f"line {text.position(origin.invocation.command.start)[0] + 1}"
        finding.note = f"in the run that {place} starts" + (f"; {finding.note}" if finding.note else "")
    if finding.rule.name == "legal-process-counts":
        finding.at = None
    if finding.at is None and finding.span is None and origin.script is None:
        finding.span = origin.invocation.span


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
