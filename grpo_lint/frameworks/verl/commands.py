"""The commands of verl: modules, and the arguments are overrides of Hydra."""

from ..commands import Commands

COMMANDS = Commands(
    "verl",
    None,
    trains={},
    modules={
        "verl.trainer.main_ppo": None,
        "verl/trainer/main_ppo.py": None,
        "verl.trainer.main_ppo_sync": None,
        "verl.trainer.main_ppo_v0": None,
    },
    style="hydra",
    primaries=("ppo_trainer", "ppo_megatron_trainer"),
    marks=("actor_rollout_ref.", "+actor_rollout_ref."),
)
