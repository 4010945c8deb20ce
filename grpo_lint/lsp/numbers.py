"""The most important numbers of a run, in a few words: for hovers, inlay hints and the line above a launch."""

from ..message import NOTHING, Message
from ..plan.formula import inputs, ratio
from ..record import Record
from ..report.explain import missing
from ..report.messages import formula_with_numbers
from ..report.side_by_side import of_each
from ..source.quoting import amount, plural
from ..source.yaml.scalars import shown_value
from .words import about, equal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..launch.launch import Launch
    from ..report.side_by_side import ShownPlan


class Batch(Record):
    """Completions that belong together.

    name     what is counted; `label`: in a word
    size     the quantity that counts them
    group    the quantity that says how many belong to one prompt
    """

    name: Message
    label: Message
    size: str
    group: str

    def text(self, plan: "ShownPlan") -> Message:
        """Such as '224 completions = 28 prompts of 8'; empty when they are not known."""
        size = plan.value(self.size)
        return NOTHING if size is None else equal((plural(size, "completion"), self._prompts(plan)))

    def _prompts(self, plan: "ShownPlan") -> Message:
        """'28 prompts of 8'; empty where there are no groups."""
        group = plan.value(self.group)
        if type(group) is not int or group <= 1:
            return NOTHING
        prompts = of_each(ratio, plan.value(self.size), group)
        return Message("{prompts} of {group}", {"prompts": _prompts(prompts), "group": group})

    def in_short(self, plan: "ShownPlan") -> Message:
        """Such as '224 = 28 prompts of 8'; with the unit where there are no groups."""
        prompts = self._prompts(plan)
        return equal((shown_value(plan.value(self.size)), prompts)) if prompts else self.text(plan)

    def reads(self, plan: "ShownPlan", name: str) -> bool:
        """Whether a setting or fact enters the size."""
        known = [plan.value(quantity) for quantity in (self.size, self.group)]
        if None in known:
            return name in inputs([self.size, self.group], plan.formulas)
        return name in plan.leaves([self.size, self.group])

    def line(self, plan: "ShownPlan") -> Message:
        """In Markdown, such as 'an update: per_device_train_batch_size 8 x 7 processes x ... = 224 completions = 28
        prompts of 8'."""
        size = plan.value(self.size)
        if size is None:
            return about(self.name, missing(plan, self.size))
        how = formula_with_numbers(plan, plan.chosen[self.size]) if self.size in plan.chosen else NOTHING
        number = Message("**{number}**", {"number": plural(size, "completion")})
        return about(self.name, equal((how, number, self._prompts(plan))))


UPDATE = Batch(name=Message("an update"), label=Message("update"), size="completions_per_update", group="group_size")
ROLLOUT = Batch(name=Message("a rollout"), label=Message("rollout"), size="completions_per_rollout", group="group_size")
EVALUATION = Batch(
    name=Message("an evaluation batch"), label=Message("evaluation"), size="eval_completions", group="eval_group_size"
)


def batches(launch: "Launch", plan: "ShownPlan") -> "list[Batch]":
    """The batches of a launch, with the evaluation batch when there is one."""
    quantities = launch.candidates[0].regime.quantities
    found = [
        batch for batch in (UPDATE, ROLLOUT, EVALUATION) if batch.size in quantities and not plan.is_unset(batch.size)
    ]
    return [batch for batch in found if batch is not EVALUATION or plan.value("evaluates") is True]


def per_rank(plan: "ShownPlan") -> Message:
    """'4 prompts per rank' of a rollout. Empty when it is not known, not a whole number, or there is one rank."""
    prompts, ranks = plan.value("rollout_prompts_per_rank"), plan.value("dp_size")
    if prompts is None or of_each(_is_whole, prompts) is not True or ranks == 1 or plan.value("world_size") == 1:
        return NOTHING
    return Message("{prompts} per rank", {"prompts": _prompts(prompts)})


def reuse(plan: "ShownPlan") -> Message:
    """'4 updates per rollout'; empty when it is 1 or not known."""
    updates = plan.value("updates_per_rollout")
    return NOTHING if updates in (None, 1) else Message("{count} updates per rollout", {"count": shown_value(updates)})


def updates(plan: "ShownPlan") -> Message:
    """'1250 updates' of the whole run; empty when it is not known."""
    total = plan.value("executed_steps") or plan.value("total_steps")
    return NOTHING if total is None else plural(total, "update")


def _is_whole(number: float) -> bool:
    return number % 1 == 0


def _prompts(prompts: object) -> Message:
    return amount(shown_value(prompts), "prompt", prompts)
