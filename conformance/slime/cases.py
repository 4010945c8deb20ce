"""Random cases for ask.py: flags of slime that often, but not always, go together.

    python conformance/slime/cases.py --cases 300 --seed 1 > cases.jsonl

A value of None stands for a flag without a word.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import drawing

SWITCH = None
MODEL = {
    "num-layers": 24,
    "hidden-size": 2048,
    "ffn-hidden-size": 6144,
    "num-attention-heads": 16,
    "kv-channels": 128,
    "normalization": "RMSNorm",
    "vocab-size": 151936,
    "swiglu": SWITCH,
    "disable-bias-linear": SWITCH,
    "group-query-attention": SWITCH,
    "num-query-groups": 8,
}
# flags that are added at random, each with values of which some are refused
ODD = {
    "advantage-estimator": (
        "gspo",
        "ppo",
        "reinforce_plus_plus",
        "reinforce_plus_plus_baseline",
        "cispo",
        "group_norm",
    ),
    "normalize-advantages": (SWITCH,),
    "use-dynamic-batch-size": (SWITCH,),
    "max-tokens-per-gpu": (4096, 9216),
    "num-steps-per-rollout": (1, 2, 3, 4),
    "over-sampling-batch-size": (16, 32, 64, 128),
    "kl-coef": (0.0, 0.01),
    "kl-loss-coef": (0.0, 0.001),
    "use-kl-loss": (SWITCH,),
    "eval-interval": (20,),
    "eval-prompt-data": (("aime", "aime.jsonl"),),
    "save-interval": (10, "often"),
    "num-epoch": (1,),
    "debug-rollout-only": (SWITCH,),
    "debug-train-only": (SWITCH,),
    "rollout-num-gpus": (4, 8),
    "rollout-num-gpus-per-engine": (1, 2, 4, 3),
    "sequence-parallel": (SWITCH,),
    "recompute-granularity": ("full", "some"),
    "entropy-coef": (0.0, "none"),
    "eps-clip-high": (0.28,),
    "lr": (1e-6, "fast"),
    "lr-decay-style": ("constant", "steps"),
    "global_batch_size": (64,),
    "global-batchsize": (64,),
    "rollout-temperature": (1.0, "hot"),
    "n-samples-per-eval-prompt": (4,),
    "num-attention-heads": (14, 12),
    "attention-dropout": (0.0,),
    "qkv-format": ("thd", "bshd"),
    "use-tis": (SWITCH,),
    "colocate-all": (SWITCH,),
    "optimizer": ("adam", "lion"),
    "disable-rewards-normalization": (SWITCH,),
    "loss-type": ("policy_loss", "sft_loss", "dpo_loss"),
}
SIZES = ("global-batch-size", "rollout-batch-size", "micro-batch-size", "n-samples-per-prompt", "num-rollout")


def draw(chance, number):
    gpus, nodes = chance.choice((1, 2, 4, 8, 8, 8)), chance.choice((1, 1, 1, 2))
    world, micro = gpus * nodes, chance.choice((1, 1, 1, 2, 4))
    tensor = chance.choice([size for size in (1, 1, 2, 4) if world % size == 0])
    context = chance.choice([size for size in (1, 1, 1, 2) if world % (tensor * size) == 0])
    group = chance.choice((4, 8, 8, 8, 5, 2, 1))
    update = world // tensor // context * micro * group * chance.choice((1, 2, 4))
    flags = {
        "hf-checkpoint": "/model",
        "ref-load": "/model_torch_dist",
        "save": "/saved",
        "save-interval": 20,
        "prompt-data": "/prompts.jsonl",
        "actor-num-nodes": nodes,
        "actor-num-gpus-per-node": gpus,
        "colocate": SWITCH,
        "num-rollout": chance.choice((1, 100, 3000)),
        "rollout-batch-size": update // group * chance.choice((1, 1, 1, 2, 4)),
        "n-samples-per-prompt": group,
        "global-batch-size": update,
        "micro-batch-size": micro,
        "tensor-model-parallel-size": tensor,
        "context-parallel-size": context,
        "advantage-estimator": "grpo",
        **MODEL,
    }
    for name in SIZES:
        if chance.random() < 0.1:
            flags[name] = chance.choice((1, 3, 8, 12, 32, 64, 100, 250, 256))
    for name in chance.sample(list(ODD), chance.choice((0, 1, 1, 2, 3))):
        flags[name] = chance.choice(ODD[name])
    for name in chance.sample([name for name in flags if name not in MODEL], chance.choice((0, 0, 0, 1))):
        del flags[name]
    return {"id": f"slime-{number}", "config": flags}


def drawn(count, seed):
    return drawing.drawn(draw, count, seed)


def words(case, version):
    """The words of a case; every release spells its flags alike."""
    for name, value in case["config"].items():
        yield f"--{name}"
        yield from () if value is None else map(str, value) if isinstance(value, (tuple, list)) else [str(value)]


if __name__ == "__main__":
    drawing.main(draw, __doc__)
