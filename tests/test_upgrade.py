"""`grpo-lint upgrade`: what another release wants written otherwise, and what it would train otherwise."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grpo_lint import engine
from grpo_lint.changes.compare import newest_plan
from grpo_lint.changes.upgrade import upgrade
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.launch.facts import Fact
from grpo_lint.report.changes import upgrade_text

EARLY = """\
# a run of early 2025
# grpo-lint: world-size=4
model_name_or_path: Qwen/Qwen2.5-0.5B
torch_dtype: bfloat16  # as it was trained
dataset_name: x
use_vllm: true
vllm_device: auto
num_generations: 8
max_prompt_length: 256
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
learning_rate: 1.0e-6
"""
RUN = "num_generations: 8\nper_device_train_batch_size: 8\ndataset_name: x\n"
SWIFT = """\
NPROC_PER_NODE=4 \\
swift rlhf \\
    --rlhf_type grpo \\
    --model Qwen/Qwen2.5-7B-Instruct \\
    --train_type lora \\
    --dataset AI-MO/NuminaMath-TIR \\
    --reward_funcs accuracy format \\
    --use_vllm true \\
    --num_generations 8 \\
    --per_device_train_batch_size 8
"""
VERL = """\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=x.parquet data.val_files=y.parquet \\
    data.train_batch_size=1024 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.rollout.n=5 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8 \\
    trainer.n_gpus_per_node=8 trainer.nnodes=1
"""
OPENRLHF = """\
python3 -m openrlhf.cli.train_ppo_ray \\
    --actor_num_gpus_per_node 8 --ref_num_gpus_per_node 8 --vllm_num_engines 8 --colocate_all_models \\
    --pretrain m --remote_rm_url r.py --prompt_data d --advantage_estimator group_norm --n_samples_per_prompt 8 \\
    --micro_train_batch_size 3 --train_batch_size 128 --generate_max_len 2000 --prompt_max_len 500 --bf16
"""


def command(folder, *words):
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "grpo_lint", "upgrade", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def upgraded(text, path, before, after, pin=False):
    def context(version):
        found = Around({"version": Fact(version, "command line")} if version else {}).of(path)
        found.pins = {}
        return found

    return upgrade(text.encode(), path, context(before), context(after), pin)


TOLD = "# grpo-lint: dialect=trl\nnum_generations: 8\nper_device_train_batch_size: 8\n"


def told(done):
    return {change.name: (change.before, change.after) for run in done.runs for change in run.changes if not change.why}


def test_an_early_file_of_trl_on_the_newest_release(tmp_path):
    (tmp_path / "early.yaml").write_text(EARLY)
    result = command(tmp_path, "early.yaml", "--from", "trl@0.14", "--to", "trl@1.16")
    assert result.returncode == 1
    assert (
        result.stdout
        == """\
early.yaml: TRL 0.14.0 -> 1.16.0
  rename    torch_dtype to dtype
  remove    vllm_device
  remove    max_prompt_length
  lost      vllm_device: auto has no counterpart: an engine has no GPU of its own: it shares those of training (vllm_mode: colocate), or is a server
  lost      max_prompt_length: 256 has no counterpart: prompts are no longer cut: filter the data by length
  differs   completions per update 512 -> 64
  differs   prompts per update 64 -> 8
  differs   completions per rollout 32 -> 64
  differs   prompts per rollout 4 -> 8
  differs   updates per rollout 1/16 (16 rollouts make 1 update) -> 1
  default   average_tokens_across_devices was false by default, is true: write average_tokens_across_devices: false to keep it
  default   beta was 0.04 by default, is 0.0: write beta: 0.04 to keep it
  default   bf16 was false by default, is true: write bf16: false to keep it
  default   max_completion_length was 256 by default, is 512: write max_completion_length: 256 to keep it
  default   optim was adamw_torch by default, is adamw_torch_fused: write optim: adamw_torch to keep it
  default   temperature was 0.9 by default, is 1.0: write temperature: 0.9 to keep it
  default   loss_type was grpo by default, is dapo: write loss_type: grpo to keep it
  default   vllm_importance_sampling_correction was false by default, is true: write vllm_importance_sampling_correction: false to keep it
  default   use_bias_correction_kl was false by default, is true: write use_bias_correction_kl: false to keep it
  keep      per_device_train_batch_size: 8 gives an update its size back

