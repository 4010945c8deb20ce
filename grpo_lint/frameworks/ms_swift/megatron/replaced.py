"""Settings that a release replaces, whatever a file says. Generated: `conformance/replaced` reads the source of each release."""

# {setting: ((first minor, last minor or None for no end so far, what becomes of it), ...)}
REPLACED = {
    "dataloader_num_workers": (
        ((4, 0), None, "1 if streaming and dataloader_num_workers > 1 else dataloader_num_workers"),
    ),
    "dataloader_type": (
        ((3, 11), (3, 12), "'external' if streaming else dataloader_type"),
    ),
    "end_weight_decay": (
        ((4, 0), None, "weight_decay if weight_decay_incr_style == 'constant' else end_weight_decay"),
    ),
    "num_workers": (
        ((3, 11), (3, 12), "1 if streaming and num_workers > 1 else num_workers"),
    ),
    "padding_free": (
        ((3, 11), None, "True if packing else padding_free"),
    ),
    "recompute_granularity": (
        ((4, 0), None, "None if recompute_granularity == 'none' else recompute_granularity"),
    ),
    "remove_unused_columns": (
        ((4, 0), None, "False"),
    ),
    "seq_length": (
        ((3, 11), (3, 12), "seq_length or ((unknown if max_length is None and unknown else max_length) if packing and packing_length is None else packing_length) or (unknown if max_length is None and unknown else max_length)"),
    ),
    "sequence_parallel": (
        ((4, 0), None, "False if sequence_parallel and tensor_model_parallel_size <= 1 else sequence_parallel"),
    ),
    "sequence_parallel_size": (
        ((3, 11), None, "context_parallel_size"),
    ),
    "split_dataset_ratio": (
        ((3, 11), None, "0.0 if len(val_dataset) > 0 or (streaming and split_dataset_ratio > 0) else split_dataset_ratio"),
    ),
    "start_weight_decay": (
        ((4, 0), None, "weight_decay if weight_decay_incr_style == 'constant' else start_weight_decay"),
    ),
    "target_modules": (
        ((4, 0), None, "target_regex if target_regex else target_modules"),
    ),
    "train_dataloader_shuffle": (
        ((4, 2), None, "dataset_shuffle if dataset_shuffle is not None else train_dataloader_shuffle"),
    ),
    "tuner_type": (
        ((4, 1), None, "'lora' if (([ref_adapters] if is_text(ref_adapters) else ref_adapters) or mcore_adapter or mcore_ref_adapter or unknown) and tuner_type == 'full' else tuner_type"),
    ),
    "use_distributed_optimizer": (
        ((4, 1), (4, 4), "False if 'muon' in optimizer else use_distributed_optimizer"),
        ((4, 5), None, "False if 'muon' in optimizer else True if use_megatron_fsdp and (not use_distributed_optimizer) else use_distributed_optimizer"),
    ),
    "use_hf": (
        ((3, 11), None, "True if use_hf or unknown else use_hf"),
    ),
}
# {setting: the statement of the source by which it is replaced, which a copy may not have}
STATEMENTS: "dict[str, str]" = {}
