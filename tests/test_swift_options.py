"""Options of ms-swift and Megatron-SWIFT, one against another: which version refuses what, and what must stay silent."""

import pytest

from conftest import lint_config, lint_text, names, plan_of, said
from grpo_lint.report.messages import message

SWIFT = {
    "rlhf_type": "grpo", "model": "Qwen/Qwen2.5-7B-Instruct", "dataset": ["AI-MO/NuminaMath-TIR#1000"], "reward_funcs": ["accuracy"],
    "num_generations": 8, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1, "eval_strategy": "no",
}  # fmt: skip
MEGATRON = {
    "rlhf_type": "grpo", "model": "Qwen/Qwen2.5-7B-Instruct", "dataset": ["AI-MO/NuminaMath-TIR#1000"], "reward_funcs": ["accuracy"],
    "vllm_mode": "colocate", "num_generations": 8, "micro_batch_size": 1, "global_batch_size": 8,
}  # fmt: skip
GONE = object()
SERVER = {"use_vllm": True, "vllm_mode": "server", "vllm_server_host": ["10.0.0.1"]}


def report_of(base, settings, version, **facts):
    config = {name: value for name, value in {**base, **settings}.items() if value is not GONE}
    dialect = "megatron" if base is MEGATRON else "swift"
    return lint_config(config, dialect=dialect, version=version, **{"world_size": 1, **facts})


def stage_of(base, settings, version, rule, **facts):
    """The stage at which a rule says the run is refused, None when it is silent or only warns."""
    report = report_of(base, settings, version, **facts)
    speaks = (rule, "null-is-not-a-text")  # of a null it is that one
    return next(
        (finding.stage for finding in report.findings if finding.rule.name in speaks and finding.enforced), None
    )


