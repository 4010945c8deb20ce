"""The classes of arguments that programs make themselves, in the place of a command. Imports nothing."""

_CHOSEN_BY = ("rlhf_type", "grpo")
CLASSES = {
    "RLHFArguments": ("swift", None, ("swift",), _CHOSEN_BY, False),
    "MegatronRLHFArguments": ("megatron", None, ("swift",), _CHOSEN_BY, False),
}
