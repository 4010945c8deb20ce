"""Which files are ours: realistic configs of the three frameworks, and decoys that must stay silent."""

from pathlib import Path
from textwrap import dedent

import pytest

from conftest import lint_text, plan_of, said, stated
from grpo_lint.engine import lint_path
from grpo_lint.frameworks.ms_swift.recognition import GROUP_KEYS as SWIFT_GROUP_KEYS
from grpo_lint.frameworks.recognition import may_be_ours
from grpo_lint.frameworks.registry import framework
from grpo_lint.frameworks.trl.recognition import GROUP_KEYS as TRL_GROUP_KEYS

OURS = {
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
    "easyr1": """\
        data: {rollout_batch_size: 512}
        algorithm: {adv_estimator: grpo, kl_coef: 1.0e-2}
        worker:
          actor: {global_batch_size: 128}
          rollout: {n: 5, tensor_parallel_size: 2}
          reward: {reward_type: function}
        trainer: {n_gpus_per_node: 8}
        """,
    "nemo-rl": """\
        grpo: {num_prompts_per_step: 32, num_generations_per_prompt: 16, max_num_steps: 1000}
        policy:
          train_global_batch_size: 512
          generation: {backend: vllm}
        cluster: {gpus_per_node: 8}
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
    fact = report.launches[0].facts["world-size"]
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
