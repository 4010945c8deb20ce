"""What differs between two runs, in words: of an upgrade, and of a pull request."""

from fractions import Fraction

from ..changes.compare import LEFT, MEMORY, REFUSED
from ..launch.forms import written_as
from ..message import NOTHING, Message, joined, series, verbatim, within
from ..plan.quantities import QUANTITIES, QUANTITY, label
from ..source.credentials import unless_secret
from ..source.hiding import masked
from ..source.quoting import plural
from ..source.yaml.scalars import shown_value
from .language import ENGLISH
from .messages import sentence, sentence_of
from .printable import clean, in_markdown
from .text import cells, painter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..changes.compare import Change
    from ..shared_types import Difference, Finding, Iterable, Iterator, Json, Language, Launch, Paint, Pinned, Upgrade

LONGEST_VALUE = 60  # characters of a value on a line
MOST_ROLLOUTS = 10_000  # behind one update


UNSET, UNKNOWN = Message("not set"), Message("unknown")


def value_in_words(name: str, value: object, absent: Message = UNSET) -> Message:
    """A value as a line holds it."""
    if value is None:
        return absent
    if name == "updates_per_rollout" and type(value) is float and 0 < value < 1:
        part = Fraction(value).limit_denominator(MOST_ROLLOUTS)
        made = {"rollouts": part.denominator, "updates": plural(part.numerator, "update")}
        return within(part, Message("{rollouts} rollouts make {updates}", made))
    return verbatim(_in_short(name, value))


def _in_short(name: str, value: object) -> str:
    if type(value) is float and value.is_integer() and abs(value) < 1e6:
        return f"{value:.1f}" if name not in QUANTITIES else f"{value:.0f}"
    text = unless_secret(name, f"{value:,}" if name in QUANTITIES and type(value) is int else shown_value(value))
    text = clean(text) or '""'
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def words_of(change: "Change", launch: "Launch | None" = None) -> Message:
    """'completions per update 224 -> 448'; `launch`: how a default that is to be kept is written there."""
    before, after = (value_in_words(change.name, each, _absent(change)) for each in (change.before, change.after))
    name = _name_of(change)
    told = {"name": name, "before": before, "after": after}
    if change.kind == "default":
        keep = (
            NOTHING
            if change.before is None or change.why
            else Message(": write {setting} to keep it", {"setting": _setting(launch, name, before)})
        )
        note = {
            MEMORY: Message(" (memory and speed only)"),
            LEFT: Message(", which leaves it to the release"),
            REFUSED: Message("; {value} is refused now", {"value": before}),
        }.get(change.why, NOTHING)
        return joined((Message("{name} was {before} by default, is {after}", told), keep, note))
    moved = Message("{name} {before} -> {after}", told)
    return within(moved, change.why) if change.kind == "setting" and change.why else moved


def _absent(change: "Change") -> Message:
    return UNKNOWN if change.kind in ("quantity", "run") else UNSET


def as_object(change: "Change") -> "Json":
    """A change as JSON holds it."""
    return {
        "kind": change.kind,
        "name": change.name,
        "before": _plain(change.name, change.before),
        "after": _plain(change.name, change.after),
    }


def _plain(name: str, value: object) -> "str | int | float | bool | None":
    return value if isinstance(value, (int, float)) or value is None else masked(unless_secret(name, str(value)))


# --- an upgrade -----------------------------------------------------------------------------------------------------


def upgrade_text(path: str, done: "Upgrade", colour: bool, verbose: bool, language: "Language" = ENGLISH) -> str:
    """What an upgrade does to one file and to its training; an empty text where it does nothing."""
    paint = painter(colour)
    lines = list(_upgrade_lines(done, verbose))
    if not lines:
        return ""
    runs = done.runs
    title = (
        f"{runs[0].before.framework.title} {language.text(_from(done))} -> {runs[0].after.candidates[0].text}"
        if runs
        else ""
    )
    head = paint("strong", clean(path)) + (f": {title}" if title else "")
    return "\n".join([head, *_labelled(lines, paint, language)]) + "\n\n"


def _labelled(lines: "Iterable[tuple[Message, Message]]", paint: "Paint", language: "Language") -> "Iterator[str]":
    """Lines, each behind its label; all labels are equally wide."""
    for title, text in lines:
        word = language.text(title)
        yield f"  {paint('label', word + ' ' * (9 - cells(word)))} {clean(language.text(text))}"


def _from(done: "Upgrade") -> Message:
    """The release that a file runs on now, and how that is known where nobody says it."""
    launch = done.runs[0].before
    newest = launch.candidates[0].text
    if launch.version_source != "inferred":
        return Message("{version}", {"version": newest})
    oldest = launch.candidates[-1].text
    return (
        Message("{version} (inferred)", {"version": newest})
        if oldest == newest
        else Message(
            "{version} (the newest that knows its keys; {oldest} on do)", {"version": newest, "oldest": oldest}
        )
    )


