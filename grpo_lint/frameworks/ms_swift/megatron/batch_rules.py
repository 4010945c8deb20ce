"""The arithmetic of batches and of parallel sizes that only Megatron-SWIFT has: GRPO2xx, GRPO3xx and GRPO4xx."""

from ....rules.base import Rule

BY_ZERO = "integer modulo by zero"
DIVISION_BY_ZERO = "integer division or modulo by zero"
NOT_ON_ALL_RANKS = (
    "num_rollout_prompt (...) = generation_batch_size (...) // num_generations (...) must be divisible by dp_size (...)"
)
NO_PROMPT_PER_RANK = "per_device_num_rollout_prompt (...) must be greater than 1"
_NO_MESSAGE = "AssertionError (without a message)"

# What has to be corrected first: the sizes that determine a rollout, and how it is split over ranks and processes.
_SIZES = ("group-is-positive", "rollout-size-set-once", "rollout-sizes-agree", "model-parallel-divides-world")
_SPLIT_OF_ROLLOUT = (
    "rollout-holds-whole-groups",
    "rollout-prompts-divide-over-ranks",
    "every-rank-gets-a-prompt",
    "rank-prompts-fill-micro-batches",
    "every-process-gets-a-completion",
)

RULES = (
    Rule(
        "GRPO205",
        "rollout-holds-whole-updates",
        "A rollout is a whole number of updates",
        "global_batch_size == 0 or generation_batch_size % global_batch_size != 0",
        only_with=("generation_batch_size",),
        message="generation_batch_size {generation_batch_size} is not a multiple of global_batch_size {global_batch_size}",
        why="Megatron uses a rollout in whole updates of global_batch_size completions.",
        instead="Set generation_batch_size to a multiple of global_batch_size, or leave it out and set steps_per_generation.",
        at=("generation_batch_size", "global_batch_size"),
        blocked_by=("rollout-size-set-once", "rollout-sizes-agree"),
        also_called=("constraint 5",),
        enforced=(
            ("3.11.0", None, "config", "generation_batch_size (...) must be divisible by global_batch_size (...)"),
        ),
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
        blocked_by=("rollout-is-not-empty", *_SIZES),
        also_called=("constraint 1",),
        enforced=(("3.11.0", None, "config", NOT_ON_ALL_RANKS),),
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
        blocked_by=("rollout-holds-whole-groups", "rollout-prompts-divide-over-ranks", *_SIZES),
        also_called=("constraint 2",),
        enforced=(
            ("3.11.0", "4.1", "config", NO_PROMPT_PER_RANK),
            ("4.2", None, "config", "per_device_num_rollout_prompt (...) must be >= 1"),
        ),
    ),
    Rule(
        "GRPO212",
        "rank-prompts-fill-micro-batches",
        "The rollout prompts of a rank are a multiple of the micro batch",
        "rollout_prompts_per_rank % micro_batch != 0",
        message="{rollout_prompts_per_rank} rollout prompts per rank{rollout_prompts_per_rank.how} are not a multiple of "
        "micro_batch_size {micro_batch}",
        why="Megatron-SWIFT gives a rank its prompts in units of micro_batch_size, although this key counts completions everywhere else.",
        instead="Lower micro_batch_size, or raise global_batch_size or steps_per_generation.",
        at=("micro_batch", "completions_per_rollout", "group_size"),
        blocked_by=("rollout-prompts-divide-over-ranks", "every-rank-gets-a-prompt", *_SIZES),
        also_called=("constraint 3",),
        enforced=(
            (
                "3.11.0",
                None,
                "config",
                "Per-device rollout prompt count (...) must be divisible by micro_batch_size (...)",
            ),
        ),
    ),
    Rule(
        "GRPO213",
        "every-process-gets-a-completion",
        "A rollout holds at least one completion per process",
        "completions_per_process < 1",
        message="a rollout of {completions_per_rollout} completions{completions_per_rollout.how} is smaller than the "
        "{world_size} processes",
        why="The ranks of a model replica share the completions of its prompts, and each rank needs at least one.",
        instead="Raise global_batch_size, steps_per_generation or num_generations.",
        at=("completions_per_rollout",),
        blocked_by=("rollout-prompts-divide-over-ranks", "every-rank-gets-a-prompt", "rollout-is-not-empty", *_SIZES),
        also_called=("constraint 7",),
        enforced=(
            ("3.11.0", "4.1", "config", f"per_device_generation_batch_size (...) must be greater than 1 / {BY_ZERO}"),
            ("4.2", None, "config", f"per_device_generation_batch_size (...) must be >= 1 / {BY_ZERO}"),
        ),
    ),
    Rule(
        "GRPO214",
        "update-holds-whole-micro-batches",
        "An update is a whole number of micro batches on every rank",
        "completions_per_pass == 0 or completions_per_update % completions_per_pass != 0 or completions_per_update < 1",
        message="global_batch_size {completions_per_update} is not a multiple of the {completions_per_pass} completions that one "
        "micro step takes{completions_per_pass.how}",
        why="Megatron accumulates whole micro steps of micro_batch_size completions on every data-parallel rank.",
        instead="Set global_batch_size to a multiple of micro_batch_size x data-parallel ranks.",
        at=("completions_per_update", "micro_batch", "dp_size"),
        blocked_by=("model-parallel-divides-world", "micro-batch-is-not-zero", "batch-sizes-are-positive"),
        enforced=(
            (
                "3.11.0",
                None,
                "init",
                "global batch size (...) is not divisible by micro batch size (...) times data parallel size (...)",
            ),
        ),
    ),
    Rule(
        "GRPO215",
        "rollout-divides-over-processes",
        "The completions of a rollout divide over the processes",
        "rollout_iterations < 1 or completions_per_replica != rollout_iterations * micro_batch * group_size",
        message="{completions_per_rollout} completions of a rollout{completions_per_rollout.how} do not divide over {world_size} processes: a replica of {model_parallel_size} gets {completions_per_replica} completions, not {completions_wanted_per_replica}",
        why="The arguments are checked for whole prompts on each data-parallel rank, and not for whole completions on each process: that is asserted in the first rollout, without a message.",
        instead="Make generation_batch_size a multiple of the number of processes.",
        at=("completions_per_rollout", "group_size", "model_parallel_size"),
        blocked_by=("rollout-is-not-empty", "batch-sizes-are-positive", *_SPLIT_OF_ROLLOUT, *_SIZES),
        enforced=(("3.11.0", None, "run", _NO_MESSAGE, "in the first rollout"),),
    ),
    Rule(
        "GRPO216",
        "update-gives-ranks-whole-prompts",
        "An update holds whole micro batches of prompts for every rank",
        "global_batch_size % (group_size * dp_size * micro_batch) != 0",
        message="an update gives every data-parallel rank {update_prompts_per_rank} prompts{update_prompts_per_rank.how}, not a "
        "positive multiple of micro_batch_size {micro_batch}",
        why="The framework documents this requirement, but no release checks it when a run starts. Training does as the file says. From ms-swift 4.4 on an evaluation is split by the sizes of an update: with a validation set, the first evaluation fails.",
        instead="Raise global_batch_size to a multiple of num_generations x data-parallel ranks x micro_batch_size. Raising "
        "steps_per_generation does not help: it does not change the update.",
        at=("completions_per_update", "group_size", "micro_batch"),
        harm="warning",
        blocked_by=(
            "evaluation-divides-over-ranks",
            "update-holds-whole-micro-batches",
            "rollout-is-not-empty",
            "batch-sizes-are-positive",
            *_SIZES,
        ),
        also_called=("constraint 4", "num_prompts_per_dp_group"),
        enforced=(
            (
                "3.11.0",
                "4.3",
                "never",
                "",
                "no harm, only its documentation asks for it",
            ),
            (
                "4.4",
                None,
                "never",
                "",
                "the first evaluation may die of it",
            ),
        ),
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
        enforced=(
            (
                "4.2",
                None,
                "config",
                "REAL loss requires that the training micro_batch_size (...) is a multiple of num_generations (...)",
            ),
        ),
    ),
    Rule(
        "GRPO220",
        "micro-batch-is-not-zero",
        "The micro batch is not zero",
        "micro_batch == 0",
        message="micro_batch_size is 0, but must be 1 or more",
        why="The prompts of a rank are divided by the micro batch.",
        instead="Set micro_batch_size to 1 or more.",
        at=("micro_batch",),
        enforced=(("3.11.0", None, "config", BY_ZERO),),
    ),
    Rule(
        "GRPO303",
        "evaluation-divides-over-ranks",
        "The evaluation rollout divides over the data-parallel ranks",
        "evaluates and (eval_iterations < 1 or eval_completions_per_replica != eval_iterations * micro_batch * eval_group_size)",
        message="the first evaluation cannot split a replica's {eval_completions_per_replica} completions in groups of {eval_group_size} into {eval_iterations} passes of {micro_batch} prompts{eval_iterations.how}",
        special={
            "eval_iterations < 1": "the first evaluation has no whole pass: {eval_completions_per_replica} completions per replica, fewer than {micro_batch} prompts x {eval_group_size}"
        },
        why="Training starts and runs until the first evaluation, possibly for hours, and dies there.",
        instead="Raise global_batch_size to a multiple of the evaluation group x data-parallel ranks x micro_batch_size.",
        at=("completions_per_update", "eval_group_size", "micro_batch"),
        blocked_by=(
            "rollout-divides-over-processes",
            "update-holds-whole-micro-batches",
            "rollout-is-not-empty",
            "batch-sizes-are-positive",
            *_SPLIT_OF_ROLLOUT,
            *_SIZES,
        ),
        enforced=(
            ("3.11.0", "4.3", "run", _NO_MESSAGE, "in the first evaluation"),
            (
                "4.4",
                None,
                "run",
                "num_iters_per_step=0 <= 0. This means no prompts will be generated / num_prompts_per_dp_group (...) "
                "must be divisible by micro_batch_size (...)",
                "in the first evaluation",
            ),
        ),
    ),
    Rule(
        "GRPO402",
        "expert-parallel-divides-world",
        "Expert x expert-tensor x pipeline parallel divides the number of processes",
        "world_size % expert_parallel_size != 0",
        message="{world_size} processes cannot be divided into expert groups of {expert_parallel_size}{expert_parallel_size.how}",
        why="The experts have their own grid of processes. Unless it is set, expert_tensor_parallel_size is 1; it does not follow tensor_model_parallel_size.",
        instead="Lower expert_model_parallel_size, or start a multiple of the product.",
        at=("expert_parallel_size",),
        blocked_by=("parallel-sizes-are-positive", "model-parallel-divides-world"),
        enforced=(
            (
                "3.11.0",
                None,
                "init",
                "world_size (...) is not divisible by expert_tensor_model_pipeline_parallel size (...)",
            ),
        ),
    ),
    Rule(
        "GRPO404",
        "parallel-sizes-are-positive",
        "Parallel sizes are at least 1",
        "smallest_parallel_size < 1",
        message="a parallel size of {smallest_parallel_size} is below 1{smallest_parallel_size.how}",
        why="A parallel size counts processes.",
        instead="Set the size to 1 or more.",
        at=("smallest_parallel_size",),
        enforced=(("3.11.0", None, "config", DIVISION_BY_ZERO),),
    ),
    Rule(
        "GRPO405",
        "virtual-pipeline-has-a-pipeline",
        "Virtual pipeline stages need a pipeline",
        "virtual_stages != 1 and pipeline_model_parallel_size <= 1",
        with_any=("virtual_pipeline_model_parallel_size", "pipeline_model_parallel_layout"),
        message="{virtual_stages} virtual stages need more than {pipeline_model_parallel_size} pipeline stage",
        why="Virtual stages interleave the layers of several pipeline stages.",
        instead="Remove virtual_pipeline_model_parallel_size, or set pipeline_model_parallel_size to 2 or more.",
        at=("virtual_stages", "pipeline_model_parallel_size"),
        blocked_by=("parallel-sizes-are-positive", "layout-has-known-layers", "layout-fits-the-pipeline"),
        cure={"virtual_pipeline_model_parallel_size": 1},
        enforced=(
            ("3.11.0", None, "init", "pipeline-model-parallel size should be greater than 1 with interleaved schedule"),
        ),
    ),
    Rule(
        "GRPO406",
        "uneven-pipeline-has-a-pipeline",
        "An uneven split of layers needs a pipeline",
        "uneven_pipeline and pipeline_model_parallel_size <= 1",
        message="decoder_first_pipeline_num_layers and decoder_last_pipeline_num_layers need more than "
        "{pipeline_model_parallel_size} pipeline stage",
        why="The two keys are the numbers of layers of the first and the last stage. A single stage holds all layers.",
        instead="Remove the keys, or set pipeline_model_parallel_size to 2 or more.",
        at=("uneven_pipeline", "pipeline_model_parallel_size"),
        blocked_by=("parallel-sizes-are-positive",),
        cure={},
        enforced=(
            (
                "3.11.0",
                None,
                "config",
                "pipeline_model_parallel_size must be greater than 1 if you want to set "
                "decoder_first_pipeline_num_layers or decoder_last_pipeline_num_layers",
            ),
        ),
    ),
    Rule(
        "GRPO407",
        "frozen-share-needs-one-stage",
        "freeze_parameters_ratio needs a model on one pipeline stage",
        "freeze_parameters_ratio > 0 and freeze_parameters_ratio < 1 and pipeline_model_parallel_size > 1",
        only_with=("freeze_parameters_ratio",),
        message="freeze_parameters_ratio {freeze_parameters_ratio} is not possible with {pipeline_model_parallel_size} pipeline stages",
        why="A stage holds some of the layers, and cannot know which share of the whole model they are.",
        instead="Name what to freeze with freeze_parameters, or set pipeline_model_parallel_size to 1.",
        at=("freeze_parameters_ratio", "pipeline_model_parallel_size"),
        cure={},
        enforced=(
            (
                "3.11.0",
                None,
                "config",
                "`freeze_parameters_ratio` is not supported when `pipeline_model_parallel_size` > 1",
            ),
        ),
    ),
)
