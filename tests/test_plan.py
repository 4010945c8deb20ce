"""`grpo-lint plan`: what is proposed holds, is what was wished, and is told in the terms of the framework."""

import json
import subprocess
import sys

import pytest

from grpo_lint.cli.main import main
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.plan.shape import Shape
from grpo_lint.planning.batches import Wish, nearest, proposals
from grpo_lint.planning.contradictions import contradiction, given_up
from grpo_lint.source.text import Text

RELEASES_OF = {name: framework(name).catalogue.releases for name in NAMES}
RELEASES = [(name, release) for name in NAMES for release in RELEASES_OF[name]]
PLANNED = [name for name in NAMES if framework(name).arithmetic.settings_of(Shape(8, 8, 1, 64), (99,)) is not None]


def run(*words, capsys):
    status = main(["plan", *words])
    return status, capsys.readouterr().out


def is_between(name, release):
    """Whether a release is neither the oldest nor the newest."""
    return release not in (RELEASES_OF[name][0], RELEASES_OF[name][-1])


@pytest.mark.parametrize(
    "name, release",
    [pytest.param(*each, marks=[pytest.mark.slow] * is_between(*each)) for each in RELEASES if each[0] in PLANNED],
)
def test_every_release_has_proposals_and_they_hold(name, release):
    wish = Wish(name, release, 8, rows=1000)
    found = proposals(wish)
    assert found
    for proposal in found:
        text = wish.start().written(proposal.settings, 8)
        report = lint(Text(text, wish.start().path), fixes=False)
        assert [finding.rule.code for finding in report.findings if finding.severity != "info"] == []
        plan = report.launches[0].plan(report.launches[0].candidates[0])
        assert plan.value("completions_per_update") == proposal.shape.update
        assert plan.value("group_size") == proposal.shape.group
        assert plan.value("updates_per_rollout") in (proposal.shape.updates, None)


def test_question_5_of_the_founding_document():
    """S4: sixteen GPUs, tensor parallel 2, groups of 4: micro 1 - 4, global 16 - 128, and which of them hold."""
    wish = Wish("megatron", "4.6.0", 16, tensor=2, groups=[4], micros=[1, 2, 3, 4])
    found = proposals(wish, most=4)
    assert found[0].settings == {
        "micro_batch_size": 2, "global_batch_size": 64, "num_generations": 4, "tensor_model_parallel_size": 2,
        "sequence_parallel": True,
    }  # fmt: skip
    assert all(16 <= proposal.shape.update <= 128 and proposal.shape.updates <= 4 for proposal in found)
    wish = Wish("megatron", "4.6.0", 16, tensor=2, groups=[4], update=16)
    assert proposals(wish) == []
    found = contradiction(wish)
    assert found.why == "16 completions per update cannot be made of groups of 4 on 8 data-parallel ranks"
    assert {option: instead for option, (instead, _) in found.cures.items()} == {
        "--completions-per-update 16": "--completions-per-update 32",
        "--generations 4": "--generations 2",
        "--tp 2": "--tp 4",
    }
    assert [proposal.shape.update for proposal in nearest(wish)] == [32, 64, 96]


def test_what_cannot_be_is_said(capsys):
    assert run("--dialect", "megatron", "--gpus", "12", "--tp", "8", capsys=capsys)[0] == 1
    status, told = run("--dialect", "trl", "--gpus", "8", "--tp", "2", capsys=capsys)
    assert status == 1 and "no tensor, pipeline or expert parallel" in " ".join(told.split())
    status, told = run("--dialect", "verl-agent", "--gpus", "8", capsys=capsys)
    assert status == 1 and "its episodes decide how many rows" in " ".join(told.split())
    status, told = run(
        "--dialect", "trl", "--gpus", "7", "--generations", "8", "--completions-per-update", "64", capsys=capsys
    )
    assert (
        status == 1
        and "not possible: 64 completions per update" in told
        and "56 completions per update: 7 prompts x 8" in told
    )


