"""How a run of verl is configured to begin with."""

from ..run_template import RunTemplate

TEMPLATE = RunTemplate(
    framework="verl",
    command="""\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=train.parquet \\
    data.val_files=val.parquet \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B-Instruct \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=1
""",
    launcher_of_flags="python3 -m verl.trainer.main_ppo",
    epochs=("trainer.total_epochs",),
)
