"""`grpo-lint convert`: the same batch in another framework, nothing dropped in silence, and what is written holds."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint, lint_path
from grpo_lint.frameworks.registry import framework
from grpo_lint.frameworks.shared.counterparts import FRAMEWORKS, ROWS, is_of_the_batch, is_said_by_others
from grpo_lint.frameworks.shared.parallel_names import sizes_of
from grpo_lint.launch.facts import Fact
from grpo_lint.planning.convert import CannotConvert, convert
from grpo_lint.report.messages import message
from grpo_lint.source.text import Text

ROOT = Path(__file__).parent.parent
EXAMPLES = [
    path
    for path in sorted((ROOT / "examples").rglob("*.*"))
    if path.suffix in (".yaml", ".sh") and "docker" not in path.name
]
GOLDEN = Path(__file__).parent / "converted"
NEWEST = {name: framework(name).catalogue.releases[-1] for name in FRAMEWORKS}
# {example: {framework: rules that refuse what is converted}}; the batch is the same in all of them
REFUSED = {
    "good/swift-grpo.sh": {"megatron": {"GRPO210"}, "easyr1": {"GRPO750"}},
    "good/trl-grpo-7-gpus.yaml": {"megatron": {"GRPO210"}, "easyr1": {"GRPO750"}},
    # nothing there names their rewards, or their data
    "good/openrlhf-grpo.sh": {"trl": {"GRPO672"}},
    "good/nemo-rl-grpo.yaml": {"swift": {"GRPO621"}, "megatron": {"GRPO621"}},
    "good/slime-grpo.sh": {"trl": {"GRPO671"}, "swift": {"GRPO621"}, "megatron": {"GRPO621"}},
    "good/trl-grpo-any-machine.yaml": {"megatron": {"GRPO210"}, "easyr1": {"GRPO750"}},
}  # fmt: skip

UNEVEN = {"bad/slime-grpo.sh": 250, "bad/nemo-rl-grpo.yaml": 510}  # updates that no whole number of a rollout makes


def run_of(text, path="run.yaml", **facts):
    told = {name: Fact(value, "test") for name, value in facts.items()}
    return lint(Text(text, path), Around(told).of(path), fixes=False)


def converted(text, target, path="run.yaml", version=None, spread=None, **facts):
    return convert(run_of(text, path, **facts), target, version or NEWEST[target], spread)


def is_started_by_a_command(target):
    reader = framework(target).reader
    return reader.configs.nested or (reader.files.reads_yaml_since or (0,)) > (1000,)


def settings(found):
    return {line.name: line.value for line in found.lines}


SWIFT = """\
# grpo-lint: dialect=swift version=4.6.0 world-size=8
rlhf_type: grpo
model: m
tuner_type: full
dataset: [d]
reward_funcs: [accuracy]
use_vllm: true
vllm_mode: colocate
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
num_generations: 8
learning_rate: 1.0e-06
"""


def test_the_table_of_the_founding_document():
    """S4: per_device_train_batch_size is micro_batch_size, and accumulation goes into the global batch: 1 x 8 processes x 8 = 64,
    whatever the tensor parallel size; num_generations and steps_per_generation stay."""
    for tensor in (1, 2, 4):
        found = converted(SWIFT, "megatron", spread={"tensor": tensor})
        made = settings(found)
        assert (made["micro_batch_size"], made["global_batch_size"], made["num_generations"]) == (1, 64, 8)
        assert made.get("tensor_model_parallel_size", 1) == tensor
        assert not {"per_device_train_batch_size", "gradient_accumulation_steps"} & made.keys()
        assert found.after.value("accumulation") == 8 * tensor
        assert found.is_equal and not found.is_refused and found.findings == []
    found = converted(SWIFT + "steps_per_generation: 16\n", "megatron")
    assert settings(found)["steps_per_generation"] == 2, "ms-swift counts micro steps, Megatron-SWIFT updates"
    assert found.after.value("completions_per_rollout") == 128 == found.before.value("completions_per_rollout")
    found = converted(SWIFT + "generation_batch_size: 128\n", "megatron")
    assert found.after.value("completions_per_rollout") == 128 and found.is_equal


def test_and_back_again():
    found = converted(SWIFT, "megatron")
    again = convert(run_of(found.text), "swift", "4.6.0")
    made = settings(again)
    assert (made["per_device_train_batch_size"], made["gradient_accumulation_steps"], made["num_generations"]) == (
        1,
        8,
        8,
    )
    assert again.is_equal and made["learning_rate"] == 1e-6


@pytest.mark.parametrize("target", FRAMEWORKS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_example_in_every_direction(example, target):
    """The batch stays, what `check` refuses is known, and every setting is carried over or listed."""
    facts = {"world_size": Fact(8, "test")} if "any-machine" in example.name else {}
    report = lint_path(str(example), Around(facts).of(str(example)), fixes=False)
    if report.launches[0].framework.name not in FRAMEWORKS:
        with pytest.raises(CannotConvert):
            convert(report, target, NEWEST[target])
        return
    update = UNEVEN.get(f"{example.parent.name}/{example.name}")
    if update and target != report.launches[0].framework.name:
        with pytest.raises(CannotConvert, match=f"an update of {update} completions is made of several rollouts"):
            convert(report, target, NEWEST[target])
        return
    if example.name == "trl-grpo-7-gpus.yaml" and is_started_by_a_command(target) and example.parent.name == "bad":
        with pytest.raises(CannotConvert, match="28 completions cannot be made on 7 processes"):
            convert(report, target, NEWEST[target])
        return
    found = convert(report, target, NEWEST[target])
    assert found.is_equal and {"group_size", "completions_per_update"} <= {name for name, *_ in found.compared}
    refused = {finding.rule.code for finding in found.findings if finding.severity == "error"}
    name = f"{example.parent.name}/{example.name}"
    assert refused == REFUSED.get(name, {}).get(target, set()) or name.startswith("bad/")
    launch = report.launches[0]
    told = {line.source for line in found.lines} | {each.name for each in found.dropped}
    silent = {name for name in launch.entries if name not in told and not is_said_by_others(name)}
    replaced = {each for row in ROWS if row.is_of_the_batch for names in row.names.values() for each in names}
    assert silent <= {name for name in silent if name in replaced or is_of_the_batch(name)} | {
        "rlhf_type",
        "sequence_parallel",
    }, silent
    assert strangers_named(found, launch.framework.name, target) == []


@pytest.mark.parametrize("target", FRAMEWORKS)
def test_comments_and_order_survive_where_keys_do(target):
    if is_started_by_a_command(target):
        pytest.skip("it is started by a command")
    source = (ROOT / "examples/good/swift-grpo.yaml").read_text()
    text = converted(source, target).text
    for comment in re.findall(r"^# \d.*$|^# Evaluation.*$", source, re.MULTILINE):
        assert comment in text
    source = (ROOT / "examples/good/megatron-gspo-8-gpus.yaml").read_text()
    text = converted(source, target).text
    assert "importance_sampling_level: sequence # GSPO\n" in text
    assert text.index("num_generations:") > text.index("# An update of 16 completions")


@pytest.mark.parametrize(
    "source, target, suffix",
    [
        ("good/swift-grpo.yaml", "megatron", ".yaml"),
        ("good/swift-grpo.yaml", "trl", ".yaml"),
        ("good/trl-grpo-7-gpus.yaml", "swift", ".yaml"),
        ("good/megatron-gspo-8-gpus.yaml", "verl", ".sh"),
        ("good/megatron-ray.yaml", "trl", ".yaml"),
        ("good/swift-grpo.sh", "megatron", ".sh"),
        ("bad/swift-grpo-module.sh", "trl", ".sh"),
    ],
)
def test_what_is_written(source, target, suffix, tmp_path, monkeypatch, capsys):
    """The text, and what is told of it, word for word."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(ROOT / "examples")
    main(["convert", source, "--to", f"{target}@{NEWEST[target]}"])
    printed = capsys.readouterr()
    stem = f"{Path(source).name}-to-{target}"
    for path, text in ((GOLDEN / f"{stem}{suffix}", printed.out), (GOLDEN / f"{stem}.told", printed.err)):
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8")