# settings, rule, {version: stage}
SWIFT_TABLE = [
    ({"model": GONE}, "run-has-a-model", {"3.1": "config", "4.6": "config"}),
    ({"dataset": GONE}, "run-has-data", {"3.1": "config", "3.6": "config", "4.6": "config"}),
    ({"cached_dataset": ["c"]}, "data-is-not-cached", {"3.6": None, "3.7": "config", "4.6": "config"}),
    ({"truncation_strategy": "delete"}, "truncation-keeps-the-end", {"3.2": None, "3.3": "config", "3.6": "config", "3.7": None}),
    ({"truncation_strategy": "right"}, "truncation-keeps-the-end", {"3.2": None, "3.3": "config", "4.6": "config"}),
    ({"reward_funcs": GONE}, "rewards-have-a-source", {"3.1": "init", "4.3": "init", "4.4": None, "4.6": None}),
    ({"reward_funcs": GONE, "reward_model": ["m"]}, "rewards-have-a-source", {"3.4": None, "4.6": None}),
    ({"reward_funcs": GONE, "teacher_model": "t"}, "rewards-have-a-source", {"4.3": "init", "4.4": None}),
    ({"reward_funcs": ["soft_overlong"], "soft_cache_length": 64}, "reward-functions-are-registered", {"3.2": "init", "3.3": None}),
    ({"reward_funcs": ["mine"]}, "reward-functions-are-registered", {"3.1": "init", "4.6": "init"}),
    ({"reward_weights": ["1", "2"]}, "reward-weights-match-rewards", {"3.1": "init", "4.6": "init"}),
    ({"reward_weights": ["1", "2"], "reward_model": ["m"]}, "reward-weights-match-rewards", {"3.4": None, "4.6": None}),
    ({"reward_funcs": ["soft_overlong"]}, "soft-overlong-has-a-cache", {"3.3": "config", "4.6": "config"}),
    ({"sequence_parallel_size": 2}, "sequence-parallel-is-for-other-trainers", {"3.1": None, "3.2": "config", "3.3": "config", "3.4": None}),
    ({"mini_batch_size": 3}, "batch-divides-into-mini-batches", {"3.2": "config", "3.3": "config", "3.4": None}),
    ({"use_vllm": True}, "vllm-has-a-mode", {"3.11.0": None, "3.11.1": "config", "4.6": "config"}),
    ({"vllm_mode": "colocate"}, "vllm-mode-has-vllm", {"3.11.0": None, "3.11.1": "config", "4.6": "config"}),
    ({"use_vllm": True, "vllm_mode": "server"}, "vllm-server-has-an-address", {"3.11.0": None, "3.11.1": "config"}),
    ({"use_vllm": True, "vllm_mode": "colocate", "async_generate": True}, "async-generation-has-a-server",
     {"3.5": "config", "3.11.0": "config", "4.6": "config"}),
    ({**SERVER, "async_generate": True}, "async-generation-has-a-server", {"3.7": None, "4.6": None}),
    ({**SERVER, "async_generate": True, "multi_turn_scheduler": "math_tip_trick"}, "async-generation-has-one-turn", {"3.7": "config"}),
    ({"multi_turn_scheduler": "mine"}, "scheduler-is-registered", {"3.6": "init", "4.6": "init"}),
    ({"multi_turn_scheduler": "openenv_scheduler"}, "scheduler-is-registered", {"4.3": "init", "4.4": None}),
    ({"vllm_reasoning_parser": "deepseek_r1"}, "reasoning-parser-is-for-serving", {"3.7": None, "3.8": "config"}),
    ({"packing": True}, "packing-has-flash-attention", {"3.3": None, "3.4": "config", "4.6": "config"}),
    ({"padding_free": True, "attn_impl": "flash_attention_2"}, "packing-has-flash-attention", {"3.7": None, "4.6": None}),
    ({"padding_free": True, "attn_impl": "flash_attention_4"}, "packing-has-flash-attention", {"4.1": "config", "4.2": None}),
    ({"loss_type": ["grpo", "bnpo"]}, "one-loss-type", {"3.7": "config", "4.6": "config"}),
    ({"loss_type": "dapo"}, "loss-type-is-known", {"3.10": "run", "3.11": None}),
    ({"loss_type": "real"}, "loss-type-is-known", {"4.0": "run", "4.1": None}),
    ({"loss_type": "fipo"}, "loss-type-is-known", {"4.2.1": "run", "4.2.2": None}),
    ({"use_liger_kernel": True, "delta": 1.5}, "liger-computes-the-loss", {"3.4": None, "3.5": "config", "4.6": "config"}),
    ({"use_liger_kernel": True, "sequence_parallel_size": 2}, "liger-computes-the-loss", {"3.5.2": None, "3.5.3": "config"}),
    ({"use_liger_kernel": True, "log_entropy": True}, "liger-computes-the-loss", {"3.7": "config", "4.6": "config"}),
    ({"use_liger_kernel": True, "importance_sampling_level": "sequence"}, "liger-computes-the-loss",
     {"3.9": "config", "3.10": None, "4.0": None}),
    ({"use_liger_kernel": True, "importance_sampling_level": "sequence_token"}, "liger-computes-the-loss", {"3.12": None, "4.0": "config"}),
    ({"use_liger_kernel": True, "advantage_estimator": "rloo"}, "liger-computes-the-loss", {"3.10": "config"}),
    ({"ref_model": "m"}, "reference-model-is-for-full-training", {"3.1": "config", "4.6": "config"}),
    ({"ref_model": "m", "beta": 0.0}, "reference-model-is-for-full-training", {"3.8": None, "4.6": None}),
    ({"ref_model": "m", "train_type": "full"}, "reference-model-is-for-full-training", {"3.8": None, "4.0": None}),
    ({"teacher_model": "t", "teacher_model_server": "http://t"}, "one-teacher", {"4.3": None, "4.4": "config"}),
    ({"teacher_model": "t", "loss_type": "fipo"}, "distillation-has-its-signal", {"4.3": None, "4.4": "config"}),
    ({"teacher_model": "t", "reward_funcs": GONE, "dynamic_sample": True}, "distillation-has-its-signal", {"4.4": "config"}),
    ({"advantage_reweight": "rlsd", "rlsd_lambda": 1.5}, "rlsd-values-are-in-range", {"4.4": None, "4.5": "config"}),
    ({"advantage_reweight": "rlsd", "loss_type": "real"}, "rlsd-has-its-signal", {"4.5": "config"}),
    ({"sdar_loss_coef": 0.1, "sdar_gate_beta": 0}, "sdar-gate-is-open", {"4.5": "config"}),
    ({"sdar_loss_coef": 0.1, "use_liger_kernel": True}, "sdar-has-its-signal", {"4.5": "config"}),
    ({"warmup_ratio": 0.1, "warmup_steps": 5}, "warmup-is-said-once", {"4.4": None, "4.5": "config"}),
    ({"warmup_ratio": 1.5}, "warmup-is-a-part", {"3.3": "config", "4.1": "config", "4.3": None, "4.5": "config"}),
    ({"warmup_ratio": -0.1}, "warmup-is-a-part", {"3.3": "config", "4.3": "config", "4.5": "config"}),
    ({"warmup_steps": -1}, "warmup-is-not-negative", {"3.3": "config", "4.3": "config", "4.5": None}),
    ({"logging_steps": 0}, "logging-has-steps", {"3.1": "config", "4.6": "config"}),
    ({"load_best_model_at_end": True}, "best-model-is-evaluated-when-saved", {"3.1": "config", "4.6": "config"}),
    ({"eval_strategy": GONE, "load_best_model_at_end": True}, "best-model-is-evaluated-when-saved", {"3.5": None, "3.6": "config"}),
    ({"eval_strategy": GONE, "val_dataset": ["v"], "load_best_model_at_end": True}, "best-model-is-evaluated-when-saved", {"4.6": None}),
    ({"eval_strategy": GONE, "val_dataset": ["v"], "load_best_model_at_end": True, "eval_steps": 300}, "best-model-steps-fit",
     {"3.3": "config", "4.6": "config"}),
    ({"eval_strategy": GONE, "val_dataset": ["v"], "save_strategy": "best"}, "evaluation-strategy-is-known", {"4.6": "config"}),
    ({"eval_strategy": GONE, "save_strategy": "best"}, "evaluation-strategy-is-known", {"3.5": "config", "3.6": None}),
    ({"fp16": True, "torch_dtype": "bfloat16"}, "one-half-precision", {"3.2": None, "3.3": "config", "4.6": "config"}),
    ({"bf16": True, "torch_dtype": "float32"}, "one-half-precision", {"3.3": "config", "4.6": "config"}),
    ({"bf16": True}, "one-half-precision", {"3.3": None, "4.6": None}),
    ({"eval_strategy": "steps", "val_dataset": ["v"], "eval_steps": 2.5}, "evaluation-steps-are-whole", {"3.1": "config", "4.6": "config"}),
    ({"lr_scheduler_type": "greedy", "eval_strategy": GONE, "val_dataset": ["v"]}, "scheduler-is-known", {"4.1": "config", "4.2": None}),
    ({"quant_method": "bnb"}, "quantisation-has-its-bits", {"3.1": "config", "4.6": "config"}),
    ({"quant_method": "bnb", "quant_bits": 3}, "quantisation-has-its-bits", {"4.6": "config"}),
    ({"quant_method": "bnb", "quant_bits": 4}, "quantisation-has-its-bits", {"4.6": None}),
    ({"quant_method": "fp8"}, "quantisation-has-its-bits", {"4.6": None}),
    ({"fsdp": "fsdp2", "deepspeed": "zero2"}, "sharding-is-of-one-kind", {"3.11": None, "3.12": "config", "4.6": "config"}),
    ({"streaming": True}, "streams-have-steps", {"3.3": "run", "4.6": "run"}),
    ({"streaming": True, "max_steps": 100}, "streams-have-steps", {"4.6": None}),
    ({"task_type": "seq_cls"}, "classifier-has-labels", {"3.5": None, "3.6": "config", "4.6": "config"}),
    ({"task_type": "seq_cls", "num_labels": 2}, "classifier-has-labels", {"4.6": None}),
    ({"loss_type": "grpo", "loss_weights": ["1"]}, "one-loss-has-no-weights", {"3.7": "config", "4.6": "config"}),
    ({"loss_weights": ["1"]}, "one-loss-has-no-weights", {"3.7": None, "4.6": None}),
    ({"lazy_tokenize": True, "streaming": True}, "tokens-are-made-beforehand", {"3.6": None, "3.7": "config"}),
    ({"vllm_reasoning_parser": None}, "reasoning-parser-is-for-serving", {"4.6": "config"}),
    ({"reward_funcs": None}, "reward-functions-are-registered", {"4.6": "init"}),
    ({"use_vllm": True, "vllm_mode": "colocate", "tensor_parallel_size": 2}, "vllm-tensor-parallel-divides-world",
     {"3.5": "init", "3.9": "init"}),
    ({"use_vllm": True, "vllm_mode": "colocate", "tensor_parallel_size": 1, "vllm_tensor_parallel_size": 2},
     "vllm-tensor-parallel-divides-world", {"3.9": None}),
]  # fmt: skip
MEGATRON_TABLE = [
    ({"model": GONE}, "run-has-a-model", {"3.11": "config", "4.6": "config"}),
    ({"dataset": GONE}, "run-has-data", {"3.11": "config", "4.6": "config"}),
    ({}, "run-has-weights", {"3.11": "config", "3.12": None, "4.6": None}),
    ({"load_safetensors": True}, "run-has-weights", {"3.11": None}),
    ({"no_initialization": False}, "run-has-weights", {"3.11": None}),
    ({"load": "checkpoints/qwen"}, "run-has-weights", {"3.11": None}),
    ({"reward_funcs": GONE}, "rewards-have-a-source", {"3.11": "init", "4.3": "init", "4.4": None, "4.6": None}),
    ({"reward_funcs": GONE, "reward_model": ["m"]}, "rewards-have-a-source", {"4.3": "init", "4.6": None}),
    ({"reward_funcs": GONE, "use_gym_env": True}, "rewards-have-a-source", {"4.2": "init", "4.3": None}),
    (
        {"vllm_mode": GONE},
        "vllm-has-a-mode",
        {"3.11.0": None, "3.11.1": "config", "4.2": "config", "4.3": "init", "4.6": "init"},
    ),
    ({"vllm_mode": GONE, "use_ray": True}, "vllm-has-a-mode", {"4.3": None, "4.6": None}),
    ({"use_vllm": False}, "rollouts-come-from-vllm", {"3.11": "config", "4.6": "config"}),
    ({"use_vllm": False, "use_ray": True}, "rollouts-come-from-vllm", {"4.2": "config", "4.3": None}),
    ({"num_iterations": 2}, "option-is-supported", {"3.11": "config", "4.6": "config"}),
    ({"sync_ref_model": True}, "option-is-supported", {"3.11": "config", "4.6": "config"}),
    ({"async_generate": True}, "option-is-supported", {"3.11": "config", "4.6": "config"}),
    ({"dataset_shuffle": False}, "option-is-supported", {"4.2.0": "config", "4.2.1": None}),
    ({"multi_turn_scheduler": "math_tip_trick"}, "option-is-supported", {"4.2": "config", "4.3": None}),
    ({"log_entropy": True}, "option-is-supported", {"3.12.0": "config", "3.12.1": None}),
    ({"top_entropy_quantile": 0.2}, "option-is-supported", {"3.12.0": "config", "3.12.1": None}),
    ({"truncation_strategy": "split"}, "truncation-keeps-the-end", {"3.11": "config", "4.6": "config"}),
    ({"recompute_method": "uniform"}, "recomputation-is-of-one-kind", {"3.12": None, "4.0": "config"}),
    ({"group_by_length": True}, "grouped-lengths-are-padded", {"4.0": "config", "4.6": "config"}),
    ({"save_total_limit": 1}, "old-checkpoints-can-go", {"4.0": "config", "4.6": "config"}),
    ({"tp_comm_overlap": True}, "overlap-has-sequence-parallel", {"3.12": None, "4.0": "config"}),
    ({"teacher_model": "t", "loss_type": "fipo"}, "distillation-has-its-signal", {"4.4": "config"}),
    ({"use_ray": True, "teacher_model_server": "http://t"}, "ray-keeps-its-teacher", {"4.4": "config"}),
    ({"start_weight_decay": 0.1}, "weight-decay-has-both-ends", {"4.0": "config", "4.6": "config"}),
    ({"weight_decay_incr_style": "cosine", "end_weight_decay": 0.1}, "weight-decay-has-both-ends", {"4.0": "config"}),
    (
        {"weight_decay_incr_style": "linear", "start_weight_decay": 0.1, "end_weight_decay": 0.2},
        "weight-decay-has-both-ends",
        {"4.6": None},
    ),
    ({"muon_lr": 0.1}, "muon-rates-have-muon", {"4.5": "config"}),
    ({"muon_lr": 0.1, "optimizer": "dist_muon"}, "muon-rates-have-muon", {"4.5": None}),
    ({"optimizer": "muon", "overlap_param_gather": True}, "muon-does-not-overlap", {"4.1": "config", "4.6": "config"}),
    ({"pipeline_model_parallel_layout": "Ex"}, "layout-has-known-layers", {"3.12": None, "4.0": "config"}),
    ({"pipeline_model_parallel_layout": "8"}, "layout-has-known-layers", {"4.0": "config"}),
    ({"pipeline_model_parallel_layout": "Et*3,(tt|)*12,L"}, "layout-has-known-layers", {"4.6": None}),
    ({"pipeline_model_parallel_layout": "E,(tt|)*12,L"}, "virtual-pipeline-has-a-pipeline", {"4.6": "init"}),
    (
        {"pipeline_model_parallel_layout": "Et*24L", "virtual_pipeline_model_parallel_size": 2},
        "virtual-pipeline-has-a-pipeline",
        {"4.6": None},
    ),
    ({"attention_backend": "sdpa"}, "attention-backend-is-known", {"3.12": None, "4.0": "config"}),
    ({"attention_backend": "flash_3"}, "attention-backend-is-known", {"4.2": "config", "4.3": None}),
    (
        {"mlp_padding_free": True, "sequence_parallel": True},
        "unpadded-layers-see-whole-sequences",
        {"4.1": "config", "4.2.0": None},
    ),
    (
        {"mlp_padding_free": True, "context_parallel_size": 2},
        "unpadded-layers-see-whole-sequences",
        {"4.2.0": "config", "4.2.1": None},
    ),
    ({"tuner_type": "lora_llm"}, "lora-llm-is-merged", {"4.1": "config", "4.6": "config"}),
    ({"tuner_type": "lora_llm", "no_save_optim": True}, "lora-llm-is-merged", {"4.6": None}),
    ({"bridge_backend": "megatron-bridge", "tuner_type": "lora"}, "megatron-bridge-trains-in-full", {"4.5": "config"}),
    ({"bridge_backend": "megatron-bridge"}, "megatron-bridge-trains-in-full", {"4.5": None}),
    ({"use_megatron_fsdp": True, "optimizer": "muon"}, "megatron-fsdp-has-its-optimizer", {"4.5": "config"}),
    ({"streaming": True}, "streams-have-iterations", {"3.11": "run", "4.6": "run"}),
    ({"streaming": True, "train_iters": 100}, "streams-have-iterations", {"4.6": None}),
    ({"task_type": "seq_cls"}, "classifier-has-labels", {"3.11": "config", "4.6": "config"}),
]


