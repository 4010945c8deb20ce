"""What the training arguments of transformers refuse in every trainer and version that has them."""

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
