"""`--fix` and `--diff` of whole repositories: the patch is what is written, and no run of any file gets worse."""

import io
import json
import os
import random
import re
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from conftest import one_run
from grpo_lint.cli import main as cli
from grpo_lint.cli.repairing import on_disk
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

A = "export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6\naccelerate launch --num_processes 8 -m trl.scripts.grpo --config shared.yaml\n"
B = "accelerate launch --num_processes 4 -m trl.scripts.grpo --config shared.yaml\n"
SHARED = "num_generations: 8\nper_device_train_batch_size: 4\ngradient_accumulation_steps: 1\nlearning_rate: 1.0e-6\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    forget()
    return tmp_path


def forget():
    settings.forget()
    pins.forget()


def run(*words):
    out, err = io.StringIO(), io.StringIO()
    out.buffer = err.buffer = io.BytesIO()
    forget()
    with redirect_stdout(out), redirect_stderr(err), one_run():
        status = cli.main(list(words))
    return status, out.getvalue(), err.getvalue()


def write(files):
    Path(".git").mkdir(exist_ok=True)
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())


def contents():
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def serious():
    """{(path, code)} of all that is more than an info."""
    told = run("--output-format", "concise", ".")[1]
    return set(re.findall(r"^(.+?):\d+:\d+: (?:error|warning) (GRPO\d+) ", told, re.MULTILINE))


def check_that_the_patch_is_what_is_written(*operands):
    """Returns whether there was anything to write."""
    before, found = contents(), serious()
    words = ["--unsafe-fixes", *operands]
    _, patch, told = run("--diff", *words)
    assert contents() == before
    if patch:
        process = subprocess.run(
            ["git", "apply", "-p0", "-"], input=patch.encode(), capture_output=True, check=False,
            env={**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(os.getcwd())},
        )  # fmt: skip
        assert process.returncode == 0, process.stderr
    applied = contents()
    write(before)
    _, out, err = run("--fix", *words)
    assert contents() == applied, patch
    assert "internal error" not in told + err + out
    new = serious() - found
    assert not new, (new, patch)
    changed = [path for path in before if before[path] != applied[path]]
    assert patch.count("\n+++ ") == len(changed)
    summary = told.strip().rpartition("with these changes: ")[2]
    assert summary in out or out.startswith("0 fixed; ") or summary.split(" in ")[0] in out
    return bool(changed)


def test_a_number_of_processes_that_breaks_the_shared_config_is_not_offered():
    write({"a.sh": A, "b.sh": B, "shared.yaml": SHARED, "requirements.txt": "trl==1.16.0\n"})
    assert serious() == {("a.sh", "GRPO441")}
    assert not check_that_the_patch_is_what_is_written("a.sh")
    assert not check_that_the_patch_is_what_is_written(".")
    assert "fixable" not in run("a.sh")[1]


def test_one_that_breaks_nothing_is():
    write({"a.sh": A, "b.sh": B, "shared.yaml": SHARED.replace("size: 4", "size: 8"), "requirements.txt": "trl==1.16.0\n"})  # fmt: skip
    assert check_that_the_patch_is_what_is_written(".")
    assert "--num_processes 7" in Path("a.sh").read_text()


def test_a_config_is_not_changed_for_one_script_at_the_cost_of_another():
    """Two scripts with three and two processes, where what suits one does not suit the other."""
    for size, steps, more in (
        (4, 1, ""),
        (2, 2, ""),
        (4, 2, " --steps_per_generation 3"),
        (8, 1, " --generation_batch_size 16"),
    ):
        write({
            "run/a.sh": "accelerate launch --num_processes 3 -m trl.scripts.grpo --config ../conf/shared.yaml\n",
            "run/b.sh": f"accelerate launch --num_processes 2 -m trl.scripts.grpo --config ../conf/shared.yaml{more}\n",
            "conf/shared.yaml": f"num_generations: 8\nper_device_train_batch_size: {size}\ngradient_accumulation_steps: {steps}\n",
            "requirements.txt": "trl==1.16.0\n",
        })  # fmt: skip
        check_that_the_patch_is_what_is_written("run/a.sh")
        check_that_the_patch_is_what_is_written(".")


# --- drawn repositories ---------------------------------------------------------------------------------------------


