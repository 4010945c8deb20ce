"""A file on another release: what has to be written differently, what would train differently, and the text that keeps
it."""

from collections import Counter

from .. import engine
from ..checker.findings import Fix
from ..fixes.edits import apply, edits_for, overlap, removal
from ..fixes.keys import key_fix
from ..fixes.repair import encoded
from ..fixes.state import states_of
from ..frameworks.roles import ACCUMULATION, DEVICE_BATCH
from ..frameworks.versions import version_key
from ..launch.forms import written_as
from ..message import NOTHING, Message
from ..plan.formula import Formula, Unknown, Unset
from ..source.entry import loaded
from ..source.text import Edit
from ..source.yaml.scalars import shown_value
from ..unknown import UNKNOWN
from .compare import LEFT, MEMORY, REFUSED, Change, defaults, has_comparable_defaults, newest_plan, policy, quantities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Finding, Iterable, Launch, Plan, Report, Setting


MOST_TRIED = 20  # defaults that are written out to see whether the new release requires them
MOST_PASSES = 50  # over the keys of one file; each pass rewrites at least one
# The rules whose findings say that a key or a value has to be written differently for a release.
_OF_KEYS = ("key-is-known", "key-is-of-this-version", "dtype-is-read", "value-is-a-choice", "value-has-the-type-of-its-key",
            "list-holds-texts", "appended-key-is-new", "field-outside-the-tree-is-appended")  # fmt: skip
# Settings that restore the size of an update where the same keys mean another size, the cheapest first.
_KNOBS = (ACCUMULATION, DEVICE_BATCH)


class Run:
    """One run of a file before and after. `changes`: what trains differently although the file says the same; `pins`:
    the settings that would write the old defaults out; `keeps`: the settings that restore the old sizes of updates and
    rollouts, in completions.

    `is_known`: whether the release that it runs on now is known.
    """

    def __init__(self, before: "Launch", after: "Launch") -> None:
        self.before = before
        self.after = after
        self.is_known: bool = len(before.candidates) == 1 or after.candidates[0].index not in [
            candidate.index for candidate in before.candidates
        ]
        moved = [*defaults(before, after)] if self.is_known else []
        _mark_refused(after, [change for change in moved if not change.why])
        self.changes: list[Change] = [*(quantities(before, after) if self.is_known else ()), *moved]
        self.pins: dict[str, object] = {
            each.name: each.before for each in moved if not each.why and _can_be_written(each.before)
        }
        self.keeps: dict[str, object] = _what_keeps_sizes(before, after, self.pins) if self.is_known else {}


class Upgrade:
    """The upgrade of one file. `report`: of the file as it is; `after`: of the resulting text, on the new release;
    `data`: its bytes; `steps`: sentences about what was rewritten; `lost`: [(key, value)] of removed keys that had an
    effect; `lost_defaults`: the same of keys that are not written and had one by default; `refusals`: findings of the result that the file does not have today."""

    def __init__(self, report: "Report", data: bytes) -> None:
        self.report = self.after = report
        self.data = data
        self.steps: list[Message] = []
        self.lost: list[tuple[str, object]] = []
        self.lost_defaults: list[tuple[str, object]] = []
        self.runs: list[Run] = []
        self.refusals: list[Finding] = []


def upgrade(data: bytes, path: str, now: "Context", then: "Context", pin_defaults: bool = False) -> Upgrade:
    """The Upgrade of a file to another release. `now` and `then`: the contexts with the old and the new release;
    `pin_defaults`: write old defaults out, and restore the old sizes of updates."""
    done = Upgrade(engine.lint_bytes(data, path, now, fixes=False), data)
    if not any(launch.candidates for launch in done.report.launches):
        return done
    done.after = engine.lint_bytes(data, path, then, fixes=False)
    _rewrite_keys(done, path, then)
    _apply_silent_removals(done, path, then)
    _rename_converted_keys(done, path, then)
    if len(done.report.launches) == len(done.after.launches):
        done.runs = [Run(before, after) for before, after in _launches_before_and_after(done)]
    _note_lost_defaults(done)
    _write_required_defaults(done, path, then)
    if pin_defaults:
        _pin(done, path, then)
    _state_release(done, path, then)
    known = {_identity(finding) for finding in done.report.findings}
    done.refusals = [
        finding for finding in done.after.findings if finding.severity != "info" and _identity(finding) not in known
    ]
    return done


def _identity(finding: "Finding") -> "tuple[str, str | None]":
    return finding.rule.name, finding.at.name if finding.at is not None else None


def _is_of_another_release(finding: "Finding") -> bool:
    """Whether a file has a key that its own release refuses and an earlier one took: it was not moved as a whole then."""
    return finding.rule.name == "key-is-of-this-version" and finding.severity == "error"


