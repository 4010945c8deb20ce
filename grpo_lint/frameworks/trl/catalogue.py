"""The fields of trl 0.14.0 to 1.16.0; groups: grpo, rloo, script, model, mixture.

Generated from the released packages; do not edit. To write it again:

    python conformance/catalogue.py --environments DIR --dumps DIR trl

FIELDS: name -> spans; a span is (groups, first, last, type, default) or (groups, first, last, type, default,
choices), where first and last are indices into RELEASES, both included. COMPANIONS is parallel to RELEASES.
"""

RELEASES = (
    "0.14.0", "0.15.2", "0.16.1", "0.17.0", "0.18.2", "0.19.1", "0.20.0", "0.21.0", "0.22.2", "0.23.1", "0.24.0",
    "0.25.1", "0.26.2", "0.27.2", "0.28.0", "0.29.1", "1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.1", "1.6.0",
    "1.7.1", "1.8.0", "1.9.2", "1.10.0", "1.11.0", "1.12.0", "1.13.0", "1.14.2", "1.15.0", "1.16.0",
)
COMPANIONS = (
    {"transformers": "4.48.3"}, {"transformers": "4.49.0"}, {"transformers": "4.50.3"}, {"transformers": "4.51.3"},
    {"transformers": "4.52.4"}, {"transformers": "4.53.2"}, {"transformers": "4.54.1"}, {"transformers": "4.55.4"},
    {"transformers": "4.56.2"}, {"transformers": "4.56.2"}, {"transformers": "4.57.1"}, {"transformers": "4.57.1"},
    {"transformers": "4.57.3"}, {"transformers": "4.57.6"}, {"transformers": "5.1.0"}, {"transformers": "5.2.0"},
    {"transformers": "5.4.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"},
    {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"},
    {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"},
    {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"}, {"transformers": "5.23.0"},
    {"transformers": "5.23.0"},
)
REQUIRED = "<required>"  # the default of a field that has none

FIELDS: "dict[str, object]" = {
    "accelerator_config": (
        ("grpo", 0, 32, "str|dict?", None),
        ("rloo", 8, 32, "str|dict?", None),
    ),
    "activation_checkpointing": (("grpo rloo", 17, 32, "bool?", None),),
    "activation_checkpointing_kwargs": (("grpo rloo", 17, 32, "str|dict?", None),),
    "adafactor": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "adam_beta1": (
        ("grpo", 0, 32, "float", 0.9),
        ("rloo", 8, 32, "float", 0.9),
    ),
    "adam_beta2": (
        ("grpo", 0, 32, "float", 0.999),
        ("rloo", 8, 32, "float", 0.999),
    ),
    "adam_epsilon": (
        ("grpo", 0, 32, "float", 1e-08),
        ("rloo", 8, 32, "float", 1e-08),
    ),
    "attn_implementation": (("model", 0, 32, "str?", None),),
    "auto_find_batch_size": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "average_tokens_across_devices": (
        ("grpo", 0, 5, "bool?", False),
        ("grpo", 6, 9, "bool?", True),
        ("rloo", 8, 9, "bool?", True),
        ("grpo rloo", 10, 32, "bool", True),
    ),
    "batch_eval_metrics": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "beta": (
        ("grpo", 0, 4, "float", 0.04),
        ("grpo", 5, 32, "float", 0.0),
        ("rloo", 8, 32, "float", 0.05),
    ),
    "bf16": (
        ("grpo", 0, 4, "bool", False),
        ("grpo", 5, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "bf16_full_eval": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "bnb_4bit_quant_storage": (("model", 12, 32, "str?", None),),
    "bnb_4bit_quant_type": (("model", 0, 32, "str", "nf4", ("fp4", "nf4")),),
    "cache_implementation": (
        ("grpo", 2, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "cast_lm_head_to_fp32": (("grpo", 11, 32, "bool", False),),
    "chat_template_kwargs": (
        ("grpo rloo", 11, 26, "dict?", None),
        ("grpo rloo", 27, 32, "str|dict?", None),
    ),
    "cliprange": (("rloo", 8, 10, "float?", None),),
    "data_seed": (
        ("grpo", 0, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "dataloader_drop_last": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "dataloader_in_order": (("grpo rloo", 17, 32, "bool", True),),
    "dataloader_multiprocessing_context": (("grpo rloo", 17, 32, "str?", None, ("fork", "spawn", "forkserver")),),
    "dataloader_num_workers": (
        ("grpo", 0, 32, "int", 0),
        ("rloo", 8, 32, "int", 0),
    ),
    "dataloader_persistent_workers": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "dataloader_pin_memory": (
        ("grpo", 0, 32, "bool", True),
        ("rloo", 8, 32, "bool", True),
    ),
    "dataloader_prefetch_factor": (
        ("grpo", 0, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "dataset_config": (("script", 0, 32, "str?", None),),
    "dataset_name": (
        ("script", 0, 3, "str", "<required>"),
        ("script", 4, 32, "str?", None),
    ),
    "dataset_num_proc": (("rloo", 8, 10, "int?", None),),
    "dataset_streaming": (("script", 5, 32, "bool", False),),
    "dataset_test_split": (("script", 0, 32, "str", "test"),),
    "dataset_train_split": (("script", 0, 32, "str", "train"),),
    "datasets": (("mixture", 8, 32, "list[any]", []),),
    "ddp_backend": (
        ("grpo", 0, 13, "str?", None, ("nccl", "gloo", "mpi", "ccl", "hccl", "cncl", "mccl")),
        ("rloo", 8, 13, "str?", None, ("nccl", "gloo", "mpi", "ccl", "hccl", "cncl", "mccl")),
        ("grpo rloo", 14, 32, "str?", None, ("nccl", "gloo", "mpi", "xccl", "hccl", "cncl", "mccl")),
    ),
    "ddp_broadcast_buffers": (
        ("grpo", 0, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "ddp_bucket_cap_mb": (
        ("grpo", 0, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "ddp_find_unused_parameters": (
        ("grpo", 0, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "ddp_static_graph": (("grpo rloo", 17, 32, "bool?", None),),
    "ddp_timeout": (
        ("grpo", 0, 4, "int?", 1800),
        ("grpo", 5, 32, "int", 1800),
        ("rloo", 8, 32, "int", 1800),
    ),
    "debug": (
        ("grpo", 0, 32, "str|list[str]", ""),
        ("rloo", 8, 32, "str|list[str]", ""),
    ),
    "deepspeed": (
        ("grpo", 0, 32, "str|dict?", None),
        ("rloo", 8, 32, "str|dict?", None),
    ),
    "delta": (("grpo", 4, 32, "float?", None),),
    "disable_dropout": (
        ("grpo", 3, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "disable_tqdm": (
        ("grpo", 0, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "dispatch_batches": (("grpo", 0, 2, "bool?", None),),
    "do_eval": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "do_predict": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "do_train": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "ds3_gather_for_generation": (
        ("grpo", 1, 32, "bool", True),
        ("rloo", 8, 32, "bool", True),
    ),
    "dtype": (
        ("model", 9, 12, "str?", None, ("auto", "bfloat16", "float16", "float32")),
        ("model", 13, 32, "str?", "float32", ("auto", "bfloat16", "float16", "float32")),
    ),
    "enable_jit_checkpoint": (("grpo rloo", 14, 32, "bool", False),),
    "entropy_coef": (("grpo", 24, 32, "float", 0.0),),
    "entropy_coef_delta": (("grpo", 24, 32, "float", 0.005),),
    "entropy_coef_max": (("grpo", 24, 32, "float", 1.0),),
    "entropy_coef_min": (("grpo", 24, 32, "float", 0.0),),
    "entropy_target": (("grpo", 24, 32, "float", 0.2),),
    "epsilon": (
        ("grpo", 2, 32, "float", 0.2),
        ("rloo", 8, 32, "float", 0.2),
    ),
    "epsilon_high": (
        ("grpo", 2, 32, "float?", None),
        ("rloo", 8, 32, "float?", None),
    ),
    "eval_accumulation_steps": (
        ("grpo", 0, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "eval_delay": (
        ("grpo", 0, 9, "float?", 0),
        ("rloo", 8, 9, "float?", 0),
        ("grpo rloo", 10, 32, "float", 0),
    ),
    "eval_do_concat_batches": (
        ("grpo", 0, 32, "bool", True),
        ("rloo", 8, 32, "bool", True),
    ),
    "eval_on_start": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "eval_steps": (
        ("grpo", 0, 32, "float?", None),
        ("rloo", 8, 32, "float?", None),
    ),
    "eval_strategy": (
        ("grpo", 0, 32, "str", "no", ("no", "steps", "epoch")),
        ("rloo", 8, 32, "str", "no", ("no", "steps", "epoch")),
    ),
    "eval_use_gather_object": (
        ("grpo", 0, 9, "bool?", False),
        ("rloo", 8, 9, "bool?", False),
        ("grpo rloo", 10, 32, "bool", False),
    ),
    "evaluation_strategy": (("grpo", 0, 2, "str?", None, ("no", "steps", "epoch")),),
    "exp_name": (("rloo", 8, 10, "str?", None),),
    "fp16": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "fp16_backend": (
        ("grpo", 0, 13, "str", "auto", ("auto", "apex", "cpu_amp")),
        ("rloo", 8, 13, "str", "auto", ("auto", "apex", "cpu_amp")),
    ),
    "fp16_full_eval": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "fp16_opt_level": (
        ("grpo", 0, 13, "str", "O1"),
        ("rloo", 8, 13, "str", "O1"),
    ),
    "fsdp": (
        ("grpo", 0, 9, "str|list[str]?", ""),
        ("rloo", 8, 9, "str|list[str]?", ""),
        ("grpo rloo", 10, 16, "str|list[str]?", None),
        ("grpo rloo", 17, 32, "str?", None),
    ),
    "fsdp_config": (
        ("grpo", 0, 32, "str|dict?", None),
        ("rloo", 8, 32, "str|dict?", None),
    ),
    "fsdp_min_num_params": (
        ("grpo", 0, 13, "int", 0),
        ("rloo", 8, 13, "int", 0),
    ),
    "fsdp_transformer_layer_cls_to_wrap": (
        ("grpo", 0, 13, "str?", None),
        ("rloo", 8, 13, "str?", None),
    ),
    "full_determinism": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "generation_batch_size": (
        ("grpo", 4, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "generation_kwargs": (
        ("grpo", 5, 26, "dict?", None),
        ("rloo", 8, 26, "dict?", None),
        ("grpo rloo", 27, 32, "str|dict?", None),
    ),
    "gradient_accumulation_steps": (
        ("grpo", 0, 0, "int", 8),
        ("grpo", 1, 32, "int", 1),
        ("rloo", 8, 32, "int", 1),
    ),
    "gradient_checkpointing": (
        ("grpo", 0, 7, "bool", False),
        ("grpo rloo", 8, 32, "bool", True),
    ),
    "gradient_checkpointing_kwargs": (
        ("grpo", 0, 32, "str|dict?", None),
        ("rloo", 8, 32, "str|dict?", None),
    ),
    "gradient_checkpointing_use_reentrant": (("script", 0, 12, "bool", False),),
    "greater_is_better": (
        ("grpo", 0, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "group_by_length": (
        ("grpo", 0, 14, "bool", False),
        ("rloo", 8, 14, "bool", False),
    ),
    "half_precision_backend": (
        ("grpo", 0, 13, "str", "auto", ("auto", "apex", "cpu_amp")),
        ("rloo", 8, 13, "str", "auto", ("auto", "apex", "cpu_amp")),
    ),
    "hub_always_push": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "hub_model_id": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "hub_private_repo": (
        ("grpo", 0, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "hub_revision": (
        ("grpo", 5, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "hub_strategy": (
        ("grpo", 0, 32, "str", "every_save", ("end", "every_save", "checkpoint", "all_checkpoints")),
        ("rloo", 8, 32, "str", "every_save", ("end", "every_save", "checkpoint", "all_checkpoints")),
    ),
    "hub_token": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "ignore_bias_buffers": (("script", 0, 32, "bool", False),),
    "ignore_data_skip": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "importance_sampling_level": (("grpo", 6, 32, "str", "token"),),
    "include_for_metrics": (
        ("grpo", 0, 32, "list[str]", []),
        ("rloo", 8, 32, "list[str]", []),
    ),
    "include_inputs_for_metrics": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "include_num_input_tokens_seen": (
        ("grpo", 0, 9, "bool?", False),
        ("rloo", 8, 9, "bool?", False),
        ("grpo rloo", 10, 13, "bool|str", False),
        ("grpo rloo", 14, 32, "bool|str", "no"),
    ),
    "include_tokens_per_second": (
        ("grpo", 0, 9, "bool?", False),
        ("rloo", 8, 9, "bool?", False),
        ("grpo rloo", 10, 13, "bool", False),
    ),
    "jit_mode_eval": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "kl_coef": (("rloo", 8, 10, "float?", None),),
    "label_names": (
        ("grpo", 0, 32, "list[str]?", None),
        ("rloo", 8, 32, "list[str]?", None),
    ),
    "label_smoothing_factor": (
        ("grpo", 0, 32, "float", 0.0),
        ("rloo", 8, 32, "float", 0.0),
    ),
    "learning_rate": (
        ("grpo", 0, 32, "float", 1e-06),
        ("rloo", 8, 32, "float", 1e-06),
    ),
    "length_column_name": (
        ("grpo", 0, 9, "str?", "length"),
        ("rloo", 8, 9, "str?", "length"),
        ("grpo rloo", 10, 32, "str", "length"),
    ),
    "liger_kernel_config": (
        ("grpo", 5, 32, "dict?", None),
        ("rloo", 8, 32, "dict?", None),
    ),
    "load_best_model_at_end": (
        ("grpo", 0, 9, "bool?", False),
        ("rloo", 8, 9, "bool?", False),
        ("grpo rloo", 10, 32, "bool", False),
    ),
    "load_in_4bit": (("model", 0, 32, "bool", False),),
    "load_in_8bit": (("model", 0, 32, "bool", False),),
    "local_rank": (
        ("grpo", 0, 32, "int", -1),
        ("rloo", 8, 32, "int", -1),
    ),
    "local_rollout_forward_batch_size": (("rloo", 8, 10, "int?", None),),
    "log_completions": (
        ("grpo", 1, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "log_completions_hub_repo": (("grpo", 14, 32, "str?", None),),
    "log_level": (
        ("grpo", 0, 4, "str?", "passive", ("detail", "debug", "info", "warning", "error", "critical", "passive")),
        ("grpo", 5, 32, "str", "passive", ("detail", "debug", "info", "warning", "error", "critical", "passive")),
        ("rloo", 8, 32, "str", "passive", ("detail", "debug", "info", "warning", "error", "critical", "passive")),
    ),
    "log_level_replica": (
        ("grpo", 0, 4, "str?", "warning", ("detail", "debug", "info", "warning", "error", "critical", "passive")),
        ("grpo", 5, 32, "str", "warning", ("detail", "debug", "info", "warning", "error", "critical", "passive")),
        ("rloo", 8, 32, "str", "warning", ("detail", "debug", "info", "warning", "error", "critical", "passive")),
    ),
    "log_multimodal": (("grpo rloo", 25, 32, "bool", True),),
    "log_on_each_node": (
        ("grpo", 0, 32, "bool", True),
        ("rloo", 8, 32, "bool", True),
    ),
    "log_unique_prompts": (("grpo rloo", 12, 32, "bool", False),),
    "logging_dir": (
        ("grpo", 0, 16, "str?", None),
        ("rloo", 8, 16, "str?", None),
    ),
    "logging_first_step": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "logging_nan_inf_filter": (
        ("grpo", 0, 32, "bool", True),
        ("rloo", 8, 32, "bool", True),
    ),
    "logging_steps": (
        ("grpo", 0, 4, "float", 500),
        ("grpo", 5, 32, "float", 10),
        ("rloo", 8, 32, "float", 10),
    ),
    "logging_strategy": (
        ("grpo", 0, 32, "str", "steps", ("no", "steps", "epoch")),
        ("rloo", 8, 32, "str", "steps", ("no", "steps", "epoch")),
    ),
    "lora_alpha": (("model", 0, 32, "int", 32),),
    "lora_dropout": (("model", 0, 32, "float", 0.05),),
    "lora_modules_to_save": (("model", 0, 32, "list[str]?", None),),
    "lora_r": (("model", 0, 32, "int", 16),),
    "lora_target_modules": (("model", 0, 32, "list[str]?", None),),
    "lora_target_parameters": (("model", 7, 32, "list[str]?", None),),
    "lora_task_type": (("model", 0, 32, "str", "CAUSAL_LM"),),
    "loss_type": (
        ("grpo", 3, 7, "str", "bnpo"),
        ("grpo", 8, 32, "str", "dapo"),
    ),
    "lr_scheduler_kwargs": (
        ("grpo", 0, 9, "str|dict?", {}),
        ("rloo", 8, 9, "str|dict?", {}),
        ("grpo rloo", 10, 10, "str|dict", {}),
        ("grpo rloo", 11, 32, "str|dict?", None),
    ),
    "lr_scheduler_type": (
        ("grpo", 0, 5, "str", "linear", (
            "linear", "cosine", "cosine_with_restarts", "polynomial", "constant", "constant_with_warmup",
            "inverse_sqrt", "reduce_lr_on_plateau", "cosine_with_min_lr", "warmup_stable_decay",
        )),
        ("grpo", 6, 15, "str", "linear", (
            "linear", "cosine", "cosine_with_restarts", "polynomial", "constant", "constant_with_warmup",
            "inverse_sqrt", "reduce_lr_on_plateau", "cosine_with_min_lr", "cosine_warmup_with_min_lr",
            "warmup_stable_decay",
        )),
        ("rloo", 8, 15, "str", "linear", (
            "linear", "cosine", "cosine_with_restarts", "polynomial", "constant", "constant_with_warmup",
            "inverse_sqrt", "reduce_lr_on_plateau", "cosine_with_min_lr", "cosine_warmup_with_min_lr",
            "warmup_stable_decay",
        )),
        ("grpo rloo", 16, 32, "str", "linear", (
            "linear", "cosine", "cosine_with_restarts", "polynomial", "constant", "constant_with_warmup",
            "inverse_sqrt", "reduce_lr_on_plateau", "cosine_with_min_lr", "cosine_warmup_with_min_lr",
            "warmup_stable_decay", "greedy",
        )),
    ),
    "mask_truncated_completions": (
        ("grpo", 3, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "max_completion_length": (
        ("grpo", 0, 25, "int?", 256),
        ("rloo", 8, 25, "int?", 256),
        ("grpo rloo", 26, 32, "int?", 512),
    ),
    "max_grad_norm": (
        ("grpo", 0, 32, "float", 1.0),
        ("rloo", 8, 32, "float", 1.0),
    ),
    "max_prompt_length": (
        ("grpo", 0, 11, "int?", 512),
        ("rloo", 8, 12, "int?", 512),
        ("grpo", 12, 13, "int?", None),
        ("rloo", 13, 14, "int?", None),
    ),
    "max_steps": (
        ("grpo", 0, 32, "int", -1),
        ("rloo", 8, 32, "int", -1),
    ),
    "max_tool_calling_iterations": (("grpo", 13, 32, "int?", None),),
    "metric_for_best_model": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "min_p": (
        ("grpo", 2, 32, "float?", None),
        ("rloo", 8, 32, "float?", None),
    ),
    "missing_eos_penalty": (("rloo", 8, 10, "float?", None),),
    "model_init_kwargs": (
        ("grpo", 0, 2, "dict?", None),
        ("grpo", 3, 32, "str|dict?", None),
        ("rloo", 8, 32, "str|dict?", None),
    ),
    "model_name_or_path": (("model", 0, 32, "str?", None),),
    "model_revision": (("model", 0, 32, "str", "main"),),
    "mp_parameters": (
        ("grpo", 0, 13, "str", ""),
        ("rloo", 8, 13, "str", ""),
    ),
    "multi_objective_aggregation": (("grpo", 13, 32, "str", "sum_then_normalize"),),
    "neftune_noise_alpha": (
        ("grpo", 0, 32, "float?", None),
        ("rloo", 8, 32, "float?", None),
    ),
    "no_cuda": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "normalize_advantages": (("rloo", 8, 32, "bool", False),),
    "normalize_reward": (("rloo", 8, 10, "bool?", None),),
    "num_completions_to_print": (
        ("grpo", 3, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "num_generations": (
        ("grpo", 0, 32, "int?", 8),
        ("rloo", 8, 32, "int?", 2),
    ),
    "num_generations_eval": (("grpo rloo", 12, 32, "int?", None),),
    "num_iterations": (
        ("grpo", 2, 32, "int", 1),
        ("rloo", 8, 32, "int", 1),
    ),
    "num_mini_batches": (("rloo", 8, 10, "int?", None),),
    "num_ppo_epochs": (("rloo", 8, 10, "int?", None),),
    "num_sample_generations": (("rloo", 8, 10, "int?", None),),
    "num_train_epochs": (
        ("grpo", 0, 32, "float", 3.0),
        ("rloo", 8, 32, "float", 3.0),
    ),
    "off_policy_mask_threshold": (("grpo", 13, 32, "float?", None),),
    "optim": (
        ("grpo", 0, 0, "str", "adamw_torch", (
            "adamw_hf", "adamw_torch", "adamw_torch_fused", "adamw_torch_xla", "adamw_torch_npu_fused",
            "adamw_apex_fused", "adafactor", "adamw_anyprecision", "adamw_torch_4bit", "ademamix", "sgd", "adagrad",
            "adamw_bnb_8bit", "adamw_8bit", "ademamix_8bit", "lion_8bit", "lion_32bit", "paged_adamw_32bit",
            "paged_adamw_8bit", "paged_ademamix_32bit", "paged_ademamix_8bit", "paged_lion_32bit", "paged_lion_8bit",
            "rmsprop", "rmsprop_bnb", "rmsprop_bnb_8bit", "rmsprop_bnb_32bit", "galore_adamw", "galore_adamw_8bit",
            "galore_adafactor", "galore_adamw_layerwise", "galore_adamw_8bit_layerwise", "galore_adafactor_layerwise",
            "lomo", "adalomo", "grokadamw", "schedule_free_adamw", "schedule_free_sgd",
        )),
        ("grpo", 1, 1, "str", "adamw_torch", (
            "adamw_hf", "adamw_torch", "adamw_torch_fused", "adamw_torch_xla", "adamw_torch_npu_fused",
            "adamw_apex_fused", "adafactor", "adamw_anyprecision", "adamw_torch_4bit", "adamw_torch_8bit", "ademamix",
            "sgd", "adagrad", "adamw_bnb_8bit", "adamw_8bit", "ademamix_8bit", "lion_8bit", "lion_32bit",
            "paged_adamw_32bit", "paged_adamw_8bit", "paged_ademamix_32bit", "paged_ademamix_8bit", "paged_lion_32bit",
            "paged_lion_8bit", "rmsprop", "rmsprop_bnb", "rmsprop_bnb_8bit", "rmsprop_bnb_32bit", "galore_adamw",
            "galore_adamw_8bit", "galore_adafactor", "galore_adamw_layerwise", "galore_adamw_8bit_layerwise",
            "galore_adafactor_layerwise", "lomo", "adalomo", "grokadamw", "schedule_free_radam", "schedule_free_adamw",
            "schedule_free_sgd", "apollo_adamw", "apollo_adamw_layerwise",
        )),
        ("grpo", 2, 5, "str", "adamw_torch", (
            "adamw_torch", "adamw_torch_fused", "adamw_torch_xla", "adamw_torch_npu_fused", "adamw_apex_fused",
            "adafactor", "adamw_anyprecision", "adamw_torch_4bit", "adamw_torch_8bit", "ademamix", "sgd", "adagrad",
            "adamw_bnb_8bit", "adamw_8bit", "ademamix_8bit", "lion_8bit", "lion_32bit", "paged_adamw_32bit",
            "paged_adamw_8bit", "paged_ademamix_32bit", "paged_ademamix_8bit", "paged_lion_32bit", "paged_lion_8bit",
            "rmsprop", "rmsprop_bnb", "rmsprop_bnb_8bit", "rmsprop_bnb_32bit", "galore_adamw", "galore_adamw_8bit",
            "galore_adafactor", "galore_adamw_layerwise", "galore_adamw_8bit_layerwise", "galore_adafactor_layerwise",
            "lomo", "adalomo", "grokadamw", "schedule_free_radam", "schedule_free_adamw", "schedule_free_sgd",
            "apollo_adamw", "apollo_adamw_layerwise",
        )),
        ("grpo", 6, 16, "str", "adamw_torch_fused", (
            "adamw_torch", "adamw_torch_fused", "adamw_torch_xla", "adamw_torch_npu_fused", "adamw_apex_fused",
            "adafactor", "adamw_anyprecision", "adamw_torch_4bit", "adamw_torch_8bit", "ademamix", "sgd", "adagrad",
            "adamw_bnb_8bit", "adamw_8bit", "ademamix_8bit", "lion_8bit", "lion_32bit", "paged_adamw_32bit",
            "paged_adamw_8bit", "paged_ademamix_32bit", "paged_ademamix_8bit", "paged_lion_32bit", "paged_lion_8bit",
            "rmsprop", "rmsprop_bnb", "rmsprop_bnb_8bit", "rmsprop_bnb_32bit", "galore_adamw", "galore_adamw_8bit",
            "galore_adafactor", "galore_adamw_layerwise", "galore_adamw_8bit_layerwise", "galore_adafactor_layerwise",
            "lomo", "adalomo", "grokadamw", "schedule_free_radam", "schedule_free_adamw", "schedule_free_sgd",
            "apollo_adamw", "apollo_adamw_layerwise", "stable_adamw",
        )),
        ("rloo", 8, 16, "str", "adamw_torch_fused", (
            "adamw_torch", "adamw_torch_fused", "adamw_torch_xla", "adamw_torch_npu_fused", "adamw_apex_fused",
            "adafactor", "adamw_anyprecision", "adamw_torch_4bit", "adamw_torch_8bit", "ademamix", "sgd", "adagrad",
            "adamw_bnb_8bit", "adamw_8bit", "ademamix_8bit", "lion_8bit", "lion_32bit", "paged_adamw_32bit",
            "paged_adamw_8bit", "paged_ademamix_32bit", "paged_ademamix_8bit", "paged_lion_32bit", "paged_lion_8bit",
            "rmsprop", "rmsprop_bnb", "rmsprop_bnb_8bit", "rmsprop_bnb_32bit", "galore_adamw", "galore_adamw_8bit",
            "galore_adafactor", "galore_adamw_layerwise", "galore_adamw_8bit_layerwise", "galore_adafactor_layerwise",
            "lomo", "adalomo", "grokadamw", "schedule_free_radam", "schedule_free_adamw", "schedule_free_sgd",
            "apollo_adamw", "apollo_adamw_layerwise", "stable_adamw",
        )),
        ("grpo rloo", 17, 32, "str", "adamw_torch_fused", (
            "adamw_torch", "adamw_torch_fused", "adamw_torch_xla", "adamw_torch_npu_fused", "adafactor",
            "adamw_anyprecision", "adamw_torch_4bit", "adamw_torch_8bit", "ademamix", "sgd", "adagrad",
            "adamw_bnb_8bit", "adamw_8bit", "ademamix_8bit", "lion_8bit", "lion_32bit", "paged_adamw_32bit",
            "paged_adamw_8bit", "paged_ademamix_32bit", "paged_ademamix_8bit", "paged_lion_32bit", "paged_lion_8bit",
            "rmsprop", "rmsprop_bnb", "rmsprop_bnb_8bit", "rmsprop_bnb_32bit", "galore_adamw", "galore_adamw_8bit",
            "galore_adafactor", "galore_adamw_layerwise", "galore_adamw_8bit_layerwise", "galore_adafactor_layerwise",
            "lomo", "adalomo", "grokadamw", "schedule_free_radam", "schedule_free_adamw", "schedule_free_sgd",
            "apollo_adamw", "apollo_adamw_layerwise", "stable_adamw",
        )),
    ),
    "optim_args": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "optim_target_modules": (
        ("grpo", 0, 32, "str|list[str]?", None),
        ("rloo", 8, 32, "str|list[str]?", None),
    ),
    "output_dir": (
        ("grpo", 0, 0, "str", "<required>"),
        ("grpo", 1, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "overwrite_output_dir": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "pad_to_multiple_of": (
        ("grpo rloo", 16, 31, "int?", None),
        ("grpo rloo", 32, 32, "int|str?", "auto"),
    ),
    "parallelism_config": (("grpo rloo", 8, 32, "any?", None),),
    "past_index": (
        ("grpo", 0, 13, "int", -1),
        ("rloo", 8, 13, "int", -1),
    ),
    "per_device_eval_batch_size": (
        ("grpo", 0, 32, "int", 8),
        ("rloo", 8, 32, "int", 8),
    ),
    "per_device_train_batch_size": (
        ("grpo", 0, 0, "int", 1),
        ("grpo", 1, 32, "int", 8),
        ("rloo", 8, 32, "int", 8),
    ),
    "per_gpu_eval_batch_size": (
        ("grpo", 0, 13, "int?", None),
        ("rloo", 8, 13, "int?", None),
    ),
    "per_gpu_train_batch_size": (
        ("grpo", 0, 13, "int?", None),
        ("rloo", 8, 13, "int?", None),
    ),
    "prediction_loss_only": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "project": (("grpo rloo", 10, 32, "str", "huggingface"),),
    "push_to_hub": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "push_to_hub_model_id": (
        ("grpo", 0, 13, "str?", None),
        ("rloo", 8, 13, "str?", None),
    ),
    "push_to_hub_organization": (
        ("grpo", 0, 13, "str?", None),
        ("rloo", 8, 13, "str?", None),
    ),
    "push_to_hub_token": (
        ("grpo", 0, 13, "str?", None),
        ("rloo", 8, 13, "str?", None),
    ),
    "ray_scope": (
        ("grpo", 0, 13, "str?", "last"),
        ("rloo", 8, 13, "str?", "last"),
    ),
    "ref_model_mixup_alpha": (
        ("grpo", 1, 1, "float", 0.9),
        ("grpo", 2, 32, "float", 0.6),
        ("rloo", 8, 32, "float", 0.6),
    ),
    "ref_model_sync_steps": (
        ("grpo", 1, 1, "int", 64),
        ("grpo", 2, 32, "int", 512),
        ("rloo", 8, 32, "int", 512),
    ),
    "remove_unused_columns": (
        ("grpo", 0, 32, "bool?", False),
        ("rloo", 8, 32, "bool?", False),
    ),
    "repetition_penalty": (
        ("grpo", 2, 32, "float", 1.0),
        ("rloo", 8, 32, "float", 1.0),
    ),
    "report_to": (
        ("grpo", 0, 13, "str|list[str]?", None),
        ("rloo", 8, 13, "str|list[str]?", None),
        ("grpo rloo", 14, 32, "str|list[str]?", "none"),
    ),
    "response_length": (("rloo", 8, 10, "int?", None),),
    "restore_callback_states_from_checkpoint": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "resume_from_checkpoint": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "reward_clip_range": (("rloo", 8, 32, "list[float]?", None),),
    "reward_funcs": (("script", 4, 32, "list[str]?", None),),
    "reward_model_name_or_path": (("script", 0, 32, "str?", None),),
    "reward_weights": (
        ("grpo", 1, 32, "list[float]?", None),
        ("rloo", 8, 32, "list[float]?", None),
    ),
    "rloo_k": (("rloo", 8, 10, "int?", None),),
    "router_aux_loss_coef": (
        ("grpo rloo", 23, 29, "float", 0.001),
        ("grpo rloo", 30, 32, "float?", None),
    ),
    "run_name": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "sapo_temperature_neg": (("grpo", 12, 32, "float", 1.05),),
    "sapo_temperature_pos": (("grpo", 12, 32, "float", 1.0),),
    "save_on_each_node": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "save_only_model": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "save_safetensors": (
        ("grpo", 0, 9, "bool?", True),
        ("rloo", 8, 9, "bool?", True),
        ("grpo rloo", 10, 13, "bool", True),
    ),
    "save_steps": (
        ("grpo", 0, 32, "float", 500),
        ("rloo", 8, 32, "float", 500),
    ),
    "save_strategy": (
        ("grpo", 0, 32, "str", "steps", ("no", "steps", "epoch", "best")),
        ("rloo", 8, 32, "str", "steps", ("no", "steps", "epoch", "best")),
    ),
    "save_total_limit": (
        ("grpo", 0, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "scale_rewards": (
        ("grpo", 2, 7, "bool", True),
        ("grpo", 8, 32, "str", "group"),
    ),
    "seed": (
        ("grpo", 0, 32, "int", 42),
        ("rloo", 8, 32, "int", 42),
    ),
    "shuffle_dataset": (
        ("grpo", 3, 32, "bool?", True),
        ("rloo", 8, 32, "bool?", True),
    ),
    "skip_memory_metrics": (
        ("grpo", 0, 32, "bool", True),
        ("rloo", 8, 32, "bool", True),
    ),
    "split_batches": (("grpo", 0, 2, "bool?", None),),
    "steps_per_generation": (
        ("grpo", 4, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "stop_token": (("rloo", 8, 10, "str?", None),),
    "stop_token_id": (("rloo", 8, 10, "int?", None),),
    "streaming": (("mixture", 8, 32, "bool", False),),
    "sync_ref_model": (
        ("grpo", 1, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "temperature": (
        ("grpo", 0, 1, "float?", 0.9),
        ("grpo", 2, 3, "float", 0.9),
        ("grpo", 4, 32, "float", 1.0),
        ("rloo", 8, 32, "float", 1.0),
    ),
    "test_split_size": (("mixture", 8, 32, "float?", None),),
    "tf32": (
        ("grpo", 0, 32, "bool?", None),
        ("rloo", 8, 32, "bool?", None),
    ),
    "token_level_kl": (("rloo", 8, 10, "bool?", None),),
    "top_entropy_quantile": (("grpo", 6, 32, "float", 1.0),),
    "top_k": (
        ("grpo", 2, 3, "int?", 50),
        ("grpo", 4, 12, "int?", None),
        ("rloo", 8, 12, "int?", None),
        ("grpo rloo", 13, 32, "int", 0),
    ),
    "top_p": (
        ("grpo", 2, 32, "float", 1.0),
        ("rloo", 8, 32, "float", 1.0),
    ),
    "torch_compile": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "torch_compile_backend": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "torch_compile_mode": (
        ("grpo", 0, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "torch_dtype": (("model", 0, 12, "str?", None, ("auto", "bfloat16", "float16", "float32")),),
    "torch_empty_cache_steps": (
        ("grpo", 0, 32, "int?", None),
        ("rloo", 8, 32, "int?", None),
    ),
    "torchdynamo": (
        ("grpo", 0, 13, "str?", None),
        ("rloo", 8, 13, "str?", None),
    ),
    "total_episodes": (("rloo", 8, 10, "int?", None),),
    "tp_size": (("grpo", 2, 3, "int?", 0),),
    "tpu_metrics_debug": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "tpu_num_cores": (
        ("grpo", 0, 13, "int?", None),
        ("rloo", 8, 13, "int?", None),
    ),
    "trackio_bucket_id": (("grpo rloo", 17, 32, "str?", None),),
    "trackio_space_id": (
        ("grpo rloo", 10, 16, "str?", "trackio"),
        ("grpo rloo", 17, 32, "str?", None),
    ),
    "trackio_static_space_id": (("grpo rloo", 17, 32, "bool|str?", None),),
    "train_sampling_strategy": (
        ("grpo rloo", 15, 16, "str", "random", ("random", "sequential", "group_by_length")),
        ("grpo rloo", 17, 32, "str", "random", ("random", "sequential", "group_by_length", "batch_rebalance")),
    ),
    "transformers_continuous_batching_config": (
        ("grpo rloo", 23, 26, "dict?", None),
        ("grpo rloo", 27, 32, "str|dict?", None),
    ),
    "trust_remote_code": (
        ("model", 0, 22, "bool", False),
        ("grpo rloo", 23, 32, "bool", False),
    ),
    "use_adaptive_entropy": (("grpo", 24, 32, "bool", False),),
    "use_bias_correction_kl": (
        ("grpo", 12, 25, "bool", False),
        ("grpo", 26, 32, "bool", True),
    ),
    "use_bnb_nested_quant": (("model", 0, 32, "bool", False),),
    "use_cache": (("grpo rloo", 14, 32, "bool", False),),
    "use_cpu": (
        ("grpo", 0, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "use_dora": (("model", 2, 32, "bool", False),),
    "use_ipex": (
        ("grpo", 0, 9, "bool", False),
        ("rloo", 8, 9, "bool", False),
    ),
    "use_legacy_prediction_loop": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "use_liger_kernel": (
        ("grpo", 0, 9, "bool?", False),
        ("rloo", 8, 9, "bool?", False),
        ("grpo rloo", 10, 32, "bool", False),
    ),
    "use_liger_loss": (
        ("grpo", 3, 10, "bool", False),
        ("grpo", 11, 13, "bool?", None),
    ),
    "use_mps_device": (
        ("grpo", 0, 13, "bool", False),
        ("rloo", 8, 13, "bool", False),
    ),
    "use_peft": (("model", 0, 32, "bool", False),),
    "use_rslora": (("model", 0, 32, "bool", False),),
    "use_transformers_continuous_batching": (("grpo rloo", 23, 32, "bool", False),),
    "use_transformers_paged": (
        ("grpo", 6, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "use_vllm": (
        ("grpo", 0, 1, "bool?", False),
        ("grpo", 2, 32, "bool", False),
        ("rloo", 8, 32, "bool", False),
    ),
    "vespo_k_neg": (("grpo", 16, 32, "float", 3.0),),
    "vespo_k_pos": (("grpo", 16, 32, "float", 2.0),),
    "vespo_lambda_neg": (("grpo", 16, 32, "float", 2.0),),
    "vespo_lambda_pos": (("grpo", 16, 32, "float", 3.0),),
    "vllm_device": (
        ("grpo", 0, 1, "str?", "auto"),
        ("grpo", 2, 3, "str?", None),
    ),
    "vllm_dtype": (
        ("grpo", 1, 1, "str?", "auto"),
        ("grpo", 2, 3, "str?", None),
    ),
    "vllm_enable_prefix_caching": (("grpo", 2, 3, "bool?", None),),
    "vllm_enable_sleep_mode": (
        ("grpo", 9, 32, "bool", False),
        ("rloo", 10, 32, "bool", False),
    ),
    "vllm_gpu_memory_utilization": (
        ("grpo", 0, 1, "float", 0.9),
        ("grpo", 2, 3, "float?", None),
        ("grpo", 4, 32, "float", 0.3),
        ("rloo", 8, 32, "float", 0.3),
    ),
    "vllm_group_port": (("grpo rloo", 13, 32, "int", 51216),),
    "vllm_guided_decoding_regex": (
        ("grpo", 2, 13, "str?", None),
        ("rloo", 8, 13, "str?", None),
    ),
    "vllm_importance_sampling_cap": (
        ("grpo", 9, 11, "float", 2.0),
        ("grpo", 12, 21, "float", 3.0),
        ("grpo", 22, 32, "float?", None),
    ),
    "vllm_importance_sampling_clip_max": (("grpo", 22, 32, "float?", 3.0),),
    "vllm_importance_sampling_clip_min": (("grpo", 22, 32, "float?", None),),
    "vllm_importance_sampling_correction": (("grpo", 9, 32, "bool", True),),
    "vllm_importance_sampling_mode": (("grpo", 12, 32, "str", "sequence_mask"),),
    "vllm_max_model_len": (("grpo", 1, 3, "int?", None),),
    "vllm_max_model_length": (
        ("grpo", 12, 32, "int?", None),
        ("rloo", 13, 32, "int?", None),
    ),
    "vllm_mode": (
        ("grpo", 4, 15, "str", "server"),
        ("rloo", 8, 15, "str", "server"),
        ("grpo rloo", 16, 32, "str", "colocate"),
    ),
    "vllm_model_impl": (
        ("grpo", 7, 32, "str", "vllm"),
        ("rloo", 8, 32, "str", "vllm"),
    ),
    "vllm_server_base_url": (
        ("grpo", 4, 32, "str?", None),
        ("rloo", 8, 32, "str?", None),
    ),
    "vllm_server_host": (
        ("grpo", 2, 32, "str", "0.0.0.0"),
        ("rloo", 8, 32, "str", "0.0.0.0"),
    ),
    "vllm_server_port": (
        ("grpo", 2, 32, "int", 8000),
        ("rloo", 8, 32, "int", 8000),
    ),
    "vllm_server_timeout": (
        ("grpo", 2, 2, "float", 120.0),
        ("grpo", 3, 32, "float", 240.0),
        ("rloo", 8, 32, "float", 240.0),
    ),
    "vllm_structured_outputs_regex": (("grpo rloo", 13, 32, "str?", None),),
    "vllm_tensor_parallel_size": (
        ("grpo", 4, 32, "int", 1),
        ("rloo", 8, 32, "int", 1),
    ),
    "wandb_log_unique_prompts": (
        ("grpo", 3, 11, "bool?", False),
        ("rloo", 8, 11, "bool?", False),
        ("grpo rloo", 12, 12, "bool?", None),
    ),
    "warmup_ratio": (
        ("grpo", 0, 13, "float", 0.0),
        ("rloo", 8, 13, "float", 0.0),
        ("grpo rloo", 14, 16, "float?", None),
    ),
    "warmup_steps": (
        ("grpo", 0, 13, "int", 0),
        ("rloo", 8, 13, "int", 0),
        ("grpo rloo", 14, 32, "float", 0),
    ),
    "weight_decay": (
        ("grpo", 0, 32, "float", 0.0),
        ("rloo", 8, 32, "float", 0.0),
    ),
}