def rows(table):
    return [
        pytest.param(settings, rule, version, stage, id=f"{rule}-{version}-{number}")
        for number, (settings, rule, stages) in enumerate(table)
        for version, stage in stages.items()
    ]


@pytest.mark.parametrize(("settings", "rule", "version", "stage"), rows(SWIFT_TABLE))
def test_swift(settings, rule, version, stage):
    assert stage_of(SWIFT, settings, version, rule) == stage


@pytest.mark.parametrize(("settings", "rule", "version", "stage"), rows(MEGATRON_TABLE))
def test_megatron(settings, rule, version, stage):
    assert stage_of(MEGATRON, settings, version, rule) == stage


# --- companions -----------------------------------------------------------------------------------------------------

LIGER = {"use_liger_kernel": True}
GSPO_BY_LIGER = {"use_liger_kernel": True, "importance_sampling_level": "sequence"}
CORRECTED = {"use_vllm": True, "vllm_mode": "colocate", "rollout_importance_sampling_mode": "token_truncate"}


@pytest.mark.parametrize(
    ("base", "settings", "version", "facts", "rule", "stage"),
    [
        (SWIFT, {}, "3.8", {"trl": "0.16.1"}, "trl-is-new-enough", "config"), (SWIFT, {}, "3.8", {"trl": "0.17"}, "trl-is-new-enough", None),
        (SWIFT, {}, "3.12.4", {"trl": "0.19"}, "trl-is-new-enough", None), (SWIFT, {}, "3.12.5", {"trl": "0.19"}, "trl-is-new-enough", "config"),
        (SWIFT, {}, "4.6", {}, "trl-is-new-enough", None), (SWIFT, {}, "4.6", {"trl": "latest"}, "trl-is-new-enough", None),
        (SWIFT, LIGER, "3.12", {"liger_kernel": "0.6.2"}, "liger-kernel-is-new-enough", None),
        (SWIFT, GSPO_BY_LIGER, "3.12", {"liger_kernel": "0.6.2"}, "liger-kernel-is-new-enough", "config"),
        (SWIFT, LIGER, "4.0", {"liger_kernel": "0.6.5"}, "liger-kernel-is-new-enough", "config"),
        (SWIFT, LIGER, "4.6", {}, "liger-kernel-is-new-enough", None),
        (SWIFT, CORRECTED, "4.6", {"vllm": "0.10.1"}, "vllm-corrects-its-rollouts", "init"),
        (SWIFT, CORRECTED, "4.6", {"vllm": "0.10.2"}, "vllm-corrects-its-rollouts", None),
        (SWIFT, CORRECTED, "4.6", {}, "vllm-corrects-its-rollouts", None),
        (MEGATRON, CORRECTED, "3.11", {"vllm": "0.9.2"}, "vllm-corrects-its-rollouts", "init"),
    ],
)  # fmt: skip
def test_companions_that_are_known_are_new_enough(base, settings, version, facts, rule, stage):
    assert stage_of(base, settings, version, rule, **facts) == stage