def drawn(chance):
    """The files of a repository with shared configs, scripts, and files for accelerate and DeepSpeed."""
    end = chance.choice(["\n", "\n", "\r\n"])
    files = {"requirements.txt": f"trl=={chance.choice(['1.16.0', '0.24.0'])}\n"}
    configs = [
        f"{chance.choice(['', 'conf/', 'recipes/'])}{name}.yaml" for name in ("base", "shared")[: chance.randint(1, 2)]
    ]
    for name in configs:
        lines = ["# settings of a run"] * chance.randint(0, 1)
        lines += [f"num_generations: {chance.choice([4, 6, 8])}"]
        lines += [f"per_device_train_batch_size: {chance.choice([1, 2, 3, 4, 8])}"]
        lines += [f"gradient_accumulation_steps: {chance.choice([1, 2, 3, 4])}"] * chance.randint(0, 1)
        lines += [f"steps_per_generation: {chance.choice([1, 2, 4])}"] * (chance.random() < 0.2)
        lines += ["deepspeed: conf/ds.json"] * (chance.random() < 0.4)
        lines += ["bf16: true", "learning_rate: 1.0e-6"]
        lines += [chance.choice(["loss_type: dapoo", "max_promt_length: 12", "scale_reward: group"])] * (
            chance.random() < 0.3
        )
        files[name] = end.join(lines) + end
    files["conf/ds.json"] = json.dumps({
        "zero_optimization": {"stage": 2},
        "train_micro_batch_size_per_gpu": chance.choice(["auto", 1, 2, 4]),
        "gradient_accumulation_steps": chance.choice(["auto", 1, 2]),
        "bf16": {"enabled": "auto"},
    }, indent=2) + "\n"  # fmt: skip
    files["conf/acc.yaml"] = f"distributed_type: MULTI_GPU\nmixed_precision: bf16\nnum_machines: 1\nnum_processes: {chance.choice([2, 3, 4, 8])}\n"  # fmt: skip
    for number in range(chance.randint(1, 4)):
        config = chance.choice(configs)
        variables = f"export CUDA_VISIBLE_DEVICES={','.join(map(str, range(chance.choice([3, 4, 7]))))}\n" * (chance.random() < 0.4)  # fmt: skip
        start = chance.choice(
            [
                f"--num_processes {chance.choice([1, 2, 3, 4, 7, 8])}",
                "--config_file conf/acc.yaml",
                f"--multi_gpu --num_processes {chance.choice([2, 4])}",
            ]
        )
        own = chance.choice(
            [
                "",
                "",
                " --gradient_accumulation_steps 2",
                " --per_device_train_batch_size 3",
                " --num_generations 4",
                " --deepspeed conf/ds.json",
            ]
        )
        line = f"accelerate launch {start} -m trl.scripts.grpo --config {config}{own}\n"
        if chance.random() < 0.2:
            line = f'CONFIG={config}\naccelerate launch {start} -m trl.scripts.grpo --config "$CONFIG"{own}\n'
        if chance.random() < 0.2:
            line = f"for c in {' '.join(each.removesuffix('.yaml') for each in configs)}; do\n  accelerate launch {start} -m trl.scripts.grpo --config $c.yaml{own}\ndone\n"
        files[f"{chance.choice(['', 'scripts/'])}run_{number}.sh"] = variables + line * chance.choice([1, 1, 2])
    if chance.random() < 0.2:
        files["all.sh"] = "".join(f"bash {name}\n" for name in files if name.endswith(".sh"))
    return files


@pytest.mark.parametrize("seed", range(40))
def test_in_a_drawn_repository(seed):
    chance = random.Random(seed)
    files = drawn(chance)
    write(files)
    check_that_the_patch_is_what_is_written(
        chance.choice([*(name for name in files if name.endswith((".sh", ".yaml")))])
    )
    check_that_the_patch_is_what_is_written(".")


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_in_many_drawn_repositories(block):
    for seed in range(1000 + 20 * block, 1020 + 20 * block):
        for path in contents():
            os.unlink(path)
        chance = random.Random(seed)
        write(drawn(chance))
        check_that_the_patch_is_what_is_written(".")


# --- how lines end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"a: 1\nb: 2\nc: 3\n", b"a: 1\r\nb: 2\r\nc: 3\r\n", b"a: 1\r\nb: 2\nc: 3\r\n", b"a: 1\rb: 2\rc: 3", b"\xef\xbb\xbfa: 1\nb: 2\nc: 3",
     "a: 1\nb: 2\nc: 3\n".encode("utf-16"), b"a: 1\nb: 2\nc: 3\r"],
)  # fmt: skip
def test_a_file_beside_keeps_its_bytes(data):
    write({"named.yaml": data})
    text = "a: 1\nb: 2\nc: 3" + ("\n" if data.rstrip(b"\0")[-1:] in b"\r\n" else "")
    path, before, after = on_disk("named.yaml", text, text.replace("b: 2", "b: 20"))
    assert (path, before) == ("named.yaml", data)
    wide = data[:2] == b"\xff\xfe"
    assert after == data.replace(*((each.encode("utf-16-le") if wide else each.encode()) for each in ("b: 2", "b: 20")))
    (_, _, longer) = on_disk("named.yaml", text, text.replace("b: 2\n", "x: 1\nb: 2\ny: 1\n"))
    kept = longer.decode("utf-16" if wide else "utf-8-sig")
    assert [line for line in kept.splitlines() if line[0] in "abc"] == ["a: 1", "b: 2", "c: 3"]


def test_a_line_between_new_ones_ends_as_it_did():
    write({"named.yaml": b"a: 1\r\nb: 2\nc: 3\r\n"})
    _, _, after = on_disk("named.yaml", "a: 1\nb: 2\nc: 3\n", "a: 1\nx: 1\nb: 2\ny: 1\nc: 3\n")
    assert after == b"a: 1\r\nx: 1\r\nb: 2\ny: 1\r\nc: 3\r\n"