# --- keys -----------------------------------------------------------------------------------------------------------


def _rewrite_keys(done: Upgrade, path: str, then: "Context") -> None:
    """Rename, remove and convert what the old release accepts and the new one does not."""
    known = {_identity(finding) for finding in done.report.findings if not _is_of_another_release(finding)}
    for _ in range(MOST_PASSES):
        of_keys = [finding for finding in done.after.findings if finding.rule.name in _OF_KEYS]
        wrong = [finding for finding in of_keys if _identity(finding) not in known]
        engine.offering(done.after, then).add(wrong)
        edits: list[Edit] = []
        for fix in _ways_to_write(done.after, wrong):
            if not overlap(edits, fix.edits):
                edits += fix.edits
                _note_losses(done, [name for name, value in fix.changes.items() if value is None])
                done.steps += [fix.title] if fix.title not in done.steps else []
        if not edits:
            return
        _apply(done, path, then, edits)


def _ways_to_write(report: "Report", wrong: "list[Finding]") -> "list[Fix]":
    """The fixes of keys that the new release does not take as they are: the proven ones and their heirs; where there is none the new
    name also of a key whose value the release refuses, as the old one did. Only then a key is removed, for what waits for another one
    to be renamed comes later."""
    proven = ((next((fix for fix in finding.fixes if fix.edits), None), finding) for finding in wrong)
    ways = [fix or _handed_on(report, finding) for fix, finding in proven]
    for makes in (_renaming, _removal):
        ways = [*filter(None, ways)] or [makes(report, finding) for finding in wrong]
    return [*filter(None, ways)]


