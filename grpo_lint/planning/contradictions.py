"""Why no config fulfils a wish: the parts of it that contradict each other, each shown by trying without it."""

from collections import Counter
from itertools import islice
from math import log2

from ..message import NOTHING, Message, ors, series
from ..record import Record
from ..source.quoting import plural
from .batches import FREE, is_decided_by_episodes, nearest, nearest_in, proposals, undecided
from .stages import why_not_cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Iterator, Mapping, Shape
    from .batches import Proposal, Wish

MOST_LINTED = 8  # shapes that are written and linted to find what refuses all of them
# {what is asked: the option that asks for it}
OPTIONS = {
    "update": "--completions-per-update", "groups": "--generations", "micros": "--micro", "reuses": "--updates-per-rollout",
    "tensor": "--tp", "pipeline": "--pp", "context": "--cp", "expert": "--ep", "backend": "--backend", "model": "--model",
    "gpu_memory": "--gpu-memory",
}  # fmt: skip
# {what is asked: the same size of a shape}
_SIZES: "Mapping[str, Callable[[Shape], int]]" = {
    "update": lambda shape: shape.update,
    "groups": lambda shape: shape.group,
    "micros": lambda shape: shape.micro,
    "reuses": lambda shape: shape.updates,
}
_MOST_SHARED = 64  # processes of one copy of a model, by one kind, that are tried
_GIVEN = ("model", "gpu_memory")  # what a user has, and gives up last
_SPREADS = ("tensor", "pipeline", "context", "expert")


class Contradiction(Record):
    """`why`: a sentence on what cannot be; `cures`: {what is asked and could be given up: (what takes its place, a config
    that holds then)}, of the smallest set that contradicts itself."""

    why: Message
    cures: "dict[str, tuple[str, Proposal]]"


def contradiction(wish: "Wish") -> Contradiction:
    """What in a wish contradicts itself, where nothing fulfils it: each part without which something holds."""
    core, cures = wish, {}
    for name in reversed(wish.asked):
        found = _without(core, name)
        if found is None:
            core = core.but(**{name: FREE[name]})  # it has no part in it
        else:
            cures[name] = found
    whole = dict(cures)
    if core.asked.keys() != wish.asked.keys():  # what holds beside all else that was asked, where something does
        beside_all = {name: _without(wish, name) for name in core.asked}
        whole = {name: cure for name, cure in beside_all.items() if cure}
    # it contradicts itself in more than one way: what helps in the first goes with what helps in the others
    if not whole and cures:
        return Contradiction(why=_why(core, wish), cures=_together(wish, core, next(iter(cures))))
    return Contradiction(
        why=_why(core, wish), cures={_option(core, name): whole[name] for name in core.asked if name in whole}
    )


def _together(wish: "Wish", core: "Wish", name: str) -> "dict[str, tuple[str, Proposal]]":
    """The cures of a wish in which one part is given up, each with that part."""
    rest = wish.but(**{name: FREE[name]})
    instead = f"{OPTIONS[name]} {FREE[name]}" if name in _SPREADS else ""
    return {
        f"{_option(core, name)} {option}": (f"{instead} {other}".strip(), proposal)
        for option, (other, proposal) in contradiction(rest).cures.items()
    }


def alternatives(wish: "Wish", found: Contradiction) -> "list[Proposal]":
    """The nearest configs: with other completions per update where these have a part in it, else with each part given up."""
    if any(option.startswith(OPTIONS["update"]) for option in found.cures):
        return nearest(wish)
    made = [proposal for _, proposal in found.cures.values()]
    of_this = [each for each in made if all(each.wish.asked.get(name) == wish.asked.get(name) for name in _GIVEN)]
    return of_this or made


def given_up(found: Contradiction) -> "Iterator[Message]":
    """A sentence for each part of a wish without which something holds."""
    for option, (instead, _) in found.cures.items():
        if instead:
            yield Message("With {instead} in the place of {option} it holds.", {"instead": instead, "option": option})
        else:
            yield Message("Without {option} it holds.", {"option": option})


