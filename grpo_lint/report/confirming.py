"""A log beside its run, told for people and as JSON."""

import json
import math

from ..frameworks.all_rules import RULES
from ..frameworks.metrics import BEHIND
from ..message import NOTHING, Message, clauses, series, within
from ..plan.plan import whole
from ..source.quoting import plural
from .explain.besides import setting_titled
from .language import ENGLISH
from .messages import release
from .printable import clean
from .text import cells, painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..logs.comparison import Confirmation, Trend
    from ..shared_types import Iterator, Language

# What each part of a log is called, and how its numbers are written.
LABELS = {
    "reward": Message("reward"),
    "even": Message("groups without a spread"),
    "length": Message("length"),
    "cut": Message("cut completions"),
    "ratio_clipped": Message("clip ratio"),
    "kl": Message("KL divergence"),
    "entropy": Message("entropy"),
}
_COUNTED = (Message("completions"), "completions"), (Message("prompts"), "prompts"), (Message("updates"), "updates")
_SHARES = ("even", "cut", "ratio_clipped")
MANY_CUT, MANY_EVEN = 0.2, 0.5  # from here on a share is explained


def told(found: "Confirmation", log: str, path: str, colour: bool, width: int, language: "Language" = ENGLISH) -> str:
    """What a log says of the run of a file, in lines."""
    paint, tr = painter(colour), language.text
    lines = [paint("strong", f"{clean(log)}{language.colon}{tr(_progress(found))}")] if log else []
    lines += wrapped(f"{clean(path)}{language.colon}{tr(_run(found))}", width)
    lines.append("")
    rows = [*_numbers(found), *((LABELS[each.part], _course(each)) for each in found.trends)]
    room = max((cells(tr(label)) for label, _ in rows), default=0)
    for label, text in rows:
        word = tr(label)
        lines.append(f"  {paint('label', word + ' ' * (room - cells(word)))}  {clean(tr(text))}".rstrip())
    remarks = [*_remarks(found)]
    if remarks:
        lines.append("")
    for remark in remarks:
        lines += wrapped(clean(tr(remark)), width, "- ", "  ")
    return "\n".join(lines) + "\n"


def _progress(found: "Confirmation") -> Message:
    log, epoch = found.log, NOTHING
    if log.epoch is not None:
        epoch = Message("epoch {epoch}", {"epoch": f"{log.epoch:.2f}"})
    done = {"done": f"{log.done:,}", "most": f"{log.most:,}" if log.most else ""}
    steps = Message("step {done} of {most}", done) if log.most else Message("step {done}", done)
    return clauses((steps, epoch)) if epoch else steps


def _run(found: "Confirmation") -> Message:
    launch = found.launch
    processes = whole(launch.plan(launch.candidates[0]).value("world_size"))
    on = plural(processes, "process", ",") if processes else Message("a number of processes that is not known")
    return Message("{release} on {processes}", {"release": release(launch, launch.candidates[0]), "processes": on})


def _numbers(found: "Confirmation") -> "Iterator[tuple[Message, Message]]":
    planned, most = found.planned, found.log.most
    if planned is None:
        yield Message("steps"), Message("the plan does not know how many: --dataset-size states the rows of the data")
    else:
        yield Message("steps"), _steps(planned, most if most is not None or found.agrees else found.log.done)
    for label, what in _COUNTED:
        each = found.of_one_step(what)
        if each is not None:
            yield label, _in_all(each, found)
    if found.rows is not None:
        yield Message("data"), Message("about {count} rows, by the steps of an epoch", {"count": f"{found.rows:,}"})
    if found.tokens is not None:
        yield Message("tokens"), _tokens(found.tokens, found)
    if found.seconds is not None:
        yield Message("time"), _time(found, found.seconds)


def _steps(planned: int, most: "int | None") -> Message:
    told = {"planned": f"{planned:,}", "most": f"{most or 0:,}"}
    if most is None:
        return Message("{planned} are planned", told)
    if most == planned:
        return Message("{planned}, as planned", told)
    return Message("{planned} are planned, the run takes {most}", told)


def _in_all(each: "int | float", found: "Confirmation") -> Message:
    of_one = f"{each:,}" if type(each) is int else f"{each:,.2f}"
    if type(each) is not int or found.steps is None:
        return Message("{each} a step", {"each": of_one})
    told = {"each": of_one, "done": f"{each * found.log.done:,}", "all": f"{each * found.steps:,}"}
    if not found.log.done:
        return Message("{each} a step, {all} in all", told)
    return Message("{each} a step: {done} so far, {all} in all", told)


def _tokens(each: int, found: "Confirmation") -> Message:
    told = {"each": f"{each:,}", "all": f"{each * (found.steps or 0):,}"}
    if found.steps is None:
        return Message("about {each} a step", told)
    return Message("about {each} a step, {all} in all", told)


def _time(found: "Confirmation", seconds: float) -> Message:
    each = {"seconds": f"{seconds:,.1f}" if seconds >= 10 else f"{seconds:.2g}"}
    steps, left = found.steps, found.left
    if steps is None or left is None:
        return Message("{seconds} s a step", each)
    told = {**each, "all": duration(seconds * steps), "left": duration(seconds * left)}
    text = (
        Message("{seconds} s a step, {all} in all, {left} left", told)
        if found.log.done
        else Message("{seconds} s a step, {all} in all", told)
    )
    processes = whole(found.plan.value("world_size"))
    if processes is None:
        return text
    hours = {"hours": f"{seconds * steps * processes / 3600:,.1f}", "count": f"{processes:,}"}
    return clauses((text, Message("{hours} GPU hours on the {count} that train", hours)))