def test_a_script_stays_a_script_and_keeps_its_variables():
    source = (ROOT / "examples/good/swift-grpo.sh").read_text()
    text = converted(source, "megatron", "run.sh").text
    assert text.startswith(source[: source.index("CUDA_VISIBLE_DEVICES=0,1")])
    assert "NPROC_PER_NODE=7 megatron rlhf" in text and '--num_generations "$GROUP"' in text
    text = converted(source, "trl", "run.sh").text
    assert "accelerate launch --num_processes 7 -m trl.scripts.grpo" in text
    started = run_of(text, "run.sh").launches[0]
    assert started.framework.name == "trl" and started.world_size == 7


def test_a_default_that_differs_is_written_out():
    found = converted(SWIFT, "trl")
    assert settings(found)["beta"] == 0.04 and settings(found)["temperature"] == 0.9
    assert any(line.name == "beta" and "TRL takes 0.0 by default, ms-swift 0.04" in line.why for line in found.lines)
    found = converted(SWIFT.replace("tuner_type: full\n", ""), "trl")
    assert settings(found)["use_peft"] is True and settings(found)["lora_r"] == 8
    assert "lora_r" not in settings(converted(SWIFT, "trl"))


OF_AN_ENGINE = """\
# grpo-lint: dialect=trl version=0.19.0 world-size=8
model_name_or_path: m
dataset_name: d
reward_funcs: [accuracy_reward]
num_generations: 8
per_device_train_batch_size: 4
use_vllm: true
vllm_mode: colocate
"""


@pytest.mark.parametrize(
    "target, setting",
    [
        ("swift", "vllm_gpu_memory_utilization"),
        ("megatron", "vllm_gpu_memory_utilization"),
        ("verl", "actor_rollout_ref.rollout.gpu_memory_utilization"),
    ],
)
def test_the_share_of_an_engine_that_shares_gpus_is_written_out(target, setting):
    """TRL leaves it 0.3 of the memory, ms-swift 0.9 and verl 0.5."""
    assert settings(converted(OF_AN_ENGINE, target))[setting] == 0.3
    assert setting not in settings(converted(OF_AN_ENGINE.replace("colocate", "server"), target))
    assert setting not in settings(converted(OF_AN_ENGINE.replace("use_vllm: true", "use_vllm: false"), target))


def test_what_else_differs_by_default_is_written_out_or_told():
    found = converted(OF_AN_ENGINE, "swift")
    made = settings(found)
    assert (made["max_length"], made["gradient_checkpointing"]) == (512, False)
    told = dict(found.look_at)["defaults"]
    assert "logging_steps (10 -> 5)" in told and "optim (adamw_torch -> adamw_torch_fused)" in told
    assert "vllm_server_port" not in told and "beta" not in told  # the same in a list; written out
    assert settings(converted(OF_AN_ENGINE.replace("colocate", "server"), "swift"))["vllm_server_host"] == ["0.0.0.0"]
    newer = converted(OF_AN_ENGINE.replace("0.19.0", "1.16.0"), "swift")
    assert "TRL takes float32 by default" in dict(newer.look_at)["torch_dtype"]
    adapter = SWIFT.replace("tuner_type: full\n", "")
    assert settings(converted(adapter, "trl"))["lora_target_modules"] == ["all-linear"]


def test_intervals_of_verl_are_rollouts():
    text = SWIFT + "steps_per_generation: 16\nsave_steps: 100\nmax_steps: 501\n"
    found = converted(text, "verl")
    assert settings(found)["trainer.save_freq"] == 50
    assert [each.why for each in found.dropped if each.name == "max_steps"] == [
        "501 updates are no whole number of rollouts, each of which is used for 2"
    ]


def test_a_kl_term_of_verl_is_a_switch():
    assert settings(converted(SWIFT + "beta: 0.0\n", "verl"))["actor_rollout_ref.actor.use_kl_loss"] is False
    made = settings(converted(SWIFT + "beta: 0.02\n", "verl"))
    assert made["actor_rollout_ref.actor.use_kl_loss"] is True and made["actor_rollout_ref.actor.kl_loss_coef"] == 0.02
    script = (Path(__file__).parent / "scripts/verl-fsdp.sh").read_text()
    assert settings(converted(script, "trl", "run.sh"))["beta"] == 0.001
    off = script.replace("use_kl_loss=True", "use_kl_loss=False")
    assert settings(converted(off, "trl", "run.sh"))["beta"] == 0.0


def test_an_older_release_has_its_own_names():
    made = settings(converted(SWIFT, "swift", version="3.12.6"))
    assert "train_type" in made and "tuner_type" not in made
    found = converted(SWIFT, "swift", version="3.5.3")
    assert found.is_command and "swift rlhf" in found.text, "3.5 reads no files"


def test_without_the_number_of_processes_only_the_same_names_are_converted():
    text = SWIFT.replace(" world-size=8", "")
    assert settings(converted(text, "trl"))["gradient_accumulation_steps"] == 8
    with pytest.raises(CannotConvert, match="--world-size"):
        converted(text, "megatron")
    assert settings(converted(text, "megatron", world_size=4))["global_batch_size"] == 32


def test_every_name_of_the_table_is_known_to_some_release():
    for row in ROWS:
        for name in FRAMEWORKS:
            assert all(framework(name).catalogue.knows(each) for each in row.names[name]), row.names[name]


EASY = (
    "# grpo-lint: version=0.3.2\npython3 -m verl.trainer.main data.rollout_batch_size=128 worker.rollout.n=5 worker.actor.global_batch_size=64 "
    "worker.actor.dynamic_batching=false algorithm.use_kl_loss=true algorithm.kl_coef=0.01 trainer.n_gpus_per_node=8 trainer.save_freq=5\n"
)


def test_easyr1_counts_prompts_and_rollouts():
    found = converted(EASY, "trl", "run.sh")
    made = settings(found)
    assert found.is_equal and (found.after.value("completions_per_update"), found.after.value("group_size")) == (320, 5)
    assert made["beta"] == 0.01 and made["save_steps"] == 10, "a rollout is used for two updates"
    assert made["epsilon_high"] == 0.3 and "epsilon" not in made, (
        "the default of TRL is the one of EasyR1 for the lower bound only"
    )
    again = convert(run_of(found.text, "run.sh"), "easyr1", "0.3.2")
    assert (
        again.is_equal
        and settings(again)["data.rollout_batch_size"] == 128
        and settings(again)["trainer.save_freq"] == 5
    )
    assert settings(again)["algorithm.use_kl_loss"] is True and settings(again)["algorithm.kl_penalty"] == "low_var_kl"


