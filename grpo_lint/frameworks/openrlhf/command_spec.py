"""The commands of OpenRLHF."""

from ..command_spec import Commands

COMMANDS = Commands(
    "openrlhf",
    None,
    trains={},
    modules={"openrlhf.cli.train_ppo_ray": None, "openrlhf/cli/train_ppo_ray.py": None},
    one_spelling=True,
)