def _without(wish: "Wish", name: str) -> "tuple[str, Proposal] | None":
    """(what takes the place of a part of the wish, the nearest config that holds then)."""
    asked = wish.asked[name]
    if name in _SPREADS:
        for size in _sizes_near(asked, wish.processes):
            found = proposals(wish.but(**{name: size}), 1)
            if found:
                return f"{OPTIONS[name]} {size}", found[0]
        return None
    freed = wish.but(**{name: FREE[name]})
    if name not in _SIZES:
        found = proposals(freed, 1)
        return ("", found[0]) if found else None
    size_of = _SIZES[name]
    wanted: int = asked if type(asked) is int else asked[0]  # type: ignore[index,assignment]  # the sizes of a wish are whole numbers
    near = nearest_in(freed, lambda shape: abs(log2(size_of(shape) / wanted)))
    return (f"{OPTIONS[name]} {size_of(near.shape)}", near) if near else None


def _sizes_near(size: object, processes: int) -> "list[int]":
    """Other sizes over which a model could be spread, the nearest first, the smaller of two first."""
    assert type(size) is int
    sizes = {1 << shift for shift in range(min(processes, _MOST_SHARED).bit_length())} - {size}
    return sorted(sizes, key=lambda each: (abs(log2(each / size)), each))


def _option(wish: "Wish", name: str) -> str:
    value = wish.asked[name]
    return f"{OPTIONS[name]} {value if isinstance(value, (int, str)) else ','.join(map(str, value))}"


def _why(wish: "Wish", whole: "Wish") -> Message:
    """What refuses each config for a wish whose parts all have a share in it; `whole`: all that was asked, whose numbers are shown."""
    start = wish.start()
    arithmetic = start.framework.arithmetic
    if is_decided_by_episodes(arithmetic):
        return undecided(start.framework.title, wish.version)
    if not wish.ranks:
        share = wish.tensor * wish.pipeline * wish.context
        return Message(
            "{processes} cannot be divided over copies of the model that take {share} each",
            {"processes": plural(wish.processes, "process", ","), "share": share},
        )
    reason = arithmetic.why_not(wish.shape(1, 1, 1, 1), wish.version, start.key)
    reason = reason or why_not_cut(wish.model, wish.pipeline)
    if reason:
        return reason
    refused = _refused_by_all(wish)
    if wish.update and not (refused and "model" in wish.asked):
        shown = whole if whole.ranks else wish
        told = {
            "update": plural(wish.update, "completion", ","),
            "ranks": plural(shown.ranks, "data-parallel rank", ","),
        }
        if "groups" in shown.asked:
            told["groups"] = ors(shown.groups)
            return Message("{update} per update cannot be made of groups of {groups} on {ranks}", told)
        return Message("{update} per update cannot be made of groups of any usual size on {ranks}", told)
    asked = series([_option(wish, name) for name in wish.asked])
    if refused:
        told = {"asked": asked, "rule": refused}
        return (
            Message("{asked} breaks this rule: {rule}", told, "{asked} break this rule: {rule}", len(wish.asked))
            if asked
            else refused
        )
    return Message("no size of group, micro batch and update that was tried holds")


def _refused_by_all(wish: "Wish") -> Message:
    """The finding of a rule that each of the first shapes breaks; empty where none is broken by all."""
    start, rules, seen = wish.start(), {}, Counter[str]()
    made = (start.settings_of(shape) for shape in wish.shapes())
    written = list(islice((settings for settings in made if settings), MOST_LINTED))
    for settings in written:
        report = start.report(settings, wish.processes, wish.facts())
        of_this = {each.rule.code: each.rule for each in report.findings if each.severity != "info"}
        seen.update(of_this.keys())
        rules.update(of_this)
    rule = next((rules[code] for code, count in seen.most_common() if count == len(written)), None)
    return Message("{rule} ({code})", {"rule": Message(rule.summary), "code": rule.code}) if rule else NOTHING
