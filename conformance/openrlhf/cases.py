"""Random cases for ask.py: flags of OpenRLHF, by their names until 0.10.1, that often, but not always, go together.

    python conformance/openrlhf/cases.py --cases 300 --seed 1 > cases.jsonl

A value of None stands for a flag without a word. `family.py` spells them as a release does, and leaves out what it has not.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import drawing

SWITCH = None
# flags that are added at random, each with values of which some are refused
ODD = {
    "advantage_estimator": ("gae", "rloo", "reinforce", "reinforce_baseline", "group_norm", "dr_grpo", "grpo"),
    "use_dynamic_batch": (SWITCH,),
    "packing_samples": (SWITCH,),
    "async_train": (SWITCH,),
    "partial_rollout": (SWITCH,),
    "vllm_enable_sleep": (SWITCH,),
    "dynamic_filtering": (SWITCH,),
    "dynamic_filtering_reward_range": (("0", "1"), ("1", "0"), ("0.2", "0.8"), ("0",)),
    "colocate_actor_ref": (SWITCH,),
    "colocate_critic_reward": (SWITCH,),
    "critic_pretrain": ("critic",),
    "critic_num_gpus_per_node": ("4", "8"),
    "reward_pretrain": ("reward",),
    "reward_num_gpus_per_node": ("4", "8"),
    "eval_dataset": ("held-out",),
    "init_kl_coef": ("0", "0.01", "1e-3", "low"),
    "max_epochs": ("1", "2", "1.5"),
    "vllm_generate_batch_size": ("64", "256", "1024"),
    "max_images_per_prompt": ("0", "2"),
    "ring_attn_size": ("1", "2", "4", "3"),
    "ds_tensor_parallel_size": ("1", "2", "4"),
    "zero_stage": ("2", "3"),
    "ref_num_gpus_per_node": ("2", "4", "8"),
    "max_samples": ("1000", "all"),
    "max_len": ("4096",),
    "temperature": ("0.7", "hot"),
    "eps_clip_low_high": (("0.2", "0.28"), ("0.2",)),
    "actor_learning_rate": ("1e-6", "fast"),
    "lr_warmup_ratio": ("0.1",),
    "save_steps": ("10", "-1", "often"),
    "rollout_batchsize": ("64",),
    "num_epis": ("2",),
    "bf16": (SWITCH,),
    "enable_prefix_caching": (SWITCH,),
    "gradient_checkpointing": (SWITCH, "true"),
}


def draw(chance, number):
    gpus, nodes = chance.choice((1, 2, 4, 6, 8, 8, 8)), chance.choice((1, 1, 1, 2))
    world, micro = gpus * nodes, chance.choice((1, 1, 2, 4, 8))
    tensor = chance.choice([size for size in (1, 1, 2, 4) if world % size == 0])
    group = chance.choice((2, 4, 8, 8, 8, 5, 1))
    update = world * micro * chance.choice((1, 2, 4, 8))
    prompts = max(update // group, 1) * chance.choice((1, 1, 2, 4))
    flags = {
        "actor_num_nodes": nodes,
        "actor_num_gpus_per_node": gpus,
        "ref_num_nodes": nodes,
        "ref_num_gpus_per_node": gpus,
        "vllm_num_engines": world // tensor,
        "vllm_tensor_parallel_size": tensor,
        "colocate_all_models": SWITCH,
        "pretrain": "model",
        "prompt_data": "prompts",
        "remote_rm_url": "reward.py",
        "advantage_estimator": chance.choice(
            ("group_norm", "group_norm", "rloo", "reinforce_baseline", "dr_grpo", "reinforce")
        ),
        "rollout_batch_size": prompts,
        "n_samples_per_prompt": group,
        "train_batch_size": update,
        "micro_train_batch_size": micro,
        "micro_rollout_batch_size": chance.choice((1, 1, 2, 4)),
    }
    for name in (
        "train_batch_size",
        "rollout_batch_size",
        "micro_train_batch_size",
        "micro_rollout_batch_size",
        "vllm_num_engines",
    ):
        if chance.random() < 0.06:
            flags[name] = chance.choice((3, 10, 12, 64, 100, 128, 256))
    for name in chance.sample(list(ODD), chance.choice((0, 0, 0, 1, 1, 2, 3))):
        flags[name] = chance.choice(ODD[name])
    for name in chance.sample(list(flags), chance.choice((0, 0, 0, 1))):
        del flags[name]
    return {"id": f"openrlhf-{number}", "config": flags}


def drawn(count, seed):
    return drawing.drawn(draw, count, seed)


def words(case, version):
    """The words of a case as a release spells its flags, without those that it has under no name."""
    from grpo_lint.frameworks.openrlhf.catalogue import RENAMED
    from grpo_lint.frameworks.registry import framework
    from grpo_lint.frameworks.versions import version_key

    catalogue = framework("openrlhf").catalogue
    fields = catalogue.fields(("openrlhf",), catalogue.release_index(version_key(version)))
    for name, value in case["config"].items():
        told = [name] if fields[name] else [new for new in RENAMED.get(name, ()) if fields[new]]
        if not told and catalogue.knows(name) and name != "bf16":
            continue
        for each in told or [name]:
            yield f"--{each}"
            yield from () if value is None else map(str, value) if isinstance(value, (tuple, list)) else [str(value)]


if __name__ == "__main__":
    drawing.main(draw, __doc__)
