"""Settings that a release replaces, whatever a file says. Generated: `conformance/replaced` reads the source of each release."""

# {setting: ((first minor, last minor or None for no end so far, what becomes of it), ...)}
REPLACED = {
    "dataloader_num_workers": (
        ((1, 9), None, "0 if dataset_streaming and dataloader_num_workers != 0 else dataloader_num_workers"),
    ),
    "log_unique_prompts": (
        ((0, 26), (0, 26), "wandb_log_unique_prompts if wandb_log_unique_prompts is not None else log_unique_prompts"),
    ),
    "use_liger_kernel": (
        ((0, 25), (0, 27), "use_liger_loss if use_liger_loss is not None else use_liger_kernel"),
    ),
    "use_transformers_continuous_batching": (
        ((1, 7), None, "True if use_transformers_paged else use_transformers_continuous_batching"),
    ),
    "vllm_importance_sampling_clip_max": (
        ((1, 6), None, "vllm_importance_sampling_cap if vllm_importance_sampling_cap is not None else vllm_importance_sampling_clip_max"),
    ),
    "vllm_structured_outputs_regex": (
        ((0, 27), (0, 27), "vllm_guided_decoding_regex if vllm_guided_decoding_regex is not None else vllm_structured_outputs_regex"),
    ),
}
# {setting: the statement of the source by which it is replaced, which a copy may not have}
STATEMENTS: "dict[str, str]" = {}
