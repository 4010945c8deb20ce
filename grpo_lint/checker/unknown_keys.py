"""What is said of keys that a release does not know: what has become of them, and what they are likely meant for."""

from ..frameworks.rule_sets import rule_named
from ..frameworks.versions import bits_of, version_key
from ..message import NOTHING, Message, ands
from ..plan.formula import inputs
from ..source.entry import Flag
from ..source.quoting import listed
from ..source.text import Span
from ..source.yaml.reader import Entry
from ..source.yaml.scalars import shown_value
from .findings import Finding
from .keys import OF_ONE_KEY, finding_on, is_taken, strange_keys, way_of
from .unseen import declares_more

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..frameworks.base import Fate
    from ..frameworks.catalogue import Fields
    from ..shared_types import Candidate, Iterable, Iterator, Launch, Origin, Plan
    from .keys import Named

# Suggestions cost half a millisecond each: a file with more unknown keys than this is for something else.
MOST_SUGGESTIONS = 20

FEWEST_ELSEWHERE = 3  # keys of another release or tree by which a command is known to be written for that

# A script that takes so many flags which are like none of the framework's declares arguments of its own.
OWN_FLAGS = 3


def of_unknown_keys(launch: "Launch", candidate: "Candidate", unknown: "list[Named]") -> "Iterator[Finding]":
    """Findings for keys that no candidate release knows: those that look like a known one apart, the others together."""
    later = [(name, entry) for name, entry in unknown if name in launch.keys_newer_than_pin] if launch.doubt else []
    if len(later) > 1:
        yield _later_than_the_pin(launch, candidate, later)
        unknown = [each for each in unknown if each not in later]
    rest: dict[tuple[bool, bool, str], list[Named]] = {}  # flags, attributes and keys of other packages apart
    keys = launch.framework.reader.keys
    if launch.framework.reader.configs.nested:
        elsewhere, unknown = _of_another_tree(launch, candidate, unknown)
        yield from elsewhere
    unknown, sections = _one_of_each_section(launch, unknown)
    told: list[Finding] = []
    minding: dict[tuple[object, ...] | None, int] = {}  # who refuses keys that are written in one way
    for count, (name, entry) in enumerate(unknown):
        fate = keys.fate_of(entry, candidate.key, launch)
        known = launch.framework.catalogue.known(keys.written(name, entry), launch.groups)
        refusing = _refusing(launch, name, entry, known)
        if refusing.bit_count() < len(launch.candidates) and fate.severity != "error":
            continue  # some read it
        finding = _about_one_unknown(launch, candidate, name, entry, known, fate, count < MOST_SUGGESTIONS)
        if finding is None:
            kind = isinstance(entry, Flag), *_of_python(entry)
            rest.setdefault(kind, []).append((name, entry))
        else:
            if finding.severity == "error":
                finding.refusing = refusing & _minding(launch, entry, minding)
            _tell_of_the_section(finding, launch, name, sections.get(name))
            told.append(finding)
    if len(rest.get(_OF_FLAGS, ())) >= OWN_FLAGS:
        _weigh_flags_beside_own(told)
    yield from told
    yield from (_unread(launch, candidate, entries) for entries in rest.values())


_OF_FLAGS = (True, False, "")  # what flags that nothing is known of are kept under


def _weigh_flags_beside_own(findings: "list[Finding]") -> None:
    """Make infos of what is said of flags that only mean what another does: a script that is known to declare flags of its own, but not
    which, most likely declares these. A slip of the hand stays what it is."""
    from ..frameworks.shared.names import is_misspelt

    for finding in findings:
        if "loader" not in finding.assumes:
            continue  # certain, or about something else than a name
        meant = finding.values.get("rename") or finding.values.get("twin") or ""
        if not (meant and is_misspelt(finding.values["key"].replace("-", "_"), meant)):
            finding.severity = "info"


def _of_another_tree(
    launch: "Launch", candidate: "Candidate", unknown: "list[Named]"
) -> "tuple[list[Finding], list[Named]]":
    """(one finding about all keys that another file has from which the command may start, and one about all that another tree or release
    has than the copy that is run; the other unknown keys)."""
    found, unknown = _of_another_primary(launch, candidate, unknown)
    if launch.framework.copies.folder and len(unknown) >= FEWEST_ELSEWHERE:
        from .other_sources import of_another_source  # few copies lack so many

        later, unknown = of_another_source(launch, candidate, unknown)
        found += later
    return found, unknown