@pytest.mark.parametrize("target", ["trl", "verl"])
def test_a_kl_term_in_the_reward_is_none_in_the_loss(target):
    """EasyR1's default: the term is in the reward, which is told, and not in the loss."""
    found = converted(EASY.replace("use_kl_loss=true", "use_kl_loss=false"), target, "run.sh")
    name = "beta" if target == "trl" else "actor_rollout_ref.actor.kl_loss_coef"
    assert settings(found)[name] == 0.0 and any("into the reward" in what for _, what in found.look_at)
    off = converted(EASY.replace("use_kl_loss=true", "use_kl_loss=true algorithm.disable_kl=true"), target, "run.sh")
    assert settings(off)[name] == 0.0 and not any("into the reward" in what for _, what in off.look_at)
    assert target == "trl" or settings(off)["actor_rollout_ref.actor.use_kl_loss"] is False


def test_what_has_no_effect_there_is_told():
    found = converted(SWIFT + "lr_scheduler_type: cosine\n", "easyr1", version="0.3.2")
    assert any("warmup_style" in message(each) for each in found.idle)
    assert not converted(SWIFT + "lr_scheduler_type: cosine\n", "easyr1", version="0.3.3.dev0").idle


@pytest.mark.parametrize("version, is_kept", [("4.4.1", True), ("4.5.0", False), ("4.6.0", False)])
def test_a_warm_up_in_steps_is_not_written_where_it_is_lost(version, is_kept):
    report = lint_path(str(ROOT / "examples/bad/trl-grpo-7-gpus.yaml"), fixes=False)
    found = convert(report, "swift", version)
    assert ("\nwarmup_steps: 20" in found.text) is is_kept
    assert ("warmup_steps" in {each.name for each in found.dropped}) is not is_kept
    assert "GRPO633" not in {each.rule.code for each in found.findings}


def test_what_the_real_packages_had_to_say():
    """Found by conformance/conversions: a null that becomes a flag, and half precision beside the type of the model."""
    found = converted(EASY.replace("trainer.save_freq=5", "trainer.max_steps=null"), "trl", "run.sh")
    assert "--max_steps" not in found.text and not found.is_refused
    assert ("trainer.max_steps", "it is not set") in [(each.name, each.why) for each in found.dropped]
    trl = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nper_device_train_batch_size: 8\nnum_generations: 8\nfp16: true\n"
    for target in ("swift", "megatron"):
        assert settings(converted(trl, target))["torch_dtype"] == "float16"
        assert "torch_dtype" not in settings(converted(trl.replace("fp16: true", "bf16: true"), target))


# --- what is said, between each two ---------------------------------------------------------------------------------

NAMED = {"trl": ("TRL",), "swift": ("ms-swift",), "megatron": ("Megatron-SWIFT", "ms-swift"), "verl": ("verl",), "easyr1": ("EasyR1",), "nemo-rl": ("NeMo-RL",), "openrlhf": ("OpenRLHF",), "slime": ("slime",)}  # fmt: skip
COMMON = "--num_generations 8 --use_vllm true --max_completion_length 64 --learning_rate 1e-6 --beta 0.1 --lr_scheduler_type cosine"
SOURCES = {
    "trl": f"accelerate launch --num_processes 8 -m trl.scripts.grpo --dataset_name d --max_prompt_length 512 {COMMON}",
    "swift": f"NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --max_length 512 {COMMON}",
    "megatron": f"NPROC_PER_NODE=8 megatron rlhf --rlhf_type grpo --model m --dataset d --max_length 512 --global_batch_size 64 "
    f"{COMMON.replace('learning_rate', 'lr').partition(' --lr_sch')[0]}",
    "verl": "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=64 data.max_prompt_length=512 "
    "actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.ppo_mini_batch_size=64 "
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 trainer.n_gpus_per_node=8",
    "easyr1": "python3 -m verl.trainer.main data.rollout_batch_size=64 worker.rollout.n=8 worker.actor.global_batch_size=64 "
    "data.max_prompt_length=512 trainer.n_gpus_per_node=8",
    "nemo-rl": "uv run examples/run_grpo.py grpo.num_prompts_per_step=8 grpo.num_generations_per_prompt=8 policy.train_global_batch_size=64 "
    "policy.train_micro_batch_size=4 cluster.gpus_per_node=8 data.max_input_seq_length=512",
    "openrlhf": "python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --data.prompt_dataset d --reward.remote_url r.py "
    "--rollout.batch_size 8 --rollout.n_samples_per_prompt 8 --train.batch_size 64 --train.micro_batch_size 4 --actor.num_gpus_per_node 8 "
    "--ref.num_gpus_per_node 8 --train.colocate_all --vllm.num_engines 8 --algo.advantage.estimator group_norm",
    "slime": "python3 train.py --hf-checkpoint m --ref-load t --prompt-data d.jsonl --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate "
    "--num-rollout 100 --rollout-batch-size 8 --n-samples-per-prompt 8 --global-batch-size 64 --micro-batch-size 4 --rollout-max-prompt-len 512",
}  # fmt: skip
RELEASES = {**NEWEST, "trl": "0.27.2"}  # the last ones with all of these flags


def strangers_named(found, source, target):
    """What a conversion says that names a framework on neither side."""
    said = [what for _, what in found.look_at] + [each.why for each in (*found.dropped, *found.lines)]
    others = {word for names in NAMED.values() for word in names} - {*NAMED[source], *NAMED[target]}
    return [text for text in said if any(re.search(rf"(?<![\w-]){word}(?!\w)", text) for word in others)]


def converted_from(source, target, more="", **options):
    text = f"# grpo-lint: version={RELEASES[source]}\n{SOURCES[source]} {more}\n"
    return converted(text, target, "run.sh", RELEASES[target], **options)


@pytest.mark.parametrize("target", FRAMEWORKS)
@pytest.mark.parametrize("source", FRAMEWORKS)
def test_remarks_are_about_the_two_at_hand(source, target):
    found = converted_from(source, target)
    assert strangers_named(found, source, target) == []
    swifts = [name in ("swift", "megatron") for name in (source, target)]
    has_length = "openrlhf" not in (source, target)  # whose newest releases limit prompt and completion together
    assert any("max_length of ms-swift" in what for _, what in found.look_at) == (swifts[0] != swifts[1] and has_length)


@pytest.mark.parametrize("target", FRAMEWORKS)
@pytest.mark.parametrize("source", FRAMEWORKS)
def test_a_model_that_is_no_longer_sharded_is_told(source, target):
    """verl and EasyR1 shard it unless told otherwise, and neither TRL nor ms-swift does; their engine sleeps, too."""
    found = converted_from(source, target)
    what = {
        "trl": "--config_file",
        "swift": "zero3",
        "megatron": "--tp",
        "openrlhf": "stage 3",
        "slime": "Megatron's",
    }.get(target, "")
    loses = source in ("verl", "easyr1", "nemo-rl") and bool(what)
    told = [text for _, text in found.look_at if "spreads the model by" in text]
    assert len(told) == loses and all(what in text for text in told)
    sleeps = {"trl": ("vllm_enable_sleep_mode", True), "swift": ("sleep_level", 1), "megatron": ("sleep_level", 1)}
    if source in ("verl", "easyr1", "nemo-rl", "slime") and target in sleeps:
        name, value = sleeps[target]
        assert settings(found).get(name) == value
    else:
        assert not {"vllm_enable_sleep_mode", "sleep_level"} & settings(found).keys()


