"""GRPO6xx: data and schedule. Most of these speak only when the number of rows is known."""

from .base import Rule

RULES = (
    Rule(
        "GRPO601",
        "dataset-fills-a-rollout",
        "The training set holds the prompts of at least one rollout",
        "training_rows < prompts_per_sampled_batch and max_steps <= 0",
        only_with=("dataset_size",),
        message="the training set has {training_rows} rows{training_rows.how}, fewer than the {prompts_per_sampled_batch} prompts of one "
        "rollout{prompts_per_sampled_batch.how}",
        why="Prompts that do not fill a rollout are dropped, so every epoch is empty. The framework's error mentions max_steps.",
        instead="Add rows to the training set, or make the rollout smaller.",
        at=("prompts_per_sampled_batch",),
        harm="warning",
        blocked_by=(
            "group-is-positive",
            "rollout-is-not-empty",
            "rollout-holds-whole-groups",
            "batch-sizes-are-positive",
        ),
    ),
    Rule(
        "GRPO602",
        "training-takes-steps",
        "A run with max_steps takes at least one step",
        "training_rows < prompts_per_sampled_batch and max_steps > 0",
        only_with=("dataset_size", "max_steps"),
        message="training takes no step: the training set has {training_rows} rows{training_rows.how}, fewer than the "
        "{prompts_per_sampled_batch} prompts of one rollout{prompts_per_sampled_batch.how}",
        why="Rows that do not fill a rollout are dropped, so every epoch is empty. With max_steps set, a release that does not "
        "refuse this ends at once and reports success.",
        instead="Add rows to the training set, or make the rollout smaller.",
        at=("prompts_per_sampled_batch",),
        harm="warning",
        blocked_by=(
            "group-is-positive",
            "rollout-is-not-empty",
            "rollout-holds-whole-groups",
            "batch-sizes-are-positive",
        ),
    ),
    Rule(
        "GRPO603",
        "schedule-reaches-its-end",
        "The run takes as many steps as its schedule plans",
        "executed_steps > 0 and executed_steps < total_steps",
        only_with=("dataset_size",),
        message="the learning-rate schedule plans {total_steps} steps, but training takes {executed_steps}: it does not reach its end",
        why="When they plan the schedule, these versions count the prompts that do not fill a rollout; when they train, they drop them.",
        instead="Choose a rollout whose number of prompts divides the number of rows, or set max_steps.",
        at=("max_steps", "completions_per_rollout"),
        harm="warning",
    ),
    Rule(
        "GRPO604",
        "iterations-are-positive",
        "num_iterations is at least 1",
        "num_iterations < 0 or num_iterations == 0 and max_steps <= 0",
        only_with=("num_iterations",),
        message="num_iterations is {num_iterations}: every rollout would be used {num_iterations} times",
        why="This value is not checked. The data loader is then empty, and the framework's error mentions max_steps.",
        instead="Set num_iterations to 1 for on-policy training.",
        at=("num_iterations",),
        harm="warning",
    ),
    Rule(
        "GRPO605",
        "rollouts-are-used",
        "A rollout is used at least once",
        "num_iterations == 0 and max_steps > 0",
        only_with=("num_iterations", "max_steps"),
        message="training takes no step: num_iterations is 0, so no rollout is ever used",
        why="The data loader is empty. With max_steps set, the run ends at once and reports success.",
        instead="Set num_iterations to 1 for on-policy training.",
        at=("num_iterations",),
        harm="warning",
    ),
)
