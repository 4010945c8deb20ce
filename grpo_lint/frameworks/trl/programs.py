"""What training scripts import from TRL, for `launch.programs`. Imports nothing."""

PACKAGE = "trl"
TRAINERS = frozenset(("GRPOTrainer", "RLOOTrainer"))
CONFIGS = frozenset(("GRPOConfig", "RLOOConfig"))
# argument classes whose fields are in a catalogue
ARGUMENTS = CONFIGS | {
    "ModelConfig",
    "ScriptArguments",
    "GRPOScriptArguments",
    "RLOOScriptArguments",
    "DatasetMixtureConfig",
}


def is_of_trl(module: str) -> bool:
    """Whether a module is the package, or in it."""
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


EXPERIMENTS = f"{PACKAGE}.experimental"
# Unsloth replaces TRL's classes by classes generated from these.
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
# The settings that Unsloth's constructor changes where the sizes do not fit, and those that it adds.
PATCHED = frozenset(("per_device_train_batch_size",))
ADDED_BY_PATCHER = ("vllm_sampling_params", "unsloth_", "max_seq_length")
