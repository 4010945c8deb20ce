"""Which files are ours: realistic configs of the three frameworks, and decoys that must stay silent."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

from conftest import lint_text, names, plan_of, said, stated, told
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.frameworks.ms_swift.recognition import GROUP_KEYS as SWIFT_GROUP_KEYS
from grpo_lint.frameworks.recognition import may_be_ours
from grpo_lint.frameworks.registry import framework, trained_by_sure_scripts
from grpo_lint.frameworks.trl.recognition import GROUP_KEYS as TRL_GROUP_KEYS

OURS = {
    "nemo-rl, as a config that builds on nothing": (
        "nemo-rl",
        """\
        grpo: {num_prompts_per_step: 32, num_generations_per_prompt: 16, max_num_steps: 1000}
        policy:
          train_global_batch_size: 512
          generation: {backend: vllm}
        cluster: {gpus_per_node: 8}
        """,
    ),
    "verl, as its primaries are written": (
        "verl",
        """\
        defaults: [ppo_trainer, _self_]
        data: {train_batch_size: 1024, max_response_length: 1024}
        actor_rollout_ref:
          rollout: {name: vllm, n: 5, gpu_memory_utilization: 0.6}
          actor: {ppo_mini_batch_size: 256}
        algorithm: {adv_estimator: grpo}
        reward_model: {enable: false}
        """,
    ),
    "trl, as recipes were written in early 2025": (
        "trl",
        """\
        # Model arguments
        model_name_or_path: Qwen/Qwen2.5-1.5B-Instruct
        model_revision: main
        torch_dtype: bfloat16
        attn_implementation: flash_attention_2

        # Data training arguments
        dataset_name: my-org/maths
        dataset_prompt_column: prompt
        system_prompt: "Think between <think> tags, then answer."

        # Trainer
        bf16: true
        use_vllm: true
        vllm_device: auto
        vllm_gpu_memory_utilization: 0.7
        do_eval: false
        gradient_accumulation_steps: 4
        learning_rate: 2.0e-05
        max_prompt_length: 512
        max_completion_length: 1024
        num_generations: 7
        num_train_epochs: 1
        per_device_train_batch_size: 16
        output_dir: data/out
        overwrite_output_dir: true
        reward_funcs:
        - accuracy
        - format
        reward_weights:
        - 1.0
        - 0.5
        """,
    ),
    "trl, new": (
        "trl",
        """\
        model_name_or_path: Qwen/Qwen3-4B
        datasets:
          - path: my-org/maths
            fraction: 0.5
        per_device_train_batch_size: 4
        steps_per_generation: 8
        num_generations: 16
        importance_sampling_level: sequence
        loss_type: dr_grpo
        use_vllm: true
        vllm_mode: colocate
        output_dir: out
        """,
    ),
    "trl, few keys": (
        "trl",
        """\
        learning_rate: 1e-6
        num_generations: 8
        reward_funcs: [length]
        """,
    ),
    "trl rloo": (
        "trl",
        """\
        model_name_or_path: Qwen/Qwen3-4B
        per_device_train_batch_size: 4
        num_generations: 4
        normalize_advantages: true
        reward_clip_range: [-5, 5]
        output_dir: out
        """,
    ),
    "swift with rlhf_type": (
        "swift",
        """\
        rlhf_type: grpo
        model: Qwen/Qwen2.5-7B-Instruct
        dataset: AI-MO/NuminaMath-TIR#1000
        reward_funcs: [accuracy, format]
        tuner_type: lora
        per_device_train_batch_size: 4
        num_generations: 8
        deepspeed: zero2
        """,
    ),
    "swift, the type comes on the command line": (
        "swift",
        """\
        model: Qwen/Qwen2.5-7B-Instruct
        dataset:
          - AI-MO/NuminaMath-TIR#1000
        external_plugins: plugins/rewards.py
        reward_funcs: [my_accuracy]
        train_type: full
        torch_dtype: bfloat16
        per_device_train_batch_size: 4
        gradient_accumulation_steps: 2
        num_generations: 8
        use_vllm: true
        vllm_mode: colocate
        max_completion_length: 1024
        """,
    ),
    "megatron": (
        "megatron",
        """\
        rlhf_type: grpo
        model: Qwen/Qwen3-30B-A3B
        dataset: my-org/maths
        tensor_model_parallel_size: 2
        expert_model_parallel_size: 4
        micro_batch_size: 1
        global_batch_size: 64
        num_generations: 8
        """,
    ),
    "megatron, the type comes on the command line": (
        "megatron",
        """\
        model: Qwen/Qwen3-8B
        dataset: my-org/maths
        tensor_model_parallel_size: 2
        micro_batch_size: 1
        global_batch_size: 64
        num_generations: 8
        steps_per_generation: 2
        """,
    ),
    "megatron, Ray layout": (
        "megatron",
        """\
        use_ray: true
        rlhf_type: grpo
        model: Qwen/Qwen3-8B
        dataset: my-org/maths
        micro_batch_size: 1
        global_batch_size: 32
        num_generations: 8
        train:
          gpus: 4
          tensor_model_parallel_size: 2
        rollout:
          gpus: 4
          vllm_tensor_parallel_size: 2
        """,
    ),
}

DECOYS = {
    "kubernetes deployment": """\
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: vllm-server
          generation: 3
        spec:
          template:
            spec:
              containers:
              - name: vllm
                args: ["--num_generations", "8", "--per_device_train_batch_size=4"]
        """,
    "kubernetes job with a config inside": """\
        apiVersion: batch/v1
        kind: Job
        metadata: {name: grpo-train}
        spec:
          template:
            spec:
              containers:
              - name: train
                command: [python, evaluate.py, --num_generations, "8", --reward_funcs, accuracy]
        """,
    "kubernetes config map": """\
        apiVersion: v1
        kind: ConfigMap
        data:
          grpo.yaml: |
            per_device_train_batch_size: 3
            num_generations: 8
            reward_funcs: [accuracy]
        """,
    "custom resource with keys of ours at the top": """\
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        num_generations: 8
        reward_funcs: [accuracy]
        per_device_train_batch_size: 3
        """,
    "helm values": """\
        image: {repository: vllm/vllm-openai, tag: latest}
        replicaCount: 2
        vllm_mode: server
        reward: {enabled: true}
        """,
    "helm template": """\
        {{- if .Values.training.enabled }}
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: {{ .Release.Name }}-grpo
        spec:
          num_generations: {{ .Values.training.num_generations }}
        {{- end }}
        """,
    "github workflow": """\
        name: GRPO smoke test
        on: [push]
        jobs:
          grpo:
            runs-on: ubuntu-latest
            steps:
              - uses: actions/checkout@v4
              - name: train with num_generations 8
                run: pytest -k "trl and num_generations and reward_funcs"
        """,
    "docker compose": """\
        services:
          trainer:
            image: trainer
            command: swift rollout --model Qwen/Qwen3-8B  # for swift rlhf --rlhf_type grpo
            environment: {REWARD_FUNCS: accuracy, VLLM_MODE: server}
          vllm_server: {image: vllm/vllm-openai}
        """,
    "ansible": """\
        - hosts: gpu
          vars: {num_generations: 8, reward_funcs: [accuracy]}
          tasks:
            - name: start vllm
              ansible.builtin.command: swift rollout --model Qwen/Qwen2.5-7B
        """,
    "mkdocs": """\
        site_name: GRPO handbook
        nav:
          - Completions and rewards: rewards.md
          - num_generations: generations.md
        theme: {name: material}
        """,
    "pre-commit": """\
        repos:
          - repo: https://example.com/rewards
            rev: v1.0
            hooks: [{id: check-rewards, args: [--num_generations=8]}]
        """,
    "accelerate": """\
        compute_environment: LOCAL_MACHINE
        distributed_type: MULTI_GPU
        num_processes: 7
        mixed_precision: bf16  # one GPU is kept for vllm
        """,
    "trl sft": """\
        model_name_or_path: Qwen/Qwen2.5-1.5B
        dataset_name: my-org/chat
        completion_only_loss: true
        max_length: 2048
        packing: true
        per_device_train_batch_size: 4
        gradient_accumulation_steps: 4
        learning_rate: 2.0e-05
        output_dir: out
        """,
    "trl dpo": """\
        model_name_or_path: Qwen/Qwen2.5-1.5B
        beta: 0.1
        loss_type: sigmoid
        max_prompt_length: 512
        max_completion_length: 512
        per_device_train_batch_size: 4
        output_dir: out
        """,
    "trl kto": """\
        model_name_or_path: Qwen/Qwen2.5-1.5B
        desirable_weight: 1.0
        max_completion_length: 512
        per_device_train_batch_size: 4
        output_dir: out
        """,
    "trl ppo": """\
        model_name_or_path: EleutherAI/pythia-1b
        reward_model_path: my-org/reward
        sft_model_path: my-org/sft
        num_ppo_epochs: 4
        num_mini_batches: 1
        per_device_train_batch_size: 16
        total_episodes: 10000
        response_length: 53
        missing_eos_penalty: 1.0
        output_dir: out
        """,
    "trl reward model": """\
        model_name_or_path: Qwen/Qwen2.5-0.5B
        center_rewards_coefficient: 0.01
        max_length: 2048
        per_device_train_batch_size: 8
        output_dir: out
        """,
    "swift dpo": """\
        rlhf_type: dpo
        model: Qwen/Qwen2.5-7B-Instruct
        dataset: my-org/preferences
        tuner_type: lora
        per_device_train_batch_size: 1
        rpo_alpha: 0.1
        """,
    "swift kto": """\
        rlhf_type: kto
        model: Qwen/Qwen2.5-7B-Instruct
        dataset: my-org/preferences
        train_type: full
        """,
    "swift ppo": """\
        rlhf_type: ppo
        model: Qwen/Qwen2.5-7B-Instruct
        reward_model: my-org/reward
        dataset: my-org/maths
        num_sample_generations: 10
        """,
    "swift gkd": """\
        rlhf_type: gkd
        model: Qwen/Qwen2.5-7B-Instruct
        teacher_model: Qwen/Qwen2.5-72B-Instruct
        use_vllm: true
        vllm_mode: colocate
        max_completion_length: 512
        """,
    "megatron dpo": """\
        rlhf_type: dpo
        model: Qwen/Qwen3-8B
        tensor_model_parallel_size: 2
        micro_batch_size: 1
        global_batch_size: 16
        """,
    "swift sft with a vllm key": """\
        model: Qwen/Qwen2.5-7B-Instruct
        dataset: my-org/chat
        train_type: lora
        torch_dtype: bfloat16
        vllm_max_model_len: 8192
        """,
    "llama-factory": """\
        model_name_or_path: Qwen/Qwen2.5-7B-Instruct
        stage: ppo
        do_train: true
        finetuning_type: lora
        reward_model: my-org/reward
        dataset: my_maths
        template: qwen
        per_device_train_batch_size: 1
        use_vllm: true
        vllm_gpu_memory_utilization: 0.7
        output_dir: out
        """,
    "axolotl": """\
        base_model: Qwen/Qwen2.5-1.5B-Instruct
        rl: grpo
        trl:
          num_generations: 8
          reward_funcs: [rewards.accuracy]
          use_vllm: true
        micro_batch_size: 3
        gradient_accumulation_steps: 4
        output_dir: out
        """,
    "roll": """\
        exp_name: qwen-rlvr
        rollout_batch_size: 64
        num_return_sequences_in_group: 8
        adv_estimator: reinforce
        rewards: {math_rule: {worker_cls: roll.MathRuleRewardWorker}}
        actor_train: {training_args: {per_device_train_batch_size: 1}}
        """,
    "evolutionary search": """\
        population_size: 50
        num_generations: 100
        mutation_rate: 0.05
        crossover: two_point
        reward_weights: [0.7, 0.3]
        output_dir: out
        """,
    "genetic algorithm with training keys": """\
        num_generations: 40
        sol_per_pop: 20
        num_parents_mating: 4
        learning_rate: 0.01
        """,
    "neuroevolution": """\
        evolution: {num_generations: 100, elite: 2}
        mutation: gaussian
        max_steps: 1000
        """,
    "list": """\
        - num_generations: 8
          reward_funcs: [accuracy]
          per_device_train_batch_size: 4
        """,
    "text": "num_generations, reward_funcs and per_device_train_batch_size\n",
}

# Decoys that are taken for ours today. What they lack is a key that only training in groups has.
TAKEN_FOR_OURS = {
    "trl online dpo": """\
        model_name_or_path: Qwen/Qwen2.5-1.5B
        reward_model_path: my-org/reward
        judge: pair_rm
        max_new_tokens: 64
        use_vllm: true
        vllm_mode: colocate
        vllm_gpu_memory_utilization: 0.4
        per_device_train_batch_size: 3
        output_dir: out
        """,
    "trl gkd": """\
        model_name_or_path: Qwen/Qwen2.5-1.5B
        teacher_model_name_or_path: Qwen/Qwen2.5-7B
        lmbda: 0.5
        use_vllm: true
        vllm_mode: colocate
        max_completion_length: 512
        per_device_train_batch_size: 3
        output_dir: out
        """,
    "evolutionary search in other words": """\
        num_generations: 100
        pop_size: 50
        mutation_prob: 0.1
        crossover_prob: 0.8
        reward_weights: [1, 2]
        learning_rate: 0.01
        max_steps: 100
        """,
}


def read(text):
    return lint_text(dedent(text))


@pytest.mark.parametrize("kind", OURS)
def test_ours_are_recognised(kind):
    name, text = OURS[kind]
    report = read(text)
    assert report.skipped is None, report.skipped
    assert [launch.framework.name for launch in report.launches] == [name]
    assert report.why


def test_rloo_is_told_from_grpo():
    assert read(OURS["trl rloo"][1]).launches[0].algorithm == "rloo"
    assert read(OURS["trl, new"][1]).launches[0].algorithm == "grpo"


def test_world_size_of_the_ray_layout_is_that_of_the_training_group():
    report = read(OURS["megatron, Ray layout"][1])
    fact = report.launches[0].facts["world_size"]
    assert (fact.value, fact.source) == (4, "key train.gpus")
    assert plan_of(report).value("model_parallel_size") == 2  # from the train section
    assert plan_of(report).value("dp_size") == 2


@pytest.mark.parametrize("kind", DECOYS)
def test_decoys_are_skipped_with_a_reason(kind):
    report = read(DECOYS[kind])
    assert report.skipped
    assert (report.launches, report.findings) == ([], [])


@pytest.mark.parametrize("kind", TAKEN_FOR_OURS)
def test_decoys_without_groups_are_skipped(kind):
    assert read(TAKEN_FOR_OURS[kind]).skipped


@pytest.mark.parametrize("kind", OURS)
def test_decoy_tests_could_fail(kind):
    """Every config of ours fails when it is broken: silence is no accident of the reader."""
    _name, text = OURS[kind]
    broken = dedent(text) + "num_generations: [\n"
    assert [finding.rule.name for finding in lint_text(broken).findings] == ["file-can-be-parsed"]


# --- forced ---------------------------------------------------------------------------------------------------------

PLAIN = "per_device_train_batch_size: 3\nlearning_rate: 1e-6\n"


@pytest.mark.parametrize("name", ["trl", "swift", "megatron"])
class TestForced:
    def test_by_the_comment(self, name):
        report = lint_text(f"# grpo-lint: dialect={name}\n{PLAIN}")
        assert [launch.framework.name for launch in report.launches] == [name]
        assert report.why == "the comment says so"

    def test_by_the_command_line(self, name):
        report = lint_text(PLAIN, outside=stated("command line", dialect=name))
        assert [launch.framework.name for launch in report.launches] == [name]

    def test_by_the_settings(self, name):
        report = lint_text(PLAIN, settings=stated("settings", dialect=name))
        assert [launch.framework.name for launch in report.launches] == [name]

    def test_against_what_the_keys_tell(self, name):
        for kind in ("trl, new", "swift with rlhf_type", "megatron"):
            report = lint_text(f"# grpo-lint: dialect={name}\n{dedent(OURS[kind][1])}")
            assert [launch.framework.name for launch in report.launches] == [name]

    def test_makes_a_mapping_a_must(self, name):
        report = lint_text(f"# grpo-lint: dialect={name}\n- 1\n")
        assert [finding.rule.name for finding in report.findings] == ["file-is-a-mapping"]


def test_without_force_the_plain_file_is_skipped():
    assert lint_text(PLAIN).skipped


def test_command_line_goes_before_the_comment_before_the_settings():
    commented = f"# grpo-lint: dialect=swift\n{PLAIN}"
    settings = stated("settings", dialect="trl")
    assert lint_text(commented, settings=settings).launches[0].framework.name == "swift"
    outside = stated("command line", dialect="megatron")
    assert lint_text(commented, settings=settings, outside=outside).launches[0].framework.name == "megatron"


# --- the quick look -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(TRL_GROUP_KEYS | SWIFT_GROUP_KEYS | {"rlhf_type"}))
def test_quick_look_lets_every_telling_key_pass(key):
    assert may_be_ours(f"{key}: 1\n")


@pytest.mark.parametrize("kind", OURS)
def test_quick_look_lets_every_config_of_ours_pass(kind):
    assert may_be_ours(OURS[kind][1])


def test_every_telling_key_of_trl_is_a_field_of_some_release():
    catalogue = framework("trl").catalogue
    unknown = [
        key
        for key in sorted(TRL_GROUP_KEYS)
        if not any(catalogue.known(key, (each,)) for each in ("grpo", "rloo", "script"))
    ]
    assert unknown == []


# --- JSON -----------------------------------------------------------------------------------------------------------

SAVED = "rlhf_type: grpo\nmodel: a/b\ndataset: [x]\nnum_generations: 7\nmodel_info: ModelInfo(...)\nmodel_meta: ModelMeta(...)\nrank: 0\n"


def test_the_arguments_that_a_run_has_saved_are_no_config():
    assert lint_text(SAVED, path="output/args.json").skipped == "the arguments of a run, as ms-swift saves them"
    assert lint_text(SAVED.replace("model_", "my_"), path="output/args.json").skipped is None


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_json_is_read_with_any_blanks(blank):
    text = '{\n~"num_generations": 7,\n~"per_device_train_batch_size":~4,\n~"max_completion_length": 256, "model_name_or_path": "a/b"\n}\n'
    facts = stated("command line", world_size=8, version="1.16.0")
    report = lint_text(text.replace("~", blank), path="args.JSON", outside=facts, fixes=True)
    finding = said(report, "rollout-holds-whole-groups")
    assert report.text.text[slice(*finding.at.key)] == '"num_generations"'
    assert blank in report.text.text and finding.fixes


def test_a_json_schema_of_keys_sets_none():
    schemas = sorted(Path(__file__).parents[1].joinpath("schemas").glob("*.json"))
    assert schemas
    for path in schemas:
        report = lint_path(str(path))
        assert report.findings == [] and report.launches == [], path


# --- told by what starts it, and by little --------------------------------------------------------------------------

TRAINS_GROUPS = """\
from trl import GRPOConfig, GRPOTrainer, ModelConfig, TrlParser

