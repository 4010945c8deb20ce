"""Findings about single keys and values: names, versions, types, choices. They need a catalogue, and no plan."""

from ..frameworks.rule_sets import rule_named
from ..frameworks.versions import bits_of, version_key
from ..message import Message
from ..source.entry import is_alone
from ..source.yaml.reader import Entry, Scalar, is_text, target
from ..unknown import LARGEST_NUMBER, UNKNOWN, is_beyond
from .findings import Finding
from .verdict import settings_in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        AbstractSet,
        Candidate,
        Fault,
        Field,
        Generator,
        Iterable,
        Iterator,
        Launch,
        Program,
        Sequence,
        Severity,
        Stage,
        Target,
    )
    from .verdict import Written

    Named = tuple[str, Entry]  # (name of the setting, what stands there)


OF_ONE_KEY = ("key-is-known", "key-is-of-this-version")  # the rules about a key that a release does not know


def misspelt_in(findings: "list[Finding]") -> "set[str]":
    """The names of the keys and flags that no release, or not this one, knows by what is found of each."""
    return {each.at.name for each in findings if each.rule.name in OF_ONE_KEY and each.at is not None}


def key_findings(launch: "Launch", written: "dict[str, Written]") -> "Iterator[Finding]":
    """What is wrong with the keys and values of a launch in the newest candidate release that knows them; how much that
    weighs is for the votes of the others to say. `written`: what is written of each."""
    for finding in _key_findings(launch, written):
        if launch.beside and finding.severity == "error" and "history" not in finding.values:
            from .unknown_keys import hinge_on_companion

            hinge_on_companion(launch, finding)
        if finding.severity == "error" and launch.doubt:
            finding.severity = "warning"
            if not finding.at or finding.at.name not in launch.keys_newer_than_pin:
                finding.note = launch.doubt
            elif "history" in finding.values:
                finding.note = Message(
                    "{source} pins {version}", {"source": launch.version_source, "version": launch.candidates[0].text}
                )
            finding.assumes = [*finding.assumes, "version"]
        yield finding
    if launch.framework.reader.configs.needed_in:
        from .lacking import lacking

        yield from lacking(launch, launch.candidates[0])


def _key_findings(launch: "Launch", written: "dict[str, Written]") -> "Iterator[Finding]":
    newest = launch.candidates[0]
    in_order = settings_in_order(launch, newest, written)
    fields, unknown = launch.fields(newest), []
    nested, lacks = launch.framework.reader.configs.nested, launch.lacks
    for name, entry in _not_among(in_order, launch, written):
        field = fields[name]
        is_taken = (
            launch.framework.reader.keys.takes(name, entry, launch, newest.index)
            if nested
            else field is not None and name not in lacks
        )
        if not is_taken and is_unread(launch, newest, name, entry):
            unknown.append((name, entry))
        if is_taken and field is not None:  # an appended key may hold anything
            is_in_order = yield from _findings_of_a_known_key(launch, newest, name, entry, field)
            if is_in_order and (type(entry) is Entry or not nested):  # how a flag is taken hangs on those around it
                in_order.add((name, written[name]))
                launch.remembered.grow()
    if unknown:
        from .unknown_keys import of_unknown_keys

        for finding in of_unknown_keys(launch, newest, unknown):
            if launch.program_is_partial:  # which may well declare them
                finding.severity = "info"
            yield finding
    yield from _missing_keys(launch, newest)


def _not_among(
    in_order: "AbstractSet[tuple[str, Written]]", launch: "Launch", written: "dict[str, Written]"
) -> "Iterable[Named]":
    """The settings of a launch of which it is not known that they are in order."""
    left = written.items() - in_order
    return [(name, entry) for name, entry in launch.entries.items() if (name, written[name]) in left] if left else ()


def _findings_of_a_known_key(
    launch: "Launch", newest: "Candidate", name: str, entry: "Entry", field: "Field"
) -> "Generator[Finding, None, bool]":
    """Findings about the spelling and the value of a key; returns whether every launch that is read like this one may pass it over."""
    reader = launch.framework.reader
    is_spelt_out = _is_spelt_out(name, entry)
    if not is_spelt_out and reader.keys.abbreviates and entry.name.replace("-", "_") != name:
        yield finding_on(
            launch, newest, "key-is-spelt-out", "warning", "never", name, key=entry.name, name=name, rename=name
        )
    if _is_any_text(launch, name, entry, field):
        return is_spelt_out
    value = launch.value(name)
    if value is UNKNOWN:
        yield from _too_large(launch, newest, name, target(entry.value))
        return False
    if field.has_type_of(value) or _is_a_choice(field, value):
        return is_spelt_out
    value, fault = launch.read(name, launch.fields(newest), newest.key)
    if is_beyond(value):  # a text that becomes a number
        yield _unread_value(launch, newest, name, "warning", _LARGE_NUMBER)
    elif fault is None or _is_left_to_the_script(launch, name, fault):
        return is_spelt_out and not reader.configs.nested  # where settings may refer to others
    else:
        finding = _misfit(launch, newest, name, fault)
        if finding is not None and not (launch.doubt and _fits_later(launch, name)):
            yield finding
    return False


