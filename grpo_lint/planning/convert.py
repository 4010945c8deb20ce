"""The same training in another framework. The batch is converted through the plan, every other setting by the table of
counterparts. Settings without a counterpart and settings to review are listed. The result is linted, and its plan
compared."""

from ..engine import lint
from ..fixes.edits import apply
from ..frameworks.roles import ACCUMULATION, DEVICE_BATCH
from ..frameworks.shared import more_counterparts as further, parallel_names
from ..frameworks.shared.counterparts import FRAMEWORKS, ROWS, is_parallel_size, row_named, row_of
from ..message import Message, series, told_by
from ..record import Record
from ..source.credentials import PLACEHOLDER, unless_secret
from ..source.hiding import hidden, with_placeholders
from ..source.quoting import plural
from ..source.text import Edit, Text
from .batches import USUAL_MICROS, whole_sizes
from .carry_settings import CannotConvert, CarriedSettings
from .emit_target import Dropped, Line, Target, with_version
from .select_run import Chosen, NoRun, chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Iterator, Mapping, Plan, Report


__all__ = ["CannotConvert", "Conversion", "convert", "convert_all"]

COMPARED = (
    "group_size",
    "micro_batch",
    "completions_per_update",
    "completions_per_rollout",
    "prompts_per_rollout",
    "updates_per_rollout",
    "total_steps",
)
_BATCH = ("group_size", "completions_per_update", "completions_per_rollout")  # the quantities to keep
_UNEQUAL = 1000  # the penalty of another batch, in findings
_HALVINGS = 6  # of a device's batch, to find a size that divides


class Conversion(Record):
    """The result of converting a run: the text, and what to know about it.

    source, target   the titles of the frameworks with their releases
    run              the run that was converted, and the places of the other runs of its file
    lines            the settings of the result, each with its origin
    dropped          settings without a counterpart
    look_at          [(setting, what to review)]
    before, after    the plans; `after` is None where no run was found in the result
    findings         the findings of `check` in the result, without infos
    idle             its findings about settings that have no effect there
    taken_over       settings of the run that the batch, the cluster and the program of the result say in its own way
    edits            what makes the text of the script that the run is in; None where it is a text of its own
    """

    source: str
    target: str
    run: Chosen
    text: str
    is_command: bool
    lines: "list[Line]"
    dropped: "list[Dropped]"
    look_at: "list[tuple[str, Message]]"
    before: "Plan"
    after: "Plan | None"
    findings: "list[Finding]"
    idle: "list[Finding]"
    taken_over: "list[str]"
    edits: "list[Edit] | None" = None

    @property
    def compared(self) -> "list[tuple[str, object, object]]":
        """[(quantity, before, after)] of those that are known before and after."""
        if self.after is None:
            return []
        found = [(name, self.before.value(name), self.after.value(name)) for name in COMPARED]
        return [each for each in found if each[1] is not None and each[2] is not None]

    @property
    def is_equal(self) -> bool:
        """Whether group, update and rollout have the same sizes in completions as before, as far as they are known."""
        batch = [(before, after) for name, before, after in self.compared if name in _BATCH]
        return self.after is not None and all(before == after for before, after in batch)

    @property
    def is_refused(self) -> bool:
        """Whether the result would not start."""
        return self.after is None or any(finding.severity == "error" for finding in self.findings)


def convert(
    report: "Report", target: str, version: str, spread: "Mapping[str, int] | None" = None, line: str = ""
) -> Conversion:
    """The Conversion of a run of a report: the run at `line`, else the first one. `spread`: the processes that share a
    copy of the model, by kind as in `Shape`. Raises CannotConvert."""
    try:
        run = chosen(report, line)
    except NoRun as why:
        raise CannotConvert(told_by(why)) from None
    source = run.launch.framework
    if source.name not in FRAMEWORKS:
        told = {"title": source.title, "names": series(list(FRAMEWORKS))}
        raise CannotConvert(
            Message("what the settings of {title} are elsewhere is not known; it is known of {names}", told)
        )
    carried = CarriedSettings(run.launch, target, version, spread or {})
    best, fewest = None, 0
    for batch in _batches(carried):
        found = _written(report, run, carried, batch)
        if not found.is_equal:  # what stands around a command may hide what replaces it
            apart = _written(report, run, carried, batch, apart=True)
            found = apart if apart.is_equal else found
        wrong = sum(finding.severity == "error" for finding in found.findings) + _UNEQUAL * (not found.is_equal)
        if best is None or wrong < fewest:
            best, fewest = found, wrong
        if not wrong:
            break
    assert best is not None  # there is at least one batch to try
    return _without_secrets(best)


MOST_TOGETHER = 20  # runs of a script that are converted; of more the first one is, and the others are named


