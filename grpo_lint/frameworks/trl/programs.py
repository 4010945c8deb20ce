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
