"""What is said of keys that a release does not know: what has become of them, and what they are likely meant for."""

from ..frameworks.rule_sets import rule_named
from ..frameworks.versions import bits_of, version_key
from ..message import NOTHING, Message
from ..source.entry import Flag
from ..source.quoting import listed
from ..source.text import Span
from .findings import Finding
from .keys import finding_on, is_taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..frameworks.base import Fate
    from ..launch.launch import Candidate, Launch
    from ..source.yaml.reader import Entry
    from .keys import Named

# Suggestions cost half a millisecond each: a file with more unknown keys than this is for something else.
MOST_SUGGESTIONS = 20
MOST_MATCHES = 100


def of_unknown_keys(launch: "Launch", candidate: "Candidate", unknown: "list[Named]") -> "Iterator[Finding]":
    """Findings for keys that no candidate release knows: those that look like a known one apart, the others together."""
    later = [(name, entry) for name, entry in unknown if name in launch.beyond] if launch.doubt else []
    if len(later) > 1:
        fate = launch.framework.reader.keys.fate_of(later[0][1], candidate.key, launch)
        yield _later_than_the_pin(launch, candidate, later, fate)
        unknown = [each for each in unknown if each not in later]
    rest: dict[bool, list[Named]] = {False: [], True: []}  # the flags apart
    all_of_them = bits_of(other.index for other in launch.candidates)
    for count, (name, entry) in enumerate(unknown):
        fate = launch.framework.reader.keys.fate_of(entry, candidate.key, launch)
        known = launch.framework.catalogue.known(launch.framework.reader.keys.written(name, entry), launch.groups)
        refusing = all_of_them
        if known or launch.framework.reader.configs.nested:
            refusing = bits_of(other.index for other in launch.candidates if not is_taken(launch, other, name, entry))
        if refusing.bit_count() < len(launch.candidates) and fate.severity != "error":
            continue  # some read it
        finding = _about_one_unknown(launch, candidate, name, entry, known, fate, count < MOST_SUGGESTIONS)
        if finding is None:
            rest[isinstance(entry, Flag)].append((name, entry))
        else:
            finding.refusing = refusing if finding.severity == "error" else 0
            yield finding
    for entries in rest.values():
        if entries:
            yield _unread(
                launch, candidate, entries, launch.framework.reader.keys.fate_of(entries[0][1], candidate.key, launch)
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
    if known:
        return _other_version(launch, candidate, name, entry, known, fate)
    hint, more = _suggestion(launch, candidate, name, fate) if suggests else ("", {})
    if not hint and fate.severity != "error":
        return None
    return finding_on(launch, candidate, "key-is-known", fate.severity, fate.stage, name, key=entry.name, hint=hint,
                      title=framework.title, version=candidate.text, consequence=fate.consequence, assumes=fate.assumes, **more)  # fmt: skip


def _spellings(names: "list[str]") -> "list[str]":
    """Names that a shortened one may mean; argparse knows a single one in two spellings."""
    return names if len(set(names)) > 1 else [names[0], names[0].replace("_", "-")]


def _other_version(
    launch: "Launch", candidate: "Candidate", name: str, entry: "Entry", known: int, fate: "Fate"
) -> "Finding":
    """A key of earlier or later releases."""
    framework, value = launch.framework, launch.value(name)
    history, companion = _history(launch, candidate, name, known)
    new_name, remark = framework.reader.renames.successor(name, launch.fields(candidate))
    is_older = history.template.startswith("came")
    if is_older and new_name and not framework.reader.renames.is_moved(name, new_name):
        new_name = None  # a setting with a name that is alike, which is there as well
    hint = _remark(remark) if remark else NOTHING
    if new_name and not remark:
        now = {"name": new_name}
        hint = Message("; here it is still {name}", now) if is_older else Message("; it is now {name}", now)
    new_name = new_name or framework.reader.renames.fallback(name, value, launch, launch.stated)
    rename: dict[str, Any] = {"rename": new_name} if new_name and new_name not in launch.entries else {}
    if rename and not all(launch.fields(other)[new_name] for other in launch.candidates):  # type: ignore[index]  # a name
        rename["elsewhere"] = True
    if name in framework.reader.renames.fallback_keys:
        rename["keep"] = True
    if not rename and not companion:
        rename.update(_installing(launch, candidate, [(name, entry)]))
    rule = framework.reader.renames.costly_keys.get(name) if "rename" in rename else None
    finding = finding_on(launch, candidate, rule or "key-is-of-this-version", fate.severity, fate.stage, name, key=entry.name,
                       history=history, hint=hint, title=framework.title, version=candidate.text, consequence=fate.consequence,
                       assumes=fate.assumes, **rename)  # fmt: skip
    if companion and companion not in launch.stated:
        version = launch.companions_of(candidate)[companion]
        finding.severity = "warning"
        finding.assumes = [*finding.assumes, f"companion:{companion}"]
        finding.note = Message(
            "taking {package} {version} to be installed beside {release}",
            {"package": companion, "version": version, "release": f"{framework.title} {candidate.text}"},
        )
    return finding


def _history(launch: "Launch", candidate: "Candidate", name: str, known: int) -> tuple[Message, str]:
    """(since when a key is gone, or with what it came, the package that this hinges on or "")."""
    framework = launch.framework
    if name in framework.releases.companion_fields:
        package, since, gone = framework.releases.companion_fields[name]
        if gone and version_key(launch.companions_of(candidate)[package]) >= gone:
            is_certain = framework.releases.oldest_companion(package, candidate.key) >= gone
            return _gone(f"{package} {'.'.join(map(str, gone))}"), "" if is_certain else package
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
    return Message("is gone since {release}", {"release": release})


def _later_than_the_pin(launch: "Launch", candidate: "Candidate", entries: "list[Named]", fate: "Fate") -> "Finding":
    """One finding for all keys that came after the release that the repository pins: either they are wrong, or it is."""
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


def _unread(launch: "Launch", candidate: "Candidate", entries: "list[Named]", fate: "Fate") -> "Finding":
    consequence = fate.brief
    if len(entries) > 1:
        consequence = _of_several(consequence)
    # a flag that no parser knew would have been noticed in the first run: a script that is not here will know it
    is_out_of_sight = isinstance(entries[0][1], Flag) and launch.origin is not None and launch.origin.program is None
    finding = Finding(rule_named("keys-are-read"), "info" if is_out_of_sight else "warning", "never", candidate=candidate, plan=launch.plan(candidate),
                      at=launch.setting(entries[0][0]),
                      values={"keys": listed([entry.name for _, entry in entries]), "title": launch.framework.title,
                              "version": candidate.text, "consequence": consequence, "them": "it" if len(entries) == 1 else "them"})  # fmt: skip
    if not launch.framework.reader.programs.read_by_scripts:
        finding.message = Message("{title} {version} does not know {keys}: {consequence}")
    finding.related = [(entry.name, launch.value(name), Span.of(entry.key)) for name, entry in entries[1:6]]
    return finding


def _suggestion(launch: "Launch", candidate: "Candidate", name: str, fate: "Fate") -> "tuple[str, dict[str, Any]]":
    """(what an unknown key is most likely meant for, in words, what a fix may be made of): by its meaning, then by its
    spelling."""
    from ..frameworks.shared.names import is_often_of_a_script, meant_by

    framework, fields = launch.framework, launch.fields(candidate)
    if framework.reader.configs.nested:
        near = framework.reader.renames.successor(name, fields)[0]
        hint, more = _meant(launch, near) if near else ("", {})
        # what is deleted (`~a.b`) would be set by another name
        return hint, ({} if getattr(launch.entries.get(name), "operator", "") == "delete" else more)
    spelt = name.replace("-", "_").lower()
    if spelt != name and fields[spelt]:
        return _meant(launch, spelt)
    if fate.severity != "error" and "loader" not in launch.facts and is_often_of_a_script(spelt):
        return "", {}
    remark = framework.reader.renames.remark(spelt, launch)
    if remark:
        return _remark(remark), {}
    meant, is_same, remark = meant_by(spelt, lambda each: fields[each] is not None)
    if meant and is_same:
        return _meant(launch, meant[0]) if meant[0] not in launch.entries else ("", {})
    if meant or remark:
        return Message("; did you mean {name}?", {"name": " or ".join(meant)}) if meant else _remark(remark), {}
    similar = None if framework.reader.keys.reads_somewhere(name) else _similar(launch, candidate, spelt)
    if similar is None or fields[similar] or similar in launch.declared:
        return _meant(launch, similar) if similar else ("", {})
    history, _ = _history(launch, candidate, similar, framework.catalogue.known(similar, launch.groups))
    new_name, remark = framework.reader.renames.successor(similar, fields)
    if remark:
        return Message(
            "; did you mean {name}, which {history} ({remark})?",
            {"name": similar, "history": history, "remark": remark},
        ), {}
    is_free = new_name is not None and new_name not in launch.entries
    told = {"name": similar, "history": history, "now": new_name}
    if new_name:
        told_now = Message("; did you mean {name}, which {history}, and is now {now}?", told)
    else:
        told_now = Message("; did you mean {name}, which {history}?", told)
    return told_now, {"rename": new_name} if is_free else {}


def _remark(told: str) -> Message:
    """A remark as the end of a message."""
    return Message("; {remark}", {"remark": Message(told)})


def _meant(launch: "Launch", name: str) -> "tuple[str, dict[str, Any]]":
    if name in launch.entries:
        return Message("; it looks like a second spelling of {name}, which stands here as well", {"name": name}), {
            "twin": name
        }
    return Message("; did you mean {name}?", {"name": name}), {"rename": name}


def _similar(launch: "Launch", candidate: "Candidate", name: str) -> "str | None":
    """The known key that a name is most likely a misspelling of; one of other releases where none of this one is like
    it."""
    catalogue, groups = launch.framework.catalogue, launch.groups
    place = name, groups, candidate.index, tuple(launch.declared)
    if place not in _matches:
        from difflib import get_close_matches

        from ..frameworks.shared.names import are_alike

        if len(_matches) >= MOST_MATCHES:
            _matches.clear()
        names = {*(known for known in catalogue.names() if catalogue.known(known, groups)), *launch.declared}
        alike = [known for known in get_close_matches(name, names, n=6, cutoff=0.84) if are_alike(name, known)]
        _matches[place] = alike
    fields = launch.fields(candidate)
    known = [each for each in _matches[place] if fields[each] or each in launch.declared]
    return next(iter([*_nearest(name, known, _matches[place])]), None)


def _nearest(name: str, known: list[str], alike: list[str]) -> list[str]:
    """The best of those that this release knows, unless one of other releases is spelt the same but for a letter."""
    if alike and known and alike[0] != known[0] and abs(len(alike[0]) - len(name)) <= 1 and alike[0][:-1] == name[:-1]:
        return [alike[0]]
    return known or alike


# (name, groups, release, declared names) -> the known ones that it is like: the launches of a file share their keys
_matches: "dict[tuple[object, ...], list[str]]" = {}
