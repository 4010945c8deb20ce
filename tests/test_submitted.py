"""Commands that another program is handed: a submitter of a cluster, a tool that measures, a job that Python makes."""

import pytest

from conftest import lint_text, names

TRAINS = "accelerate launch --num_processes 7 train.py --num_generations 8 --per_device_train_batch_size 1 --model_name_or_path m"


@pytest.mark.parametrize(
    ("line", "launches"),
    [
        ('submit_job --gpus 7 -c "{}"', 1),
        ("python tools/submit.py --command '{}'", 1),
        ('launch_job.py --cmd "{}"', 1),
        ('bsub -q gpu -n 4 "{}"', 1),
        ("bash -c '{}'", 1),
        ('rlaunch --gpu 7 -- bash -c "{}"', 1),
        ('echo -c "{}"', 0),
        ('grep -c "{}" notes.txt', 0),
        ('python -c "{}"', 0),
    ],
)
def test_a_command_that_a_submitter_is_handed_is_one(line, launches):
    report = lint_text(f"# grpo-lint: version=1.16.0\n{line.format(TRAINS)}\n", path="run.sh")
    assert len(report.launches) == launches
    assert ("rollout-holds-whole-groups" in names(report)) == bool(launches)


@pytest.mark.parametrize(
    "start",
    [
        "python -m coverage run --source src",
        "coverage run --branch -p",
        "srun coverage run",
        "python -m debugpy --listen 5678 --wait-for-client",
        "python -m cProfile -o a.prof",
    ],
)
def test_a_tool_that_runs_the_program_stands_in_front_of_it(start):
    flags = TRAINS.partition("train.py")[2]
    (launch,) = lint_text(f"# grpo-lint: version=1.16.0\n{start} train.py {flags}\n", path="run.sh").launches
    assert launch.value("num_generations") == "8"
    (launch,) = lint_text(
        f"# grpo-lint: version=0.9.1\n{start} -m verl.trainer.main_ppo data.train_batch_size=8\n", path="run.sh"
    ).launches
    assert launch.value("data.train_batch_size") == 8
    assert not lint_text("python -m coverage report --num_generations 8\n", path="run.sh").launches


@pytest.mark.parametrize(
    ("made", "launches"),
    [
        ("from azure.ai.ml import command\njob = command(code='.', command='{}', environment='e')\n", 1),
        ("import azure.ai.ml as ml\njob = ml.command(command='{}')\n", 1),
        ("import sky\ntask = sky.Task(setup='pip install trl', run='{}')\n", 1),
        ("import sky\nfrom mine import command\njob = command(note='{}')\n", 0),
    ],
)
def test_the_command_of_a_job_that_python_makes(made, launches):
    assert len(lint_text(made.format(TRAINS), path="job.py").launches) == launches


@pytest.mark.parametrize(
    ("script", "launches"),
    [
        ('COMMAND="{}" sbatch --nodes=1 ray.sub', 1),
        ('export COMMAND="{}"\nsbatch ray.sub', 1),
        (
            'COMMAND="{}"\nif [ -n "$MORE" ]; then\n  COMMAND="$COMMAND --beta 0.1"\nfi\nexport COMMAND\nsbatch ray.sub',
            1,
        ),
        ("read -r -d '' COMMAND <<EOF\ncd ${{REPO}}\n{}\nEOF\nCOMMAND=$COMMAND CONTAINER=$IMAGE sbatch ray.sub", 1),
        ('RUN_CMD="{}" bash start_container.sh', 1),
        ('COMMAND="{}"\nsbatch ray.sub', 0),  # which gets nothing that is not exported
        ('NOTE="{}" sbatch ray.sub', 0),
        ("read -r COMMAND <<EOF\n{}\nEOF\nCOMMAND=$COMMAND sbatch ray.sub", 0),  # a line, which is not followed
        ('export COMMAND="{}"\necho done', 0),
    ],
)
def test_a_command_in_a_variable_of_a_job_is_one(script, launches):
    """`ray.sub` of NeMo-RL runs what COMMAND says, on other machines."""
    report = lint_text(f"# grpo-lint: version=1.16.0\n{script.format(TRAINS)}\n", path="run.sh")
    assert len(report.launches) == launches
    assert ("rollout-holds-whole-groups" in names(report)) == bool(launches)
