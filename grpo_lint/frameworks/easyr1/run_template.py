"""How a run of EasyR1 is configured to begin with."""

from ..run_template import RunTemplate, Usual

TEMPLATE = RunTemplate(
    framework="easyr1",
    command="""\
python3 -m verl.trainer.main \\
    data.train_files=train.parquet \\
    data.val_files=val.parquet \\
    worker.actor.model.model_path=Qwen/Qwen2.5-0.5B-Instruct \\
    worker.rollout.tensor_parallel_size=1
""",
    launcher_of_flags="python3 -m verl.trainer.main",
    engine_size="worker.rollout.tensor_parallel_size",
    usual=Usual(group=5, update=640, updates=4),
    epochs=("trainer.total_epochs", "trainer.total_episodes"),
)
