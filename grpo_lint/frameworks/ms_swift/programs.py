"""The classes of arguments that programs make themselves, in the place of a command, and the functions that take a list of flags.
Imports nothing."""

PACKAGE = "swift"
_CHOSEN_BY = ("rlhf_type", "grpo")
CLASSES = {
    "RLHFArguments": ("swift", None, (PACKAGE,), _CHOSEN_BY, False),
    "MegatronRLHFArguments": ("megatron", None, (PACKAGE,), _CHOSEN_BY, False),
}
# {function: the words of the command that it does the work of}
DOORS = {"rlhf_main": ("swift", "rlhf"), "megatron_rlhf_main": ("megatron", "rlhf")}
