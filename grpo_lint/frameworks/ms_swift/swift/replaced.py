"""Settings that a release replaces, whatever a file says. Generated: `conformance/replaced` reads the source of each release."""

# {setting: ((first minor, last minor or None for no end so far, what becomes of it), ...)}
REPLACED = {
    "evaluation_strategy": (
        ((3, 1), (3, 2), "save_strategy if eval_strategy is None else eval_strategy"),
    ),
    "gradient_accumulation_steps": (
        ((3, 2), (3, 3), "1 if (0 if async_generate or not use_vllm else sleep_level) > 0 else gradient_accumulation_steps"),
    ),
    "lazy_tokenize": (
        ((3, 1), (3, 6), "not streaming and unknown if (False if streaming and lazy_tokenize else lazy_tokenize) is None else False if streaming and lazy_tokenize else lazy_tokenize"),
    ),
    "load_data_args": (
        ((3, 1), (3, 1), "load_dataset_config if load_dataset_config is not None else load_data_args"),
    ),
    "loss_scale": (
        ((3, 1), (3, 2), "'default' if use_liger and loss_scale != 'default' else loss_scale"),
    ),
    "max_completion_length": (
        ((3, 6), None, "response_length or max_new_tokens or max_completion_length"),
    ),
    "max_new_tokens": (
        ((3, 6), None, "response_length or max_new_tokens or max_completion_length"),
    ),
    "model": (
        ((3, 1), (3, 3), "(ckpt_dir if unknown else (unknown if resume_from_checkpoint else resume_from_checkpoint) if resume_from_checkpoint and train_type == 'full' else model) if ckpt_dir is not None else (unknown if resume_from_checkpoint else resume_from_checkpoint) if resume_from_checkpoint and train_type == 'full' else model"),
        ((3, 4), (3, 12), "(ckpt_dir if unknown else (unknown if resume_from_checkpoint else resume_from_checkpoint) if resume_from_checkpoint and resume_only_model and (train_type == 'full') else model) if ckpt_dir is not None else (unknown if resume_from_checkpoint else resume_from_checkpoint) if resume_from_checkpoint and resume_only_model and (train_type == 'full') else model"),
        ((4, 0), None, "(unknown if resume_from_checkpoint else resume_from_checkpoint) if resume_from_checkpoint and resume_only_model and (tuner_type == 'full') else model"),
    ),
    "multi_turn_scheduler": (
        ((3, 6), (3, 9), "multi_turn_func if multi_turn_func else multi_turn_scheduler"),
    ),
    "padding_free": (
        ((3, 5), (3, 7), "False if (padding_free or packing) and packing else padding_free"),
        ((3, 8), None, "True if (padding_free or packing) and packing else padding_free"),
    ),
    "remove_unused_columns": (
        ((3, 1), None, "False"),
    ),
    "response_length": (
        ((3, 6), None, "response_length or max_new_tokens or max_completion_length"),
    ),
    "resume_from_checkpoint": (
        ((3, 7), None, "None if resume_only_model and ignore_data_skip else unknown if resume_from_checkpoint else resume_from_checkpoint"),
    ),
    "run_name": (
        ((3, 1), (3, 1), "unknown if not output_dir is not None else output_dir"),
    ),
    "sleep_level": (
        ((3, 2), (3, 10), "0 if async_generate or not use_vllm else sleep_level"),
        ((3, 11), None, "0 if async_generate or not use_vllm or vllm_mode == 'server' else sleep_level"),
    ),
    "split_dataset_ratio": (
        ((3, 1), (3, 5), "0.0 if (save_strategy if eval_strategy is None else eval_strategy) == 'no' else 0.0 if len(val_dataset) > 0 or streaming else split_dataset_ratio"),
        ((3, 6), None, "0.0 if (save_strategy if eval_strategy is None else eval_strategy) == 'no' and (0.0 if len(val_dataset) > 0 or (streaming and split_dataset_ratio > 0) else split_dataset_ratio) > 0 else 0.0 if len(val_dataset) > 0 or (streaming and split_dataset_ratio > 0) else split_dataset_ratio"),
    ),
    "target_modules": (
        ((3, 1), None, "target_regex if target_regex else target_modules"),
    ),
    "truncation_strategy": (
        ((3, 1), (3, 2), "'left'"),
    ),
    "tuner_type": (
        ((4, 0), (4, 0), "train_type if train_type is not None else tuner_type"),
    ),
    "use_hf": (
        ((3, 1), None, "True if use_hf or unknown else use_hf"),
    ),
    "vllm_data_parallel_size": (
        ((3, 7), (3, 9), "data_parallel_size if data_parallel_size is not None else vllm_data_parallel_size"),
    ),
    "vllm_gpu_memory_utilization": (
        ((3, 7), (3, 9), "gpu_memory_utilization if gpu_memory_utilization is not None else vllm_gpu_memory_utilization"),
    ),
    "vllm_max_model_len": (
        ((3, 7), (3, 9), "max_model_len if max_model_len is not None else vllm_max_model_len"),
    ),
    "vllm_mode": (
        ((3, 5), (3, 6), "'colocate' if use_vllm and (not vllm_server_host is not None) and (('server' if use_vllm and vllm_server_host is not None and (vllm_mode != 'server') else vllm_mode) != 'colocate') else 'server' if use_vllm and vllm_server_host is not None and (vllm_mode != 'server') else vllm_mode"),
    ),
    "vllm_tensor_parallel_size": (
        ((3, 5), (3, 5), "tensor_parallel_size if tensor_parallel_size is not None else vllm_tensor_parallel_size"),
        ((3, 7), (3, 9), "tensor_parallel_size if tensor_parallel_size is not None else vllm_tensor_parallel_size"),
    ),
    "vllm_use_async_engine": (
        ((3, 7), (3, 9), "use_async_engine if use_async_engine is not None else vllm_use_async_engine"),
    ),
}
# {setting: the statement of the source by which it is replaced, which a copy may not have}
STATEMENTS: "dict[str, str]" = {}