def told_of_shards(found):
    return [name for name, text in found.look_at if "spreads the model by" in text]


def test_what_was_not_sharded_or_still_is_needs_no_remark():
    size = "actor_rollout_ref.actor.fsdp_config.fsdp_size"
    assert told_of_shards(converted_from("verl", "swift")) == ["deepspeed"]
    assert told_of_shards(converted_from("verl", "swift", f"{size}=1")) == []
    assert told_of_shards(converted_from("verl", "megatron", spread={"tensor": 2})) == []
    assert told_of_shards(converted_from("megatron", "trl")) == []
    assert told_of_shards(converted_from("megatron", "trl", "--tensor_model_parallel_size 2")) == ["accelerate launch"]
    kept = converted_from("verl", "trl", "actor_rollout_ref.rollout.free_cache_engine=False")
    assert settings(kept)["vllm_enable_sleep_mode"] is False


# --- sections and flags ---------------------------------------------------------------------------------------------

TOLD = """\
# grpo-lint: dialect=trl version=0.27.2 world-size=8
model_name_or_path: org/model
dataset_name: org/data
reward_funcs: [accuracy_reward]
output_dir: out
per_device_train_batch_size: 4
gradient_accumulation_steps: 2
steps_per_generation: 4
num_generations: 8
max_prompt_length: 512
max_completion_length: 1024
beta: 0.02
epsilon: 0.2
epsilon_high: 0.28
loss_type: grpo
importance_sampling_level: token
lr_scheduler_type: constant_with_warmup
adam_beta2: 0.98
max_steps: 200
save_steps: 50
"""


@pytest.mark.parametrize(
    "target, wanted",
    [
        (
            "nemo-rl",
            {
                "grpo.num_prompts_per_step": 16,
                "policy.train_global_batch_size": 64,
                "policy.train_micro_batch_size": 4,
                "policy.max_total_sequence_length": 1536,
                "loss_fn.reference_policy_kl_penalty": 0.02,
                "loss_fn.ratio_clip_max": 0.28,
                "loss_fn.token_level_loss": False,
                "policy.optimizer.kwargs.betas": [0.9, 0.98],
                "policy.sequence_packing.enabled": False,
                "grpo.max_num_steps": 100,
                "checkpointing.save_period": 25,
            },
        ),
        (
            "openrlhf",
            {
                "rollout.batch_size": 16,
                "train.batch_size": 64,
                "algo.kl.init_coef": 0.02,
                "algo.kl.use_loss": True,
                "algo.kl.estimator": "k3",
                "actor.eps_clip_low_high": [0.2, 0.28],
                "actor.loss_agg_mode": "seq-mean-token-mean",
                "algo.advantage.estimator": "group_norm",
                "actor.adam.betas": [0.9, 0.98],
                "actor.lr_scheduler": "constant_with_warmup",
                "train.colocate_all": True,
                "vllm.num_engines": 8,
                "ckpt.save_steps": 25,
            },
        ),
        (
            "slime",
            {
                "rollout_batch_size": 16,
                "global_batch_size": 64,
                "kl_loss_coef": 0.02,
                "use_kl_loss": True,
                "kl_loss_type": "low_var_kl",
                "ref_load": "org/model_torch_dist",
                "eps_clip_high": 0.28,
                "lr_decay_style": "constant",
                "adam_beta2": 0.98,
                "num_rollout": 100,
                "save_interval": 25,
            },
        ),
    ],
)
def test_what_sections_and_flags_are_told(target, wanted):
    """The batch in prompts, intervals in rollouts, the KL term as a switch, two numbers in one list."""
    found = converted(TOLD, target)
    made = settings(found)
    assert {name: made.get(name) for name in wanted} == wanted
    assert found.is_equal and not found.is_refused and found.findings == []
    again = convert(run_of(found.text, "run.sh"), "trl", "0.27.2")
    back = settings(again)
    assert again.is_equal and (back["max_steps"] if target != "openrlhf" else 200) == 200 and back["save_steps"] == 50
    assert back.get("epsilon_high", 0.28) == 0.28 and back["adam_beta2"] == 0.98 and back["beta"] == 0.02


def test_the_command_of_an_older_release():
    text = converted(TOLD, "nemo-rl", version="0.4.0").text
    assert "uv run examples/run_grpo_math.py" in text
    text = converted(TOLD, "openrlhf", version="0.9.10").text
    assert "--eps_clip_low_high 0.2 0.28" in text and "--use_kl_loss" in text and "--colocate_all_models" in text


def test_what_has_no_setting_there_is_told():
    found = converted(
        TOLD.replace("beta: 0.02", "beta: 0.0\nnum_iterations: 2\neval_strategy: steps\neval_steps: 50"), "slime"
    )
    dropped = {each.name: each.why for each in found.dropped}
    assert "passed over once" in dropped["num_iterations"] and "--eval-prompt-data" in dropped["eval_steps"]
    assert "ref_load" not in settings(found) and {"MODEL_ARGS"} <= {name for name, _ in found.look_at}
    older = converted(
        TOLD.replace("loss_type: grpo\n", "top_k: 50\n").replace("max_prompt_length: 512", "loss_type: grpo"),
        "openrlhf",
        version="0.9.10",
    )
    assert {"top_k", "loss_type"} <= {each.name for each in older.dropped}


def test_a_kl_term_of_flags_that_is_in_the_reward_is_none_in_the_loss():
    more = "--algo.kl.init_coef 0.01"
    found = converted_from("openrlhf", "trl", more)
    assert settings(found)["beta"] == 0.0 and any("into the reward" in what for _, what in found.look_at)
    found = converted_from("openrlhf", "trl", f"{more} --algo.kl.use_loss --actor.eps_clip_low_high 0.1 0.3")
    assert (settings(found)["beta"], settings(found)["epsilon"], settings(found)["epsilon_high"]) == (0.01, 0.1, 0.3)
    found = converted_from("slime", "trl", "--kl-loss-coef 0.01")
    assert settings(found)["beta"] == 0.0


def test_settings_of_the_engine_that_does_not_run_are_not_taken():
    megatron = "policy.megatron_cfg.optimizer.lr=3e-6 policy.optimizer.kwargs.lr=5e-7"
    found = converted_from("nemo-rl", "trl", megatron)
    assert settings(found)["learning_rate"] == 5e-7
    assert {each.name: each.why for each in found.dropped}["policy.megatron_cfg.optimizer.lr"].startswith(
        "it is of the training engine"
    )
    found = converted_from(
        "nemo-rl", "trl", f"{megatron} policy.megatron_cfg.enabled=true policy.dtensor_cfg.enabled=false"
    )
    assert settings(found)["learning_rate"] == 3e-6


def test_arrays_of_a_script_are_not_passed_on():
    text = (
        "# grpo-lint: version=0.3.1\nARGS=(\n   --save-interval 20 --save out\n)\n" + SOURCES["slime"] + " ${ARGS[@]}\n"
    )
    found = converted(text, "verl", "run.sh")
    assert (
        "ARGS" not in found.text
        and found.text.startswith("#!/bin/bash\n")
        and settings(found)["trainer.save_freq"] == 20
    )


# --- several runs ---------------------------------------------------------------------------------------------------

TWO = """\
# grpo-lint: version=4.6.0 world-size=8
swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 8 --reward_funcs accuracy

swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 4 --reward_funcs accuracy \\
    --per_device_train_batch_size 4
"""