# --- devices --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "version", "refused"),
    [
        ({"deepspeed": "zero3"}, "3.2", True), ({"deepspeed": "zero3"}, "4.6", True),
        ({"use_liger_kernel": True}, "3.3", False), ({"use_liger_kernel": True}, "3.4", True),
        ({"use_vllm": True}, "3.5", False), ({"use_vllm": True}, "3.6", True),
        ({"fsdp": "fsdp2"}, "3.11", False), ({"fsdp": "fsdp2"}, "3.12", True),
        ({}, "4.6", False),
    ],
)  # fmt: skip
def test_a_model_is_not_split_where_that_is_refused(settings, version, refused):
    rule = "one-device-per-process"
    assert (stage_of(SWIFT, settings, version, rule, visible_devices=4) == "config") == refused
    assert stage_of(SWIFT, settings, version, rule, visible_devices=1) is None
    assert stage_of(SWIFT, settings, version, rule) is None, "nobody said how many devices there are"


@pytest.mark.parametrize(("devices", "processes", "fits"), [(4, 4, True), (8, 4, True), (2, 4, False), (6, 4, False)])
def test_devices_divide_over_processes(devices, processes, fits):
    stage = stage_of(
        SWIFT,
        {},
        "4.6",
        "devices-divide-over-processes",
        world_size=4,
        visible_devices=devices,
        processes_per_node=processes,
    )
    assert (stage is None) == fits


