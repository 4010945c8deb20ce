"""The keys of groups in ms-swift, which tell a file of its when rlhf_type comes on the command line."""

GROUP_KEYS = frozenset(
    "num_generations reward_funcs reward_model reward_weights steps_per_generation generation_batch_size".split()
)

# What rlhf_type may be in some release, beside grpo.
OTHER_TRAINERS = frozenset("dpo orpo simpo kto cpo rm ppo gkd".split())


def is_misspelt(kind: object) -> bool:
    """Whether a value of rlhf_type is no trainer of any release, such as gspo: grpo may well be meant."""
    return kind is None or (type(kind) is str and kind not in OTHER_TRAINERS and kind != "grpo")


# Where a server of vLLM is, and how it is reached: one without the others says nothing.
SERVER_KEYS = ("vllm_server_host", "vllm_server_base_url", "vllm_server_port", "vllm_server_timeout")