@pytest.mark.parametrize(("line", "taken", "group"), [("", "2", 8), ("2", "2", 8), ("4", "4", 4), ("5", "4", 4)])
def test_one_of_several_runs_is_taken_by_its_line(line, taken, group):
    found = convert(run_of(TWO, "run.sh"), "megatron", "4.6.0", line=line)
    assert (found.run.place, found.run.others) == (taken, [other for other in ("2", "4") if other != taken])
    assert found.before.value("group_size") == group
    with pytest.raises(CannotConvert, match="--line 2 or 4"):
        convert(run_of(TWO, "run.sh"), "megatron", "4.6.0", line="3")


def test_all_runs_of_a_script_become_one_script(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text(f"#!/bin/bash\nset -e\n{TWO}echo done\n")
    words = ["convert", str(path), "--to", "megatron@4.6.0"]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert (
        "swift rlhf" not in printed.out
        and printed.out.count("megatron rlhf") == 2
        and printed.out.endswith("\necho done\n")
    )
    assert f"{path}:4: " in printed.err and f"{path}:6: " in printed.err and "--line" not in printed.err
    found = run_of(printed.out, "run.sh")
    assert [each.plan(each.candidates[0]).value("group_size") for each in found.launches] == [8, 4]
    assert main([*words, "--output-format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (
        document["text"] == printed.out
        and [each["line"] for each in document["runs"]] == ["4", "6"]
        and document["is_equal"]
    )


def test_where_not_all_runs_can_be_converted_one_is_and_says_so(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text(
        TWO
        + "verl-train\nfor i in 1 2; do swift rlhf --rlhf_type grpo --model m --dataset d --num_generations $i; done\n"
    )
    main(["convert", str(path), "--to", "verl"])
    printed = capsys.readouterr()
    assert "--line takes another one" in " ".join(printed.err.split()) or "swift rlhf" not in printed.out


def test_which_run_was_taken_is_told(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text(TWO)
    assert main(["convert", str(path), "--to", "megatron@4.6.0", "--line", "2"]) == 0
    assert "the run in line 2; --line takes another one: 4\n" in capsys.readouterr().err
    assert main(["convert", str(path), "--to", "megatron@4.6.0", "--line", "4"]) == 0
    printed = capsys.readouterr()
    assert "the run in line 4; --line takes another one: 2\n" in printed.err and "--num_generations 8" in printed.out
    assert main(["plan", "--from", str(path), "--gpus", "16", "--line", "4"]) == 0
    assert "the run in line 4" in capsys.readouterr().out
    assert main(["plan", "--from", str(path), "--gpus", "16", "--line", "3"]) == 1
    assert "no run begins in line 3" in capsys.readouterr().out


def test_a_config_that_several_scripts_start(tmp_path, capsys):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.yaml").write_text(SWIFT.replace("version=4.6.0 world-size=8", "version=4.6.0"))
    (tmp_path / "a.sh").write_text("NPROC_PER_NODE=8 swift rlhf run.yaml\n")
    (tmp_path / "b.sh").write_text("\nNPROC_PER_NODE=4 swift rlhf run.yaml\n")
    for words, size in (([], "64"), (["--line", "b.sh:2"], "32")):
        assert main(["convert", str(tmp_path / "run.yaml"), "--to", "megatron@4.6.0", *words]) == 0
        printed = capsys.readouterr()
        assert f"global_batch_size: {size}" in printed.out and "--line takes another one" in " ".join(
            printed.err.split()
        )


@pytest.mark.parametrize("name", ["train.ipynb", "train.py", "deploy.yaml"])
def test_what_does_not_hold_a_command_as_text_becomes_a_file_of_its_own(name):
    """A notebook holds commands in strings of JSON, a file of YAML in indented blocks: nothing is put into them."""
    command = "swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 1"
    text = {
        "train.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": ["!" + command]}]}),
        "train.py": "from swift.llm import rlhf_main\nrlhf_main(" + repr(command.split()[2:]) + ")\n",
        "deploy.yaml": f"jobs:\n  - run: |\n      {command}\n",
    }[name]
    found = converted(text, "megatron", name, version="4.6.0", world_size=8)
    assert found.is_command and found.text.startswith("#!/bin/bash\n") and found.is_equal
    assert run_of(found.text, "run.sh").launches[0].framework.name == "megatron"


@pytest.mark.parametrize("value", [".inf", ".nan", "1.5", "-1"])
def test_no_number_of_a_stranger_breaks_it(value):
    found = converted(SWIFT + f"num_train_epochs: {value}\nsave_steps: {value}\n", "megatron")
    assert found.is_equal
    assert ("num_train_epochs" in settings(found)) == (value == "-1")


def test_json_has_all_of_it(tmp_path, capsys):
    path = tmp_path / "run.yaml"
    path.write_text(SWIFT)
    assert main(["convert", str(path), "--to", "megatron", "--output-format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["is_equal"] and document["quantities"]["completions_per_update"] == {"before": 64, "after": 64}
    assert {"name": "global_batch_size", "value": 64, "from": "gradient_accumulation_steps", "why": None} in document[
        "settings"
    ]


def test_it_writes_a_new_file_only(tmp_path, capsys):
    path, out = tmp_path / "run.yaml", tmp_path / "new.yaml"
    path.write_text(SWIFT)
    assert main(["convert", str(path), "--to", "trl", "--output-file", str(out)]) == 0
    assert "per_device_train_batch_size" in out.read_text() and "no counterpart" not in capsys.readouterr().err
    assert main(["convert", str(path), "--to", "trl", "--output-file", str(path)]) == 2 and path.read_text() == SWIFT


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("x.yaml",),
        ("/nowhere/x.yaml", "--to", "trl"),
        (__file__, "--to", "tlr"),
        (__file__, "--to", "trl@x"),
        (__file__, "--to", "trl", "--tp", "2,4"),
    ],
)
def test_wrong_usage_is_told_in_a_line(words):
    ended = subprocess.run([sys.executable, "-m", "grpo_lint", "convert", *words], capture_output=True, text=True)
    assert ended.returncode == 2 and len(ended.stderr.strip().splitlines()) <= 2 and "Traceback" not in ended.stderr


def test_what_is_no_run_says_so(tmp_path, capsys):
    path = tmp_path / "r.yaml"
    path.write_text("a: 1\n")
    assert main(["convert", str(path), "--to", "trl"]) == 1 and "cannot be converted" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more, told",
    [
        ("", "here 64"),
        ("tensor_model_parallel_size: 2\n", "here 32"),
        ("tensor_model_parallel_size: 3\n", None),
        ("tensor_model_parallel_size: x\n", None),
        ("global_batch_size: 16\n", None),
    ],
)
def test_a_megatron_file_with_the_batch_of_ms_swift_is_told_what_it_comes_to(more, told):
    """S4: accumulation goes into global_batch_size, 1 x 8 ranks x 8 = 64; nothing where a factor is not known."""
    text = SWIFT.replace("dialect=swift", "dialect=megatron").replace("learning_rate", "lr") + more
    messages = [
        message(each) for each in run_of(text).findings if each.rule.code == "GRPO101" or "batch" in str(each.values)
    ]
    about = [
        each for each in messages if "per_device_train_batch_size" in each or "gradient_accumulation_steps" in each
    ]
    assert len(about) == 2 and "micro_batch_size" in about[0]
    assert all((told in each) if told else ("here" not in each) for each in about), about