def _of_another_primary(
    launch: "Launch", candidate: "Candidate", unknown: "list[Named]"
) -> "tuple[list[Finding], list[Named]]":
    """(one finding about all keys that another file has from which the command may start, the other unknown keys)."""
    other_with = launch.framework.reader.primaries.other_with
    origin = launch.origin
    starts = origin is not None and not (origin.has_config or origin.lacks_its_config)
    written = [name for name, entry in unknown if starts and entry.name == name]  # not appended
    found = {name: tree for name in written if (tree := other_with(name, launch, candidate.index)) is not None}
    if not found:
        return [], unknown
    (first, (primary, shown)), *others = found.items()
    fate = launch.framework.reader.keys.fate_of(launch.entries[first], candidate.key, launch)
    told = Message("; {primary} has it, which a command starts from with --config-name={primary}", {"primary": primary})
    finding = finding_on(launch, candidate, "key-is-known", fate.severity, fate.stage, first, key=launch.entries[first].name,
                         hint=told, title=launch.framework.title, version=candidate.text, consequence=fate.consequence,
                         advice=Message("Start it with --config-name={primary}.", {"primary": primary}))  # fmt: skip
    if shown:
        finding.say_first(Message("{setting} needs --config-name={primary}", {"setting": shown, "primary": primary}))
    finding.refusing = bits_of(
        other.index for other in launch.candidates if not is_taken(launch, other, first, launch.entries[first])
    )
    finding.related = [(name, launch.value(name), Span.of(launch.entries[name].key)) for name, _ in others[:5]]
    return [finding], [each for each in unknown if each[0] not in found]


def _one_of_each_section(
    launch: "Launch", unknown: "list[Named]"
) -> "tuple[list[Named], dict[str, tuple[str, list[Named]]]]":
    """(unknown keys, only the first of those in a file that are in one unknown section, {its name: (the path of the section, the
    others)}). The parser refuses the section as a whole, whatever is in it; aliases may repeat that very often."""
    if not launch.framework.reader.configs.nested:
        return unknown, {}
    groups = launch.groups
    key = "sections of any release", launch.framework
    holding: set[str] | None = launch.remembered.get(key)
    if holding is None:
        names = launch.framework.catalogue.names()
        holding = {name[:end] for name in names for end, letter in enumerate(name) if letter == "."}
        launch.remembered.keep(key, holding, len(holding))
    kept: list[Named] = []
    sections: dict[str, tuple[str, list[Named]]] = {}
    first_in: dict[str, str] = {}
    for name, entry in unknown:
        section = _outermost(name, holding) if type(entry) is Entry else name
        if section == name or launch.framework.catalogue.known(name, groups):
            kept.append((name, entry))
        elif section in first_in:
            sections[first_in[section]][1].append((name, entry))
        else:
            first_in[section] = name
            sections[name] = section, []
            kept.append((name, entry))
    return kept, sections


def _outermost(path: str, holding: "set[str]") -> str:
    """The shortest beginning of a path that is no section of any release; the path itself where all are."""
    parts = path.split(".")
    beginnings = (".".join(parts[:count]) for count in range(1, len(parts)))
    return next((each for each in beginnings if each not in holding), path)


def _tell_of_the_section(
    finding: "Finding", launch: "Launch", name: str, section: "tuple[str, list[Named]] | None"
) -> None:
    """Let a finding about the first key of an unknown section be one about the section. `section`: (its path, its other keys)."""
    if section is None:
        return
    path, others = section
    finding.values["key"] = path
    meant = finding.values.pop("rename", "") or finding.values.pop("twin", "")
    if meant:
        other = meant.removesuffix(name[len(path) :])
        is_there = any(each.startswith(f"{other}.") for each in launch.entries)
        finding.values["hint"] = (
            _second_spelling(other) if is_there else Message("; did you mean {name}?", {"name": other})
        )
    finding.related += [(entry.name, launch.value(other), Span.of(entry.key)) for other, entry in others[:5]]