@pytest.mark.parametrize(
    ("devices", "processes", "engines", "fits"),
    [(8, 7, 1, True), (8, 6, 2, True), (8, 8, 8, True), (8, 8, 1, False), (8, 4, 8, False)],
)
def test_old_engines_have_devices_of_their_own_or_share_all(devices, processes, engines, fits):
    settings = {"use_vllm": True, "num_infer_workers": engines}
    stages = [
        stage_of(SWIFT, settings, version, "devices-are-shared-out", world_size=processes, visible_devices=devices,
                 processes_per_node=processes)
        for version in ("3.2", "3.4")
    ]  # fmt: skip
    assert stages == ([None, None] if fits else ["config", "config"])


# --- silence --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {
            **SERVER,
            "reward_funcs": GONE,
            "multi_turn_scheduler": "gym_scheduler",
        },  # the server may have the environment
        {"reward_funcs": ["accuracy", "format"], "reward_model": ["m"], "reward_weights": ["1", "1", "2"]},
        {"reward_funcs": ["mine"], "external_plugins": ["plugin.py"]},
        {"multi_turn_scheduler": "mine", "external_plugins": ["plugin.py"]},
        {"model": GONE, "adapters": ["checkpoint-100"]},
        {"model": GONE, "resume_from_checkpoint": "checkpoint-100"},
        {"model": "<model>", "dataset": ["<dataset>"], "vllm_server_port": "<node1_port>", **SERVER},
    ],
)
@pytest.mark.parametrize("version", ["3.12", "4.3", "4.6"])
def test_what_official_examples_do_is_fine(settings, version):
    assert names(report_of(SWIFT, settings, version), "error", "warning") == []