MEGATRON_SIZES = {"tensor": 2, "pipeline": 2, "context": 2, "expert": 4}
OF_SIZES = {
    "megatron": "NPROC_PER_NODE=8 megatron rlhf --rlhf_type grpo --model m --dataset d --num_train_epochs 1 --use_vllm true --reward_funcs accuracy "
    "--global_batch_size 64 --micro_batch_size 1 --num_generations 8 --tensor_model_parallel_size 2 --pipeline_model_parallel_size 2 "
    "--context_parallel_size 2 --expert_model_parallel_size 4 --sequence_parallel true\n",
    "verl": "python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer algorithm.adv_estimator=grpo data.train_batch_size=8 "
    "actor_rollout_ref.actor.ppo_mini_batch_size=8 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 actor_rollout_ref.rollout.n=8 "
    "actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.path=m trainer.n_gpus_per_node=8 trainer.nnodes=1 "
    + " ".join(
        f"actor_rollout_ref.actor.megatron.{name}_parallel_size={size}"
        for name, size in (("tensor_model", 2), ("pipeline_model", 2), ("context", 2), ("expert_model", 4))
    )
    + "\n",
}  # fmt: skip


@pytest.mark.parametrize(("source", "target"), [("megatron", "verl"), ("verl", "megatron")])
def test_a_model_stays_spread_between_the_two_that_have_megatron(source, target):
    """Tensor, pipeline, context and expert parallel sizes are those of the run; the ranks and their passes follow."""
    found = converted(OF_SIZES[source], target, "run.sh")
    assert sizes_of(target, found.after.value) == MEGATRON_SIZES == sizes_of(source, found.before.value)
    assert found.is_equal and found.before.value("dp_size") == found.after.value("dp_size") == 1
    assert not [each for each in found.dropped if "parallel" in each.name]


IN_STAGES = OF_SIZES["megatron"].replace("--model m", "--model deepseek-ai/DeepSeek-V3").replace(
    "_parallel_size 2 --context", "_parallel_size 8 --context"
).replace("PROC_PER_NODE=8", "PROC_PER_NODE=8 NNODES=4")  # fmt: skip
ENDS_OF_61 = "--decoder_first_pipeline_num_layers 7 --decoder_last_pipeline_num_layers 6\n"


def ends_of(found):
    return [found.after.value(f"{end}_stage_layers") for end in ("first", "last")]


@pytest.mark.parametrize("target", ["verl", "slime", "nemo-rl"])
def test_the_layers_of_the_first_and_the_last_stage_arrive_and_come_back(target):
    there = converted(IN_STAGES.rstrip("\n") + f" {ENDS_OF_61}", target, "run.sh")
    back = converted(there.text, "megatron", "run.sh")
    assert [ends_of(there), ends_of(back)] == [[7, 6], [7, 6]]
    assert not [each for each in there.dropped if "layers" in each.name]
    assert "GRPO411" not in {each.rule.code for each in there.findings}


def test_with_another_number_of_stages_the_layers_are_cut_anew():
    text = IN_STAGES.rstrip("\n") + f" {ENDS_OF_61}"
    assert ends_of(converted(text, "verl", "run.sh", spread={"pipeline": 16})) == [3, 2]
    assert "it goes with pipeline parallel" in {
        str(each.why) for each in converted(text, "verl", "run.sh", spread={"tensor": 2}).dropped
    }


@pytest.mark.parametrize("target", ["verl", "nemo-rl"])
def test_another_release_trains_with_the_same_engine(target):
    """The sizes and the engine of a run stay, also of one that sets no size, and its command is no longer than before."""
    for text in (IN_STAGES.rstrip("\n") + f" {ENDS_OF_61}", OF_SIZES["megatron"].split(" --tensor")[0] + "\n"):
        first = converted(text, target, "run.sh")
        again = converted(first.text, f"{target}", "run.sh")
        assert sizes_of(target, again.after.value) == sizes_of(target, first.after.value)
        assert ends_of(again) == ends_of(first)
        assert [again.after.value(name) for name in ("strategy", "uses_megatron")] == [
            first.after.value(name) for name in ("strategy", "uses_megatron")
        ]
        arguments = [word for word in again.text.split() if "=" in word]
        assert len(arguments) == len(set(arguments)) and again.text.count("uv run") <= 1


@pytest.mark.parametrize("source", ["swift", "verl", "easyr1", "megatron"])
@pytest.mark.parametrize("target", ["swift", "verl", "easyr1", "megatron", "trl"])
def test_a_sequence_stays_spread_wherever_that_is_possible(source, target):
    """Ulysses of verl and EasyR1, sequence_parallel_size of ms-swift and context_parallel_size of Megatron-SWIFT are one thing."""
    first = (
        converted(SWIFT, source, spread={"context": 4}).text
        if source != "swift"
        else SWIFT + "sequence_parallel_size: 4\n"
    )
    found = converted(
        first, target, "run.yaml" if source == "swift" else "run.sh" if "-m verl" in first else "run.yaml"
    )
    assert found.before.value("dp_size") == 2
    if target == source:  # in another release the names are the same
        return
    if target == "trl":
        assert any(
            "sequence_parallel" in each.name or "context" in each.name or "ulysses" in each.name
            for each in found.dropped
        )
    else:
        assert found.is_equal and found.after.value("dp_size") == 2


FATES = """\
# grpo-lint: dialect=megatron version=4.6.0 world-size=8
rlhf_type: grpo
model: Qwen/Qwen2.5-7B-Instruct
dataset: [d.jsonl]
reward_funcs: [accuracy]
reward_weights: [1.0]
tuner_type: full
micro_batch_size: 1
global_batch_size: 64
num_generations: 8
num_train_epochs: 1
vllm_mode: colocate
recompute_granularity: selective
logging_steps: 1
cosine_max_len: 100
"""


def test_what_has_no_counterpart_is_lost_implied_or_without_effect(tmp_path, capsys):
    found = converted(FATES, "verl")
    fates = {each.name: each.fate for each in found.dropped}
    assert fates["reward_funcs"] == fates["dataset"] == "lost"
    assert fates["tuner_type"] == fates["vllm_mode"] == "implied"
    assert fates["recompute_granularity"] == fates["logging_steps"] == "no effect"
    path = tmp_path / "run.yaml"
    path.write_text(FATES)
    main(["convert", str(path), "--to", "verl"])
    told = capsys.readouterr().err.splitlines()
    assert told[2].startswith("rewards that are not carried over") and "reward_" in told[3]
    at = [next(place for place, line in enumerate(told) if line.startswith(f"no counterpart, and {fate}")) for fate in
          ("lost", "implied", "no effect")]  # fmt: skip
    assert at == sorted(at)


def test_a_setting_that_did_nothing_is_not_lost():
    found = converted(
        FATES.replace("vllm_mode: colocate", "use_vllm: false\nvllm_max_num_seqs: 4\nimportance_sampling_level: token"),
        "easyr1",
    )
    assert {each.name: each.fate for each in found.dropped}["vllm_max_num_seqs"] == "no effect"


@pytest.mark.parametrize(
    "name", ["importance_sampling_level", "resume_from_checkpoint", "overlong_filter", "system", "delta"]
)
def test_what_decides_the_training_is_lost(name):
    from grpo_lint.frameworks.shared.left_behind import fate

    assert fate(name, "x", ()) == "lost"


