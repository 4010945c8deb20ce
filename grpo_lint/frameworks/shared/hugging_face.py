"""What the training arguments of transformers refuse in every trainer and version that has them."""

from ..by_release import Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.shape import Shape

# The documented names of plan quantities in a trainer that counts passes.
OWN_NAMES = {
    "completions_per_rollout": "generation_batch_size",
    "completions_per_update": "train_batch_size",
    "micro_steps_of_data": "total_prompt_data_size",
    "steps_per_rollout": "steps_per_generation",
    "total_steps": "max_steps",
}

_REFUSED = {
    "logging-has-steps": "logging strategy IntervalStrategy.STEPS requires non-zero --logging_steps",
    "logging-steps-are-whole": "--logging_steps must be an integer if bigger than 1: ...",
    "evaluation-steps-are-whole": "--eval_steps must be an integer if bigger than 1: ...",
    "save-steps-are-whole": "--save_steps must be an integer if bigger than 1: ...",
    "evaluation-has-steps": "evaluation strategy IntervalStrategy.STEPS requires either non-zero --eval_steps or --logging_steps",
    "best-model-is-evaluated-when-saved": "--load_best_model_at_end requires the save and eval strategy to match..., but found",
    "best-model-steps-fit": "--load_best_model_at_end requires the saving steps to be a ...multiple of the evaluation steps, ...",
    "one-half-precision": "At most one of fp16 and bf16 can be True, but not both",
    "one-half-precision-in-evaluation": "At most one of fp16 and bf16 can be True for full eval, but not both",
    "prefetching-has-workers": "--dataloader_prefetch_factor can only be set when data is loaded in a different process, i.e. when "
    "--dataloader_num_workers > ...",
    "schedule-has-scores": "lr_scheduler_type ... requires an eval strategy",
}


def rows_of_arguments(since: str) -> "tuple[Enforcement, ...]":
    """The rows of a trainer whose first version is `since`."""
    return tuple(Enforcement(rule, since, None, "config", wording) for rule, wording in _REFUSED.items())


def passes_of(shape: "Shape", has_steps: bool) -> "dict[str, object] | None":
    """The settings of a trainer that counts passes, for batches of a shape; `has_steps`: whether a rollout may be
    longer than an update. None where that is impossible: it spreads no copy of the model over processes."""
    if shape.ranks != shape.processes or not shape.passes or (shape.updates > 1 and not has_steps):
        return None
    settings: dict[str, object] = {
        "per_device_train_batch_size": shape.micro,
        "gradient_accumulation_steps": shape.passes,
        "num_generations": shape.group,
    }
    if shape.updates > 1:
        settings["steps_per_generation"] = shape.passes * shape.updates
    return settings