def _minding(launch: "Launch", entry: "Entry", known: "dict[tuple[object, ...] | None, int]") -> int:
    """The candidates that refuse a key which they do not read, by how it is written, as bits: others drop it. `known`: the answers."""
    way = way_of(entry)
    if way not in known:
        fate_of = launch.framework.reader.keys.fate_of
        known[way] = bits_of(
            release.index for release in launch.candidates if fate_of(entry, release.key, launch).severity == "error"
        )
    return known[way]


def _refusing(launch: "Launch", name: str, entry: "Entry", known: int) -> int:
    """The candidates that do not take a key, as bits; `known`: the releases that know it."""
    may_take = known or launch.framework.reader.configs.nested
    return bits_of(
        other.index for other in launch.candidates if not may_take or not is_taken(launch, other, name, entry)
    )


def _about_one_unknown(
    launch: "Launch", candidate: "Candidate", name: str, entry: "Entry", known: int, fate: "Fate", suggests: bool
) -> "Finding | None":
    """The finding about one unknown key, None where there is no more to say of it than that nothing reads it.

    `known`: the releases that know it, as bits; `suggests`: whether to look for the key that is meant, which takes its time.
    """
    framework = launch.framework
    fault = framework.reader.keys.misplaced(name, entry, launch, candidate)
    if fault is not None:
        return finding_on(launch, candidate, fault.rule, "error", fault.stage, name, (), **fault.values)
    beginnings = framework.reader.keys.prefix_matches(name, launch.fields(candidate))
    if len(beginnings) > 1:
        hint, more = _suggestion(launch, candidate, name, fate)
        return finding_on(launch, candidate, "key-is-not-ambiguous", "error", "read", name, key=entry.name,
                          names=listed(_spellings(beginnings)), hint=hint, **more)  # fmt: skip
    if name in launch.lacks:
        return _of_a_class_not_given(launch, candidate, name, entry, fate)
    if known:
        return _other_version(launch, candidate, name, entry, known, fate)
    hint, more = _suggestion(launch, candidate, name, fate) if suggests else ("", {})
    if not hint and fate.severity != "error":
        return None
    finding = finding_on(launch, candidate, "key-is-known", fate.severity, fate.stage, name, key=entry.name, hint=hint,
                         title=framework.title, version=candidate.text, consequence=fate.consequence, assumes=fate.assumes, **more)  # fmt: skip
    if type(entry) is Flag:
        finding.message = Message("--{key} is not a flag of {title} {version}: {consequence}{hint}")
    return finding


def _of_a_class_not_given(
    launch: "Launch", candidate: "Candidate", name: str, entry: "Entry", fate: "Fate"
) -> "Finding":
    """A field of the framework in a class that the program does not give to its parser."""
    told = {"program": launch.is_read_by, "class_name": launch.lacks[name]}
    finding = finding_on(launch, candidate, "key-is-known", fate.severity, fate.stage, name, key=entry.name, consequence=fate.consequence,
                         title=launch.framework.title, version=candidate.text, hint="", assumes=fate.assumes, **told,
                         advice=Message("Give the parser {class_name} as well, or remove the key.", told))  # fmt: skip
    finding.message = Message(
        "{key} is a field of {class_name}, which {program} does not give to its parser: {consequence}"
    )
    return finding


def _spellings(names: "list[str]") -> "list[str]":
    """Names that a shortened one may mean; argparse knows a single one in two spellings."""
    return names if len(set(names)) > 1 else [names[0], names[0].replace("_", "-")]


def _other_version(
    launch: "Launch", candidate: "Candidate", name: str, entry: "Entry", known: int, fate: "Fate"
) -> "Finding":
    """A key of earlier or later releases."""
    framework = launch.framework
    history, companion = _history(launch, candidate, name, known)
    hint, rename = _its_name_now(launch, candidate, name, history.template.startswith("came"))
    if not rename and not companion:
        rename = _installing(launch, candidate, [(name, entry)])
    rule = framework.reader.renames.costly_keys.get(name) if "rename" in rename else None
    finding = finding_on(launch, candidate, rule or "key-is-of-this-version", fate.severity, fate.stage, name, key=entry.name,
                       history=history, hint=hint, title=framework.title, version=candidate.text, consequence=fate.consequence,
                       assumes=fate.assumes, **rename)  # fmt: skip
    if companion:
        hinge_on_companion(launch, finding)
    return finding