def _lost(done: "Upgrade", name: str, loss: Message) -> "tuple[Message, Message]":
    """The line of a setting that is lost, with what the new release does in its place where that is known."""
    instead = done.runs[0].before.framework.reader.values.done_since.get(name) if done.runs else None
    told = loss if instead is None else Message("{loss}: {instead}", {"loss": loss, "instead": instead})
    return Message("lost"), told


def _upgrade_lines(done: "Upgrade", verbose: bool) -> "Iterator[tuple[Message, Message]]":
    """(label, text) of each line."""
    yield from map(_as_line, done.steps)
    for name, value in done.lost:
        yield _lost(done, name, Message("{name}: {value} has no counterpart", _named(name, value)))
    for name, value in done.lost_defaults:
        text = Message("{name}: {value}, by default so far, has no counterpart", _named(name, value))
        yield _lost(done, name, text)
    told: set[Message] = set()
    for run in done.runs:
        if not run.is_known:
            yield (
                UNKNOWN,
                Message(
                    "the release that it runs on now is unknown: with --from grpo-lint can say what trains differently"
                ),
            )
        for change in run.changes:
            words = words_of(change, run.after)
            if words not in told and (verbose or not change.why or change.kind == "quantity"):
                told.add(words)
                yield Message("default") if change.kind == "default" else Message("differs"), words
        for name, value in run.keeps.items():
            told_value = _setting(run.after, name, value_in_words(name, value))
            yield Message("keep"), Message("{setting} gives an update its size back", {"setting": told_value})
    for finding in done.refusals:
        yield Message(finding.severity), joined((f"{finding.rule.code} ", sentence_of(finding)))


def _setting(launch: "Launch | None", name: str, value: str) -> str:
    return written_as(launch, name, value) if launch is not None else f"{name}: {value}"


def _named(name: str, value: object) -> "dict[str, object]":
    return {"name": name, "value": value_in_words(name, value)}


# what is done to a file
_VERBS = {"remove": Message("remove"), "rename": Message("rename"), "write": Message("write"), "set": Message("set")}
# {template of a step: what of it stands behind its verb}
_BEHIND_VERB = {
    "remove {name}": "{name}",
    "rename {old} to {new}": "{old} to {new}",
    "rename {old} to {new}: {value}, for each GPU": "{old} to {new}: {value}, for each GPU",
    "set {name} to {value}": "{name} to {value}",
    "write {value}": "{value}",
    "write {name}: {value}": "{name}: {value}",
    "write version={version} in the comment": "version={version} in the comment",
}


def _as_line(step: Message) -> "tuple[Message, Message]":
    """(label, text) of one change to the file: its verb stands in front; other languages tell an unusual step as a whole."""
    verb, _, what = step.partition(" ")
    behind = _BEHIND_VERB.get(step.template)
    told = Message(behind, step.values) if behind else Message.saying(what, step.template, step.values)
    return _VERBS.get(verb) or verbatim(verb), told


def upgrade_object(path: str, done: "Upgrade") -> "Json":
    """What an upgrade does to one file, as JSON."""
    return {
        "path": path,
        "steps": list(done.steps),
        "lost": [{"name": name, "value": _plain(name, value)} for name, value in done.lost],
        "lost_defaults": [{"name": name, "value": _plain(name, value)} for name, value in done.lost_defaults],
        "runs": [
            {
                "framework": run.before.framework.name,
                "before": run.before.candidates[0].text,
                "after": run.after.candidates[0].text,
                "is_known": run.is_known,
                "changes": [as_object(change) for change in run.changes],
                "pins": {name: _plain(name, value) for name, value in run.pins.items()},
                "keeps": {name: _plain(name, value) for name, value in run.keeps.items()},
            }
            for run in done.runs
        ],
        "findings": [finding_object(finding) for finding in done.refusals],
    }


def pins_text(each: "Pinned", release: str, colour: bool, language: "Language" = ENGLISH) -> str:
    """What becomes of the pins in one file."""
    paint = painter(colour)
    lines = [
        (
            Message("write"),
            Message("line {line}: {before} -> {after}", {"line": line, "before": clean(version), "after": release}),
        )
        for line, version in each.changed
    ]
    lines += [(Message("left"), Message("line {line}: {why}", {"line": line, "why": why})) for line, why in each.left]
    return "\n".join([paint("strong", clean(each.path)), *_labelled(lines, paint, language)]) + "\n\n"


def pins_object(each: "Pinned", release: str) -> "Json":
    """What becomes of the pins in one file, as JSON."""
    return {
        "path": each.path,
        "changes": [{"line": line, "before": version, "after": release} for line, version in each.changed],
        "left": [{"line": line, "why": why} for line, why in each.left],
    }


