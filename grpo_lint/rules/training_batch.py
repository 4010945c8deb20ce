"""GRPO2xx: the arithmetic of the training batch. Every size counts completions unless its name says prompts."""

from .base import Rule

RULES = (
    Rule(
        "GRPO200",
        "group-is-positive",
        "The group size is at least 1",
        "group_size < 1",
        message="num_generations is {group_size}: a group must hold at least 2 completions",
        why="The group size divides the rollout, so zero ends in a division by zero and a negative size in an empty rollout.",
        instead="Set num_generations to 2 or more; 4 to 16 is usual.",
        at=("group_size",),
        harm="warning",
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=1
            per_device_train_batch_size: 8
            num_generations: 0
            """,
        fixed="num_generations: 8",
    ),
    Rule(
        "GRPO201",
        "group-has-two-completions",
        "A group holds at least two completions",
        "group_size == 1 and not distils",
        message="a group of 1 completion has no relative advantage: num_generations must be at least 2",
        why="The advantage of a completion is its reward minus the mean of its group. In a group of one that is always zero, "
        "so nothing is learned. That the batch divides by 1 is beside the point, whatever the framework says about divisors.",
        instead="Set num_generations to 2 or more and keep the rollout a multiple of it. To train on single samples use a "
        "method with a value model or a running baseline (PPO, REINFORCE).",
        at=("group_size",),
        harm="warning",
        blocked_by=("group-is-positive",),
        example="""\
            # grpo-lint: dialect=swift version=3.8.3 world-size=1
            rlhf_type: grpo
            per_device_train_batch_size: 1
            gradient_accumulation_steps: 2
            num_generations: 1
            """,
        fixed="num_generations: 2",
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
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=2
            per_device_train_batch_size: 4
            generation_batch_size: 16
            steps_per_generation: 2
            num_generations: 8
            """,
        fixed="generation_batch_size: null",
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
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=7
            per_device_train_batch_size: 1
            gradient_accumulation_steps: 2
            num_generations: 8
            """,
        fixed="gradient_accumulation_steps: 8",
    ),
    Rule(
        "GRPO204",
        "rollout-holds-whole-steps",
        "A rollout is a whole number of steps over all processes",
        "completions_per_step == 0 or generation_batch_size % completions_per_step != 0",
        only_with=("generation_batch_size",),
        message="generation_batch_size {generation_batch_size} is not a multiple of the {completions_per_step} completions "
        "that one step takes{completions_per_step.how}",
        why="A rollout is consumed step by step, and every process takes per_device_train_batch_size completions a step. "
        "A remainder has no step to go to; where it is not refused, groups are cut and advantages mix prompts.",
        instead="Set generation_batch_size to a multiple of per_device_train_batch_size x processes.",
        at=("generation_batch_size", "completions_per_step"),
        harm="warning",
        blocked_by=("rollout-size-set-once", "rollout-sizes-agree", "rollout-holds-whole-micro-batches"),
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=4
            per_device_train_batch_size: 4
            generation_batch_size: 24
            num_generations: 8
            """,
        fixed="generation_batch_size: 32",
    ),
    Rule(
        "GRPO205",
        "rollout-holds-whole-updates",
        "A rollout is a whole number of updates",
        "global_batch_size == 0 or generation_batch_size % global_batch_size != 0",
        only_with=("generation_batch_size",),
        message="generation_batch_size {generation_batch_size} is not a multiple of global_batch_size {global_batch_size}",
        why="Megatron consumes a rollout in whole updates of global_batch_size completions.",
        instead="Set generation_batch_size to a multiple of global_batch_size, or leave it out and set steps_per_generation.",
        at=("generation_batch_size", "global_batch_size"),
        blocked_by=("rollout-size-set-once", "rollout-sizes-agree"),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            micro_batch_size: 1
            global_batch_size: 64
            generation_batch_size: 96
            num_generations: 4
            """,
        fixed="generation_batch_size: 128",
    ),
    Rule(
        "GRPO206",
        "rollout-holds-whole-micro-batches",
        "A rollout is a whole number of device batches",
        "micro_batch == 0 or generation_batch_size % micro_batch != 0",
        only_with=("generation_batch_size",),
        message="generation_batch_size {generation_batch_size} is not a multiple of per_device_train_batch_size {micro_batch}",
        why="These versions meant to test against the batch of all processes, but a missing pair of parentheses makes them "
        "test against the batch of one device.",
        instead="Set generation_batch_size to a multiple of per_device_train_batch_size x processes.",
        at=("generation_batch_size", "micro_batch"),
        blocked_by=("rollout-size-set-once",),
        example="""\
            # grpo-lint: dialect=trl version=0.18.2 world-size=2
            per_device_train_batch_size: 4
            generation_batch_size: 10
            num_generations: 2
            """,
        fixed="generation_batch_size: 16",
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
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=1
            per_device_train_batch_size: 8
            gradient_accumulation_steps: 0
            num_generations: 8
            """,
        fixed="gradient_accumulation_steps: 1",
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
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=1
            per_device_train_batch_size: 8
            gradient_accumulation_steps: 0
            steps_per_generation: 1
            num_generations: 8
            """,
        fixed="gradient_accumulation_steps: 1",
    ),
    Rule(
        "GRPO209",
        "rollout-sizes-agree",
        "generation_batch_size and steps_per_generation say the same when both are set",
        "generation_batch_size != rollout_size_by_steps",
        only_with=("generation_batch_size", "steps_per_generation"),
        message="generation_batch_size {generation_batch_size} and steps_per_generation disagree: the steps make "
        "{rollout_size_by_steps} completions{rollout_size_by_steps.how}",
        why="These versions allow both keys when they describe the same rollout. These two do not.",
        instead="Keep one of them. steps_per_generation keeps its meaning when the number of processes changes.",
        at=("generation_batch_size", "steps_per_generation"),
        example="""\
            # grpo-lint: dialect=swift version=4.6.0 world-size=4
            rlhf_type: grpo
            per_device_train_batch_size: 4
            steps_per_generation: 4
            generation_batch_size: 32
            num_generations: 8
            """,
        fixed="generation_batch_size: 64",
    ),
    Rule(
        "GRPO210",
        "rollout-prompts-divide-over-ranks",
        "The prompts of a rollout divide over the data-parallel ranks",
        "prompts_per_rollout % dp_size != 0",
        message="a rollout of {prompts_per_rollout} prompts{prompts_per_rollout.how} does not divide over {dp_size} data-parallel "
        "ranks{dp_size.how}",
        why="Every data-parallel rank gets the same number of prompts, each with all its completions.",
        instead="Make generation_batch_size / num_generations a multiple of processes / (tensor x pipeline x context parallel).",
        at=("completions_per_rollout", "group_size", "dp_size"),
        blocked_by=(
            "group-is-positive",
            "rollout-is-not-empty",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
        ),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            micro_batch_size: 1
            global_batch_size: 16
            num_generations: 4
            """,
        fixed="global_batch_size: 32",
        also_called=("constraint 1",),
    ),
    Rule(
        "GRPO211",
        "every-rank-gets-a-prompt",
        "Every data-parallel rank gets at least one prompt of a rollout",
        "prompts_per_rollout // dp_size < 1",
        message="a rollout of {prompts_per_rollout} prompts{prompts_per_rollout.how} does not reach all {dp_size} data-parallel "
        "ranks{dp_size.how}",
        why="A rank without a prompt has nothing to generate. The framework says 'must be greater than 1' in some versions; "
        "1 is enough.",
        instead="Raise global_batch_size or steps_per_generation, or lower num_generations.",
        at=("completions_per_rollout", "group_size", "dp_size"),
        blocked_by=(
            "rollout-holds-whole-groups",
            "rollout-prompts-divide-over-ranks",
            "group-is-positive",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
        ),
        example="""\
            # grpo-lint: dialect=megatron version=4.0.4 world-size=8
            rlhf_type: grpo
            micro_batch_size: 1
            global_batch_size: 8
            num_generations: 16
            """,
        fixed="num_generations: 1",
        also_called=("constraint 2",),
    ),
    Rule(
        "GRPO212",
        "rank-prompts-fill-micro-batches",
        "The rollout prompts of a rank are a multiple of the micro batch",
        "rollout_prompts_per_rank % micro_batch != 0",
        message="{rollout_prompts_per_rank} rollout prompts per rank{rollout_prompts_per_rank.how} are not a multiple of "
        "micro_batch_size {micro_batch}",
        why="Megatron-SWIFT hands a rank its prompts in units of micro_batch_size, although that key counts completions "
        "everywhere else.",
        instead="Lower micro_batch_size, or raise global_batch_size or steps_per_generation.",
        at=("micro_batch", "completions_per_rollout", "group_size"),
        blocked_by=(
            "rollout-prompts-divide-over-ranks",
            "every-rank-gets-a-prompt",
            "group-is-positive",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
        ),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            micro_batch_size: 2
            global_batch_size: 96
            num_generations: 4
            """,
        fixed="micro_batch_size: 1",
        also_called=("constraint 3",),
    ),
    Rule(
        "GRPO213",
        "every-process-gets-a-completion",
        "A rollout holds at least one completion per process",
        "completions_per_process < 1",
        message="a rollout of {completions_per_rollout} completions{completions_per_rollout.how} is smaller than the "
        "{world_size} processes",
        why="The ranks of one model replica share the completions of that replica's prompts; each needs at least one.",
        instead="Raise global_batch_size, steps_per_generation or num_generations.",
        at=("completions_per_rollout",),
        blocked_by=(
            "rollout-prompts-divide-over-ranks",
            "every-rank-gets-a-prompt",
            "rollout-is-not-empty",
            "group-is-positive",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
        ),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=16
            rlhf_type: grpo
            tensor_model_parallel_size: 8
            micro_batch_size: 1
            global_batch_size: 8
            num_generations: 4
            """,
        fixed="global_batch_size: 16",
        also_called=("constraint 7",),
    ),
    Rule(
        "GRPO214",
        "update-holds-whole-micro-batches",
        "An update is a whole number of micro batches on every rank",
        "completions_per_pass == 0 or completions_per_update % completions_per_pass != 0 or completions_per_update < completions_per_pass",
        message="global_batch_size {completions_per_update} is not a multiple of the {completions_per_pass} completions that one "
        "pass takes{completions_per_pass.how}",
        why="Megatron accumulates whole passes of micro_batch_size completions on every data-parallel rank.",
        instead="Set global_batch_size to a multiple of micro_batch_size x data-parallel ranks.",
        at=("completions_per_update", "micro_batch", "dp_size"),
        blocked_by=("model-parallel-divides-world", "micro-batch-is-not-zero", "batch-sizes-are-positive"),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            micro_batch_size: 4
            global_batch_size: 16
            steps_per_generation: 8
            num_generations: 4
            """,
        fixed="micro_batch_size: 1",
    ),
    Rule(
        "GRPO215",
        "rollout-divides-over-processes",
        "The completions of a rollout divide over the processes",
        "rollout_iterations < 1 or completions_per_replica != rollout_iterations * micro_batch * group_size",
        message="a rollout of {completions_per_rollout} completions{completions_per_rollout.how} does not divide over {world_size} "
        "processes: the {model_parallel_size} processes of a replica would gather {completions_per_replica} completions, "
        "their prompts make {completions_wanted_per_replica}",
        why="Nothing checks this when the run starts. The first rollout then dies in an assertion without a message.",
        instead="Make generation_batch_size a multiple of the number of processes.",
        at=("completions_per_rollout", "group_size", "model_parallel_size"),
        blocked_by=(
            "rollout-holds-whole-groups",
            "rollout-prompts-divide-over-ranks",
            "every-rank-gets-a-prompt",
            "rank-prompts-fill-micro-batches",
            "every-process-gets-a-completion",
            "rollout-is-not-empty",
            "group-is-positive",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
            "batch-sizes-are-positive",
        ),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            tensor_model_parallel_size: 2
            micro_batch_size: 1
            global_batch_size: 12
            num_generations: 3
            """,
        fixed="global_batch_size: 24",
    ),
    Rule(
        "GRPO216",
        "update-gives-ranks-whole-prompts",
        "An update holds whole micro batches of prompts for every rank",
        "global_batch_size % (group_size * dp_size * micro_batch) != 0",
        message="an update gives every data-parallel rank {update_prompts_per_rank} prompts{update_prompts_per_rank.how}, not a "
        "positive multiple of micro_batch_size {micro_batch}",
        why="The framework documents this requirement but does not enforce it when a run starts: training works without it. "
        "With a validation set, ms-swift 4.4 and later die in the first evaluation.",
        instead="Raise global_batch_size to a multiple of num_generations x data-parallel ranks x micro_batch_size. Raising "
        "steps_per_generation does not help: it does not change the update.",
        at=("completions_per_update", "group_size", "micro_batch"),
        harm="warning",
        blocked_by=(
            "evaluation-divides-over-ranks",
            "group-is-positive",
            "update-holds-whole-micro-batches",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
            "rollout-is-not-empty",
            "batch-sizes-are-positive",
        ),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=16
            rlhf_type: grpo
            tensor_model_parallel_size: 2
            micro_batch_size: 1
            global_batch_size: 16
            steps_per_generation: 2
            num_generations: 4
            """,
        fixed="global_batch_size: 32",
        also_called=("constraint 4", "num_prompts_per_dp_group"),
    ),
    Rule(
        "GRPO217",
        "real-loss-holds-whole-groups",
        "The real loss sees whole groups in a micro batch",
        "loss_type == 'real' and micro_batch % group_size != 0",
        only_with=("loss_type",),
        message="loss_type real needs whole groups in a micro batch: micro_batch_size {micro_batch} is not a multiple of "
        "num_generations {group_size}",
        why="This loss compares the completions of a group inside one forward pass.",
        instead="Set micro_batch_size to a multiple of num_generations, or use another loss_type.",
        at=("micro_batch", "group_size"),
        blocked_by=("group-is-positive",),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            loss_type: real
            micro_batch_size: 2
            global_batch_size: 64
            num_generations: 4
            """,
        fixed="micro_batch_size: 4\nglobal_batch_size: 128",
    ),
    Rule(
        "GRPO218",
        "batch-size-is-fixed",
        "The batch size is not searched at run time",
        "auto_find_batch_size",
        only_with=("auto_find_batch_size",),
        message="auto_find_batch_size is on: these versions refuse it, because a halved batch would no longer hold whole groups",
        why="The search halves per_device_train_batch_size after an out-of-memory error. The rollout would then cut groups.",
        instead="Remove auto_find_batch_size and choose per_device_train_batch_size by hand.",
        at=("auto_find_batch_size",),
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=1
            per_device_train_batch_size: 8
            num_generations: 8
            auto_find_batch_size: true
            """,
        fixed="auto_find_batch_size: false",
    ),
    Rule(
        "GRPO219",
        "rollout-takes-steps",
        "A rollout takes at least one step",
        "steps_per_rollout < 1",
        message="a rollout would take {steps_per_rollout} steps{steps_per_rollout.how}",
        why="A rollout is consumed step by step; without a step it is never used.",
        instead="Set steps_per_generation to 1 or more.",
        at=("steps_per_rollout",),
        blocked_by=(
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "rollout-holds-whole-steps",
            "rollout-holds-whole-updates",
        ),
        example="""\
            # grpo-lint: dialect=swift version=4.6.0 world-size=1
            rlhf_type: grpo
            per_device_train_batch_size: 8
            steps_per_generation: 0
            num_generations: 8
            """,
        fixed="steps_per_generation: 1",
    ),
    Rule(
        "GRPO220",
        "micro-batch-is-not-zero",
        "The micro batch is not zero",
        "micro_batch == 0",
        message="micro_batch_size is 0",
        why="The prompts of a rank are divided by it.",
        instead="Set micro_batch_size to 1 or more.",
        at=("micro_batch",),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            micro_batch_size: 0
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="micro_batch_size: 1",
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
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=1
            per_device_train_batch_size: 8
            gradient_accumulation_steps: -1
            steps_per_generation: 1
            num_generations: 8
            """,
        fixed="gradient_accumulation_steps: 1",
    ),
)