parser = TrlParser((GRPOConfig, ModelConfig))
args, model = parser.parse_args_and_config()
GRPOTrainer(model=model, args=args).train()
"""
NOTHING_TELLS = "model_name_or_path: q\nper_device_train_batch_size: 1\noutput_dir: out\n"


def repository_of(tmp_path, program=TRAINS_GROUPS, config=NOTHING_TELLS, flags=""):
    (tmp_path / ".git").mkdir()
    (tmp_path / "c1.yaml").write_text(config)
    (tmp_path / "grpo.py").write_text(program)
    (tmp_path / "run.sh").write_text(
        f"# grpo-lint: version=1.16.0\naccelerate launch --num_processes=3 grpo.py --config c1.yaml {flags}\n"
    )
    return tmp_path


def linted_in(folder, name):
    path = str(folder / name)
    return lint_path(path, Around().of(path))


@pytest.mark.parametrize("name", ["run.sh", "c1.yaml"])
def test_the_script_that_is_started_tells(tmp_path, name):
    report = linted_in(repository_of(tmp_path), name)
    assert [launch.world_size for launch in report.launches] == [3]
    assert ("rollout-holds-whole-groups" in str(told(report))) is (name == "c1.yaml")


@pytest.mark.parametrize(
    "program",
    [TRAINS_GROUPS.replace("GRPOTrainer", "SFTTrainer"), TRAINS_GROUPS + "from trl import SFTTrainer\nSFTTrainer()\n",
     "import yaml\nyaml.safe_load(open('c1.yaml'))\n", TRAINS_GROUPS.replace("(GRPOConfig, ModelConfig)", "ModelConfig")],
)  # fmt: skip
def test_a_script_that_may_train_otherwise_tells_nothing(tmp_path, program):
    folder = repository_of(tmp_path, program)
    assert not linted_in(folder, "run.sh").launches and not linted_in(folder, "c1.yaml").launches


def test_a_config_that_is_missing_is_told_of_a_script_that_trains_groups(tmp_path):
    folder = repository_of(tmp_path)
    (folder / "c1.yaml").unlink()
    assert names(linted_in(folder, "run.sh"), "warning") == ["config-file-exists"]


def test_what_a_script_declares_that_trains_at_once(tmp_path):
    extra = "from dataclasses import dataclass\n@dataclass\nclass More:\n    curriculum: str = ''\n"
    folder = repository_of(tmp_path, extra + TRAINS_GROUPS)
    (folder / "other.yaml").write_text(NOTHING_TELLS + "num_generations: 1\ncurriculum: easy\n")
    assert "curriculum" not in str(told(linted_in(folder, "other.yaml")))


SMALL = "model_name_or_path: q\ndataset_name: d\nnum_generations: 8\nper_device_train_batch_size: 7\n"


def test_a_small_config_is_enough():
    report = lint_text("# grpo-lint: version=1.16.0 world-size=1\n" + SMALL)
    assert names(report, "error") == ["rollout-holds-whole-groups"]


@pytest.mark.parametrize("more", ["lmbda: 0.5\n", "stage: sft\n", "rl: grpo\n"])
def test_a_small_config_of_somebody_else_is_none(more):
    assert not lint_text(SMALL + more).launches


@pytest.mark.parametrize("kind", ["gspo", "dapo", "null", "GRPO", "grpoo"])
def test_a_trainer_that_there_is_not_is_told(kind):
    text = f"# grpo-lint: version=4.6.0\nrlhf_type: {kind}\nmodel: m\ndataset: d\nnum_generations: 8\n"
    assert names(lint_text(text), "error") == ["value-is-a-choice"]
    assert names(lint_text(text.replace("rlhf_type: " + kind, "rlhf_type: dpo")), "error") != ["value-is-a-choice"]


@pytest.mark.parametrize("kind", ["gspo", "dapo"])
def test_a_command_with_a_trainer_that_there_is_not_is_told(kind):
    text = f"# grpo-lint: version=4.6.0\nswift rlhf --rlhf_type {kind} --model m --dataset d\n"
    assert names(lint_text(text, path="train.sh"), "error") == ["value-is-a-choice"]


@pytest.mark.parametrize(
    "command, processes",
    [("NPROC_PER_NODE=3 myfork rlhf --rlhf_type grpo", 3), ("/opt/bin/ours --rlhf_type grpo", None), ("$RUN rlhf --rlhf_type grpo", 1),
     ("python -m myfork.cli.rlhf --rlhf_type grpo", 1)],
)  # fmt: skip
def test_the_trainer_is_enough_whatever_the_program_is_called(command, processes):
    text = f"{command} --model m --dataset d --num_generations 8 --per_device_train_batch_size 1\n"
    (launch,) = lint_text(text, path="train.sh").launches
    assert launch.framework.name == "swift" and getattr(launch.facts.get("world_size"), "value", None) == processes
    assert not names(lint_text(text, path="train.sh"), "error") or command[:6] == "python"


@pytest.mark.parametrize(
    "command", ["echo swift rlhf --rlhf_type grpo", "bash train.sh --rlhf_type grpo", "ours rlhf --rlhf_type dpo"]
)
def test_what_starts_nothing_of_ours_is_none(command):
    assert not lint_text(command + " --num_generations 8\n", path="train.sh").launches


def test_sections_of_ms_swift_are_read():
    text = "model:\n  model: m\ntrain:\n  rlhf_type: grpo\n  num_generations: 8\n  per_device_train_batch_size: 3\n"
    report = lint_text("# grpo-lint: version=4.6.0 world-size=1\n" + text)
    assert report.launches[0].framework.name == "swift" and "rollout-holds-whole-groups" in names(report)


def test_more_unknown_keys_than_known_are_not_silent():
    report = lint_text(
        "# grpo-lint: version=1.16.0 world-size=1\n" + SMALL + "".join(f"own_{number}: 1\n" for number in range(9))
    )
    assert "9 of 13 keys are none of TRL's" in str(told(report))


def test_a_dialect_forces_only_what_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sft.yaml").write_text("per_device_train_batch_size: 1\nmodel_name_or_path: q\nvllm_mode: x\n")
    (tmp_path / "zero3.yaml").write_text("distributed_type: DEEPSPEED\nnum_processes: 8\n")
    (tmp_path / "grpo.yaml").write_text(SMALL)

    def checked(*words):
        main(["check", "--output-format", "json", *words])
        files = json.loads(capsys.readouterr().out)["files"]
        return sorted(file["path"] for file in files if file["skipped"] is None)

    (tmp_path / ".grpo-lint.toml").write_text('[[overrides]]\npaths = ["ours.yaml"]\ndialect = "trl"\n')
    (tmp_path / "ours.yaml").write_text((tmp_path / "sft.yaml").read_text())
    assert checked("--dialect", "trl", ".") == ["grpo.yaml", "ours.yaml"] == checked(".")
    assert checked("--dialect", "trl", "sft.yaml", "zero3.yaml") == ["sft.yaml", "zero3.yaml"]


def test_why_a_named_file_is_not_checked_is_told_in_a_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    paths = []
    for number in range(5):
        paths.append(f"sft{number}.yaml")
        (tmp_path / paths[-1]).write_text("per_device_train_batch_size: 1\nmodel_name_or_path: q\n")
    assert main(["check", paths[0]]) == 0
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "--dialect" in told and "grpo-lint: dialect=" in told
    assert main(["check", *paths]) == 0 and capsys.readouterr().err.count("\n") == 4
    assert main(["check", "."]) == 0 and not capsys.readouterr().err


NOT_JUDGED = {
    "areal.yaml": ("a config of AReaL", """\
