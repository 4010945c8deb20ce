"""The commands of verl: modules, and the arguments are overrides of Hydra."""

from ..command_spec import Commands, Demand, EntryPoint

# Every release that has them asserts this when the trainer is created: they have separate GPUs for generation.
_NOT_HYBRID = Demand("actor_rollout_ref.hybrid_engine", False, True)

_ENTRY_POINTS = (
    EntryPoint(
        "dapo",
        ("recipe.dapo.main_dapo", "recipe.dapo.src.main_dapo"),
        {"dapo_trainer": "dp", "dapo_megatron_trainer": "megatron"},
    ),
    EntryPoint(
        "fully_async",
        (
            "verl.experimental.fully_async_policy.fully_async_main",
            "recipe.fully_async_policy.fully_async_main",
        ),
        {"fully_async_ppo_trainer": "dp", "fully_async_ppo_megatron_trainer": "megatron"},
        (
            _NOT_HYBRID,
            Demand("data.train_batch_size", 0, 1024),
            Demand("data.gen_batch_size", 1, 1),
            Demand("async_training.staleness_threshold", 0, 0, is_least=True),
            Demand("async_training.trigger_parameter_sync_step", 1, 1, is_least=True),
        ),
    ),
    EntryPoint(
        "one_step_off",
        ("verl.experimental.one_step_off_policy.main_ppo", "recipe.one_step_off_policy.main_ppo"),
        {"one_step_off_ppo_trainer": "dp", "one_step_off_ppo_megatron_trainer": "megatron"},
        (_NOT_HYBRID,),
    ),
    EntryPoint("hgpo", ("recipe.hgpo.main_hgpo",), {"hgpo_trainer": "dp"}, fork="verl-agent"),
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
    entry_points=_ENTRY_POINTS,
    others=EntryPoint("own", (), {"ppo_trainer": "dp", "ppo_megatron_trainer": "megatron"}),
    mains=(
        "verl.trainer.main_ppo.main",
        "verl.trainer.main_ppo.run_ppo",
        "verl.trainer.main_ppo.TaskRunner.run.remote",
        "verl.trainer.main_ppo.main_task.remote",
    ),
    prepares=("verl.utils.device.auto_set_device",),
    trains_nothing=("main_eval", "main_generation", "model_merger", "legacy_model_merger"),
    marks=("actor_rollout_ref.", "+actor_rollout_ref."),
)