@pytest.mark.parametrize("version", ["0.3.1", "0.5.0", "0.7.0"])
def test_a_data_set_of_nemo_rl_has_its_name_on_the_hub(version):
    key = "train:\n    dataset_name" if version == "0.7.0" else "dataset_name"
    text = (
        f"# grpo-lint: dialect=nemo-rl version={version}\ndefaults: grpo_math_1B.yaml\n"
        "grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\n"
        "policy:\n  model_name: m\n  train_global_batch_size: 512\n  train_micro_batch_size: 4\n"
        f"data:\n  {key}: OpenMathInstruct-2\ncluster:\n  gpus_per_node: 8\n  num_nodes: 1\n"
    )
    assert settings(converted(text, "trl"))["dataset_name"] == "nvidia/OpenMathInstruct-2"
    assert settings(converted(text, "swift"))["dataset"] == ["nvidia/OpenMathInstruct-2"]
    fates = {each.name: each.fate for each in converted(text, "verl").dropped}
    assert fates[f"data.{key}".replace(":\n    ", ".")] == "lost"


def test_where_no_setting_says_the_rewards_that_comes_first(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text(
        "# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=a.parquet data.train_batch_size=64 "
        "actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 trainer.n_gpus_per_node=8 trainer.nnodes=1 "
        "actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8\n"
    )
    main(["convert", str(path), "--to", "swift"])
    first, _, second = " ".join(capsys.readouterr().err.split()).partition("rewards that are not carried over")
    assert "not carried over" not in first and "its data or its program does" in second


_SLIME = (
    "python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate --hf-checkpoint m --num-rollout 9 --rollout-batch-size 32 "
    "--n-samples-per-prompt 8 --global-batch-size 256 {more}\n"
)
_VERL = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=a.parquet data.val_files=b.parquet data.train_batch_size=64 "
    "actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 "
    "actor_rollout_ref.actor.ppo_mini_batch_size=64 trainer.n_gpus_per_node=8 trainer.nnodes=2 {more}\n"
)
_MEGATRON_OF_VERL = (
    "--config-name=ppo_megatron_trainer actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 "
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=4 "
)


def test_micro_batches_that_are_counted_in_tokens_stay_so():
    there = settings(
        converted(_SLIME.format(more="--use-dynamic-batch-size --max-tokens-per-gpu 9216"), "verl", "run.sh")
    )
    assert there["actor_rollout_ref.actor.use_dynamic_bsz"] is True
    assert there["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"] == 9216
    assert not [name for name in there if "micro_batch_size" in name]
    dynamic = "actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.model.use_remove_padding=True actor_rollout_ref.actor.ulysses_sequence_parallel_size=2"
    back = settings(converted(_VERL.format(more=dynamic), "slime", "run.sh"))
    assert back["use_dynamic_batch_size"] is True and back["context_parallel_size"] == 2
    assert (
        back["max_tokens_per_gpu"] == 16384 and "micro_batch_size" not in back
    )  # the default of verl; slime needs it written
    # NeMo-RL counts the tokens of all GPUs that share a sequence
    assert (
        settings(converted(_VERL.format(more=dynamic), "nemo-rl", "run.sh"))["policy.dynamic_batching.train_mb_tokens"]
        == 32768
    )
    # a run that counts completions says nothing of tokens
    assert "max_tokens_per_gpu" not in settings(converted(_VERL.format(more=_MEGATRON_OF_VERL), "slime", "run.sh"))


def test_what_the_model_says_itself_is_implied():
    model = "--num-layers 36 --hidden-size 2560 --num-attention-heads 32 --num-query-groups 8 --swiglu --vocab-size 151936 --qk-layernorm"
    found = converted(_SLIME.format(more=f"{model} --moe-aux-loss-coeff 0.001"), "trl", "run.sh")
    fates = {each.name: each.fate for each in found.dropped}
    assert {fates[word[2:].replace("-", "_")] for word in model.split() if word[:2] == "--"} == {"implied"}
    assert fates["moe_aux_loss_coeff"] == "lost"  # it is a term of the loss


@pytest.mark.parametrize(("target", "name"), [("megatron", "expert_tensor_parallel_size"), ("slime", "expert_tensor_parallel_size"),
                                              ("nemo-rl", "policy.megatron_cfg.expert_tensor_parallel_size")])  # fmt: skip
def test_how_experts_are_split_is_carried_over(target, name):
    sizes = "tensor_model_parallel_size=4 actor_rollout_ref.actor.megatron.expert_model_parallel_size=4"
    run = _VERL.format(more=f"{_MEGATRON_OF_VERL} actor_rollout_ref.actor.megatron.{sizes}")
    stated = settings(
        converted(
            run.replace("\n", " actor_rollout_ref.actor.megatron.expert_tensor_parallel_size=2\n"), target, "run.sh"
        )
    )
    assert stated[name] == 2
    # where it is not said, experts of verl are split as the other layers are: so they are by default in slime, and not in the others
    assert settings(converted(run, target, "run.sh")).get(name, 4) == 4


def test_the_floor_of_a_schedule_and_recomputation_are_carried_over():
    command = (
        "NPROC_PER_NODE=8 megatron rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --num_generations 8 --micro_batch_size 2 "
        "--global_batch_size 64 --tensor_model_parallel_size 2 --sequence_parallel true --lr 1e-6 --min_lr 1e-7 --recompute_granularity full "
        "--recompute_method uniform --recompute_num_layers 1 --moe_grouped_gemm true --vllm_mode colocate --num_train_epochs 1 --finetune true\n"
    )
    found = converted(command, "verl", "run.sh")
    there, section = settings(found), "actor_rollout_ref.actor.megatron.override_transformer_config."
    assert there["actor_rollout_ref.actor.optim.min_lr"] == 1e-7
    assert [there[f"{section}recompute_{each}"] for each in ("granularity", "method", "num_layers")] == [
        "full",
        "uniform",
        1,
    ]
    assert there[f"+{section}moe_grouped_gemm"] is True  # verl hands on what its own tree does not have
    assert {each.name for each in found.dropped if each.fate == "lost"} == {"reward_funcs", "dataset"}
    back = settings(converted(found.text, "megatron", "run.sh"))
    assert back["min_lr"] == 1e-7 and back["recompute_num_layers"] == 1 and back["moe_grouped_gemm"] is True
    # the example of NeMo-RL has a floor of its own, above which a learning rate has to be
    assert (
        settings(converted(command, "nemo-rl", "run.sh", spread={"tensor": 2, "pipeline": 2}))[
            "policy.megatron_cfg.optimizer.min_lr"
        ]
        == 1e-7
    )
    # Megatron of verl reads no betas
    assert "actor_rollout_ref.actor.optim.betas" not in there
    assert [told for name, told in found.look_at if name == "adam_beta2"] == [
        "Megatron-SWIFT takes 0.95, and verl always 0.999"
    ]


def test_estimates_of_the_kl_term_keep_their_meaning():
    base = "--use-kl-loss --kl-loss-coef 0.01"
    for estimate, there in (("", "kl"), ("--kl-loss-type k2", "mse"), ("--kl-loss-type low_var_kl", "low_var_kl")):
        found = settings(converted(_SLIME.format(more=f"{base} {estimate}"), "verl", "run.sh"))
        assert found.get("actor_rollout_ref.actor.kl_loss_type", "low_var_kl") == there
    told = dict(converted(_SLIME.format(more=base), "trl", "run.sh").look_at)
    assert "slime takes k1, and TRL always k3" in map(str, told.values())


