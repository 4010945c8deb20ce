"""Random cases for ask.py: overrides of NeMo-RL's examples that often, but not always, go together.

python conformance/nemo_rl/cases.py --cases 400 --seed 1 > cases.jsonl
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import drawing

# settings that are added at random, each with values of which some are refused
ODD = {
    "policy.sequence_packing.enabled": ("true", "false"),
    "policy.dynamic_batching.enabled": ("true", "false"),
    "policy.sequence_packing.train_mb_tokens": ("4096", "0"),
    "policy.precision": ("bfloat16", "float32", "bf16"),
    "policy.generation.backend": ("vllm", "sglang"),
    "policy.generation.vllm_cfg.tensor_parallel_size": ("1", "2", "4", "3"),
    "policy.generation.vllm_cfg.async_engine": ("true", "false"),
    "policy.generation.colocated.enabled": ("false",),
    "policy.generation.temperature": ("0.7", "1.0"),
    "policy.generation.top_k": ("50", "null"),
    "policy.dtensor_cfg.context_parallel_size": ("1", "2"),
    "policy.dtensor_cfg.sequence_parallel": ("true",),
    "policy.megatron_cfg.enabled": ("true",),
    "policy.megatron_cfg.context_parallel_size": ("2",),
    "policy.make_sequence_length_divisible_by": ("1", "4", "64"),
    "policy.max_total_sequence_length": ("1024", "4096"),
    "policy.max_grad_norm": ("1.0", "0.5"),
    "policy.optimizer.kwargs.lr": ("1e-6", "3e-7"),
    "policy.learning_rate": ("1e-6",),
    "+policy.note": ("mine",),
    "++grpo.num_prompts": ("32",),
    "+grpo.seed": ("7",),
    "loss_fn.token_level_loss": ("true", "false"),
    "loss_fn.sequence_level_importance_ratios": ("true",),
    "loss_fn.ratio_clip_c": ("3.0", "0.5"),
    "loss_fn.reference_policy_kl_penalty": ("0", "0.01"),
    "grpo.use_dynamic_sampling": ("true",),
    "grpo.batch_multiplier": ("1.5", "2"),
    "grpo.val_period": ("0", "10"),
    "grpo.val_batch_size": ("64", "256"),
    "grpo.max_val_samples": ("64", "100", "256"),
    "grpo.max_num_steps": ("100", "0"),
    "grpo.overlong_filtering": ("true",),
    "cluster.num_nodes": ("1", "2", "0"),
    "checkpointing.save_period": ("10",),
    "logger.wandb_enabled": ("false",),
}

# what asynchronous training needs, of which some is left out
ASYNCHRONOUS = {
    "grpo.async_grpo.enabled": ("true",),
    "loss_fn.use_importance_sampling_correction": ("true",),
    "policy.generation.colocated.enabled": ("false",),
    "policy.generation.colocated.resources.gpus_per_node": ("1",),
    "policy.generation.vllm_cfg.async_engine": ("true", "true", "false"),
    "policy.generation.backend": ("vllm", "vllm", "megatron"),
    "policy.generation.mcore_generation_config.async_engine": ("true", "true", "false"),
}


def asynchronous(chance, gpus, by_megatron):
    """Settings of asynchronous training, of a run with so many GPUs."""
    found = {name: chance.choice(values) for name, values in ASYNCHRONOUS.items()}
    if found["policy.generation.backend"] == "vllm" or not by_megatron:
        del found["policy.generation.mcore_generation_config.async_engine"]
    for name in chance.sample(list(found)[1:], chance.choice((0, 0, 0, 1))):
        del found[name]
    return found | {"cluster.gpus_per_node": gpus + 1}


def draw(chance, number):
    gpus, by_megatron = chance.choice((1, 2, 4, 6, 8, 8, 8)), chance.random() < 0.15
    tensor, micro = chance.choice((1, 1, 1, 2)) if gpus % 2 == 0 else 1, chance.choice((1, 2, 4, 4))
    group, ranks = chance.choice((4, 8, 16, 16, 5, 1)), gpus // tensor
    update = ranks * micro * chance.choice((1, 2, 4, 8, 16))
    prompts = max(update // group, 1) * chance.choice((1, 1, 2, 4))
    engine = "megatron_cfg.tensor_model_parallel_size" if by_megatron else "dtensor_cfg.tensor_parallel_size"
    config = {
        "grpo.num_prompts_per_step": prompts,
        "grpo.num_generations_per_prompt": group,
        "policy.train_global_batch_size": update,
        "policy.train_micro_batch_size": micro,
        "policy.logprob_batch_size": chance.choice((micro, micro, 1, 4)),
        f"policy.{engine}": tensor,
        "cluster.gpus_per_node": gpus,
    }
    for name in list(config)[:5]:
        if chance.random() < 0.06:
            config[name] = chance.choice((3, 10, 12, 64, 100, 128, 0, -4))
    if chance.random() < 0.08:
        config.update(asynchronous(chance, gpus, by_megatron))
    for name in chance.sample(list(ODD), chance.choice((0, 1, 1, 2))):
        config[name] = chance.choice(ODD[name])
    for name in chance.sample(list(config), chance.choice((0, 0, 0, 1))):
        del config[name]
    base = "grpo_math_1B_megatron" if by_megatron else chance.choice(("grpo_math_1B", "grpo_math_1B", ""))
    return {"id": f"nemo-rl-{number}", "base": base, "config": config}


def drawn(count, seed):
    return drawing.drawn(draw, count, seed)


def request(case):
    """What ask.py is asked."""
    found = {"id": case["id"], "overrides": [f"{name}={value}" for name, value in case["config"].items()]}
    return {**found, "config": f"examples/configs/{case['base']}.yaml"} if case["base"] else found


if __name__ == "__main__":
    drawing.main(draw, __doc__)
