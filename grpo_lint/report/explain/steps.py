"""The updates of a run in one sentence, for the editor."""

from ...source.quoting import plural
from ..messages import processes
from ..side_by_side import plans_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...launch.launch import Launch
    from ...plan.plan import Plan
    from ..side_by_side import ShownPlan


def steps_in_words(launch: "Launch", plan: "ShownPlan") -> str:
    """How many updates a run takes, and why; empty when nobody knows."""
    told: dict[str, list[object]] = {}
    for each in plans_of(plan):
        told.setdefault(_steps_in_words(launch, each), []).append(each.value("world_size"))
    return " ".join(
        text if len(told) == 1 else f"On {processes(counts)}: {text}" for text, counts in told.items() if text
    )


def _steps_in_words(launch: "Launch", plan: "Plan") -> str:
    total = plan.value("total_steps")
    if total is None:
        return ""
    title = launch.framework.title
    told = [f"{title} announces {plural(total, 'update')}"]
    executed = plan.value("executed_steps")
    if executed is not None and executed != total:
        told[0] += f", but the run takes {executed}"
    rows, per_epoch = plan.value("training_rows"), plan.value("steps_per_epoch")
    if rows is not None and per_epoch is not None:
        told.append(f"an epoch of {plural(rows, 'row')} makes {per_epoch}")
        kept_back = plan.value("dataset_size") - rows  # type: ignore[operator]  # both are numbers
        if kept_back > 0:
            told[-1] += f" ({kept_back} of the {plan.value('dataset_size')} rows are kept back for evaluation)"
    micro, taken = plan.value("micro_steps_per_epoch"), plan.value("micro_steps_taken_per_epoch")
    if micro is not None:
        told.append(f"{title} counts {plural(micro, 'micro step')} for it")
        if taken is not None and taken != micro:
            told[-1] += f" and takes {taken}"
    return "; ".join(told) + "."