experiment_name: maths
allocation_mode: sglang:d4p1t1+d4p1t1
gconfig:
  n_samples: 8
  max_new_tokens: 1024
actor: {path: Qwen/Qwen2.5-1.5B-Instruct, group_size: ${gconfig.n_samples}}
train_dataset:
  batch_size: 256
  path: openai/gsm8k
"""),
    "areal-new.yaml": ("a config of AReaL", """\
rollout: {backend: "sglang:d2p1t1", consumer_batch_size: "${train_dataset.batch_size}"}
gconfig: {n_samples: 4}
train_dataset: {batch_size: 32, path: data/train}
"""),
    "roll.yaml": ("a config of ROLL", """\
rollout_batch_size: 64
num_return_sequences_in_group: 8
adv_estimator: reinforce
pretrain: Qwen/Qwen3-8B
actor_train:
  training_args: {per_device_train_batch_size: 1, gradient_accumulation_steps: 32}
actor_infer:
  generating_args: {max_new_tokens: 512, num_return_sequences: 8}
"""),
    "roll.sh": ("starts ROLL", "python examples/start_rlvr_pipeline.py --config_path maths --config_name rlvr\n"),
    "skyrl.sh": ("starts SkyRL", """\
uv run --isolated --extra vllm -m skyrl_train.entrypoints.main_base \\
  trainer.algorithm.advantage_estimator="grpo" trainer.train_batch_size=1024 generator.n_samples_per_prompt=5