def _is_spelt_out(name: str, entry: "Entry") -> bool:
    """Whether an entry bears the whole name of its setting; `--no_x` does."""
    return entry.name == name or (is_alone(entry) and entry.name.replace("-", "_") == f"no_{name}")


def _is_any_text(launch: "Launch", name: str, entry: "Entry", field: "Field") -> bool:
    """Whether a setting holds a text, and takes every text."""
    takes_any = launch.framework.reader.values.takes_anything(name, field)
    return takes_any and is_text(entry.value) and not is_alone(entry)


def _is_a_choice(field: "Field", value: object) -> bool:
    return type(value) is str and value in (field.choices or ())


def _missing_keys(launch: "Launch", newest: "Candidate") -> "Iterator[Finding]":
    """Findings for keys that the team, or the release, asks for and that are not there."""

    def missing(rule: str, severity: "Severity", stage: "Stage", **values: object) -> "Finding":
        return Finding(rule_named(rule), severity, stage, candidate=newest, plan=launch.plan(newest), values=values)

    for name in (launch.policy and launch.policy.required_keys) or ():
        if name not in launch.entries:
            yield missing("agreed-key-is-given", "warning", "never", key=name)
    # without knowing the loader, the key may come on the command line or from Python code
    is_certain = "loader" in launch.facts and len(launch.candidates) == 1
    if (not is_certain and not _is_a_whole_command(launch)) or (launch.incomplete and launch.loader == "kwargs"):
        return
    for name in launch.fields(newest).required():
        if name not in launch.entries and name not in launch.defaults:
            stage: Stage = "config" if launch.loader == "kwargs" else "read"
            title = launch.framework.title
            from ..launch.forms import added  # few files lack one

            yield missing(
                "required-key-is-given",
                "error",
                stage,
                key=name,
                title=title,
                version=newest.text,
                advice=added(launch, name),
            )


def _is_a_whole_command(launch: "Launch") -> bool:
    """Whether a command is here with all its flags, of a framework that reads nothing else."""
    configs = launch.framework.reader.configs
    return launch.origin is not None and configs.composed and not configs.nested and not launch.incomplete


def _is_of_the_script(launch: "Launch", name: str, entry: "Entry") -> bool:
    """Whether the training script reads a key: it declares it, or its trainer takes it from its arguments, or the team
    says so."""
    if name in launch.declared or (launch.copy is not None and launch.copy_declares(entry.name)):
        return True
    if (
        launch.program
        and launch.program.trains
        and name in launch.program.reads
        and not launch.framework.catalogue.known(name, launch.groups)
    ):
        return True  # what some release of TRL knows, the script may take from there
    return launch.policy is not None and launch.policy.knows(entry.name)


def way_of(entry: "Entry") -> "tuple[object, ...] | None":
    """How a key is written, in as far as what a release does with one that it does not know hangs on it; None for a key of a file."""
    if type(entry) is Entry:
        return None
    return (
        type(entry),
        getattr(entry, "operator", ""),
        getattr(entry, "is_later", False),
        getattr(entry, "added_by", ""),
    )


def strange_keys(launch: "Launch") -> "list[str]":
    """The names of the settings that no release of the framework has ever known, and that nobody has declared."""
    known, groups, newest = launch.framework.catalogue.known, launch.groups, launch.candidates[0]
    return [
        name
        for name, entry in launch.entries.items()
        if not known(name, groups) and is_unread(launch, newest, name, entry)
    ]


def finding_on(
    launch: "Launch",
    candidate: "Candidate",
    rule: str,
    severity: "Severity",
    stage: "Stage",
    at: str,
    assumes: "Sequence[str]" = (),
    **values: object,
) -> "Finding":
    return Finding(rule_named(rule), severity, stage, candidate=candidate, plan=launch.plan(candidate), at=launch.setting(at),
                   values=values, assumes=assumes)  # fmt: skip


def taking_companion(launch: "Launch", release: "Candidate", package: str) -> "tuple[str, Message]":
    """(what is taken for granted about a package beside a release, in words)."""
    told = {"package": package, "version": launch.companions_of(release)[package]}
    told["release"] = f"{launch.framework.title} {release.text}"
    return f"companion:{package}", Message("assuming that {package} {version} is installed with {release}", told)


# --- values ---------------------------------------------------------------------------------------------------------

_LARGE_NUMBER = f"a whole number beyond {LARGEST_NUMBER}, with which nothing is reckoned"


def _too_large(launch: "Launch", candidate: "Candidate", name: str, node: "Target | None") -> "Iterator[Finding]":
    """A finding where a value is unknown because there is too much of it, and not because the shell would compute it."""
    if type(node) is not Scalar:
        yield _unread_value(
            launch,
            candidate,
            name,
            "info",
            Message("more than is looked at in one value: lists in lists without end, or a huge number"),
        )
    elif is_beyond(node.value):
        yield _unread_value(launch, candidate, name, "warning", _LARGE_NUMBER)


