"""The keys of ms-swift for groups, which identify its files when rlhf_type is given on the command line."""

GROUP_KEYS = frozenset(
    "num_generations reward_funcs reward_model reward_weights steps_per_generation generation_batch_size".split()
)

# The values of rlhf_type in any release, besides grpo.
OTHER_TRAINERS = frozenset("dpo orpo simpo kto cpo rm ppo gkd".split())


def is_misspelt(kind: object) -> bool:
    """Whether a value of rlhf_type is no trainer of any release, such as gspo, so that grpo may be meant."""
    return kind is None or (type(kind) is str and kind not in OTHER_TRAINERS and kind != "grpo")


# The address of a vLLM server: one of these settings without the others has no meaning.
SERVER_KEYS = ("vllm_server_host", "vllm_server_base_url", "vllm_server_port", "vllm_server_timeout")
