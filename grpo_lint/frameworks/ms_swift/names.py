"""The argument classes that programs create themselves instead of a command, and the functions that take a list of
flags. Imports nothing."""

PACKAGE = "swift"
_CHOSEN_BY = ("rlhf_type", "grpo")
CLASSES = {
    "RLHFArguments": ("swift", None, (PACKAGE,), _CHOSEN_BY, False),
    "MegatronRLHFArguments": ("megatron", None, (PACKAGE,), _CHOSEN_BY, False),
}
# {function: the words of the command that it implements}
ENTRY_FUNCTIONS = {"rlhf_main": ("swift", "rlhf"), "megatron_rlhf_main": ("megatron", "rlhf")}
