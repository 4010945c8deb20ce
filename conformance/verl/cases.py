"""Random cases for ask.py whose keys exist in every release, unless a case is about keys.

python conformance/verl/cases.py --cases 500 --seed 1 > cases.jsonl
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import drawing

ACTOR, ROLLOUT, REF = "actor_rollout_ref.actor.", "actor_rollout_ref.rollout.", "actor_rollout_ref.ref."
MICRO = (f"{ACTOR}ppo_micro_batch_size_per_gpu", f"{ROLLOUT}log_prob_micro_batch_size_per_gpu", f"{REF}log_prob_micro_batch_size_per_gpu")  # fmt: skip
MISSPELT = (f"{ROLLOUT}tensor_parallel_size", f"{ACTOR}ppo_minibatch_size", "data.batch_size", "trainer.n_gpu_per_node")
# {topic of a case: its share in percent}
TOPICS = {
    "dynamic": 9, "ulysses": 9, "no-micro": 3, "deprecated-micro": 6, "both-micros": 3, "no-log-prob": 4, "no-ref": 4, "kl-loss": 4,
    "critic": 7, "estimator": 3, "loss": 4, "gen-batch": 5, "mode": 3, "unknown-key": 3, "epochs": 3, "temperature": 4, "megatron": 14,
    "plus": 5, "twice": 3, "lora": 2, "deprecated-log-prob": 4, "separate": 4, "replay": 3, "plain": 8,
}  # fmt: skip


def draw(chance, number):
    """A case: {id, config_name, config}."""
    world = chance.choice((1, 2, 3, 4, 6, 7, 8, 8, 8, 16))
    prompts = chance.choice((8, 16, 24, 32, 40, 64, 100, 128, 256, 512))
    config = {
        "algorithm.adv_estimator": chance.choice(("grpo",) * 8 + ("rloo", "remax")),
        "data.train_batch_size": prompts,
        f"{ACTOR}ppo_mini_batch_size": chance.choice(
            (prompts, prompts // 2, prompts // 3, chance.choice((8, 33, 64, 256)))
        )
        or 1,
        **{name: chance.choice((1, 2, 3, 4, 5, 8, 16)) for name in MICRO},
        f"{ROLLOUT}name": "vllm",
        f"{ROLLOUT}n": chance.choice((1, 2, 4, 5, 5, 6, 8, 8, 16)),
        f"{ROLLOUT}tensor_model_parallel_size": chance.choice((1, 1, 1, 2, 2, 4)),
    }
    if chance.random() < 0.66:  # sizes that go together
        world = chance.choice((1, 2, 4, 8, 8))
        prompts = chance.choice((16, 32, 64, 128, 256))
        config |= {
            "data.train_batch_size": prompts,
            f"{ACTOR}ppo_mini_batch_size": prompts // chance.choice((1, 1, 2, 4)),
            f"{ROLLOUT}n": chance.choice((4, 8, 8, 16)),
            f"{ROLLOUT}tensor_model_parallel_size": chance.choice([size for size in (1, 1, 2, 4) if world % size == 0]),
            **{name: chance.choice((1, 2, 4, 4, 8)) for name in MICRO},
        }
    topic = chance.choices(list(TOPICS), list(TOPICS.values()))[0]
    primary = about(topic, config, chance)
    config |= {"trainer.n_gpus_per_node": world, "trainer.nnodes": chance.choice((1, 1, 1, 1, 2))}
    return {"id": f"verl-{number}-{topic}", "config_name": primary, "config": config}


def about(topic, config, chance):
    """Change a config so that it is about a topic; return the entry file."""
    if topic == "dynamic":
        config |= {f"{ACTOR}use_dynamic_bsz": True, f"{ROLLOUT}log_prob_use_dynamic_bsz": chance.random() < 0.8, f"{REF}log_prob_use_dynamic_bsz": True}  # fmt: skip
        if chance.random() < 0.5:
            config[f"{ACTOR}ppo_max_token_len_per_gpu"] = chance.choice((1023, 1024, 4096, 600))
    elif topic == "ulysses":
        config[f"{ACTOR}ulysses_sequence_parallel_size"] = chance.choice((2, 2, 4, 3))
        if chance.random() < 0.75:
            config["actor_rollout_ref.model.use_remove_padding"] = True
    elif topic in ("no-micro", "deprecated-micro"):
        del config[MICRO[0]]
        if topic == "deprecated-micro":
            config[f"{ACTOR}ppo_micro_batch_size"] = chance.choice((8, 16, 64, 5))
    elif topic == "deprecated-log-prob":
        key = MICRO[chance.choice((1, 2))]
        del config[key]
        config[key.removesuffix("_per_gpu")] = chance.choice((1, 2, 8, 16))
        config[f"{ACTOR}use_kl_loss"] = chance.choice((True, False))
    elif topic == "separate":
        steps = chance.choice((1, 2, 4))
        config["trainer.v1.trainer_mode"] = "separate_async"
        config["trainer.v1.separate_async.parameter_sync_step"] = steps
        if chance.random() < 0.7:
            config["data.train_batch_size"] = steps * config[f"{ACTOR}ppo_mini_batch_size"]
        if chance.random() < 0.7:
            config[f"{ROLLOUT}nnodes"] = chance.choice((1, 1, 2, 0))
        config[f"{ROLLOUT}checkpoint_engine.backend"] = chance.choice(("nccl", "nccl", "naive"))
    elif topic == "replay":
        config[f"{ACTOR}megatron.router_replay.mode"] = chance.choice(("R2", "R2", "R3"))
        config["algorithm.rollout_correction.bypass_mode"] = chance.choice((True, True, False))
        return "ppo_megatron_trainer"
    elif topic == "both-micros":
        config[f"{ACTOR}ppo_micro_batch_size"] = 16
    elif topic == "no-log-prob":
        del config[MICRO[1]]
    elif topic == "no-ref":
        del config[MICRO[2]]
        if chance.random() < 0.5:
            config[f"{ACTOR}use_kl_loss"] = True
    elif topic == "kl-loss":
        config[f"{ACTOR}use_kl_loss"] = chance.choice((True, "no"))
    elif topic == "critic":
        config |= {"algorithm.adv_estimator": "gae", "critic.ppo_micro_batch_size_per_gpu": chance.choice((1, 2, 4, 8))}
        if chance.random() < 0.5:
            config["critic.ppo_mini_batch_size"] = config[f"{ACTOR}ppo_mini_batch_size"]
    elif topic == "estimator":
        config["algorithm.adv_estimator"] = chance.choice(("grp0", "GRPO", "reinforce", "rloo_vectorized", "gdpo"))
    elif topic == "loss":
        config[f"{ACTOR}loss_agg_mode"] = chance.choice(("token-mean", "token-sum", "seq-mean-token-sum-norm", "mean"))
    elif topic == "gen-batch":
        prompts = config["data.train_batch_size"]
        config[chance.choice(("", "+")) + "data.gen_batch_size"] = chance.choice((prompts, prompts // 2 or 1, 7))
    elif topic == "mode":
        config[f"{ROLLOUT}mode"] = chance.choice(("sync", "async"))
    elif topic == "unknown-key":
        config[chance.choice(MISSPELT)] = 8
    elif topic == "epochs":
        config[f"{ACTOR}ppo_epochs"] = chance.choice((2, 3))
    elif topic == "temperature":
        config |= {f"{ROLLOUT}val_kwargs.do_sample": True, f"{ROLLOUT}temperature": chance.choice((0, 1.0, 0.0))}
    elif topic == "lora":
        config["actor_rollout_ref.model.lora_rank"] = chance.choice((64, 1024))
    elif topic == "plus":
        config[chance.choice(("+trainer.val_before_train", "++trainer.mine", "+data.mine", "+actor_rollout_ref.actor.mine", "+trainer.nnodes_"))] = 1  # fmt: skip
    elif topic == "twice":
        config |= chance.choice(
            ({"data.gen_batch_size": 32, "+data.gen_batch_size": 32}, {"+data.mine": 1, "data.mine": 2})
        )
    elif topic == "megatron":
        config[f"{ACTOR}megatron.tensor_model_parallel_size"] = chance.choice((1, 2, 2, 4))
        config[f"{ACTOR}megatron.pipeline_model_parallel_size"] = chance.choice((1, 1, 2))
        return "ppo_megatron_trainer"
    return "ppo_trainer"


def drawn(count, seed):
    return drawing.drawn(draw, count, seed)


if __name__ == "__main__":
    drawing.main(draw, __doc__)
