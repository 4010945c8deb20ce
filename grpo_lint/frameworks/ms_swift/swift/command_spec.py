"""The commands of ms-swift."""

from ...command_spec import Commands

COMMANDS = Commands(
    "swift",
    "swift",
    trains={"rlhf": None},
    serves="rollout",
    modules={"swift.cli.rlhf": None, "swift/cli/rlhf.py": None},
    counted_by_environment=True,
)