def convert_all(
    report: "Report", target: str, version: str, spread: "Mapping[str, int] | None" = None
) -> "tuple[list[Conversion], str]":
    """(the Conversion of each run of a script, the script with all of them); of any other file its first run. Raises CannotConvert."""
    first = convert(report, target, version, spread)
    found = [first]
    if first.edits is not None and report.text is not None and len(first.run.others) < MOST_TOGETHER:
        try:
            found += [convert(report, target, version, spread, place) for place in first.run.others]
        except CannotConvert:
            return [first], first.text  # which one it is, and which others there are, is said
    edits = [each.edits for each in found]
    if len(found) == 1 or report.text is None or None in edits or not _are_apart(edits):
        return [first], first.text
    text = apply(
        report.text, sorted((edit for each in edits for edit in each or ()), key=lambda edit: (edit.start, edit.end))
    ).text
    runs = [each.but(run=each.run.but(others=[])) for each in found]
    return runs, _with_placeholder(with_version(text, version))


def _are_apart(edits: "list[list[Edit] | None]") -> bool:
    """Whether no two runs change the same part of a script."""
    spans = sorted((edit.start, edit.end) for each in edits for edit in each or ())
    return all(one[1] <= other[0] and one != other for one, other in zip(spans, spans[1:]))


# --- the batch ------------------------------------------------------------------------------------------------------


def _batches(carried: CarriedSettings) -> "Iterator[dict[str, object]]":
    """Settings for the batch, the best guess first: by the same names, then by the inverse of the formulas."""
    same = _batch_by_name(carried)
    if same is not None:
        yield same
    sizes = whole_sizes(carried.before, ("world_size", "group_size", "completions_per_update"))
    if sizes is None and same is None:
        raise CannotConvert(_why_unknown(carried))
    if sizes is None:
        return
    made = list(_batches_by_shape(carried, *sizes))
    yield from made
    if same is None and not made:
        processes, _, update = sizes
        told = {"title": carried.target.title, "version": carried.version, "update": f"{update:,}"}
        told["count"] = plural(processes, "process")
        raise CannotConvert(
            Message("{title} {version}: an update of {update} completions cannot be made on {count}", told)
            if carried.updates_per_rollout
            else Message("{title} {version}: an update of {update} completions is made of several rollouts", told)
        )


def _why_unknown(carried: CarriedSettings) -> Message:
    """Why the batches of a run are not known."""
    origin = carried.launch.origin
    if origin is not None and carried.before.value("world_size") is not None and origin.invocation.open_words:
        return Message("its batches are not known: what further arguments the command is given is not here")
    return Message("its batches are not known: state the number of processes with --world-size")


def _batches_by_shape(
    carried: CarriedSettings, processes: int, group: int, update: int
) -> "Iterator[dict[str, object]]":
    """Settings that make the same update, with the same batch of a device or a smaller one; none where a rollout is no whole number
    of updates."""
    micro, updates = _micro_batch(carried), carried.updates_per_rollout
    if updates:
        for each in dict.fromkeys(max(micro >> halving, 1) for halving in range(_HALVINGS)):
            shape = carried.shape(processes, group, each, update, updates)
            settings = carried.target.arithmetic.settings_of(shape, carried.key, carried.written)
            if settings is not None:
                yield settings


def _batch_by_name(carried: CarriedSettings) -> "dict[str, object] | None":
    """The settings of the batch unchanged, where the other framework has all of them under the same names; None where the sizes that
    spread a model are written anew."""
    if carried.spread and carried.source is not carried.target:
        return None
    set_names, value = carried.launch.entries, carried.before.value
    names = []
    for row in ROWS:
        if row.is_of_the_batch:
            names += [each for each in row.names[carried.source.name] if each in set_names or row.kind == "size"]
    names += filter(is_parallel_size, set_names)
    if not all(map(carried.has, names)):
        return None
    settings = {name: value(name) for name in names}
    if carried.has(ACCUMULATION) and value("accumulation") is not None:
        settings[ACCUMULATION] = value("accumulation")
    settings = {name: value for name, value in settings.items() if value is not None}
    return {**settings, **carried.engine} if settings else None


def _micro_batch(carried: CarriedSettings) -> int:
    """The completions of one pass on a device; a usual number where batches are counted in tokens."""
    micro = carried.before.value("micro_batch")
    if type(micro) is int and micro > 0:
        return micro
    if carried.counts_tokens:
        return carried.sequences_of_a_pass
    name = str(carried.name_of(row_named(DEVICE_BATCH)))
    what = Message("no number of completions is a micro batch there; this one decides about speed and memory")
    carried.look_at.append((name, what))
    return USUAL_MICROS[-1]


# --- the result -----------------------------------------------------------------------------------------------------