def test_groups_of_two_are_proposed_where_somebody_asks_for_them(capsys):
    def groups(*words):
        told = json.loads(run("--dialect", "trl", "--output-format", "json", *words, capsys=capsys)[1])
        return [proposal["settings"]["num_generations"] for proposal in told["proposals"]]

    assert all(2 not in groups("--gpus", str(gpus)) for gpus in (2, 7, 10))
    assert groups("--gpus", "4", "--generations", "2") == [2, 2, 2]
    assert groups("--gpus", "1", "--completions-per-update", "2")[0] == 2


@pytest.mark.parametrize("name", PLANNED)
@pytest.mark.parametrize("spread", [{}, {"context": 2}, {"tensor": 2}, {"pipeline": 2}, {"tensor": 2, "pipeline": 2}])
def test_what_is_written_has_the_ranks_that_are_told(name, spread):
    """A minimal config of Megatron-SWIFT was tensor parallel whatever was wished."""
    wish = Wish(name, RELEASES_OF[name][-1], 8, **spread)
    for proposal in proposals(wish, 1):
        text = wish.start().written(proposal.settings, 8)
        launch = lint(Text(text, wish.start().path), fixes=False).launches[0]
        assert launch.plan(launch.candidates[0]).value("dp_size") in (proposal.shape.ranks, None)


def test_a_part_of_a_group_is_no_prompt(capsys):
    told = run("--dialect", "trl", "--gpus", "1", "--completions-per-update", "2", capsys=capsys)[1]
    assert "0 prompts" not in told and "2 completions per update, of groups of 4" in told


def test_steps_come_from_the_rows(capsys):
    status, told = run("--dialect", "trl", "--gpus", "3", "--generations", "6", "--completions-per-update", "24", "--dataset-size", "8000",
                       "--epochs", "2", capsys=capsys)  # fmt: skip
    assert status == 0 and "8,000 rows in 2 epochs are 4,000 updates" in told


def test_memory_chooses_between_micro_batches():
    tight, free = (proposals(Wish("trl", "1.16.0", 8, memory=memory))[0].shape for memory in ("tight", "free"))
    assert (tight.micro, free.micro) == (1, 8) and tight.update == free.update


@pytest.mark.parametrize("name", ["openrlhf", "slime", "nemo-rl"])
def test_no_run_is_proposed_whose_states_no_gpu_holds(name, capsys):
    wish = ("--dialect", name, "--model", "Qwen/Qwen2.5-72B-Instruct", "--gpus", "8", "--gpu-memory", "80")
    status, told = run(*wish, capsys=capsys)
    assert status == 1 and "GRPO465" in told.partition("nearest")[0]


@pytest.mark.parametrize("name, suffix", [("trl", ".yaml"), ("swift", ".yaml"), ("megatron", ".yaml"), ("verl", ".sh")])
def test_the_first_one_is_written_in_full(name, suffix, capsys, tmp_path):
    wish = ("--dialect", name, "--gpus", "16", "--model", "some/model")
    for form in ("yaml", "command"):
        status, told = run(*wish, "--output-format", form, capsys=capsys)
        assert status == 0 and "some/model" in told
        path = tmp_path / f"run{'.sh' if form == 'command' else suffix}"
        path.write_text(told)
        report = lint(Text(told, str(path)), fixes=False)
        assert (
            report.launches and [finding.rule.code for finding in report.findings if finding.severity == "error"] == []
        )


