"""GRPO2xx: the arithmetic of the training batch. Every size counts completions unless its name says prompts."""

from .base import Rule

RULES = (
    Rule(
        "GRPO200",
        "group-is-positive",
        "The group size is at least 1",
        "group_size < 1",
        message="{group_size.setting} is {group_size}: a group must hold at least 2 completions",
        why="The group size divides the rollout, so zero ends in a division by zero and a negative size in an empty rollout.",
        instead="Set the group size to 2 or more; 4 to 16 is usual.",
        at=("group_size",),
        harm="warning",
    ),
    Rule(
        "GRPO201",
        "group-has-two-completions",
        "A group holds at least two completions",
        "group_size == 1 and not distils",
        message="a group of 1 completion has no relative advantage: {group_size.setting} must be at least 2",
        why="The advantage of a completion is its reward minus the mean of its group. In a group of one that is always zero, "
        "so nothing is learned. That the batch divides by 1 is beside the point, whatever the framework says about divisors.",
        instead="Set the group size to 2 or more and keep the rollout a multiple of it. To train on single samples use a "
        "method with a value model or a running baseline (PPO, REINFORCE).",
        at=("group_size",),
        harm="warning",
        blocked_by=("group-is-positive",),
        also_called=("constraint 6",),
    ),
    Rule(
        "GRPO202",
        "rollout-size-set-once",
        "generation_batch_size and steps_per_generation are not both set",
        "generation_batch_size is not None and steps_per_generation is not None",
        only_with=("generation_batch_size", "steps_per_generation"),
        message="generation_batch_size {generation_batch_size} and steps_per_generation {steps_per_generation} "
        "are both set: each fixes the size of a rollout, so only one may be given",
        why="One follows from the other. These versions refuse the pair even when the two agree.",
        instead="Keep one of them. steps_per_generation keeps its meaning when the number of processes changes.",
        at=("steps_per_generation", "generation_batch_size"),
    ),
    Rule(
        "GRPO203",
        "rollout-holds-whole-groups",
        "A rollout holds whole groups",
        "group_size > 0 and completions_per_rollout % group_size != 0",
        message="a rollout of {completions_per_rollout} completions{completions_per_rollout.how} "
        "does not hold whole groups of {group_size}",
        why="All completions of a prompt belong to one rollout: their rewards are compared with each other. A rollout that "
        "is no multiple of num_generations would cut a group in two.",
        instead="Make processes x batch x steps a multiple of num_generations, or change num_generations to a divisor.",
        at=("group_size", "completions_per_rollout"),
        harm="warning",
        blocked_by=("group-is-positive", "rollout-is-not-empty", "rollout-size-set-once", "rollout-sizes-agree"),
    ),
    Rule(
        "GRPO204",
        "rollout-holds-whole-steps",
        "A rollout is a whole number of micro steps over all processes",
        "per_device_train_batch_size * world_size == 0 or generation_batch_size % (per_device_train_batch_size * world_size) != 0",
        only_with=("generation_batch_size",),
        message="generation_batch_size {generation_batch_size} is not a multiple of per_device_train_batch_size "
        "{per_device_train_batch_size} x {world_size} processes",
        why="A rollout is consumed in micro steps, and every process takes per_device_train_batch_size completions in each. "
        "A remainder has none to go to; where it is not refused, groups are cut and advantages mix prompts.",
        instead="Set generation_batch_size to a multiple of per_device_train_batch_size x processes.",
        at=("generation_batch_size", "per_device_train_batch_size"),
        harm="warning",
        blocked_by=("rollout-size-set-once", "rollout-sizes-agree", "rollout-holds-whole-micro-batches"),
    ),
    Rule(
        "GRPO207",
        "rollout-is-not-empty",
        "A rollout holds at least one completion",
        "completions_per_rollout < 1",
        message="a rollout would hold {completions_per_rollout} completions{completions_per_rollout.how}",
        why="With a batch size, a number of steps or a number of accumulation steps below 1 there is nothing to generate. Zero "
        "passes the divisibility tests (0 is a multiple of everything), so the run dies later with an unrelated error.",
        instead="Give every batch size and step count a value of at least 1.",
        at=("completions_per_rollout",),
        harm="warning",
        blocked_by=(
            "rollout-takes-steps",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "rollout-holds-whole-steps",
            "rollout-holds-whole-updates",
            "rollout-holds-whole-micro-batches",
        ),
    ),
    Rule(
        "GRPO208",
        "batch-sizes-are-positive",
        "Batch sizes and step counts are at least 1",
        "micro_batch < 1 or completions_per_update == 0 or steps_per_rollout < 1",
        message="a batch size or a step count is below 1: {micro_batch} completions per device, {steps_per_rollout} steps per "
        "rollout, {completions_per_update} completions per update",
        why="No check looks at the sign of these values, so the trainer dies when it builds its data loader or in the first step.",
        instead="Give every batch size and step count a value of at least 1.",
        at=("micro_batch", "steps_per_rollout", "completions_per_update"),
        harm="warning",
        blocked_by=(
            "micro-batch-is-not-zero",
            "rollout-takes-steps",
            "rollout-is-not-empty",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "rollout-holds-whole-steps",
            "rollout-holds-whole-updates",
            "rollout-holds-whole-micro-batches",
            "model-parallel-divides-world",
        ),
    ),
    Rule(
        "GRPO221",
        "accumulation-is-positive",
        "gradient_accumulation_steps is positive",
        "accumulation < 0",
        message="gradient_accumulation_steps is {accumulation}: training ends without a step and reports success",
        why="The trainer waits for a pass whose number is a multiple of a negative one, counts its epochs and is done.",
        instead="Set gradient_accumulation_steps to 1 or more.",
        at=("accumulation",),
        harm="warning",
        only_with=("gradient_accumulation_steps",),
        blocked_by=("rollout-is-not-empty", "batch-sizes-are-positive"),
    ),
)