"""
    )
    assert (tmp_path / "early.yaml").read_text() == EARLY


@pytest.mark.parametrize(
    ("lines", "is_lost"), [("use_vllm: true\n", True), ("", False), ("vllm_device: cuda:7\n", False)]
)
def test_a_gpu_set_apart_is_lost_where_there_was_an_engine(lines, is_lost):
    """Written or by default, but not where vLLM is off."""
    done = upgraded(RUN + lines, "run.yaml", "0.15.2", "1.16.0")
    assert ("vllm_device" in dict([*done.lost, *done.lost_defaults])) == is_lost


def test_defaults_are_pinned_and_updates_get_their_size_back(tmp_path):
    (tmp_path / "early.yaml").write_text(EARLY)
    shown = command(tmp_path, "early.yaml", "--from", "trl@0.14", "--to", "trl@1.16", "--pin-defaults", "--diff").stdout
    assert "-torch_dtype: bfloat16  # as it was trained\n+dtype: bfloat16  # as it was trained\n" in shown
    assert "+beta: 0.04\n" in shown and "+per_device_train_batch_size: 8\n" in shown
    result = command(tmp_path, "early.yaml", "--from", "trl@0.14", "--to", "trl@1.16", "--pin-defaults", "--fix")
    assert result.returncode == 0
    text = (tmp_path / "early.yaml").read_text()
    done = upgraded(text, "early.yaml", "1.16.0", "1.16.0")
    plan = newest_plan(done.after.launches[0])
    assert (plan.value("completions_per_update"), plan.value("group_size")) == (512, 8)
    assert not [finding for finding in done.after.findings if finding.severity != "info"]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("0.18.2", {"beta": (0.04, 0.0), "loss_type": ("bnpo", "dapo"), "max_completion_length": (256, 512)}),
        ("0.21.0", {"loss_type": ("bnpo", "dapo"), "max_completion_length": (256, 512)}),
        ("1.0.0", {"max_completion_length": (256, 512)}),
    ],
)
def test_defaults_that_this_training_takes(before, expected):
    done = upgraded(RUN, "run.yaml", before, "1.16.0")
    found = told(done)
    assert {name: found.get(name) for name in expected} == expected
    assert not {"vllm_mode", "ref_model_sync_steps", "scale_rewards", "report_to", "top_k"} & found.keys()
    set_already = "".join(f"{name}: {was}\n" for name, (was, _) in expected.items())
    assert not expected.keys() & told(upgraded(RUN + set_already, "run.yaml", before, "1.16.0")).keys()


def test_a_script_of_ms_swift_3_on_4(tmp_path):
    (tmp_path / "train.sh").write_text(SWIFT)
    result = command(tmp_path, ".", "--from", "swift@3.8", "--to", "swift@4.6", "--fix")
    assert "rename    train_type to tuner_type" in result.stdout
    assert "write     --vllm_mode colocate" in result.stdout  # was the default, and has to be said now
    assert "top_p was 0.9 by default, is 1.0" in result.stdout
    text = (tmp_path / "train.sh").read_text()
    assert (
        "--tuner_type lora" in text
        and "--vllm_mode colocate" in text
        and "train_type lora \\\n    --dataset" not in text.replace("tuner_type", "")
    )
    done = upgraded(text, "train.sh", "4.6.0", "4.6.0")
    assert not [finding for finding in done.after.findings if finding.severity == "error"]


def test_overrides_of_verl_move():
    done = upgraded(VERL, "train.sh", "0.2.0", "0.9.1", pin=True)
    text = done.data.decode()
    assert "actor_rollout_ref.rollout.name=vllm" in text
    assert "actor_rollout_ref.actor.entropy_coeff=0.001" in text
    assert not [finding for finding in done.after.findings if finding.severity == "error"]
    assert "critic." not in text and "profiler" not in text


def test_what_is_written_is_a_flag_or_an_override_where_a_command_says_the_settings():
    run = "python3 train.py --hf-checkpoint m --actor-num-gpus-per-node 8 --rollout-batch-size 32 --num-rollout 9 --use-wandb\n"
    done = upgraded(run, "run.sh", "0.2.2", "0.3.1", pin=True)
    assert "write --inference-dynamic-batching-unified-memory-level 1" in done.steps
    assert "write --inference-dynamic-batching-unified-memory-level 1 to keep it" in upgrade_text(
        "run.sh", done, False, False
    )
    pinned = [
        step for step in upgraded(VERL, "train.sh", "0.2.0", "0.9.1", pin=True).steps if step.startswith("write ")
    ]
    assert pinned and not any(": " in step for step in pinned)


def test_a_default_that_is_refused_now_is_not_advised():
    done = upgraded(VERL, "train.sh", "0.5.0", "0.9.1")
    mode = next(each for each in done.runs[0].changes if each.name == "actor_rollout_ref.rollout.mode")
    assert mode.why == "refused" and "actor_rollout_ref.rollout.mode" not in done.runs[0].pins


def test_a_share_for_warming_up_goes_to_the_key_that_takes_shares_now():
    done = upgraded(RUN + "warmup_ratio: 0.1\n", "run.yaml", "0.24.0", "1.16.0")
    assert "\nwarmup_steps: 0.1\n" in done.data.decode() and not done.lost
    done = upgraded(RUN + "warmup_ratio: 1.0\n", "run.yaml", "0.24.0", "1.16.0")  # of warmup_steps this is one step
    assert "warmup_steps" not in done.data.decode() and done.lost == [("warmup_ratio", 1.0)]


def test_a_release_that_nobody_says_is_told(tmp_path):
    (tmp_path / "run.yaml").write_text("num_generations: 8\nper_device_train_batch_size: 8\ndataset_name: x\n")
    result = command(tmp_path, "run.yaml", "--to", "trl@1.16")
    assert "with --from grpo-lint can say" in result.stdout and result.returncode == 0
    (tmp_path / "requirements.txt").write_text("trl==0.18.2\n")
    result = command(tmp_path, "run.yaml", "--to", "trl@1.16")
    assert "TRL 0.18.2 -> 1.16.0" in result.stdout and "beta was 0.04" in result.stdout


def test_a_key_that_is_no_finding_moves_as_well():
    """A training script of one's own might declare it; the release has given it up."""
    done = upgraded(RUN + "wandb_log_unique_prompts: true\n", "run.yaml", "0.24.0", "1.16.0")
    assert done.steps == ["rename wandb_log_unique_prompts to log_unique_prompts"]
    assert "\nlog_unique_prompts: true\n" in done.data.decode()


