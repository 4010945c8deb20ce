"""The command of EasyR1: a module whose arguments are keys and values, merged by OmegaConf."""

from ..command_spec import Commands

COMMANDS = Commands(
    "easyr1",
    None,
    trains={},
    modules={"verl.trainer.main": None, "verl/trainer/main.py": None},
    style="omegaconf",
)