def hinge_on_companion(launch: "Launch", finding: "Finding") -> None:
    """Let a refusal of a field that a package beside the framework declares weigh no more than what is known of the package: where
    all that may be installed refuse the run, it is certain."""
    declared, release = launch.framework.releases.companion_fields, finding.candidate
    name = finding.at.name if finding.at else ""
    package = declared[name][0] if name in declared else None
    if package is None or release is None or package in launch.companion_versions:
        return
    from ..launch.pairs import Pairs  # few keys are of a package beside the framework

    values = {each: launch.value(each) for each in launch.entries if each in declared}
    pairs = Pairs(framework=launch.framework, groups=launch.groups, values=values, stated=launch.companion_versions)
    possible = launch.beside.get(release.index, ())[1:]
    other = pairs.accepting(release.index, possible)
    told = {"package": package, "version": launch.companions_of(release)[package], "other": other}
    if other:
        told["release"] = f"{launch.framework.title} {release.text}"
        note = Message(
            "assuming that {package} {version} is installed with {release}; {package} {other} accepts it", told
        )
        finding.hinge_on([(f"companion:{package}", note)])
        finding.values["advice"] = Message(
            "Say which {package} is installed: pin it, or write `# grpo-lint: {package}={other}` into this file.", told
        )
        return
    taking = next((each for each in possible if name not in pairs.unknown_to(each)), None)
    if taking is not None:
        told["other"], told["keys"] = taking, ands(pairs.unknown_to(taking))
        finding.say_first(Message("{package} {other}, which takes it, does not take {keys}", told))


def _its_name_now(
    launch: "Launch", candidate: "Candidate", name: str, is_later: bool
) -> "tuple[Message, dict[str, Any]]":
    """(what a key of other releases is called in this one, in words, what a fix may be made of); `is_later`: the key came later."""
    renames = launch.framework.reader.renames
    new_name, remark = renames.successor(name, launch.fields(candidate))
    if is_later and new_name and not renames.is_moved(name, new_name):
        new_name = None  # a setting with a name that is alike, which is there as well
    hint = _remark(remark) if remark else NOTHING
    if new_name and not remark:
        now = {"name": new_name}
        hint = Message("; here it is still {name}", now) if is_later else Message("; it is now {name}", now)
    new_name = new_name or renames.fallback(name, launch.value(name), launch, launch.companion_versions)
    rename: dict[str, Any] = {"rename": new_name} if new_name and new_name not in launch.entries else {}
    if rename and not all(launch.fields(other)[new_name] for other in launch.candidates):  # type: ignore[index]  # a name
        rename["elsewhere"] = True
    if name in renames.fallback_keys:
        rename["keep"] = True
    return hint, rename


def _history(launch: "Launch", candidate: "Candidate", name: str, known: int) -> tuple[Message, str]:
    """(since when a key is gone, or with what it came, the package that this hinges on or "")."""
    framework = launch.framework
    if name in framework.releases.companion_fields:
        package, since, gone = framework.releases.companion_fields[name]
        if gone and version_key(launch.companions_of(candidate)[package]) >= gone:
            return _gone(f"{package} {'.'.join(map(str, gone))}"), package
        return _came(f"{package} {'.'.join(map(str, since or ()))}"), package
    releases = framework.catalogue.releases
    first = (known & -known).bit_length() - 1
    if first > candidate.index:
        return _came(f"{framework.title} {framework.catalogue.label(first)}"), ""
    gone_at = next(index for index in range(first, len(releases)) if not known >> index & 1)
    return _gone(f"{framework.title} {framework.catalogue.label(gone_at)}"), ""


def _came(release: str) -> Message:
    return Message("came with {release}", {"release": release})


def _gone(release: str) -> Message:
    return Message("was removed in {release}", {"release": release})