@pytest.mark.parametrize("source", [{"mcore_model": "mcore"}, {"adapters": ["checkpoint-100"]}])
def test_a_megatron_checkpoint_brings_the_model(source):
    assert stage_of(MEGATRON, {"model": GONE, **source}, "4.6", "run-has-a-model") is None


RAY = {
    "train": {"gpus": 4},
    "rollout": {"gpus": 4},
    "colocate_groups": [["train", "rollout"]],
    "micro_batch_size": 1,
    "global_batch_size": 32,
}


@pytest.mark.parametrize("version", ["4.3", "4.4", "4.6"])
def test_the_ray_layout_says_how_vllm_runs_and_evaluates_nothing(version):
    dies = {
        "val_dataset": ["more"],
        "num_generations_eval": 16,
        "micro_batch_size": 2,
        "steps_per_generation": 2,
        "use_vllm": True,
        "train_iters": 10,
    }
    ray = report_of(MEGATRON, {**RAY, **dies, "vllm_mode": GONE}, version, world_size=4)
    assert names(ray, "error") == []
    without = report_of(
        MEGATRON, {**RAY, **dies, "train": GONE, "rollout": GONE, "colocate_groups": GONE}, version, world_size=4
    )
    assert names(without, "error") == ["evaluation-divides-over-ranks"]
    said_otherwise = report_of(
        MEGATRON, {**RAY, "use_vllm": True, "vllm_mode": GONE, "use_ray": False}, version, world_size=4
    )
    assert "vllm-has-a-mode" in names(said_otherwise, "error")


