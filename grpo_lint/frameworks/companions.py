"""The packages beside a framework that decide what it refuses."""

COMPANION_OF = {
    "trl_checks_evaluation": "trl",
    "trl_is_supported": "trl",
    "last_update_may_be_partial": "transformers",
    "batches_continuously": "transformers",
    "ratio_replaces_steps": "transformers",
    "vllm_is_supported": "vllm",
    "liger_is_supported": "liger-kernel",
}