def _written(
    report: "Report", run: Chosen, carried: CarriedSettings, batch: "dict[str, object]", apart: bool = False
) -> Conversion:
    """The Conversion with these settings of the batch, written and linted; `apart`: in a text of its own."""
    result = Target(
        report=report,
        launch=run.launch,
        framework=carried.target,
        version=carried.version,
        lines=_with_batch(carried, batch),
        dropped=carried.dropped,
        apart=apart,
    )
    text, look_at = result.text(), list(carried.look_at)
    for line in result.unwritten:
        what = Message("what {setting} computes is not known here: it is not written", {"setting": line.source})
        look_at.append((line.name, what))
    for word in result.left_unread:
        look_at.append((word, Message("what it adds to the command is not known here, and not carried over")))
    if result.replaces_keys and "#" in text:
        look_at.append(("comments", Message("they are as they were, also where they mention numbers and commands")))
    elif not result.replaces_keys and not result.replaces_a_command and report.text and "#" in report.text.text:
        look_at.append(("comments", Message("those of the file are not carried over into a new text")))
    after, findings = _checked(report, run, carried, Text(text, _path(report.path, result.is_command)))
    result = result.but(reads_layers=carried.source is not carried.target)
    return Conversion(
        source=f"{carried.source.title} {carried.candidate.text}",
        target=f"{carried.target.title} {carried.version}",
        run=run,
        text=result.text(),
        is_command=result.is_command,
        lines=result.written_lines,
        dropped=carried.dropped,
        look_at=look_at,
        before=carried.before,
        after=after,
        findings=[each for each in findings if each.severity != "info"],
        idle=[each for each in findings if each.rule.name == "settings-have-an-effect"],
        taken_over=_taken_over(run, result.written_lines, carried.dropped, look_at),
        edits=result.edits if result.replaces_a_command else None,
    )


def _taken_over(
    run: Chosen, lines: "list[Line]", dropped: "list[Dropped]", look_at: "list[tuple[str, Message]]"
) -> "list[str]":
    """The settings of a run that are named nowhere else: each that vanishes is named."""
    named = {line.source for line in lines} | {each.name for each in dropped} | {name for name, _ in look_at}
    return [name for name in run.launch.entries if name not in named]


def _checked(
    report: "Report", run: Chosen, carried: CarriedSettings, text: Text
) -> "tuple[Plan | None, list[Finding]]":
    """The plan of the run in the result, None where there is none, and what is found there."""
    checked = lint(text, fixes=False)
    at = report.launches.index(run.launch) if len(checked.launches) == len(report.launches) else 0
    runs = [each for each in checked.launches[at:] if each.framework is carried.target and each.candidates][:1]
    plan = runs[0].plan(runs[0].candidates[0]) if runs else None
    return plan, [each for each in checked.findings if each.launch is None or each.launch in runs]


def _with_batch(carried: CarriedSettings, batch: "dict[str, object]") -> "list[Line]":
    """All lines. The settings of the batch take the places of the settings of the same quantities, where there are
    such."""
    set_names, places = carried.launch.entries, dict[str, str]()
    for name in set_names:
        row = row_of(name, carried.source.name)
        if row is not None and row.is_of_the_batch:
            for each in row.names[carried.target.name]:
                if each in batch:
                    places.setdefault(each, name)
        elif name in batch:
            places[name] = name
        elif kind := parallel_names.kind_of(name):
            for each in batch:
                if parallel_names.kind_of(each) == kind:
                    places.setdefault(each, name)
    made = [
        Line(
            name=name,
            value=value,
            source=places.get(name, ""),
            same=name == places.get(name) and value == carried.value_set(name),
        )
        for name, value in batch.items()
    ]
    order = {name: place for place, name in enumerate(set_names)}
    rest = [line for line in carried.lines if line.name not in batch]
    return sorted(_read(carried, made) + rest, key=lambda line: order.get(line.source, len(order)))


def _read(carried: CarriedSettings, made: "list[Line]") -> "list[Line]":
    """The settings of the batch without those that are not read where micro batches are counted in tokens."""
    unread = further.NOT_IN_TOKENS.get(carried.target.name, ()) if carried.counts_tokens else ()
    return [line for line in made if line.name not in unread]


def _path(path: str, is_command: bool) -> str:
    """A name for the result that says what it is."""
    path = path if path not in ("", "-") else "config.yaml"
    endings = (".sh",) if is_command else (".yaml", ".yml")
    return path if path.endswith(endings) else path + endings[0]


def _without_secrets(found: Conversion) -> Conversion:
    """The result as it may be shown to anybody, such as an agent: with placeholders where the file has passwords or
    tokens."""
    lines = [
        line.but(value=with_placeholders(line.name, with_placeholders(line.source, line.value))) for line in found.lines
    ]
    names = [line.name for line in lines if PLACEHOLDER in str(line.value)]
    dropped = [each.but(value=_with_placeholder(unless_secret(each.name, each.value))) for each in found.dropped]
    text = _with_placeholder(found.text)
    if text != found.text and not names:
        names = ["secrets"]
    what = Message(
        "a password or token is not written out: {placeholder} takes its place", {"placeholder": PLACEHOLDER}
    )
    look_at = [*found.look_at, *((name, what) for name in names)]
    return found.but(text=text, lines=lines, dropped=dropped, look_at=look_at)


def _with_placeholder(text: str) -> str:
    return hidden(text, lambda secret: PLACEHOLDER)
