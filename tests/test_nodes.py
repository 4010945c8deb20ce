"""Runs on several nodes with a script for each of them."""

import pytest

from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files

SWIFT = """\
export NNODES=2
export NODE_RANK={rank}
export NPROC_PER_NODE={processes}
swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-1.5B-Instruct --dataset d --reward_funcs accuracy \\
    --per_device_train_batch_size 1 --num_generations 7
"""
TORCHRUN = """\
torchrun --nnodes 2 --node_rank {rank} --nproc_per_node {processes} train.py --per_device_train_batch_size 1 --num_generations 7 \\
    --max_completion_length 64 --learning_rate 1e-6
"""


def world(folder, name="first.sh"):
    path = str(folder / name)
    fact = lint_path(path, Context(files=Files(path)), fixes=False).launches[0].facts.get("world_size")
    return (None, None) if fact is None else (fact.value, fact.source)


@pytest.mark.parametrize(
    "script, source", [(SWIFT, "NPROC_PER_NODE"), (TORCHRUN, "--nproc_per_node")], ids=["swift", "torchrun"]
)
def test_the_processes_of_all_nodes_are_counted(tmp_path, script, source):
    (tmp_path / "first.sh").write_text(script.format(rank=0, processes=3))
    assert world(tmp_path) == (6, f"{source} x 2 nodes")
    (tmp_path / "second.sh").write_text(script.format(rank=1, processes=4))
    assert world(tmp_path) == (7, f"{source} here and in second.sh")
    assert world(tmp_path, "second.sh") == (7, f"{source} here and in first.sh")


def test_nodes_that_are_alike_are_multiplied(tmp_path):
    for rank, name in enumerate(("first.sh", "second.sh")):
        (tmp_path / name).write_text(SWIFT.format(rank=rank, processes=3))
    assert world(tmp_path) == (6, "NPROC_PER_NODE x 2 nodes")


def test_scripts_that_contradict_each_other_or_start_something_else_say_nothing(tmp_path):
    (tmp_path / "first.sh").write_text(SWIFT.format(rank=0, processes=3))
    (tmp_path / "second.sh").write_text(SWIFT.format(rank=1, processes=4))
    (tmp_path / "other.sh").write_text(SWIFT.format(rank=1, processes=5))
    assert world(tmp_path) == (6, "NPROC_PER_NODE x 2 nodes")
    (tmp_path / "other.sh").write_text(TORCHRUN.format(rank=1, processes=5))
    assert world(tmp_path) == (7, "NPROC_PER_NODE here and in second.sh")


@pytest.mark.parametrize(
    ("before", "count"),
    [
        ("env NNODES=2 NPROC_PER_NODE=8", 16),
        ("/usr/bin/env -u OLD NPROC_PER_NODE=8", 8),
        ("nohup env NPROC_PER_NODE=8", 8),
        ("ray job submit --address http://a:8265 -- env NNODES=2 NPROC_PER_NODE=8", 16),
        ("docker run --rm image env NPROC_PER_NODE=8", 8),
        ("""ray job submit --runtime-env-json='{"env_vars": {"NPROC_PER_NODE": "8"}}' --""", 8),
        (
            """ENV='{\n "env_vars": {"NNODES": "2", "NPROC_PER_NODE": "8"}\n}'\nray job submit --runtime-env-json "$ENV" --""",
            16,
        ),
        ("ray job submit --runtime-env=env.yaml --", None),
        ("""ray job submit --runtime-env-json='{"env_vars": {"NPROC_PER_NODE": 8' --""", None),
    ],
)
def test_what_env_sets_counts(tmp_path, before, count):
    (tmp_path / "first.sh").write_text(
        f"{before} swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8\n"
    )
    assert world(tmp_path)[0] == count