def test_an_engine_whose_settings_lack_is_not_chosen():
    """NeMo-RL needs a section for SGLang that its example lacks, and reads none of vLLM's beside it."""
    found = converted(_VERL.format(more=_MEGATRON_OF_VERL).replace("name=vllm", "name=sglang"), "nemo-rl", "run.sh")
    assert "policy.generation.backend" not in settings(found) and not found.is_refused
    trl = settings(converted(_VERL.format(more=_MEGATRON_OF_VERL).replace("name=vllm", "name=sglang"), "trl", "run.sh"))
    assert trl["use_vllm"] is True


def test_what_a_script_computes_goes_on_being_computed():
    command = (
        "accelerate launch --num_processes 8 -m trl.scripts.grpo --model_name_or_path m --dataset_name d --reward_funcs accuracy_reward "
        "--num_generations 8 --per_device_train_batch_size 8 --learning_rate $(cat rate) --max_completion_length $((2 * LENGTH)) --beta ${BETA:-0.01}\n"
    )
    found = converted(command, "verl", "run.sh")
    for name, value in (("optim.lr", "$(cat rate)"), ("kl_loss_coef", "${BETA:-0.01}")):
        assert f"actor_rollout_ref.actor.{name}={value} " in found.text
    assert "data.max_response_length=$((2 * LENGTH)) " in found.text
    # a value that cannot be taken from the script is no silent loss
    lost = converted(command.replace("$(cat rate)", "1e-6$X"), "verl", "run.sh")
    assert (
        "actor_rollout_ref.actor.optim.lr",
        "what learning_rate computes is not known here: it is not written",
    ) in lost.look_at


_COSINE = "actor_rollout_ref.actor.optim.lr=2e-6 actor_rollout_ref.actor.optim.lr_scheduler_type=cosine actor_rollout_ref.actor.optim.min_lr_ratio=0.1"


@pytest.mark.parametrize(
    ("target", "name", "floor"),
    [
        ("trl", "lr_scheduler_kwargs", {"min_lr": 2e-07}),
        ("swift", "lr_scheduler_kwargs", {"min_lr": 2e-07}),
        ("megatron", "min_lr", 2e-07),
        ("slime", "min_lr", 2e-07),
        ("openrlhf", "actor.min_lr_ratio", 0.1),
        ("easyr1", "worker.actor.optim.min_lr_ratio", 0.1),
    ],
)
def test_a_floor_is_a_rate_a_share_or_in_a_mapping(target, name, floor):
    assert settings(converted(_VERL.format(more=_COSINE), target, "run.sh"))[name] == floor
    trl = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nmodel_name_or_path: m\ndataset_name: d\nnum_generations: 8\nper_device_train_batch_size: 8\n"
    schedule = "learning_rate: 2.0e-6\nlr_scheduler_type: cosine_with_min_lr\nlr_scheduler_kwargs: {min_lr_rate: 0.1}\n"
    if target != "trl":
        there = settings(converted(trl + schedule, target))
        assert there[name] in (floor, {"min_lr_rate": 0.1})  # ms-swift reads what TRL does
    # a schedule that ends at 0 has none, and needs none
    none = converted(_VERL.format(more=_COSINE.replace("0.1", "0.0")), target, "run.sh")
    assert settings(none).get(name, 0.0) == 0.0
    assert [each.fate for each in none.dropped if "min_lr" in each.name] in ([], ["implied"])


def test_the_floor_of_openrlhf_is_written_out_where_nobody_wrote_it():
    command = (
        "python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --data.prompt_dataset d --reward.remote_url r.py --actor.num_gpus_per_node 8 "
        "--actor.num_nodes 1 --rollout.batch_size 128 --train.batch_size 1024 --rollout.n_samples_per_prompt 8 --actor.adam.lr 1e-6 --train.micro_batch_size 8\n"
    )
    assert settings(converted(command, "slime", "run.sh"))["min_lr"] == 1e-7
    constant = converted(
        command.replace("--actor.adam.lr", "--actor.lr_scheduler constant --actor.adam.lr"), "slime", "run.sh"
    )
    assert "min_lr" not in settings(constant)


def test_easyr1_counts_tokens_in_longest_sequences():
    lengths = "data.max_prompt_length=1024 data.max_response_length=3072 "
    dynamic = "actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8200"
    found = converted(_VERL.format(more=lengths + dynamic), "easyr1", "run.sh")
    there, micro = settings(found), "worker.actor.micro_batch_size_per_device_for_update"
    assert there["worker.actor.dynamic_batching"] is True and there[micro] == 2
    back = settings(converted(found.text, "verl", "run.sh"))
    assert back["actor_rollout_ref.actor.use_dynamic_bsz"] is True
    assert back["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"] == 8192
    assert settings(converted(found.text, "slime", "run.sh"))["max_tokens_per_gpu"] == 8192


@pytest.mark.parametrize(
    ("model", "file"), [("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7B"), ("mine/unknown", "your-model")]
)
def test_a_command_of_slime_reads_the_layers_of_its_model(model, file):
    """In a text of its own and in the place of a command; what that file says was not looked at."""
    yaml = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nmodel_name_or_path: {}\nnum_generations: 8\nper_device_train_batch_size: 8\n"
    for found in (
        converted(yaml.format(model), "slime"),
        converted("#!/bin/bash\n" + _VERL.format(more="").replace("path=m ", f"path={model} "), "slime", "run.sh"),
    ):
        head, start, _ = found.text.partition('\npython3 train.py "${MODEL_ARGS[@]}" ')
        assert start and head.endswith(f"source scripts/models/{file}.sh")
        assert found.is_equal and ("# the file of your model" in head) == (file == "your-model")
    megatron = converted(found.text, "megatron", "run.sh")
    assert "MODEL_ARGS" not in megatron.text.partition("megatron rlhf")[2]


def test_further_arguments_of_the_other_framework_are_not_handed_on():
    """Those of a user are; a variable of another file may hold whatever decides the batch."""
    command = "#!/bin/bash\nsource setup.sh\n" + _VERL.format(more="{more}")
    assert '"$@"' in converted(command.format(more='"$@"'), "easyr1", "run.sh").text
    with pytest.raises(CannotConvert, match="further arguments"):
        converted(command.format(more='"${MORE[@]}"'), "easyr1", "run.sh")
    # where the result is a text of its own, nothing is handed on, and that is said
    array = "MORE=(actor_rollout_ref.actor.optim.lr=1e-6)\n" + _VERL.format(more='"${MORE[@]}" "$@"')
    assert [name for name, told in converted(array, "easyr1", "run.sh").look_at if "not carried over" in str(told)] == [
        '"$@"'
    ]


def test_every_setting_that_vanishes_is_named():
    for text in (_VERL.format(more=_MEGATRON_OF_VERL), _SLIME.format(more="")):
        report = lint(Text(text, "run.sh"), fixes=False)
        for target in FRAMEWORKS:
            if target != report.launches[0].framework.name:
                found = convert(report, target, framework(target).catalogue.releases[-1])
                named = (
                    {line.source for line in found.lines}
                    | {each.name for each in found.dropped}
                    | {name for name, _ in found.look_at}
                )
                assert set(report.launches[0].entries) == (named & set(report.launches[0].entries)) | set(
                    found.taken_over
                )
                assert not named & set(found.taken_over)
