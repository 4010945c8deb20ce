"""GRPO3xx: the arithmetic of the evaluation batch. Silent unless evaluation is switched on."""

from .base import Rule

RULES = (
    Rule(
        "GRPO301",
        "evaluation-holds-whole-groups",
        "The evaluation batch of all processes holds whole groups",
        "evaluates and eval_completions % eval_group_size != 0",
        message="an evaluation batch of {eval_completions} completions{eval_completions.how} does not hold whole groups of "
        "{eval_group_size}",
        why="Evaluation also generates a whole group for every prompt, in batches of per_device_eval_batch_size x processes.",
        instead="Set per_device_eval_batch_size so that it makes a multiple of the group over all processes. Setting it to the "
        "group size always works.",
        at=("per_device_eval_batch_size", "eval_group_size"),
        harm="warning",
        blocked_by=("group-is-positive", "evaluation-is-not-empty"),
    ),
    Rule(
        "GRPO302",
        "evaluation-is-not-empty",
        "The evaluation batch holds at least one completion",
        "evaluates and eval_completions < 1",
        message="an evaluation batch would hold {eval_completions} completions{eval_completions.how}",
        why="There is nothing to evaluate, but 0 passes a check for multiples.",
        instead="Set per_device_eval_batch_size to the group size.",
        at=("per_device_eval_batch_size",),
        harm="warning",
        blocked_by=("group-is-positive",),
    ),
)
