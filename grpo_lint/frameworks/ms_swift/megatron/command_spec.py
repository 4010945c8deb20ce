"""The commands of Megatron-SWIFT."""

from ...command_spec import Commands

COMMANDS = Commands(
    "megatron",
    "megatron",
    trains={"rlhf": None},
    modules={"swift.cli._megatron.rlhf": None, "swift/cli/_megatron/rlhf.py": None},
    counted_by_environment=True,
)
