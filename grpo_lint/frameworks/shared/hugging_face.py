"""What the training arguments of transformers refuse in every trainer and version that has them."""

from ...plan.formula import Reading, beyond, calculation, is_text
from ..by_release import Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import CompanionFields, Shape, Table

    Key = tuple[int, ...]
# The documented names of plan quantities in a trainer that counts passes.
OWN_NAMES = {
    "completions_per_rollout": "generation_batch_size",
    "completions_per_update": "train_batch_size",
    "micro_steps_of_data": "total_prompt_data_size",
    "steps_per_rollout": "steps_per_generation",
    "total_steps": "max_steps",
}

# The loader's batches, each a micro step of all processes.
STEPS_OF = "{0} // completions_per_step if drops_last else ceil({0} / completions_per_step)"
# The loader of TRL 0.16 to 0.19 announces more micro steps than the sampler feeds it.
ANNOUNCED_STEPS: "Table" = {
    "micro_steps_per_epoch": STEPS_OF.format("completions_announced"),
    "epochs_run": "ceil(max_steps / steps_per_epoch) if max_steps > 0 else ceil(num_train_epochs)",
    "updates_taken_per_epoch": "micro_steps_taken_per_epoch // accumulation + int(ends_on_partial_update)",
    "executed_steps": "min(total_steps, epochs_run * updates_taken_per_epoch)",
}
ANNOUNCED_ROWS: "Table" = {
    "completions_announced": "completions_per_epoch * num_iterations",
    "completions_taken": "rows_used * group_size * num_iterations",
    "ends_on_partial_update": "micro_steps_taken_per_epoch == micro_steps_per_epoch and micro_steps_taken_per_epoch % accumulation > 0",
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


def passes_of(shape: "Shape", has_steps: bool, parts: str = "") -> "dict[str, object] | None":
    """The settings of a trainer that counts passes, for batches of a shape; `has_steps`: whether a rollout may be
    longer than an update; `parts`: the setting that spreads a sequence over processes, empty for none, which multiplies the
    passes. None where that is impossible: it spreads no copy of the model in another way."""
    shared = shape.context if parts else 1
    passes, rest = divmod(shape.passes, shared)
    if shape.ranks * shared != shape.processes or rest or not passes or (shape.updates > 1 and not has_steps):
        return None
    settings: dict[str, object] = {
        "per_device_train_batch_size": shape.micro,
        "gradient_accumulation_steps": passes,
        "num_generations": shape.group,
    }
    if shape.updates > 1:
        settings["steps_per_generation"] = passes * shape.updates
    if shared > 1:
        settings[parts] = shared
    return settings


# --- fields -------------------------------------------------------------------------------------------------------------

# Fields of transformers' `TrainingArguments` that only some of its releases have, or that they read differently.
#
# A trainer whose argument class derives from it has these fields as the installed release of transformers declares them.
# They were read from `training_args.py` of the releases before and after every change.

_CAME: "dict[Key, str]" = {  # {first release with them: fields}
    (4, 50): "tp_size",
    (4, 57): "project trackio_space_id",
    (5, 0): "enable_jit_checkpoint use_cache",
    (5, 2): "train_sampling_strategy",
    (5, 15): "dataloader_in_order dataloader_multiprocessing_context",
}
_WENT: "dict[Key, str]" = {  # {first release without them: fields}
    (4, 51): "dispatch_batches evaluation_strategy split_batches",
    (4, 52): "tp_size",
    (5, 0): (
        "adafactor fp16_backend fp16_opt_level fsdp_min_num_params fsdp_transformer_layer_cls_to_wrap half_precision_backend "
        "include_inputs_for_metrics include_tokens_per_second jit_mode_eval mp_parameters no_cuda overwrite_output_dir past_index "
        "per_gpu_eval_batch_size per_gpu_train_batch_size push_to_hub_model_id push_to_hub_organization push_to_hub_token ray_scope "
        "save_safetensors torchdynamo tpu_metrics_debug tpu_num_cores use_legacy_prediction_loop use_mps_device"
    ),
    (5, 2): "group_by_length",
    (5, 15): "logging_dir warmup_ratio",
}
# from 5.0 a fraction of all steps is accepted as well as a whole number of them; from 4.57 null stands for no sharding
_CHANGED = ("warmup_steps", "fsdp")


def _laid_out() -> "CompanionFields":
    came = {name: key for key, names in _CAME.items() for name in names.split()}
    went = {name: key for key, names in _WENT.items() for name in names.split()}
    return {name: ("transformers", came.get(name), went.get(name)) for name in (*came, *went, *_CHANGED)}


TRAINING_ARGUMENTS = _laid_out()

# What the schedules of transformers take from lr_scheduler_kwargs.
_OPTIONS_OF_SCHEDULES: "dict[str, frozenset[str]]" = {
    "linear": frozenset(),
    "cosine": frozenset(("num_cycles", "last_epoch")),
    "cosine_with_restarts": frozenset(("num_cycles", "last_epoch")),
    "polynomial": frozenset(("lr_end", "power", "last_epoch")),
    "inverse_sqrt": frozenset(("timescale", "last_epoch")),
    "cosine_with_min_lr": frozenset(("num_cycles", "last_epoch", "min_lr", "min_lr_rate")),
    "cosine_warmup_with_min_lr": frozenset(("num_cycles", "last_epoch", "min_lr", "min_lr_rate", "warmup_lr_rate")),
    "reduce_lr_on_plateau": frozenset(
        "mode factor patience threshold threshold_mode cooldown min_lr eps verbose".split()
    ),
    "warmup_stable_decay": frozenset(
        "num_decay_steps num_stable_steps num_training_steps warmup_type decay_type min_lr_ratio num_cycles "
        "last_epoch".split()
    ),
}


def _unknown_schedule_options(read: Reading) -> str:
    """The keys of lr_scheduler_kwargs that the schedule lr_scheduler_type does not take."""
    return beyond(read.schedule_options, _OPTIONS_OF_SCHEDULES[read.lr_scheduler_type])


def _warmup_shape(read: Reading) -> object:
    """warmup_type of lr_scheduler_kwargs, linear where it is not there."""
    return read.schedule_options.get("warmup_type", "linear")


def _decay_shape(read: Reading) -> object:
    """decay_type of lr_scheduler_kwargs, linear where it is not there."""
    return read.schedule_options.get("decay_type", "linear")


def _unknown_shapes(read: Reading) -> str:
    """The shapes of a schedule that are none of linear, cosine, 1-sqrt."""
    return beyond((read.warmup_shape, read.decay_shape), ("linear", "cosine", "1-sqrt"))


def _minimal_rates(read: Reading) -> int:
    """How many of min_lr and min_lr_rate lr_scheduler_kwargs sets."""
    options = read.schedule_options
    return sum(1 for name in ("min_lr", "min_lr_rate") if name in options and options[name] is not None)


def _minimal_rate_is_text(read: Reading) -> bool:
    """Whether min_lr, or min_lr_rate in its place, is a text."""
    options = read.schedule_options
    return next((is_text(options[name]) for name in ("min_lr", "min_lr_rate") if name in options), False)


def _schedule_end(read: Reading) -> object:
    """lr_end of lr_scheduler_kwargs, 1e-7 where it is not there."""
    return read.schedule_options.get("lr_end", 1e-7)


def _schedule_lacks_steps(read: Reading) -> bool:
    """Whether lr_scheduler_kwargs lacks the steps that warmup_stable_decay needs."""
    options = read.schedule_options
    return "num_decay_steps" not in options or ("num_stable_steps" not in options and read.needs_stable_steps)


# Operands of the rules about schedules: {name: formulas}.
SCHEDULE: "Table" = {
    "schedule_options": ("lr_scheduler_kwargs", "{}"),
    "unknown_schedule_options": calculation(_unknown_schedule_options),
    "has_minimal_rate": "lr_scheduler_type == 'cosine_with_min_lr' or lr_scheduler_type == 'cosine_warmup_with_min_lr'",
    "warmup_shape": calculation(_warmup_shape),
    "decay_shape": calculation(_decay_shape),
    "unknown_shapes": calculation(_unknown_shapes),
    "inverse_sqrt_takes_options": "transformers_minor >= 504",
    "minimal_rates": calculation(_minimal_rates),
    "minimal_rate_is_text": calculation(_minimal_rate_is_text),
    "schedule_end": calculation(_schedule_end),
    "schedule_lacks_steps": calculation(_schedule_lacks_steps),
    "needs_stable_steps": "transformers_minor < 449",
}