def _later_than_the_pin(launch: "Launch", candidate: "Candidate", entries: "list[Named]") -> "Finding":
    """One finding for all keys that came after the release that the repository pins: either they are wrong, or it is."""
    fate = launch.framework.reader.keys.fate_of(entries[0][1], candidate.key, launch)
    finding = Finding(rule_named("key-is-of-this-version"), fate.severity, fate.stage, candidate=candidate, plan=launch.plan(candidate),
                      at=launch.setting(entries[0][0]), assumes=fate.assumes,
                      values={"keys": listed([entry.name for _, entry in entries]), "title": launch.framework.title, "version": candidate.text,
                              "source": launch.version_source, "consequence": _of_several(fate.consequence), **_installing(launch, candidate, entries)},
                      message=Message("{keys} came after {title} {version}, which {source} pins: {consequence}"))  # fmt: skip
    finding.related = [(entry.name, launch.value(name), Span.of(entry.key)) for name, entry in entries[1:6]]
    return finding


def _installing(launch: "Launch", candidate: "Candidate", entries: "list[Named]") -> "dict[str, Any]":
    """What to do about keys that came after a release: values of a Finding, none where they did not, or no one release has them all."""
    framework, releases = launch.framework, launch.framework.catalogue.releases
    shared = (1 << len(releases)) - 1
    for name, entry in entries:
        shared &= framework.catalogue.known(framework.reader.keys.written(name, entry), launch.groups)
    first = (shared & -shared).bit_length() - 1
    if first <= candidate.index:
        return {}
    has_newer = shared >> first == (1 << len(releases) - first) - 1
    release = {"release": f"{framework.title} {framework.catalogue.label(first)}"}
    count = len(entries)
    advice = Message("Install {release}, or remove it.", release, "Install {release}, or remove them.", count)
    if has_newer:
        advice = Message(
            "Install {release} or newer, or remove it.", release, "Install {release} or newer, or remove them.", count
        )
    return {"advice": advice}


def _of_several(consequence: Message) -> Message:
    return Message(consequence.template, consequence.values, consequence.plural, 2)


def _unread(launch: "Launch", candidate: "Candidate", entries: "list[Named]") -> "Finding":
    """One finding for keys of which there is no more to be said than that nothing reads them."""
    consequence = launch.framework.reader.keys.fate_of(entries[0][1], candidate.key, launch).brief
    if len(entries) > 1:
        consequence = _of_several(consequence)
    # a flag that no parser knew would have been noticed in the first run: a script that is not here, or whose classes are not, will know it
    is_unsure = launch.origin is not None and (launch.origin.program is None or declares_more(launch))
    is_out_of_sight = isinstance(entries[0][1], Flag) and is_unsure
    is_of_python = any(_of_python(entries[0][1]))  # code that is not here may read or know it
    finding = Finding(rule_named("keys-are-read"), "info" if is_out_of_sight or is_of_python else "warning", "never", candidate=candidate, plan=launch.plan(candidate),
                      at=launch.setting(entries[0][0]),
                      values={"keys": listed([entry.name for _, entry in entries]), "title": launch.framework.title,
                              "version": candidate.text, "consequence": consequence, "them": "it" if len(entries) == 1 else "them"})  # fmt: skip
    if is_of_python or not launch.framework.reader.programs.read_by_scripts:
        finding.message = Message("{title} {version} does not know {keys}: {consequence}")
    finding.related = [(entry.name, launch.value(name), Span.of(entry.key)) for name, entry in entries[1:6]]
    return finding


def _of_python(entry: "Entry") -> "tuple[bool, str]":
    """(whether an entry is an attribute that is set on a config which was made before, the package beside the framework whose it is)."""
    return getattr(entry, "is_later", False), getattr(entry, "added_by", "")


def of_a_fork(launch: "Launch") -> "Iterator[Finding]":
    """The info on keys that no release knows, where somebody's own copy of the framework is installed: it may know them."""
    strange = strange_keys(launch)
    if strange:
        told = {"keys": listed([launch.entries[name].name for name in strange]), "reader": launch.reader}
        told["title"] = launch.framework.title
        yield Finding(rule_named("keys-are-read"), "info", "never", candidate=launch.candidates[0], at=launch.setting(strange[0]),
                      values=told, message=Message("no release of {title} knows {keys}: that is left to {reader}, which is not here"))  # fmt: skip


