"""The keys of groups in ms-swift, which tell a file of its when rlhf_type comes on the command line."""

GROUP_KEYS = frozenset(
    "num_generations reward_funcs reward_model reward_weights steps_per_generation generation_batch_size".split()
)