def test_the_comment_of_a_file_says_the_new_release():
    text = "# grpo-lint: dialect=trl version=0.18.2 world-size=8\nnum_generations: 8\n"
    done = upgraded(text, "run.yaml", None, "1.16.0")
    assert done.data.decode().startswith("# grpo-lint: dialect=trl version=1.16.0 world-size=8\n")
    assert told(done)["beta"] == (0.04, 0.0)


def test_files_of_others_are_left_alone(tmp_path):
    (tmp_path / "train.sh").write_text(SWIFT)
    (tmp_path / "compose.yaml").write_text("services: {}\n")
    result = command(tmp_path, ".", "--to", "trl@1.16", "--from", "trl@0.14")
    assert (result.returncode, result.stdout) == (0, "")


def test_json(tmp_path):
    (tmp_path / "early.yaml").write_text(EARLY)
    result = command(tmp_path, "early.yaml", "--from", "trl@0.14", "--to", "trl", "--output-format", "json")
    (file,) = json.loads(result.stdout)["files"]
    assert file["lost"] == [{"name": "vllm_device", "value": "auto"}, {"name": "max_prompt_length", "value": 256}]
    (run,) = file["runs"]
    assert (run["before"], run["pins"]["beta"], run["keeps"]) == ("0.14.0", 0.04, {"per_device_train_batch_size": 8})
    assert {"kind": "quantity", "name": "completions_per_update", "before": 512, "after": 64} in run["changes"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["x.yaml"], "needs to know the release"),
        (["x.yaml", "--to", "tlr@1"], "did you mean 'trl'"),
        (["x.yaml", "--to", "trl@99.1"], "is not known"),
        (["x.yaml", "--to", "trl@x"], "is a release such as"),
        (["x.yaml", "--to", "trl", "--from", "swift@3.8"], "one framework"),
        (["x.yaml", "--to", "trl", "--fix", "--diff"], "--diff writes nothing"),
    ],
)
def test_what_cannot_be_asked(tmp_path, words, message):
    (tmp_path / "x.yaml").write_text(EARLY)
    result = command(tmp_path, *words)
    assert result.returncode == 2 and message in result.stderr