def _suggestion(launch: "Launch", candidate: "Candidate", name: str, fate: "Fate") -> "tuple[str, dict[str, Any]]":
    """(what an unknown key is most likely meant for, in words, what a fix may be made of): by its meaning, then by its
    spelling."""
    framework, fields = launch.framework, launch.fields(candidate)
    if framework.reader.configs.nested:
        near = _near(launch, name, fields)
        hint, more = _meant(launch, near) if near else ("", {})
        # what is deleted (`~a.b`) would be set by another name
        return hint, ({} if getattr(launch.entries.get(name), "operator", "") == "delete" else more)
    spelt = name.replace("-", "_").lower()
    if spelt != name and fields[spelt]:
        return _meant(launch, spelt)
    by_meaning = _by_meaning(launch, candidate, spelt, fate)
    if by_meaning is not None:
        return by_meaning
    similar = None if framework.reader.keys.reads_somewhere(name) else _similar(launch, candidate, spelt)
    if similar is None:
        return "", {}
    is_known = fields[similar] or similar in launch.declared
    return _meant(launch, similar) if is_known else _meant_of_others(launch, candidate, similar)


def _near(launch: "Launch", name: str, fields: "Fields") -> "str | None":
    """The setting of a section that a key is meant for."""
    renames = launch.framework.reader.renames
    near: str | None = renames.successor(name, fields)[0]
    if near and near[:1] not in "+~" and not renames.is_moved(name, near):
        from ..frameworks.shared.near_names import goes_along

        near = near if goes_along(launch.entries, name, near, fields) else None
    # what it is like is set as well, so that it is meant for something else
    is_beside = near in launch.entries and near.rpartition(".")[2] != name.rpartition(".")[2] if near else False
    return None if is_beside else near


def _by_meaning(
    launch: "Launch", candidate: "Candidate", spelt: str, fate: "Fate"
) -> "tuple[str, dict[str, Any]] | None":
    """What a key is meant for by its meaning, whatever it is like, and what a fix is made of; None for a name without one."""
    from ..frameworks.shared.names import is_often_of_a_script, meant_by

    if fate.severity != "error" and "loader" not in launch.facts and is_often_of_a_script(spelt):
        return "", {}
    remark = launch.framework.reader.renames.remark(spelt, launch)
    if remark:
        return _remark(remark), {}
    fields = launch.fields(candidate)
    meant, is_same, remark = meant_by(spelt, lambda each: fields[each] is not None)
    if meant and is_same:
        return _meant(launch, meant[0]) if meant[0] not in launch.entries else ("", {})
    if meant:  # those that are set have their own
        left = [each for each in meant if each not in launch.entries]
        return (Message("; did you mean {name}?", {"name": " or ".join(left)}), {}) if left else ("", {})
    return (_remark(remark), {}) if remark else None


def _meant_of_others(launch: "Launch", candidate: "Candidate", name: str) -> "tuple[str, dict[str, Any]]":
    """What a key is meant for, and what a fix is made of, where a key of other releases is likely meant."""
    history, _ = _history(launch, candidate, name, launch.framework.catalogue.known(name, launch.groups))
    now, remark = launch.framework.reader.renames.successor(name, launch.fields(candidate))
    is_set = next((each for each in (name, now) if each in launch.entries), None)
    if is_set:
        return _second_spelling(is_set), {}
    told = {"name": name, "history": history, "now": now, "remark": remark}
    if remark:
        return Message("; did you mean {name}, which {history} ({remark})?", told), {}
    if not now:
        return Message("; did you mean {name}, which {history}?", told), {}
    hint = Message("; did you mean {name}, which {history}, and is now {now}?", told)
    return hint, {"rename": now}


def _second_spelling(name: str) -> Message:
    return Message("; it looks like a second spelling of {name}, which is set here as well", {"name": name})


def _remark(told: str) -> Message:
    """A remark as the end of a message."""
    return Message("; {remark}", {"remark": Message(told)})


