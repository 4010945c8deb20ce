"""How a run of verl is configured to begin with."""

from ..run_template import RunTemplate, Saver, Usual

TEMPLATE = RunTemplate(
    framework="verl",
    command="""\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=train.parquet \\
    data.val_files=val.parquet \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B-Instruct \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=1 \\
    trainer.save_freq=20
""",
    launcher_of_flags="python3 -m verl.trainer.main_ppo",
    savers=(
        Saver(
            settings={
                "actor_rollout_ref.model.lora_rank": 32,
                "actor_rollout_ref.model.lora_alpha": 32,
                "actor_rollout_ref.rollout.load_format": "safetensors",
            }
        ),
    ),
    engine_size="actor_rollout_ref.rollout.tensor_model_parallel_size",
    usual=Usual(group=5, update=1280, updates=4),
    epochs=("trainer.total_epochs",),
)