def test_json_has_all_of_it(capsys):
    status, told = run("--dialect", "swift", "--gpus", "8", "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert status == 0 and document["problem"] is None and len(document["proposals"]) == 3
    first = document["proposals"][0]
    assert first["plan"]["completions_per_update"] == 64 and first["config"].startswith("# grpo-lint:")


TRL = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
model_name_or_path: m
dataset_name: d
reward_funcs: [accuracy_reward]
per_device_train_batch_size: 4
gradient_accumulation_steps: 4
num_generations: 14
steps_per_generation: 8
"""


@pytest.mark.parametrize(
    "gpus, changed, kept",
    [
        (14, {"gradient_accumulation_steps: 4 -> 2", "steps_per_generation: 8 -> 4"}, True),
        (28, {"gradient_accumulation_steps: 4 -> 1", "steps_per_generation: 8 -> 2"}, True),
        (
            8,
            {
                "per_device_train_batch_size: 4 -> 2",
                "gradient_accumulation_steps: 4 -> 7",
                "steps_per_generation: 8 -> 14",
            },
            True,
        ),
        (7, {"nothing has to change"}, True),
    ],
)
def test_the_same_training_on_other_hardware(gpus, changed, kept, tmp_path, capsys):
    path = tmp_path / "r.yaml"
    path.write_text(TRL)
    status, told = run("--from", str(path), "--gpus", str(gpus), capsys=capsys)
    assert status == 0 and ("group, update and rollout stay" in told) == kept
    assert {line.strip() for line in told.splitlines() if line.startswith("     ")} == changed


@pytest.mark.parametrize("gpus", [4, 16, 32])
def test_what_warns_of_a_run_may_go_on_warning_of_it(gpus, tmp_path, capsys):
    """TRL 0.24 scales the loss of a rollout that is used twice by half: with the same sizes it does so on other hardware as well."""
    path = tmp_path / "r.yaml"
    path.write_text(
        "# grpo-lint: dialect=trl version=0.24 world-size=8\nmodel_name_or_path: m\ndataset_name: d\nreward_funcs: [accuracy_reward]\n"
        "per_device_train_batch_size: 4\ngradient_accumulation_steps: 4\nsteps_per_generation: 8\nnum_generations: 8\n"
    )
    status, told = run("--from", str(path), "--gpus", str(gpus), "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert status == 0 and document["kept"] and document["left"] == ["GRPO530"]


def test_a_file_that_cannot_be_moved_says_why(tmp_path, capsys):
    path = tmp_path / "r.yaml"
    path.write_text("a: 1\n")
    status, told = run("--from", str(path), "--gpus", "8", capsys=capsys)
    assert status == 1 and "nothing of GRPO-family training" in told
    path.write_text(TRL.replace(" world-size=7", ""))
    status, told = run("--from", str(path), "--gpus", "8", capsys=capsys)
    assert status == 1 and "a comment can state its number of processes" in told


def test_the_launch_beside_a_file_tells_its_processes(tmp_path, capsys):
    path = tmp_path / "r.yaml"
    path.write_text(TRL.replace(" world-size=7", ""))
    (tmp_path / "run.sh").write_text("accelerate launch --num_processes 7 -m trl.scripts.grpo --config r.yaml\n")
    status, told = run("--from", str(path), "--gpus", "14", capsys=capsys)
    assert status == 0 and "on 14 processes" in told


def test_what_is_wrong_whatever_the_batch_is_keeps_nothing_from_moving(tmp_path, capsys):
    path = tmp_path / "r.sh"
    path.write_text(
        "NPROC_PER_NODE=6 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5 swift rlhf --rlhf_type grpo --model m --dataset d \\\n"
        "    --reward_funcs accuracy format --reward_weights 1 --num_generations 8 \\\n"
        "    --per_device_train_batch_size 2 --gradient_accumulation_steps 2\n"
    )
    status, told = run("--from", str(path), "--gpus", "16", capsys=capsys)
    assert status == 0 and "gradient_accumulation_steps: 2 -> 1" in told
    assert "GRPO552 is left" in told


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--dialect", "trl"),
        ("--dialect", "trl", "--gpus", "0"),
        ("--dialect", "trl", "--gpus", "-1"),
        ("--dialect", "trl", "--gpus", "8,16"),
        ("--dialect", "trl", "--gpus", "8", "--generations", "x"),
        ("--dialect", "trl", "--gpus", "8", "--generations", "1.." + "9" * 400),
        ("--from", "/nowhere/x.yaml", "--gpus", "8"),
    ],
)
def test_wrong_usage_is_told_in_a_line(words):
    ended = subprocess.run(
        [sys.executable, "-m", "grpo_lint", "plan", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert ended.returncode == 2 and len(ended.stderr.strip().splitlines()) <= 2 and "Traceback" not in ended.stderr


def test_a_wide_wish_ends():
    assert proposals(Wish("megatron", "4.6.0", 1 << 20, tensor=8, groups=range(1, 65), micros=range(1, 65))) is not None


@pytest.mark.parametrize(
    "words, settings",
    [
        # a default model with 28 heads, which nobody had named, refused tensor parallel 8
        ("megatron --gpus 64 --tp 8 --completions-per-update 256 --generations 8", {"global_batch_size": 256, "sequence_parallel": True}),
        ("megatron --gpus 32 --tp 8 --pp 4 --completions-per-update 512", {"global_batch_size": 512}),
        # megatron-core refuses layers of experts under tensor parallel in the first forward pass without sequence parallel
        (
            "megatron --gpus 64 --tp 4 --pp 2 --ep 8 --model Qwen/Qwen3-30B-A3B-Instruct-2507",
            {"expert_model_parallel_size": 8, "sequence_parallel": True},
        ),
        (
            "verl --gpus 64 --tp 4 --pp 2 --ep 8",
            {
                "--config-name": "ppo_megatron_trainer",
                "actor_rollout_ref.actor.megatron.tensor_model_parallel_size": 4,
                "actor_rollout_ref.ref.megatron.expert_model_parallel_size": 8,
            },
        ),
        ("verl --gpus 8 --cp 4", {"actor_rollout_ref.actor.ulysses_sequence_parallel_size": 4, "actor_rollout_ref.model.use_remove_padding": True}),
        ("verl --gpus 8 --cp 4 --backend megatron", {"actor_rollout_ref.actor.megatron.context_parallel_size": 4}),
        ("easyr1 --gpus 8 --cp 2", {"worker.actor.ulysses_size": 2}),
        ("openrlhf --gpus 8 --cp 2", {"actor.num_gpus_per_node": 8}),
        ("nemo-rl --gpus 8 --tp 4", {"policy.dtensor_cfg.tensor_parallel_size": 4}),
        ("nemo-rl --gpus 8 --cp 2", {"policy.dtensor_cfg.context_parallel_size": 2, "policy.sequence_packing.enabled": False}),
        (
            "nemo-rl --gpus 16 --tp 2 --cp 2 --pp 2",
            {"policy.megatron_cfg.enabled": True, "policy.dtensor_cfg.enabled": False, "policy.megatron_cfg.pipeline_model_parallel_size": 2,
             "policy.megatron_cfg.sequence_parallel": True, "policy.make_sequence_length_divisible_by": 8},
        ),
        ("nemo-rl --gpus 8 --tp 2 --backend megatron", {"policy.megatron_cfg.tensor_model_parallel_size": 2}),
        ("slime --gpus 16 --tp 2 --ep 4", {"sequence_parallel": True, "expert_tensor_parallel_size": 1, "expert_model_parallel_size": 4}),
        ("megatron --gpus 8 --pp 2 --cp 4", {"pipeline_model_parallel_size": 2, "context_parallel_size": 4}),
        ("swift --gpus 8 --cp 2 --completions-per-update 128", {"sequence_parallel_size": 2}),
    ],
)  # fmt: skip
def test_models_are_spread_where_a_framework_can(words, settings, capsys):
    status, told = run("--dialect", *words.split(), "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert status == 0 and document["problem"] is None
    assert settings.items() <= document["proposals"][0]["settings"].items()


@pytest.mark.parametrize(
    "words, why, given_up",
    [
        ("trl --gpus 8 --cp 2", "GRPO has no context parallel there", ["With --cp 1 in the place of --cp 2 it holds."]),
        (
            "megatron --gpus 64 --tp 8 --completions-per-update 256 --generations 8 --model Qwen/Qwen2.5-7B-Instruct",
            "--tp 8, --model Qwen/Qwen2.5-7B-Instruct break this rule: The attention heads of the model divide over the tensor-parallel ranks",
            ["With --tp 4 in the place of --tp 8 it holds.", "Without --model Qwen/Qwen2.5-7B-Instruct it holds."],
        ),
        ("megatron --gpus 12 --tp 8 --generations 8", "12 processes cannot be divided", ["With --tp 4 in the place of --tp 8 it holds."]),
        (
            "verl --gpus 8 --backend fsdp --tp 2",
            "--backend megatron has",
            ["With --tp 1 in the place of --tp 2 it holds.", "Without --backend fsdp it holds."],
        ),
        (
            "megatron --gpus 64 --tp 8 --completions-per-update 250 --generations 8",
            "250 completions per update cannot be made of groups of 8 on 8 data-parallel ranks",
            ["With --completions-per-update 256 in the place of --completions-per-update 250 it holds."],
        ),
        (
            "trl --gpus 8 --completions-per-update 250",
            "250 completions per update cannot be made of groups of any usual size on 8 data-parallel ranks",
            ["With --completions-per-update 248 in the place of --completions-per-update 250 it holds."],
        ),
        ("easyr1 --gpus 8 --pp 2", "is planned with FSDP alone", ["With --pp 1 in the place of --pp 2 it holds."]),
        (
            "nemo-rl --gpus 8 --pp 2 --backend dtensor",
            "--backend megatron has",
            ["With --pp 1 in the place of --pp 2 it holds.", "Without --backend dtensor it holds."],
        ),
        ("nemo-rl --framework-version 0.3 --gpus 8 --ep 2", "has Megatron since 0.4, and this is 0.3", ["With --ep 1 in the place of --ep 2 it holds."]),
        ("openrlhf --gpus 8 --pp 2", "has no pipeline and no expert parallel", ["With --pp 1 in the place of --pp 2 it holds."]),
        (
            "trl --framework-version 0.24 --gpus 8 --updates-per-rollout 2",
            "--updates-per-rollout 2 breaks this rule: The loss is normalised",
            ["With --updates-per-rollout 1 in the place of --updates-per-rollout 2 it holds."],
        ),
        ("verl --framework-version 0.3.0.post1 --gpus 8 --ep 2", "came with 0.4", ["With --ep 1 in the place of --ep 2 it holds."]),
    ],
)  # fmt: skip
def test_a_contradiction_is_the_smallest_one_and_each_part_was_tried(words, why, given_up, capsys):
    status, told = run("--dialect", *words.split(), "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert status == 1 and why in document["problem"]
    assert document["could_be_given_up"] == given_up
    # other sizes of an update are listed where it has a part in it, else each part given up
    assert document["is_nearest"] and (
        len(document["proposals"]) == len([each for each in given_up if "--model" not in each])
        or "--completions-per-update" in given_up[0]
    )


def test_an_engine_that_a_framework_does_not_have_is_a_usage_error(capsys):
    assert main(["plan", "--dialect", "trl", "--gpus", "8", "--backend", "megatron"]) == 2
    assert main(["plan", "--dialect", "verl", "--gpus", "8", "--backend", "deepspeed"]) == 2
    assert "fsdp, megatron" in capsys.readouterr().err


# {framework: (its published example for a model of 7 billion parameters on 8 GPUs, completions of an update and of a rollout there)}
EXAMPLES = {
    "verl": ("examples/grpo_trainer/run_qwen2-7b.sh: 256 and 1024 prompts x 5", 1280, 5120),
    "easyr1": ("examples/config.yaml: 128 and 512 prompts x 5", 640, 2560),
    "swift": ("examples/train/grpo/internal/gspo.sh: 2 x 8 GPUs x 8 passes", 128, 128),
    "megatron": ("examples/megatron/grpo/dense_colocate.sh, which is of 3 billion: global_batch_size 128", 128, None),
    "trl": ("the defaults of GRPOConfig: 8 x 8 GPUs", 64, 64),
    "nemo-rl": ("examples/configs/grpo_math_8B.yaml: 64 prompts x 32, 512 of them per update", 512, 2048),
    "openrlhf": ("examples/scripts/train_reinforce_baseline_hybrid_engine.sh: 128 prompts x 8", 1024, 1024),
    "slime": ("scripts/run-qwen3-4B.sh: 32 prompts x 8", 256, 256),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_first_proposal_is_near_the_example_of_the_framework(name):
    _, update, rollout = EXAMPLES[name]
    shape = proposals(Wish(name, RELEASES_OF[name][-1], 8, model="Qwen/Qwen2.5-7B-Instruct"), 1)[0].shape
    assert update / 2 <= shape.update <= update * 2
    assert rollout is None or rollout / 2 <= shape.update * shape.updates <= rollout * 2


@pytest.mark.parametrize("name", EXAMPLES)
def test_proposals_have_round_numbers_of_prompts(name):
    """Those that people write: 128 and 512 beside 256, and not 176 and 368."""
    for each in proposals(Wish(name, RELEASES_OF[name][-1], 8, model="Qwen/Qwen2.5-7B-Instruct")):
        assert each.shape.update // each.shape.group in {2**power for power in range(12)}


def test_what_was_not_checked_is_said(capsys):
    def unchecked(*words):
        return json.loads(
            run("--dialect", "megatron", "--gpus", "8", "--output-format", "json", *words, capsys=capsys)[1]
        )["not_checked"]

    assert unchecked() == unchecked("--model", "some/model") == ["memory", "model"]
    assert unchecked("--model", "Qwen/Qwen2.5-7B-Instruct") == ["memory"]
    told = " ".join(run("--dialect", "megatron", "--gpus", "8", capsys=capsys)[1].split())
    assert "Not checked: whether the sizes divide the model, which --model names, and memory." in told


def test_a_move_writes_no_batch_that_follows_another_one(tmp_path, capsys):
    """Since 0.6 the examples of NeMo-RL refer to the micro batch of training in that of log-probabilities; 0.5 has a number there."""
    path = tmp_path / "grpo.yaml"
    sizes = "grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\ncluster:\n  gpus_per_node: 8\n  num_nodes: 1\n"
    for batch, changed in (("", set()), ("  logprob_batch_size: 8\n", {"policy.logprob_batch_size"})):
        policy = f"policy:\n  train_global_batch_size: 512\n  train_micro_batch_size: 4\n{batch}"
        path.write_text(f"# grpo-lint: dialect=nemo-rl version=0.7.0\ndefaults: grpo_math_1B.yaml\n{sizes}{policy}")
        told = json.loads(run("--from", str(path), "--gpus", "16", "--output-format", "json", capsys=capsys)[1])
        assert told["settings"].keys() == {"cluster.num_nodes", *changed}


def test_a_move_is_told_to_programs(tmp_path, capsys):
    path = tmp_path / "r.yaml"
    path.write_text(TRL)
    status, told = run("--from", str(path), "--gpus", "14", "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert status == 0 and document["kept"] and document["processes"] == 14
    assert document["settings"] == {"gradient_accumulation_steps": 2, "steps_per_generation": 4}
    assert document["after"]["completions_per_update"] == document["before"]["completions_per_update"]


def test_what_is_said_to_hold_in_the_place_of_several_parts_of_a_wish_holds():
    found = contradiction(Wish("trl", "1.16.0", 8, tensor=4, pipeline=2))
    assert list(map(str, given_up(found))) == ["With --tp 1 --pp 1 in the place of --tp 4 --pp 2 it holds."]
    assert proposals(Wish("trl", "1.16.0", 8)) and not proposals(Wish("trl", "1.16.0", 8, pipeline=2))


@pytest.mark.parametrize(
    ("model", "line", "told"),
    [
        ("Qwen/Qwen3-4B", "source scripts/models/qwen3-4B.sh", "from scripts/models/qwen3-4B.sh of slime"),
        ("mine/model", "source scripts/models/your-model.sh", "name the file of scripts/models in slime that has them"),
    ],
)
def test_a_command_reads_the_layers_of_its_model(model, line, told, tmp_path, monkeypatch, capsys):
    """slime knows no model by its name: a script sources the flags of its layers."""
    wanted = ["plan", "--dialect", "slime", "--gpus", "8", "--model", model]
    assert main(wanted) == 0
    assert told in " ".join(capsys.readouterr().out.split())
    assert main([*wanted, "--output-format", "command"]) == 0
    text = capsys.readouterr().out
    assert line in text.splitlines() and 'python3 train.py "${MODEL_ARGS[@]}" ' in text
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(text)
    assert main(["check", "run.sh"]) == 0