def _meant(launch: "Launch", name: str) -> "tuple[str, dict[str, Any]]":
    told = launch.framework.reader.flags.written(name).removeprefix("--")
    if name in launch.entries:
        return _second_spelling(told), {"twin": name}
    return Message("; did you mean {name}?", {"name": told}), {"rename": name}


def _similar(launch: "Launch", candidate: "Candidate", name: str) -> "str | None":
    """The known key that a name is most likely a misspelling of; one of other releases where none of this one is like
    it."""
    from ..frameworks.shared.names import are_alike

    catalogue, groups, declared = launch.framework.catalogue, launch.groups, launch.declared
    key = "similar", launch.framework, groups, name, *declared
    alike: list[str] | None = launch.remembered.get(key)
    if alike is None:
        from difflib import get_close_matches

        names = {*(known for known in catalogue.names() if catalogue.known(known, groups)), *declared}
        alike = [known for known in get_close_matches(name, names, n=6, cutoff=0.84) if are_alike(name, known)]
        launch.remembered.keep(key, alike)
    fields = launch.fields(candidate)
    known = [each for each in alike if fields[each] or each in declared]
    return next(iter(_nearest(name, known, alike)), None)


def _nearest(name: str, known: list[str], alike: list[str]) -> list[str]:
    """The best of those that this release knows, unless one of other releases is spelt the same but for a letter."""
    if alike and known and alike[0] != known[0] and abs(len(alike[0]) - len(name)) <= 1 and alike[0][:-1] == name[:-1]:
        return [alike[0]]
    return known or alike


# --- frameworks and programs that are not here ----------------------------------------------------------------------


def _lacks_files_of_its_program(launch: "Launch") -> bool:
    """Whether another program of the framework is started that is no part of its package, and whose files are not here."""
    origin = launch.origin
    if origin is None or origin.invocation.entry is None or origin.config is not None:
        return False
    program, package = origin.invocation.program, f"{launch.framework.releases.package}."
    if launch.framework.copies.folder and origin.files.places_by(origin.invocation.command, program):
        return False
    return not (program.value or "").replace("/", ".").startswith(package)


def runs_elsewhere(origin: "Origin | None") -> bool:
    """Whether a command runs in a container, on another machine, or in a folder outside of the repository."""
    if origin is None:
        return False
    command = origin.invocation.command
    return command.is_far or (command.folder is not None and command.folder[0] == "absolute")


def assumed_of_the_framework(launch: "Launch", finding: "Finding") -> "Iterator[tuple[str, str]]":
    """What was taken for granted about the framework that is installed, where a finding is about a key."""
    told = {"framework": launch.framework.title}
    if not (launch.knows_its_release or launch.origin is None or launch.framework.copies.folder):
        told["path"] = launch.archive
        if told["path"]:
            yield "version", Message("{path} may hold a changed {framework}, which is not looked at", told)
            return
    rule = finding.rule.name
    if rule == "appended-key-is-a-field":
        yield from _assumed_of_a_field(launch, finding, told)
        return
    if launch.framework.copies.folder and runs_elsewhere(launch.origin):
        yield "version", Message("assuming that the {framework} of this repository is where the command runs", told)
    if _lacks_files_of_its_program(launch):
        note = Message("assuming that the files of {framework}, which are not here, are those of that release", told)
        yield "version", note
    is_guessed = launch.places and rule == "key-is-known" and not launch.knows_its_release
    if is_guessed and not (finding.values.get("rename") or finding.values.get("hint")):
        note = Message("assuming a released {framework}: no release has ever known this key", told)
        yield "version", note


def _assumed_of_a_field(launch: "Launch", finding: "Finding", told: "dict[str, Any]") -> "Iterator[tuple[str, str]]":
    """What was taken for granted where Python of the repository declares a field that the installed framework lacks. A program that
    the script runs before is shown to add it: the finding is held back."""
    field = finding.values.get("field")
    place = launch.declared_at(field.partition(".")[0]) if type(field) is str else ""
    if not place:
        return
    told |= {"place": place, "field": field}
    from ..launch.patches import is_started_before

    if launch.origin is not None and is_started_before(place, launch.origin):
        finding.held_by = Message("{place}, which the script runs before, declares {field}", told)
        return
    yield "version", Message("assuming that {framework} is as released, although {place} declares {field}", told)