"""),
    "skyrl.yaml": ("a config of SkyRL", """\
data: {train_data: [train.parquet]}
trainer: {train_batch_size: 1024, policy_mini_batch_size: 256, algorithm: {advantage_estimator: grpo}}
generator: {n_samples_per_prompt: 5, backend: vllm}
environment: {env_class: gsm8k}
"""),
    "rl.toml": ("a config of prime-rl", """\
max_steps = 20
[model]
name = "Qwen/Qwen3-0.6B"
[orchestrator]
batch_size = 128
group_size = 16
[orchestrator.train.sampling]
max_completion_tokens = 128
[trainer.optim]
lr = 3e-6
"""),
    "rllm.yaml": ("a config of rllm", """\
defaults: [ppo_trainer, _self_]
actor_rollout_ref: {rollout: {mode: async, n: 8}}
data: {train_batch_size: 30}
algorithm: {adv_estimator: grpo}
rllm: {agent: {name: math_agent, max_steps: 20}}
"""),
    "orchestrator.toml": ("a config of prime-rl", """\
max_steps = 500
batch_size = 1024
rollouts_per_prompt = 16
[environment]
id = "my-words"
"""),
    "tokens.toml": ("a config of prime-rl", """\
token_batch_size = 16_384
group_size = 16
[train.sampling]
max_completion_tokens = 128
[[train.source]]
name = "my-words"
"""),
    "rl.sh": ("starts prime-rl", "uv run rl --trainer @ train.toml --orchestrator @ orch.toml --inference @ infer.toml\n"),
    "areal.sh": ("starts AReaL", "python examples/vlm/grpo.py --config examples/vlm/grpo.yaml scheduler.type=local\n"),
    "rollouts.yaml": ("a config of ROLL", """\