EXAMPLES = sorted(
    path for path in (Path(__file__).parents[1] / "examples").rglob("*") if path.suffix in (".yaml", ".sh")
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_no_example_is_refused_for_its_keys_after_an_upgrade(path):
    """Whatever release it is for: the newest one takes its keys, and with pinned defaults no default has moved."""
    from grpo_lint.frameworks.registry import framework

    around = Around().of(str(path))
    from grpo_lint import engine

    launches = engine.lint_path(str(path), around, fixes=False).launches
    if not launches or not launches[0].candidates:
        pytest.skip("starts nothing")
    newest = framework(launches[0].framework.name).catalogue.releases[-1]
    done = upgraded(path.read_text(), str(path), None, newest, pin=True)
    again = upgraded(done.data.decode(), str(path), None, newest)
    assert not again.steps
    assert not [
        each for each in done.refusals if each.rule.name == "key-is-of-this-version" and each.severity == "error"
    ]


# --- pins -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def pinned(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.yaml").write_text(RUN)
    (tmp_path / "requirements.txt").write_bytes(b"torch==2.5\r\ntrl[vllm]==0.14  # exact\r\nvllm==0.7\r\n")
    (tmp_path / "requirements-dev.txt").write_text("trl==0.14.0 \\\n    --hash=sha256:ab\n")
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["trl == 0.14.0 ; extra", "trl-x==0.14.0"]\n')
    return tmp_path


def test_exact_pins_of_the_old_release_move_when_asked(pinned):
    files = {path: path.read_bytes() for path in pinned.glob("*.t*")}
    asked_later = command(pinned, "run.yaml", "--to", "trl@1.16", "--fix")
    assert {path: path.read_bytes() for path in files} == files and "--pins" in asked_later.stderr
    shown = command(pinned, "run.yaml", "--to", "trl@1.16", "--pins", "--diff")
    assert '+dependencies = ["trl == 1.16.0 ; extra", "trl-x==0.14.0"]' in shown.stdout and shown.returncode == 1
    done = command(pinned, "run.yaml", "--to", "trl@1.16", "--pins", "--fix")
    assert "line 2: 0.14 -> 1.16.0" in done.stdout and "hash" in done.stdout and done.returncode == 0
    assert (pinned / "requirements.txt").read_bytes() == b"torch==2.5\r\ntrl[vllm]==1.16.0  # exact\r\nvllm==0.7\r\n"
    assert (pinned / "requirements-dev.txt").read_bytes() == files[pinned / "requirements-dev.txt"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("environment.yml", "- pip:\n  - trl==0.14.0\n", "- pip:\n  - trl==1.16.0\n"),
        ("environment.yml", "- trl=0.14.0=py_0\n", None),
        ("Dockerfile", "RUN pip install trl==0.14.0 x\n", "RUN pip install trl==1.16.0 x\n"),
        ("requirements.txt", "trl==0.15.2\n", None),
        ("requirements.txt", "trl>=0.14.0\n", None),
        ("requirements.txt", "transformers==0.14.0\n", None),
        ("uv.lock", '\n[[package]]\nname = "trl"\nversion = "0.14.0"\n', None),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\ntrl = {version = "0.14.0", extras = ["x"]}\n',
            '[tool.poetry.dependencies]\ntrl = {version = "1.16.0", extras = ["x"]}\n',
        ),
    ],
)
def test_only_what_pins_the_old_release_by_hand_moves(tmp_path, name, text, expected):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.yaml").write_text(RUN)
    (tmp_path / name).write_text(text)
    command(tmp_path, "run.yaml", "--from", "trl@0.14", "--to", "trl@1.16", "--pins", "--fix")
    assert (tmp_path / name).read_text() == (expected or text)