def _unread_value(launch: "Launch", candidate: "Candidate", name: str, severity: "Severity", what: str) -> "Finding":
    return finding_on(
        launch, candidate, "file-is-looked-at-to-its-end", severity, "never", name, problem=f"{name} holds {what}"
    )


def _misfit(launch: "Launch", candidate: "Candidate", name: str, fault: "Fault") -> "Finding | None":
    if fault.stage == "run" and _script_knows(launch, launch.value(name)):
        return None
    if fault.rule == "value-is-a-choice" and _copy_knows(launch, name):
        return None
    finding = finding_on(launch, candidate, fault.rule, "error" if fault.stage != "never" else "warning", fault.stage, name,
                       (), key=_as_the_file_says(launch, name), **fault.values)  # fmt: skip
    if fault.stage in _USED_LATER:
        _weigh_reader(launch, finding, name)
    if finding.severity == "error":
        known = launch.framework.catalogue.known(name, launch.groups)
        voting = [release for release in launch.candidates if known >> release.index & 1]
        finding.refusing = bits_of(release.index for release in voting if misfits(launch, release, name))
        finding.abstaining = ~known
    return finding


_USED_LATER = ("init", "run")


def _is_left_to_the_script(launch: "Launch", name: str, fault: "Fault") -> bool:
    """Whether a script of one's own makes of a value what it likes."""
    is_of_scripts = fault.stage in _USED_LATER and name in launch.framework.reader.programs.script_settings
    return is_of_scripts and not launch.is_read_by_the_framework


def _weigh_reader(launch: "Launch", finding: "Finding", name: str) -> None:
    """A value that dies in the trainer, or in the script before it, is a warning where they may be others."""
    program = launch.program
    if program and (program.trainer or program.unread):
        trains = {"program": program.name, "trainer": program.trainer or program.unread}
        finding.hinge_on([("trainer", Message("{program} trains with {trainer}", trains))])
        finding.severity = "info" if finding.stage == "run" else finding.severity  # which may have names of its own
    elif not launch.framework.catalogue.known(name, launch.groups[:1]) and not launch.is_read_by_the_framework:
        own = {"framework": launch.framework.title}
        finding.hinge_on(
            [("loader", Message("assuming that the training script uses it as {framework}'s own script does", own))]
        )


def _fits_later(launch: "Launch", name: str) -> bool:
    """Whether the newest release takes a value: where the file is meant for a later one than is pinned, that is told
    once."""
    catalogue = launch.framework.catalogue
    fields = catalogue.fields(launch.groups, len(catalogue.releases) - 1)
    return bool(fields[name]) and launch.read(name, fields, version_key(catalogue.releases[-1]))[1] is None


def _copy_knows(launch: "Launch", name: str) -> bool:
    """Whether the code of a copy of the framework knows a name that is not listed, where its own classes list none."""
    return name not in launch.framework.copies.choices and bool(launch.registers(name)[0])


def _script_knows(launch: "Launch", value: object) -> bool:
    """Whether the training script, which trains in a way of its own, looks for this very value."""
    return launch.program is not None and looks_for(launch.program, value)


def looks_for(program: "Program", value: object) -> bool:
    """Whether a program that trains in a way of its own looks for a value."""
    return type(value) is str and bool(program.trainer or program.overrides) and value in program.compares


def _as_the_file_says(launch: "Launch", name: str) -> str:
    """The name of a setting as it is written, where that is an older name."""
    written = launch.entries[name].name
    return written if written in launch.framework.reader.renames.old_names else name


def misfits(launch: "Launch", release: "Candidate", name: str) -> bool:
    """Whether a release refuses the value of a key that it knows."""
    fault = launch.read(name, launch.fields(release), release.key)[1]
    if fault is None or fault.stage == "never":
        return False
    return fault.stage != "run" or not _script_knows(launch, launch.value(name))


def is_unread(launch: "Launch", release: "Candidate", name: str, entry: "Entry") -> bool:
    """Whether nothing reads a key that a release does not know; where nobody says who reads the file, it may be the
    framework's own command."""
    loaders = [launch.loader]
    if launch.loader == "script" and launch.origin is None and "loader" not in launch.facts:
        loaders.append("cli")
    if any(launch.framework.reader.keys.launch_key(name, release.key, loader) for loader in loaders):
        return False
    return not _is_of_the_script(launch, name, entry)


# --- names ----------------------------------------------------------------------------------------------------------


def is_taken(launch: "Launch", release: "Candidate", name: str, entry: "Entry") -> bool:
    """Whether a release takes a key as it is written."""
    if launch.framework.reader.configs.nested:
        return launch.framework.reader.keys.takes(name, entry, launch, release.index)
    return launch.fields(release)[name] is not None and name not in launch.lacks
