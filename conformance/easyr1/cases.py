"""Random cases for ask.py: settings of EasyR1 that often, but not always, go together.

python conformance/easyr1/cases.py --cases 300 --seed 1 > cases.jsonl
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import drawing

ACTOR, CRITIC, ROLLOUT = "worker.actor", "worker.critic", "worker.rollout"
# settings that are added at random, each with values of which some are refused
ODD = {
    "algorithm.adv_estimator": ("grpo", "rloo", "remax", "reinforce_plus_plus", "gae", "grpo_passk", "grp0"),
    "algorithm.disable_kl": (True, False, "yes", 1, "maybe"),
    "algorithm.kl_penalty": ("kl", "low_var_kl", "abs", "mse", "k3"),
    "algorithm.kl_type": ("fixed", "adaptive", "linear"),
    "algorithm.online_filtering": (True, False),
    "data.mini_rollout_batch_size": (8, 16, 20, 32, 128, None),
    "data.max_response_length": (512, 4096, 16384),
    "data.min_pixels": (1024, None),
    "data.shuffle": ("false", 0, None),
    f"{ACTOR}.fsdp.enable_cpu_offload": (True, False),
    f"{ACTOR}.fsdp.fsdp_size": (-1, 2, 4, 3),
    f"{ACTOR}.loss_avg_mode": ("token", "seq", "sequence"),
    f"{ACTOR}.loss_type": ("default", "gspo", "cispo"),
    f"{ACTOR}.dynamic_batching": (True, False),
    f"{ACTOR}.ulysses_size": (1, 2, 4, 3),
    f"{ACTOR}.ulysses_sequence_parallel_size": (1, 2, 4),
    f"{ACTOR}.ppo_epochs": (1, 2),
    f"{ACTOR}.clip_ratio_high": (0.28, "0.28", True),
    f"{ACTOR}.optim.strategy": ("adamw", "adamw_bf16", "sgd"),
    f"{ACTOR}.optim.lr": (1e-6, "1.0e-6", 1, "fast"),
    f"{ACTOR}.optim.warmup_style": ("constant", "cosine", "linear"),
    f"{ACTOR}.optim.lr_scheduler_type": ("constant", "cosine", "linear"),
    f"{ACTOR}.model.lora.rank": (0, 64),
    f"{ACTOR}.use_kl_loss": (True,),
    f"{ACTOR}.ppo_mini_batch_size": (32,),
    f"{ROLLOUT}.max_num_batched_tokens": (8192, 4096, 2048),
    f"{ROLLOUT}.gpu_memory_utilization": (0.7, "0.7"),
    f"{ROLLOUT}.val_override_config": ({"n": 1, "temperature": 0.6},),
    "worker.reward.reward_type": ("batch", "sequential"),
    "worker.reward.score_function": ("./reward.py:main",),
    "trainer.total_episodes": (2,),
    "trainer.total_epochs": (2, 1.5),
    "trainer.logger": (["console"],),
    "trainer.max_steps": (10, None, "10"),
    "trainer.foo": (1,),
}
CRITICAL = (
    "global_batch_size",
    "micro_batch_size_per_device_for_update",
    "micro_batch_size_per_device_for_experience",
    "ulysses_size",
)


def draw(chance, number):
    gpus, nodes = chance.choice((1, 2, 4, 6, 8, 8, 8)), chance.choice((1, 1, 1, 2))
    update = chance.choice((8, 16, 32, 64, 30, 20))
    per_device = chance.choice((1, 1, 2, 4, 5, 3))
    if chance.random() < 0.6:  # sizes that go together
        update = gpus * nodes * chance.choice((1, 2, 4))
        per_device = chance.choice((1, 1, 2))
    config = {
        "trainer.n_gpus_per_node": gpus,
        "trainer.nnodes": nodes,
        "data.rollout_batch_size": update * chance.choice((1, 1, 2, 4)) + chance.choice((0, 0, 0, 0, 4)),
        f"{ACTOR}.global_batch_size": update,
        f"{ROLLOUT}.n": chance.choice((4, 5, 8, 8, 2, 1, 3)),
        f"{ACTOR}.micro_batch_size_per_device_for_update": per_device,
        f"{ACTOR}.micro_batch_size_per_device_for_experience": chance.choice((1, 2, 4, 8, per_device, 7)),
        f"{ROLLOUT}.tensor_parallel_size": chance.choice((1, 1, 1, 2, 2, 4)),
    }
    for name in chance.sample(list(ODD), chance.choice((0, 0, 1, 2, 3))):
        config[name] = chance.choice(ODD[name])
    if config.get("algorithm.adv_estimator") == "gae":
        for key in chance.sample(CRITICAL, chance.randrange(3)):
            config[f"{CRITIC}.{key}"] = chance.choice((1, 2, 4, 16, update))
    for name in chance.sample(list(config), chance.choice((0, 0, 0, 1))):
        del config[name]
    return {"id": f"easyr1-{number}", "config": config}


def drawn(count, seed):
    return drawing.drawn(draw, count, seed)


if __name__ == "__main__":
    drawing.main(draw, __doc__)