rollout_batch_size: 64
adv_estimator: reinforce
actor_infer:
  generating_args: {max_new_tokens: 128}
"""),
    "rollouts.sh": ("starts ROLL", "python examples/start_rlvr_rollout_pipeline.py --config_path . --config_name rlvr\n"),
    "tinker.yaml": ("a config of rllm", """\
tinker_base_url: null
training: {group_size: 16, learning_rate: 2e-5}
algorithm: {adv_estimator: grpo}
"""),
    "miles.yaml": ("a config of rllm", """\
rllm: {backend: miles}
training: {group_size: 8}
data: {train_batch_size: 30}
"""),
    "rllm.sh": ("starts rllm", "python3 train.py rllm/backend=tinker data.train_batch_size=30 training.group_size=8\n"),
    "axolotl.yaml": ("a config of Axolotl", """\
base_model: Qwen/Qwen2.5-1.5B-Instruct
rl: grpo
trl:
  use_vllm: true
  num_generations: 7
  max_completion_length: 256
  reward_funcs: [rewards.accuracy]
micro_batch_size: 2
gradient_accumulation_steps: 4
"""),
}  # fmt: skip


def test_files_of_frameworks_that_are_not_judged_are_taken_for_nothing_else(tmp_path, monkeypatch, capsys):
    """Named or met, they are said to be what they are, and no comment is advised that would make them one of ours."""
    monkeypatch.chdir(tmp_path)
    for name, (_, text) in NOT_JUDGED.items():
        Path(name).write_text(text)
    expected = {name: f"{what}, which grpo-lint does not judge yet" for name, (what, _) in NOT_JUDGED.items()}
    assert {name: str(lint_path(name).skipped) for name in NOT_JUDGED} == expected
    assert main(["check", "areal.yaml", "roll.sh"]) == 0
    assert capsys.readouterr().err == "".join(
        f"grpo-lint: {name} is not checked: {expected[name]}\n" for name in ("areal.yaml", "roll.sh")
    )
    assert main(["check", "-v", "."]) == 0
    said_of_all = capsys.readouterr().err
    assert [name for name in expected if not name.endswith(".toml") and expected[name] not in said_of_all] == []


@pytest.mark.parametrize(
    ("program", "launches"),
    [("deepspeed --module openrlhf.cli.train_mine", 0), ("torchrun --nproc_per_node 8 -m verl.mine.train", 0),
     ("torchrun --nproc_per_node 8 -m mine.verl.train", 1), ("accelerate launch train_grpo.py", 1)],
)  # fmt: skip
def test_a_module_of_another_package_is_no_run_of_trl_by_its_flags(program, launches):
    """Whoever starts a module of openrlhf or verl that no release has, trains with that, whatever its flags are called."""
    flags = "--num_generations 4 --max_completion_length 256 --per_device_train_batch_size 4 --learning_rate 1e-6 --bf16 true"
    assert len(lint_text(f"{program} {flags}\n", path="run.sh").launches) == launches


def test_batches_of_openrlhf_are_no_config_of_trl():
    text = "num_generations: 4\nmax_completion_length: 256\nlearning_rate: 1e-6\nbf16: true\n"
    assert [len(lint_text(text + more).launches) for more in ("", "micro_train_batch_size: 1\n")] == [1, 0]


# --- processes ------------------------------------------------------------------------------------------------------

FLAGS = "train_grpo.py --per_device_train_batch_size 8 --num_generations 8 --output_dir out"


@pytest.mark.parametrize(
    "starts, total, on_a_node, devices",
    [("accelerate launch --num_processes 4", 4, 4, None), ("accelerate launch --num_processes 16 --num_machines 2", 16, 8, None),
     ("CUDA_VISIBLE_DEVICES=4,7 accelerate launch --num_processes 4", 4, 4, 2), ("accelerate launch --config_file a.yaml --num_processes 4", 4, None, None),
     ("accelerate launch --num_processes 5 --num_machines 2", 5, None, None), ("accelerate launch --num_processes $N", None, None, None)],
)  # fmt: skip
def test_accelerate_counts_the_processes_of_all_machines(starts, total, on_a_node, devices):
    (launch,) = lint_text(f"# grpo-lint: version=1.16.0\n{starts} {FLAGS}\n", path="train.sh").launches
    names_of_facts = ("world_size", "processes_per_node", "visible_devices")
    values = tuple(launch.facts[name].value if name in launch.facts else None for name in names_of_facts)
    assert values == (total, on_a_node, devices)


def test_accelerate_needs_a_device_for_each_process():
    text = f"# grpo-lint: version=1.16.0\nCUDA_VISIBLE_DEVICES=4,7 accelerate launch --num_processes 4 {FLAGS}\n"
    assert "processes-have-devices" in names(lint_text(text, path="train.sh"))


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("num_machines: 1\n", "processes-have-devices"),
        ("distributed_type: MULTI_GPU\n", "processes-have-devices"),
        ("num_machines: 2\n", None),
        ("num_machines: two\n", None),
        ("distributed_type: 'NO'\n", None),
        (None, "config-file-exists"),
    ],
)
def test_a_file_for_accelerate_says_how_many_machines_share_the_processes(tmp_path, file, found):
    (tmp_path / ".git").mkdir()
    if file is not None:
        (tmp_path / "accelerate.yaml").write_text(file + "num_processes: 64\n")
    starts = "CUDA_VISIBLE_DEVICES=4,7 accelerate launch --config_file accelerate.yaml --num_processes 4"
    (tmp_path / "train.sh").write_text(f"# grpo-lint: version=1.16.0\n{starts} {FLAGS}\n")
    assert names(linted_in(tmp_path, "train.sh"), "error", "warning") == ([found] if found else [])


def test_a_release_that_a_script_states_is_told_in_the_script(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "c.yaml").write_text(SMALL)
    (tmp_path / "train.sh").write_text(
        "#" * 500 + "\n# grpo-lint: version=0.1.0\naccelerate launch t.py --config c.yaml\n"
    )
    assert names(linted_in(tmp_path, "train.sh"), "error") == ["version-has-the-trainer"]
    assert not names(linted_in(tmp_path, "c.yaml"), "error")


@pytest.mark.parametrize("keys, may_be", [
    ({"learning_rate", "beta"}, True),
    ({"beta", "max_length"}, False),  # no key of a trainer
    ({"learning_rate", "lmbda"}, False),  # of distillation
])  # fmt: skip
def test_a_script_that_trains_groups_reads_the_keys_of_trainers_and_no_foreign_ones(keys, may_be):
    assert (trained_by_sure_scripts(keys) == "trl") is may_be


def test_a_framework_whose_commands_do_not_differ_reads_its_config_either_way():
    assert all(framework("trl").reader.files.reads_config(by_flag, (1, 16)) for by_flag in (True, False))
    assert [framework("swift").reader.files.reads_config(by_flag, (4, 6)) for by_flag in (True, False)] == [False, True]
