"""The commands of verl: modules, and the arguments are overrides of Hydra."""

from ..commands import Commands, Demand

# Every release that has them asserts this when the trainer is created: they have separate GPUs for generation.
_NOT_HYBRID = Demand("actor_rollout_ref.hybrid_engine", False, True)
_FULLY_ASYNC = (
    _NOT_HYBRID,
    Demand("data.train_batch_size", 0, 1024),
    Demand("data.gen_batch_size", 1, 1),
    Demand("async_training.staleness_threshold", 0, 0, is_least=True),
    Demand("async_training.trigger_parameter_sync_step", 1, 1, is_least=True),
)

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
    demands={
        "verl.experimental.fully_async_policy.fully_async_main": _FULLY_ASYNC,
        "recipe.fully_async_policy.fully_async_main": _FULLY_ASYNC,
        "verl.experimental.one_step_off_policy.main_ppo": (_NOT_HYBRID,),
        "recipe.one_step_off_policy.main_ppo": (_NOT_HYBRID,),
    },
    other_primaries=(
        "fully_async_ppo_trainer",
        "fully_async_ppo_megatron_trainer",
        "one_step_off_ppo_trainer",
        "one_step_off_ppo_megatron_trainer",
    ),
    trains_nothing=("main_eval", "main_generation"),
    marks=("actor_rollout_ref.", "+actor_rollout_ref."),
)
