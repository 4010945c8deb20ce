"""Fields of transformers' `TrainingArguments` that only some of its releases have, or that they read differently.

A trainer whose argument class derives from it has these fields as the installed release of transformers declares them.
They were read from `training_args.py` of the releases before and after every change.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..catalogue import CompanionFields

    Key = tuple[int, ...]

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
# from 5.0 a fraction of all steps is accepted as well as a whole number of them
_CHANGED = ("warmup_steps",)


def _laid_out() -> "CompanionFields":
    came = {name: key for key, names in _CAME.items() for name in names.split()}
    went = {name: key for key, names in _WENT.items() for name in names.split()}
    return {name: ("transformers", came.get(name), went.get(name)) for name in (*came, *went, *_CHANGED)}


TRAINING_ARGUMENTS = _laid_out()