def test_the_global_micro_batches_of_verl_become_those_of_each_gpu():
    text = VERL.replace("size_per_gpu=8", "size=32").replace("n=5", "n=5 actor_rollout_ref.rollout.name=vllm")
    done = upgraded(text, "run.sh", "0.4.1", "0.9.1")
    assert done.data.decode() == text.replace("size=32", "size_per_gpu=4") and not done.refusals
    assert upgraded(text, "run.sh", "0.4.1", "0.7.1").data.decode() == text
    unknown = text.replace("trainer.n_gpus_per_node=8 trainer.nnodes=1", "trainer.nnodes=$NODES")
    assert upgraded(unknown, "run.sh", "0.4.1", "0.9.1").data.decode() == unknown


@pytest.mark.parametrize(
    "written, lost, by_default",
    [
        ("max_prompt_length: 500\n", [("max_prompt_length", 500)], []),
        ("max_prompt_length: 512\n", [("max_prompt_length", 512)], []),
        ("max_prompt_length: null\n", [], []),
        ("", [], [("max_prompt_length", 512)]),
    ],
)
def test_prompts_that_are_no_longer_cut_are_told(written, lost, by_default):
    """TRL 0.19 cuts them at 512 tokens unless something else is said, and 1.16 does not cut at all."""
    text = "num_generations: 8\nper_device_train_batch_size: 8\nreward_weights: [1.0]\n" + written
    done = upgraded(text, "run.yaml", "0.19.0", "1.16.0")
    assert (done.lost, done.lost_defaults) == (lost, by_default)
    assert upgraded(text, "run.yaml", "0.18.2", "0.19.0").lost_defaults == []


@pytest.mark.parametrize("release, loss_type", [("0.15.2", "grpo"), ("0.16.1", "bnpo"), ("0.17.0", "bnpo")])
def test_what_the_new_release_decides_is_told_where_the_old_one_had_no_such_setting(release, loss_type):
    """Read in `compute_loss` of each release: the loss of 0.15 is that of `grpo`, and that of 0.16 is `bnpo`."""
    done = upgraded(f"{TOLD}beta: 0.1\n", "run.yaml", release, "1.16.0")
    (run,) = done.runs
    moved = {change.name: (change.before, change.after) for change in run.changes if change.kind == "default"}
    assert moved["loss_type"] == (loss_type, "dapo") and moved["use_bias_correction_kl"] == (False, True)
    kept = upgraded(TOLD, "run.yaml", "1.15.0", "1.16.0").runs[0].changes
    assert "loss_type" not in {change.name for change in kept}


@pytest.mark.parametrize("count", [3, 30])
def test_a_script_is_linted_as_often_however_many_runs_it_starts(count, tmp_path, monkeypatch, capsys):
    command = "swift rlhf --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 3 --model m --dataset d\n"
    (tmp_path / "requirements.txt").write_text("ms-swift==3.8.0\n")
    (tmp_path / "run.sh").write_text(command * count)
    monkeypatch.chdir(tmp_path)
    linted, lint = [], engine.lint
    monkeypatch.setattr(engine, "lint", lambda *given, **more: linted.append(1) or lint(*given, **more))
    main(["upgrade", "run.sh", "--to", "swift@4.3"])
    assert 0 < len(linted) < 30


def test_keys_whose_values_are_refused_are_renamed_and_what_an_earlier_release_took_goes():
    done = upgraded(OPENRLHF, "run.sh", "0.9.10", "0.11.2")
    text = done.data.decode()
    assert "--train.micro_batch_size 3" in text and "--rollout.max_new_tokens 2000" in text
    assert not {"--bf16", "--prompt_max_len"} & {*text.split()}
    assert {finding.rule.code for finding in done.refusals} == {"GRPO857"}