@pytest.mark.parametrize(
    "missing", [("model", "dataset", "reward_funcs"), ("model", "dataset", "reward_funcs", "vllm_mode")]
)
def test_a_part_of_a_run_is_no_run_without_a_model(missing):
    for base in (SWIFT, MEGATRON):
        assert names(report_of(base, dict.fromkeys(missing, GONE), "4.6"), "error", "warning") == []


# --- harm and remarks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "settings", "version", "rule", "severity"),
    [
        (SWIFT, {"fp16": True}, "4.6", "half-precision-fits-the-model", "warning"),
        (SWIFT, {"truncation_strategy": "delete"}, "3.2", "truncation-keeps-the-end", "warning"),
        (SWIFT, {"use_vllm": True, "vllm_mode": "server"}, "3.8", "vllm-mode-is-kept", "warning"),
        (SWIFT, {"loss_type": "real", "scale_rewards": "batch"}, "4.6", "real-loss-is-not-scaled", "warning"),
        (SWIFT, {"importance_sampling_level": "sequence"}, "4.6", "sequence-ratios-have-their-own-epsilon", "info"),
        (SWIFT, {"warmup_steps": 10}, "4.6", "warmup-steps-count", "warning"),
        (MEGATRON, {"advantage_estimator": "rloo"}, "4.5", "estimator-scales-its-rewards", "warning"),
        (MEGATRON, {"loss_type": "fipo"}, "4.2.1", "loss-type-is-known", "warning"),
        (MEGATRON, {"reward_model": ["m"]}, "4.6", "settings-have-an-effect", "info"),
    ],
)
def test_what_is_accepted_all_the_same(base, settings, version, rule, severity):
    assert said(report_of(base, settings, version), rule).severity == severity


def test_settings_without_effect_are_one_remark():
    settings = {"max_resample_times": 5, "vllm_gpu_memory_utilization": 0.5, "max_steps": 100, "num_train_epochs": 2}
    finding = said(report_of(SWIFT, settings, "4.6"), "settings-have-an-effect")
    assert finding.values["settings"] == (
        "max_resample_times (dynamic_sample is off); vllm_gpu_memory_utilization (use_vllm is off); "
        "num_train_epochs (max_steps decides)"
    )


# --- the sections of a Ray layout -----------------------------------------------------------------------------------------


def test_the_section_of_those_that_train_beats_the_top_of_the_file():
    report = lint_text("""\
# grpo-lint: dialect=megatron version=4.5.0
rlhf_type: grpo
micro_batch_size: 1
global_batch_size: 32
num_generations: 8
train: {gpus: 4, micro_batch_size: 2}
rollout: {gpus: 4, micro_batch_size: 16}
""")
    assert plan_of(report).value("micro_batch") == 2 and plan_of(report).value("world_size") == 4


def test_what_only_the_engine_takes_is_no_unknown_key():
    text = "# grpo-lint: dialect=megatron version=4.5.0\nrlhf_type: grpo\ntrain: {gpus: 4}\nrollout: {gpus: 4, vllm_data_parallel_size: 2}\n"
    assert "key-is-known" not in names(lint_text(text))
    wrong = text.replace("gpus: 4}", "gpus: 4, vllm_data_parallel_sizes: 2}", 1)
    assert said(lint_text(wrong), "keys-are-read").severity == "warning"


