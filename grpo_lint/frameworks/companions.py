"""The packages beside a framework that decide what it refuses."""

# {package beside a framework: the meaning of the fact of this name}
COMPANIONS = {
    "transformers": "release of transformers that is installed beside the framework",
    "trl": "release of TRL that is installed beside ms-swift",
    "vllm": "release of vLLM that is installed beside the framework",
    "liger-kernel": "release of liger-kernel that is installed beside the framework",
}
COMPANION_OF = {
    "trl_checks_evaluation": "trl",
    "trl_is_supported": "trl",
    "last_update_may_be_partial": "transformers",
    "batches_continuously": "transformers",
    "ratio_replaces_steps": "transformers",
    "transformers_minor": "transformers",
    "zero_temperature_is_greedy": "transformers",
    "vllm_is_supported": "vllm",
    "liger_is_supported": "liger-kernel",
}