def duration(seconds: float) -> Message:
    """A time as people say it: 3 d 4 h, 2 h 15 min, 40 min, 30 s."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return Message("{seconds} s", {"seconds": round(seconds)})
    if minutes < 60:
        return Message("{minutes} min", {"minutes": minutes})
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return Message("{hours} h {minutes} min", {"hours": hours, "minutes": minutes})
    return Message("{days} d {hours} h", {"days": hours // 24, "hours": hours % 24})


def _course(trend: "Trend") -> Message:
    first, now = _written(trend.part, trend.first), _written(trend.part, trend.now)
    told = {"first": first, "now": now, "name": trend.name}
    if trend.always is not None or first == now:
        return Message("{now} ({name})", told)
    return Message("{first} -> {now} ({name})", told)


def _written(part: str, value: float) -> Message:
    if not math.isfinite(value):
        return Message("no number")
    if part == "length":
        return Message("{tokens} tokens", {"tokens": f"{value:,.0f}"})
    return Message("{value}", {"value": f"{100 * value:.1f} %" if part in _SHARES else f"{value:.4g}"})


def _remarks(found: "Confirmation") -> "Iterator[Message]":
    if not found.agrees:
        yield _why_not_as_planned(found)
    trends = {each.part: each for each in found.trends}
    for trend in found.trends:
        if trend.not_a_number is not None:
            told = {"name": trend.name, "step": trend.not_a_number}
            text = Message("{name} is no number from step {step} on at the latest", told)
            yield _with_cause(text, trend.part, found)
    yield from _what_it_means(found, trends)
    if found.missing:
        names = series([LABELS[part] for part in found.missing])
        told = {"release": release(found.launch, found.launch.candidates[0]), "names": names}
        yield Message("not logged by {release}: {names}", told)


def _why_not_as_planned(found: "Confirmation") -> Message:
    if found.is_of_another:
        told = {"release": release(found.launch, found.launch.candidates[0])}
        return Message("{release} writes no log of this kind: it is of another run", told)
    if found.as_processes is None:
        return Message(
            "the log is not of this run as it was planned: another number of processes, rows of data, or settings of its own"
        )
    return Message(
        "with {count} processes the plan has the steps of the log: that many train, it seems, and the numbers above are theirs",
        {"count": found.as_processes},
    )


def _what_it_means(found: "Confirmation", trends: "dict[str, Trend]") -> "Iterator[Message]":
    cut, even, clipped, reward = (trends.get(part) for part in ("cut", "even", "ratio_clipped", "reward"))
    if cut is not None and cut.now >= MANY_CUT:
        told = {"share": f"{100 * cut.now:.0f}"}
        text = Message(
            "{share} % of the completions end at the limit of their length: they are judged as far as they came", told
        )
        yield _with_cause(text, "cut", found)
    if even is not None and even.now >= MANY_EVEN:
        told = {"share": f"{100 * even.now:.0f}"}
        text = Message(
            "in {share} % of the groups all completions have the same reward: their advantage is 0, and nothing is learned from them",
            told,
        )
        yield _with_cause(text, "even", found)
    if clipped is not None and clipped.always == 0:
        yield _with_cause(_never_clipped(found), "ratio_clipped", found)
    if reward is not None and reward.always is not None:
        told = {"value": f"{reward.always:.4g}"}
        text = Message("the reward is {value} in every row: nothing distinguishes good completions from bad ones", told)
        yield _with_cause(text, "reward", found)


def _with_cause(text: Message, part: str, found: "Confirmation") -> Message:
    """A remark with the settings that decide about it, and a rule that says more."""
    titles, rules = BEHIND.get(part, ((), ()))
    launch, candidate = found.launch, found.launch.candidates[0]
    known = (setting_titled(title, launch, candidate, found.plan) for title in titles)
    settings = [
        Message("{name} {value}", {"name": name, "value": value}) for value, name in known if name and value is not None
    ]
    enforced = {row.rule for row in launch.framework.refusals.enforcement.rows}
    rule = next((RULES[name].code for name in rules if name in enforced), "")
    if rule:
        settings.append(Message("grpo-lint rule {code}", {"code": rule}))
    return within(text, clauses(settings)) if settings else text


def _never_clipped(found: "Confirmation") -> Message:
    if found.plan.value("on_policy") is True:
        return Message("the clip ratio is 0 as it has to be: each rollout is used for one update, so the ratio is 1")
    return Message(
        "the clip ratio is 0 in every row, though a rollout is used for several updates: the policy hardly moves"
    )


def document(found: "Confirmation", log: str, path: str) -> str:
    """All of it as one JSON object; numbers that are not known are null."""
    answer = {
        "version": 1,
        "log": log,
        "path": path,
        "dialect": found.launch.framework.name,
        "release": found.launch.candidates[0].text,
        "steps": {"are": found.unit, "done": found.log.done, "announced": found.log.most, "planned": found.planned, "left": found.left},
        "agrees": found.agrees,
        "log_of_another_framework": found.is_of_another,
        "per_step": {what: found.of_one_step(what) for _, what in _COUNTED},
        "processes_by_the_log": found.as_processes,
        "epoch": found.log.epoch,
        "dataset_size_by_the_log": found.rows,
        "seconds_per_step": found.seconds,
        "tokens_per_step": found.tokens,
        "metrics": {
            each.part: {"name": each.name, "first": _finite(each.first), "now": _finite(each.now), "not_a_number_from": each.not_a_number}
            for each in found.trends
        },
        "not_logged": list(found.missing),
        "remarks": [str(each) for each in _remarks(found)],
    }  # fmt: skip
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"


def _finite(value: float) -> "float | None":
    return value if math.isfinite(value) else None