def test_under_ray_an_unknown_key_is_dropped():
    """`swift.ray.megatron.driver_utils.parse_args_from_dict` of 4.3.2 and 4.6.0 logs what its parser hands back."""
    text = "# grpo-lint: dialect=megatron version=4.6.0\nrlhf_type: grpo\nnum_generation_x: 3\n{more}\n"
    for more, severity in (
        ("use_ray: true", "warning"),
        ("train: {gpus: 4}", "warning"),
        ("use_ray: false", "error"),
        ("", "error"),
    ):
        report = lint_text(text.format(more=more))
        assert [each.severity for each in report.findings if each.at and each.at.name == "num_generation_x"] == [
            severity
        ], more


@pytest.mark.parametrize("version, key", [("4.6.0", "max_epochs"), ("3.12.6", "num_train_epochs")])
def test_epochs_by_the_name_of_another_release_are_one_mistake(version, key):
    text = f"# grpo-lint: dialect=megatron version={version} world-size=1\nrlhf_type: grpo\nmodel: Qwen/Qwen2.5-7B\ndataset: [gsm8k]\n"
    assert "run-has-iterations" in names(lint_text(text))
    found = names(lint_text(f"{text}{key}: 1\n"))
    assert "key-is-of-this-version" in found and "run-has-iterations" not in found
    assert "run-has-iterations" in names(lint_text(f"{text}{key}: 1\nignore_args_error: true\n"))


@pytest.mark.parametrize("kind", ["dapo", "gspo", "dr_grpo", "grppo"])
def test_a_loss_that_is_taken_for_a_trainer_means_grpo(kind):
    report = lint_text(f"# grpo-lint: dialect=swift version=4.6.0\nrlhf_type: {kind}\nnum_generations: 8\n")
    assert said(report, "value-is-a-choice").values["meant"] == "grpo"


def test_the_pools_of_a_layout():
    text = "# grpo-lint: dialect=megatron version=4.5.0\nrlhf_type: grpo\ntrain: {{gpus: 2}}\nrollout: {{gpus: 6}}\n{more}\n"
    (launch,) = lint_text(text.format(more="")).launches
    assert (launch.topology.train.counts, launch.topology.rollout.counts, launch.topology.unknown) == ((2,), (6,), "")
    (launch,) = lint_text(text.format(more="use_ray: false")).launches
    assert launch.topology.rollout is None
    (launch,) = lint_text("# grpo-lint: dialect=megatron version=4.5.0\nrlhf_type: grpo\n").launches
    assert launch.topology.unknown == "world_size" and launch.topology.train.nodes is None


def test_an_engine_that_is_too_short_is_told_with_the_sum():
    """Of 12,000 and 8,192, each of which fits, an info: nobody knows whether a prompt is so long. A warning where one of the two does not fit."""
    run = (
        "# grpo-lint: dialect=swift version=4.3.2 world-size=8\nrlhf_type: grpo\nnum_generations: 8\n"
        "per_device_train_batch_size: 8\nuse_vllm: true\nvllm_mode: colocate\nvllm_max_model_len: 16384\n"
        "max_length: 12000\nmax_completion_length: "
    )
    info, warning = (
        said(lint_text(f"{run}8192\n"), "engine-holds-both-limits"),
        said(lint_text(f"{run}16384\n"), "engine-holds-prompt-and-completion"),
    )
    assert "20192 (max_length 12000 + max_completion_length 8192)" in message(info) and info.severity == "info"
    assert "28384 (max_length 12000 + max_completion_length 16384)" in message(warning)
    assert warning.severity == "warning"


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("--beta 0.1 --beta 0.1", "with the same value: 0.1"),
        ("--beta $A --beta $A", "the last value is used"),
        ("--beta 0.1 --beta 0.2", "0.1 has no effect"),
    ],
)
def test_a_flag_that_stands_twice_is_told_as_it_is(flags, told):
    report = lint_text(
        f"swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy {flags}\n", path="a.sh"
    )
    assert told in message(said(report, "flag-stands-once"))


def test_words_of_a_text_belong_in_quotes():
    script = "swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --system You are kind\n"
    assert "quotes" in str(said(lint_text(script, path="a.sh"), "value-has-the-type-of-its-key").values["advice"])