def assumed_of_its_flags(launch: "Launch", origin: "Origin", finding: "Finding") -> "Iterator[tuple[str, str]]":
    """What was taken for granted about a program that is not here and takes flags of its own: one of them may well set what the
    finding takes to be a default (`--train-batch-size 4` for per_device_train_batch_size)."""
    if origin.invocation.framework is not None or finding.plan is None or finding.rule.broken is None:
        return
    fields = launch.fields(launch.candidates[0])
    leaves = finding.plan.leaves(finding.rule.broken.names)
    known, flags = launch.framework.catalogue.known, launch.entries.items()
    own = [entry.name for name, entry in flags if isinstance(entry, Flag) and not known(name, launch.groups)]
    for name in leaves:
        flag = next((each for each in own if _may_stand_for(each, name)), None)
        if flag and name not in launch.entries and fields[name]:
            told = {"program": origin.invocation.program.shown(), "name": name, "flag": flag}
            yield (
                "arguments",
                Message("assuming that --{flag} of {program}, which is not here, leaves {name} at its default", told),
            )


def _may_stand_for(flag: str, name: str) -> bool:
    """Whether a flag has two words with a setting in common, which may be cut short: `--grad-accum`, `--batch-size`."""
    words = name.split("_")
    shared = [
        part for part in flag.replace("-", "_").split("_") if any(word.startswith(part) for word in words if part)
    ]
    return len(shared) > 1


# --- names that code registers ----------------------------------------------------------------------------------------


def weigh_a_name(launch: "Launch", finding: "Finding", plan: "Plan") -> None:
    """Weigh the finding about a name that no release knows, and that is no misspelling: it is of somebody's own making, and what is
    run will know it, unless it is shown to be a release. What reads the file in the place of a release is no concern of ours."""
    from ..frameworks.shared.names import are_alike

    setting = launch.framework.refusals.registrations[finding.rule.name][0]
    if setting not in launch.entries:
        return  # what nobody writes is the default
    value = str(launch.value(setting)).lower()
    values = [plan.value(name) for name in finding.rule.broken.names]  # type: ignore[union-attr]  # it has one
    if any(are_alike(value, name) for known in values if isinstance(known, tuple) for name in known):
        return
    if not launch.knows_its_release:
        told = {"framework": launch.framework.title}
        what = Message("assuming a released {framework}: no release has ever known this name", told)
        finding.hinge_on([("version", what)])
    if launch.reader:
        finding.severity = "info"


# --- what a misspelt key leaves at its default --------------------------------------------------------------------------


def tell_defaults_in_place(launch: "Launch", findings: "list[Finding]") -> None:
    """Say of what is reckoned with a default that the key which is meant for this setting stands there by a name that
    the release does not know."""
    meant = {
        rename: finding
        for finding in findings
        if finding.rule.name in OF_ONE_KEY
        and (rename := finding.values.get("rename")) is not None
        and rename not in launch.entries
    }
    for finding in findings if meant else ():
        if finding.plan is None or finding.rule.broken is None or finding.severity == "info":
            continue
        name = _left_at_its_default(finding.plan, finding.rule.broken.names, meant)
        if name:
            misspelt = meant[name]
            is_flag = misspelt.at is not None and isinstance(misspelt.at.entry, Flag)
            told = launch.framework.reader.flags.written(name).removeprefix("--") if is_flag else name
            values = {
                "name": told,
                "value": shown_value(finding.plan.value(name)),
                "key": misspelt.values["key"],
            }
            finding.say_first(Message("{name} is at its default of {value}, for {key} is not read", values))
            finding.values["misspelt"] = misspelt


def _left_at_its_default(plan: "Plan", names: "Iterable[str]", meant: "Iterable[str]") -> str:
    """The first of the settings that are meant, but not set, on which some quantities hang; an empty text for none."""
    computed = next((each for each in plan.leaves([*names]) if each in meant and plan.value(each) is not None), "")
    # what is null has no part in the formulas that were computed
    return computed or next(
        (each for each in meant if plan.is_unset(each) and each in inputs(names, plan.formulas)), ""
    )