def _renaming(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix that gives a key the name that the new release has for it, whatever the run breaks."""
    return (
        key_fix(report, finding)
        if finding.rule.name == "key-is-of-this-version" and "rename" in finding.values
        else None
    )


def _launches_before_and_after(done: Upgrade) -> "list[tuple[Launch, Launch]]":
    """The runs of a file on the old release and as the text is now on the new one, as far as each has a release."""
    pairs = zip(done.report.launches, done.after.launches)
    return [(before, after) for before, after in pairs if before.candidates and after.candidates]


def _apply_silent_removals(done: Upgrade, path: str, then: "Context") -> None:
    """Rename or remove the keys that the release has dropped without a finding, since a script of the user's own might
    declare them."""
    edits: list[Edit] = []
    for before, after in _launches_before_and_after(done):
        old, new = before.fields(before.candidates[0]), after.fields(after.candidates[0])
        for name in after.entries:
            setting = after.setting(name)
            is_dropped = old[name] and not new[name] and name not in after.declared
            if not is_dropped or setting is None or setting.text is not None:
                continue
            heir = after.framework.reader.renames.successors.get(name, "")
            if heir and new[heir] and heir not in after.entries:
                edit, lost = _renamed(done, setting, name, heir), []
                step = Message("rename {old} to {new}", {"old": name, "new": heir})
            else:
                edit, lost = removal(done.after, after, setting), [name]
                step = Message("remove {name}", {"name": name})
            if edit is not None and not overlap(edits, [edit]):
                edits.append(edit)
                done.steps.append(step)
                _note_losses(done, lost)
    if edits:
        _apply(done, path, then, edits)


def _renamed(done: Upgrade, setting: "Setting", name: str, heir: str) -> "Edit | None":
    """The edit that gives a setting another name; None where its name is not written in full."""
    end = setting.key[1]
    return Edit(end - len(name), end, heir) if done.after.text.text[end - len(name) : end] == name else None


def _handed_on(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix that gives the value of a removed key to another one, where it means the same with the packages of the
    new release."""
    launch, at = finding.launch, finding.at
    if finding.rule.name != "key-is-of-this-version" or at is None or launch is None or finding.candidate is None:
        return None
    heir = launch.framework.reader.renames.fallback(at.name, at.value, launch, launch.companions_of(finding.candidate))
    start = at.key[1] - len(at.name)
    if heir is None or at.text is not None or report.text.text[start : at.key[1]] != at.name:
        return None
    return Fix(
        Message("rename {old} to {new}", {"old": at.name, "new": heir}),
        NOTHING,
        "unsafe",
        {heir: at.value},
        [Edit(start, at.key[1], heir)],
    )


def _rename_converted_keys(done: Upgrade, path: str, then: "Context") -> None:
    """Rename the settings that old releases converted to others, and write the converted values."""
    if len(done.report.launches) != len(done.after.launches):
        return
    edits: list[Edit] = []
    for before, after in _launches_before_and_after(done):
        for name, (heir, formula, since) in after.framework.reader.renames.converted.items():
            is_between = before.candidates[0].key < version_key(since) <= after.candidates[0].key
            setting = after.setting(name)
            if not is_between or setting is None or setting.text is not None or heir in after.entries:
                continue
            value = _converted_value(before, formula)
            leaf, new = name.rpartition(".")[2], heir.rpartition(".")[2]
            rename = _renamed(done, setting, leaf, new)
            found = edits_for(done.after, after, {name: value}) if rename and value else None
            if rename and found and not overlap(edits, found):
                edits += [rename, *found]
                renamed = {"old": name, "new": new, "value": value}
                done.steps.append(Message("rename {old} to {new}: {value}, for each GPU", renamed))
    if edits:
        _apply(done, path, then, edits)


def _converted_value(launch: "Launch", formula: str) -> int:
    """The whole number that a formula says of a run; 0 where it says none."""
    try:
        value = newest_plan(launch).evaluate(Formula(formula))
    except (Unknown, Unset):
        return 0
    return value if type(value) is int else 0


def _removal(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix that removes a key that the new release does not know, whatever reads it there."""
    if finding.rule.name != "key-is-of-this-version" or finding.at is None or finding.launch is None:
        return None
    edit = removal(report, finding.launch, finding.at)
    return (
        Fix(Message("remove {name}", {"name": finding.at.name}), NOTHING, "unsafe", {finding.at.name: None}, [edit])
        if edit is not None
        else None
    )


def _note_losses(done: Upgrade, names: "list[str]") -> None:
    """Record the removed keys that had an effect, so that each is reported."""
    for launch in done.report.launches:
        for name in names:
            if name in launch.entries and _says_something(launch, name):
                loss = name, loaded(launch.entries[name].value)
                done.lost += [loss] if loss not in done.lost else []


def _says_something(launch: "Launch", name: str) -> bool:
    """Whether a setting differs from the default of the release that the file runs on now."""
    field = launch.fields(launch.candidates[0])[name] if launch.candidates else None
    if field is None or name in _idle(launch):
        return False
    value = newest_plan(launch).value(name)
    if name in launch.framework.reader.values.defaults_dropped_later:
        return not _is_nothing(value)
    return value != field.default


def _idle(launch: "Launch") -> "set[str]":
    """The settings that have no effect in a run, as the release that it runs on now reads it."""
    plan, idle = newest_plan(launch), launch.candidates[0].regime.idle
    return {name for condition, names in idle.values() if plan.holds(condition) for name in names}


def _note_lost_defaults(done: Upgrade) -> None:
    """Record the settings that nobody writes, and whose default has an effect in the old release alone."""
    for run in done.runs:
        before, after = run.before, run.after
        if not run.is_known or not has_comparable_defaults(before, after):
            continue
        old, new = before.fields(before.candidates[0]), after.fields(after.candidates[0])
        for name in sorted(before.framework.reader.values.defaults_dropped_later):
            field = old[name]
            is_written = name in before.entries or name in _idle(before)
            if field is None or new[name] is not None or is_written or _is_nothing(field.default):
                continue
            loss = name, field.default
            done.lost_defaults += [loss] if loss not in done.lost_defaults else []


def _is_nothing(value: object) -> bool:
    return value is None or value is UNKNOWN


def _apply(done: Upgrade, path: str, then: "Context", edits: "Iterable[Edit]") -> None:
    data = encoded(apply(done.after.text, list(edits)), done.data)
    if data is None:  # its encoding would not give the same bytes again
        return
    done.data = data
    done.after = engine.lint_bytes(done.data, path, then, fixes=False)


# --- what trains otherwise ------------------------------------------------------------------------------------------


def _mark_refused(after: "Launch", moved: "list[Change]") -> None:
    """Mark the defaults of the old release that the new one refuses, and that therefore cannot be kept."""
    if not moved:
        return
    state = states_of(after, UNKNOWN)[0]
    refuses = state.candidate.enforced.refuses
    for change in moved:
        new = state.visible_violations({change.name: change.before})[0] - state.broken_before
        if any(rule.name in refuses for rule in new):
            change.why = REFUSED


def _can_be_written(value: object) -> bool:
    """Whether a default can be written out: it is a plain value and is set."""
    return type(value) in (bool, int, float, str) and value is not UNKNOWN


def _what_keeps_sizes(before: "Launch", after: "Launch", pins: "dict[str, object]") -> "dict[str, object]":
    """{setting: value} with which an update on the new release holds as many completions as on the old one, in groups
    of the same size and equally on-policy. Empty where it does already, or where no single setting achieves it. A
    setting that leaves a pass as large as it was comes first, since its memory use is known to fit."""
    old, candidate = newest_plan(before), after.candidates[0]
    wanted, now = old.value("completions_per_update"), after.plan(candidate, pins).value("completions_per_update")
    if type(wanted) is not int or type(now) is not int or not now or wanted == now:
        return {}
    found = []
    for knob in _KNOBS:
        value = after.plan(candidate, pins).value(knob)
        if type(value) is int and value * wanted % now == 0:
            plan = after.plan(candidate, {**pins, knob: value * wanted // now})
            if _learns_alike(old, plan):
                found.append((plan.value("micro_batch") != old.value("micro_batch"), knob, value * wanted // now))
    return {found[0][1]: found[0][2]} if found and (found := sorted(found, key=lambda each: each[0])) else {}


def _learns_alike(old: "Plan", new: "Plan") -> bool:
    """Whether an update holds the same completions and is equally on-policy."""
    names = ("completions_per_update", "group_size")
    return [old.value(name) for name in names] == [new.value(name) for name in names] and policy(
        old.value("updates_per_rollout")
    ) == policy(new.value("updates_per_rollout"))


def _pin(done: Upgrade, path: str, then: "Context") -> None:
    """Write out old defaults and the settings that restore sizes, for each run that can be edited."""
    for number, run in enumerate(done.runs):
        for name, value in reversed({**run.pins, **run.keeps}.items()):  # each goes before the earlier ones
            launch = done.after.launches[number]
            if name in launch.entries and name not in run.keeps:
                continue
            edits = edits_for(done.after, launch, {name: value})
            if edits and len(done.after.launches) == len(done.runs):
                done.steps.append(_written(launch, name, value))
                _apply(done, path, then, edits)


def _write_required_defaults(done: Upgrade, path: str, then: "Context") -> None:
    """Write out an old default where the new release has none and refuses a run without it, which is found by
    trying: each in all runs at once."""
    trials: dict[tuple[str, str], list[tuple[int, object]]] = {}
    for number, run in enumerate(done.runs):
        left = [each for each in run.changes if each.kind == "default" and each.why in (LEFT, MEMORY)]
        for change in [each for each in left if each.after is None and _can_be_written(each.before)][:MOST_TRIED]:
            trials.setdefault((change.name, repr(change.before)), []).append((number, change.before))
    for (name, _), runs in trials.items():
        if not _errors(done.after):
            return
        _write_where_it_helps(done, path, then, name, runs)


def _write_where_it_helps(
    done: Upgrade, path: str, then: "Context", name: str, runs: "list[tuple[int, object]]"
) -> None:
    """Write a default in those of the runs, by their places, that are refused for less then."""
    before, refused = (done.data, done.after), _refused(done.after)
    edits = _edits_in_runs(done.after, name, [run for run in runs if refused[run[0]]])
    if not edits:
        return
    _apply(done, path, then, _together(edits, edits))
    after = _refused(done.after)
    helped = [number for number in edits if after[number] < refused[number]]
    if len(helped) < len(edits):
        done.data, done.after = before
        if helped:
            _apply(done, path, then, _together(edits, helped))
    done.steps += [_written(done.after.launches[runs[0][0]], name, runs[0][1])] * len(helped)


def _written(launch: "Launch", name: str, value: object) -> Message:
    """The step that writes a setting, as the launch says its settings."""
    return Message("write {value}", {"value": written_as(launch, name, shown_value(value), value is True)})


def _edits_in_runs(report: "Report", name: str, runs: "list[tuple[int, object]]") -> "dict[int, list[Edit]]":
    """{place of a run: the edits that write a setting there}, as far as they stand apart."""
    found: dict[int, list[Edit]] = {}
    for number, value in runs:
        edits = edits_for(report, report.launches[number], {name: value})
        if edits and not overlap(_together(found, found), edits):
            found[number] = edits
    return found


def _together(edits: "dict[int, list[Edit]]", runs: "Iterable[int]") -> "list[Edit]":
    return sorted(edit for number in runs for edit in edits[number])


def _errors(report: "Report") -> "list[Finding]":
    return [finding for finding in report.findings if finding.severity == "error"]


def _refused(report: "Report") -> "Counter[int]":
    """{place of a run: for how much it is refused}."""
    places = {id(launch): place for place, launch in enumerate(report.launches)}
    return Counter(places.get(id(finding.launch), 0) for finding in _errors(report))


def _state_release(done: Upgrade, path: str, then: "Context") -> None:
    """Change the release in directives that state the old one."""
    stated = next((launch.facts.get("version") for launch in done.report.launches), None)
    comments = done.after.text.text
    old = stated and f"version={stated.value}"
    target = then.outside["version"].value
    if (
        stated is None
        or stated.value == target
        or not stated.source.startswith("comment")
        or comments.count(str(old)) != 1
    ):
        return
    at = comments.index(str(old)) + len("version=")
    edits = [Edit(at, at + len(str(stated.value)), str(target))]
    done.steps.append(Message("write version={version} in the comment", {"version": target}))
    _apply(done, path, then, edits)
