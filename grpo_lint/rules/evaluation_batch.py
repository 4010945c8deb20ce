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
        why="Evaluation generates a whole group for every prompt too, and takes it in batches of "
        "per_device_eval_batch_size x processes.",
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
        why="There is nothing to evaluate on, and 0 passes a test for multiples.",
        instead="Set per_device_eval_batch_size to the group size.",
        at=("per_device_eval_batch_size",),
        harm="warning",
        blocked_by=("group-is-positive",),
    ),
    Rule(
        "GRPO303",
        "evaluation-divides-over-ranks",
        "The evaluation rollout divides over the data-parallel ranks",
        "evaluates and (eval_iterations < 1 or eval_completions_per_replica != eval_iterations * micro_batch * eval_group_size)",
        message="the first evaluation cannot split its batch: it makes {eval_iterations} passes of {micro_batch} prompts on every "
        "data-parallel rank{eval_iterations.how}, but a replica holds {eval_completions_per_replica} completions, no multiple "
        "of {eval_group_size} for every prompt",
        special={
            "eval_iterations < 1": "the first evaluation has no whole pass: a replica holds {eval_completions_per_replica} completions, "
            "and one pass takes {micro_batch} prompts x {eval_group_size} completions"
        },
        why="Training starts and runs until the first evaluation, possibly for hours, and dies there.",
        instead="Raise global_batch_size to a multiple of the evaluation group x data-parallel ranks x micro_batch_size.",
        at=("completions_per_update", "eval_group_size", "micro_batch"),
        blocked_by=(
            "rollout-divides-over-processes",
            "rollout-holds-whole-groups",
            "rollout-prompts-divide-over-ranks",
            "every-rank-gets-a-prompt",
            "rank-prompts-fill-micro-batches",
            "every-process-gets-a-completion",
            "update-holds-whole-micro-batches",
            "rollout-is-not-empty",
            "group-is-positive",
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "model-parallel-divides-world",
            "batch-sizes-are-positive",
        ),
    ),
    Rule(
        "GRPO304",
        "evaluation-holds-whole-training-groups",
        "The evaluation batch holds whole training groups where an older TRL checks it",
        "evaluates and trl_checks_evaluation and eval_completions % group_size != 0",
        message="an evaluation batch of {eval_completions} completions{eval_completions.how} does not hold whole groups of "
        "{group_size}: TRL before 0.26 tests it against num_generations and does not know num_generations_eval",
        why="ms-swift hands its arguments to TRL's config class first, and TRL before 0.26 compares with the training group.",
        instead="Make the evaluation batch a multiple of num_generations, or install TRL 0.26 or newer.",
        at=("per_device_eval_batch_size", "group_size"),
        blocked_by=("group-is-positive", "evaluation-is-not-empty", "evaluation-holds-whole-groups"),
    ),
    Rule(
        "GRPO305",
        "evaluation-group-is-positive",
        "The group of an evaluation has a size",
        "evaluates and num_generations_eval < 0",
        only_with=("num_generations_eval",),
        message="num_generations_eval is {num_generations_eval}",
        why="It counts the completions of a prompt. 0 stands for num_generations.",
        instead="Remove num_generations_eval, or set it to 1 or more.",
        at=("num_generations_eval",),
        blocked_by=("evaluation-holds-whole-groups",),
    ),
)