def finding_object(finding: "Finding") -> "Json":
    return {"code": finding.rule.code, "severity": finding.severity, "message": clean(sentence(finding))}


# --- a pull request -------------------------------------------------------------------------------------------------

MOST_RUNS = 50  # that are told one by one
UNCHANGED = Message("Nothing of what these runs train changes.")


def place_of(each: "Difference") -> Message:
    """'recipe.yaml, started by train.sh'."""
    if each.config is not None and each.script is not None and each.config != each.script:
        started = Message("started by {place}", {"place": each.script})
        return series((each.config, started))
    return Message("{place}", {"place": each.config or each.script})


def _heading(each: "Difference", language: "Language" = ENGLISH) -> str:
    place = place_of(each)
    if each.kind == "added":
        place = Message("{place} is new", {"place": place})
    elif each.kind == "removed":
        place = Message("{place} is gone", {"place": place})
    return clean(language.text(place))


def _told_of(each: "Difference", verbose: bool = False, language: "Language" = ENGLISH) -> "Iterator[str]":
    """The lines about one run."""
    for change in each.changes:
        if verbose or change.kind != "default" or not change.why:
            yield clean(language.text(words_of(change, each.launch)))
    if each.kind == "added":
        plan = each.launch.plan(each.launch.candidates[0])
        names = ("completions_per_update", "completions_per_rollout", "group_size")
        for name in names:
            if plan.value(name) is not None:
                value = value_in_words(name, plan.value(name))
                yield language.text(Message("{name} {value}", {"name": _called(name), "value": value}))
    for is_new, findings in ((True, each.come), (False, each.gone)):
        for finding in findings:
            what = {"severity": Message(finding.severity), "code": finding.rule.code}
            told = Message("new {severity} {code}", what) if is_new else Message("no longer {severity} {code}", what)
            head = language.text(told)
            yield f"{head}{language.colon}{clean(sentence(finding, language))}"


def diff_text(found: "list[Difference]", colour: bool, verbose: bool = False, language: "Language" = ENGLISH) -> str:
    """What a change does to each run, for a terminal."""
    paint = painter(colour)
    blocks = [
        "\n".join(
            [paint("strong", _heading(each, language)), *(f"  {line}" for line in _told_of(each, verbose, language))]
        )
        + "\n"
        for each in found[:MOST_RUNS]
    ]
    return "\n".join(blocks or [language.text(UNCHANGED) + "\n"]) + _rest(found, language)


def _rest(found: "list[Difference]", language: "Language") -> str:
    more = Message("{count} more runs change", {"count": len(found) - MOST_RUNS})
    return f"\n{language.text(more)}\n" if len(found) > MOST_RUNS else ""


def diff_markdown(found: "list[Difference]", verbose: bool = False, language: "Language" = ENGLISH) -> str:
    """What a change does to each run, as a comment for a pull request."""
    say = language.text
    parts = [f"### {say(Message('What this does to training'))}\n"]
    for each in found[:MOST_RUNS]:
        parts.append(f"**{in_markdown(_heading(each, language))}**\n")
        moved = [change for change in each.changes if change.kind != "default"]
        if moved:
            rows = (
                f"| {in_markdown(say(_name_of(change)))} | {_cell(change, change.before, language)} | {_cell(change, change.after, language)} |"
                for change in moved
            )
            parts.append(
                "\n".join([f"| | {say(Message('before'))} | {say(Message('after'))} |", "|---|---|---|", *rows]) + "\n"
            )
        names = {clean(say(words_of(change))) for change in moved}
        others = [line for line in _told_of(each, verbose, language) if line not in names]
        if others:
            parts.append("\n".join(f"- {in_markdown(line)}" for line in others) + "\n")
    if not found:
        parts.append(say(UNCHANGED) + "\n")
    return "\n".join(parts) + _rest(found, language)


def _name_of(change: "Change") -> Message:
    if change.kind in ("quantity", "run"):
        return _called(change.name)
    return verbatim(clean(change.name))


def _called(name: str) -> Message:
    """A quantity, or what a run is made of, in words."""
    return Message.saying(name.replace("_", " "), label(name), {}, context=QUANTITY)


def _cell(change: "Change", value: object, language: "Language") -> str:
    return in_markdown(language.text(value_in_words(change.name, value, _absent(change))))


def diff_objects(found: "list[Difference]") -> "list[Json]":
    """What a change does to each run, as JSON."""
    return [
        {
            "kind": each.kind,
            "script": each.script,
            "config": each.config,
            "changes": [as_object(change) for change in each.changes],
            "new": [finding_object(finding) for finding in each.come],
            "gone": [finding_object(finding) for finding in each.gone],
        }
        for each in found
    ]
