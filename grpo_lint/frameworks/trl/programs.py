"""What training scripts take from TRL, for `launch.programs`. Imports nothing."""

PACKAGE = "trl"
TRAINERS = frozenset(("GRPOTrainer", "RLOOTrainer"))
CONFIGS = frozenset(("GRPOConfig", "RLOOConfig"))
# classes of arguments whose fields a catalogue knows
ARGUMENTS = CONFIGS | {
    "ModelConfig",
    "ScriptArguments",
    "GRPOScriptArguments",
    "RLOOScriptArguments",
    "DatasetMixtureConfig",
}


def is_of_trl(module: str) -> bool:
    """Whether a module is the package, or a part of it."""
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


EXPERIMENTS = f"{PACKAGE}.experimental"
# Unsloth puts classes of its own, made from these, in the place of TRL's.
PATCHER = "unsloth"
_HOMES = (PACKAGE, PATCHER)
CLASSES = {
    "GRPOConfig": ("trl", "grpo", _HOMES, None, False),
    "RLOOConfig": ("trl", "rloo", _HOMES, None, False),
    **dict.fromkeys(
        ("GRPOWithReplayBufferConfig", "GMPOConfig", "PAPOConfig", "GFPOConfig"),
        ("trl", "grpo", (PACKAGE,), None, True),
    ),
}
# What Unsloth's constructor changes where the sizes do not fit, and what it adds.
PATCHED = frozenset(("per_device_train_batch_size",))
ADDED_BY_PATCHER = ("vllm_sampling_params", "unsloth_", "max_seq_length")
