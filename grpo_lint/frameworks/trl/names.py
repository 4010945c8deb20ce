"""What training scripts import from TRL. Imports nothing."""

PACKAGE = "trl"
TRAINERS = frozenset(("GRPOTrainer", "RLOOTrainer"))
# those of all other methods, in releases 0.14 to 1.16: a name that is in none comes from somebody's own copy
OTHER_TRAINERS = frozenset(
    """A2POTrainer AlignPropTrainer AsyncDistillationTrainer AsyncGRPOTrainer BCOTrainer BaseSelfDistillationTrainer BaseTrainer CPOTrainer
    DDPOTrainer DPOTrainer DPPOTrainer DistillationTrainer GFPOTrainer GKDTrainer GMPOTrainer GOLDTrainer GRPOWithReplayBufferTrainer
    IWOPDTrainer IterativeSFTTrainer KTOTrainer LayerSkipSFTTrainer MiniLLMTrainer NashMDTrainer ORPOTrainer OnlineDPOTrainer PAPOTrainer
    PPOTrainer PPOv2Trainer PRMTrainer RLOOv2Trainer RewardTrainer SDFTTrainer SDPOTrainer SFTTrainer SSDTrainer ServerDistillationTrainer
    TPOTrainer XPOTrainer""".split()
)
CONFIGS = frozenset(("GRPOConfig", "RLOOConfig"))
# argument classes whose fields are in a catalogue
ARGUMENTS = CONFIGS | {
    "ModelConfig",
    "ScriptArguments",
    "GRPOScriptArguments",
    "RLOOScriptArguments",
    "DatasetMixtureConfig",
}


_OF_SCRIPTS = ("ScriptArguments", "GRPOScriptArguments", "RLOOScriptArguments")
# {group of the catalogue: the classes that declare its fields}, and the fields of it that the first of them does not have
CLASSES_OF_GROUPS = {"script": _OF_SCRIPTS, "model": ("ModelConfig",), "mixture": ("DatasetMixtureConfig",)}
OF_REWARDS = ("reward_funcs", "reward_model_name_or_path")


def is_of_package(module: str) -> bool:
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
MARKS_OF_PATCHER = ("vllm_sampling_params", "unsloth_")
ADDED_BY_PATCHER = (*MARKS_OF_PATCHER, "max_seq_length")


# --- by a look at the text ------------------------------------------------------------------------------------------


def may_train(text: str) -> bool:
    """Whether a Python file may be a training script, or another program that reads the same configs."""
    reads_arguments = reads_usually(text) or ("ArgumentParser" in text and (PACKAGE in text or "yaml" in text))
    loads_config = "hydra.main" in text or (
        any(name in text for name in CONFIGS) and ("yaml" in text or "OmegaConf" in text)
    )
    return (reads_arguments or loads_config) and ("__main__" in text or "def main(" in text or _trains_at_once(text))


def _trains_at_once(text: str) -> bool:
    """Whether a Python file trains when it is run although it has no `main`, such as a notebook that was saved as one."""
    at = text.find(".train(")
    while at >= 0:
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if line[:1].isidentifier() and "#" not in line:
            return True
        at = text.find(".train(", at + 1)
    return False


def reads_usually(text: str) -> bool:
    """Whether a Python file may read arguments with the parser of transformers or TRL."""
    return "TrlParser" in text or "HfArgumentParser" in text


def may_be_trained_with(text: str) -> bool:
    """Whether a Python file may train as ours do, whatever calls it."""
    return "GRPOTrainer" in text or "RLOOTrainer" in text
