"""Values to suggest for a key that accepts others too: names built into a release.

No value is refused because of them. Completion suggests them, and the schemas list them as `examples`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from .by_release import Key

    Spans: TypeAlias = tuple[
        tuple[tuple[int, ...], tuple[str, ...]], ...
    ]  # ((first release, names), ...), newest first

_ALWAYS = (0,)
_SCHEDULES = (
    "linear cosine cosine_with_restarts polynomial constant constant_with_warmup inverse_sqrt cosine_with_min_lr "
    "warmup_stable_decay"
).split()
_TRACKERS = ("none", "tensorboard", "wandb", "swanlab", "mlflow")
_LOSSES = ("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo")
_DEEPSPEED = ("zero0", "zero1", "zero2", "zero3", "zero2_offload", "zero3_offload")
_REWARDS = ("accuracy", "format", "react_format", "cosine", "repetition", "soft_overlong")
_TRL_REWARDS = ("think_format_reward", "get_soft_overlong_punishment")
_TUNERS = "lora full longlora adalora llamapro adapter vera boft fourierft reft bone".split()
_SWIFT: "dict[str, Spans]" = {
    "attn_impl": ((_ALWAYS, ("flash_attn", "sdpa", "eager")),),
    "reward_funcs": ((_ALWAYS, _REWARDS),),
    "report_to": ((_ALWAYS, _TRACKERS[1:4]),),
}
SUGGESTIONS: "dict[str, dict[str, Spans]]" = {
    "trl": {
        "attn_implementation": ((_ALWAYS, ("flash_attention_2", "sdpa", "eager")),),
        "report_to": ((_ALWAYS, (*_TRACKERS, "trackio")),),
        "reward_funcs": (
            ((0, 26), ("accuracy_reward", "reasoning_accuracy_reward", *_TRL_REWARDS)),
            ((0, 24), ("accuracy_reward", *_TRL_REWARDS)),
            ((0, 22), _TRL_REWARDS),
            ((0, 19), _TRL_REWARDS[:1]),
        ),
        "vllm_mode": ((_ALWAYS, ("colocate", "server")),),
        "lora_target_modules": ((_ALWAYS, ("all-linear",)),),
    },
    "swift": {
        **_SWIFT,
        "deepspeed": ((_ALWAYS, _DEEPSPEED),),
        "loss_type": (
            ((4, 2, 2), (*_LOSSES, "real", "fipo")),
            ((4, 1), (*_LOSSES, "real")),
            ((3, 11), _LOSSES),
            ((3, 4), _LOSSES[:3]),
        ),
        "lr_scheduler_type": ((_ALWAYS, tuple(_SCHEDULES)),),
        "target_modules": ((_ALWAYS, ("all-linear",)),),
        "train_type": ((_ALWAYS, tuple(_TUNERS)),),
        "tuner_type": ((_ALWAYS, tuple(_TUNERS)),),
    },
    "megatron": {
        **_SWIFT,
        "loss_type": (((4, 2, 2), (*_LOSSES, "real", "fipo")), ((4, 2, 1), (*_LOSSES, "real")), ((3, 11), _LOSSES)),
        "target_modules": ((_ALWAYS, ("all-linear",)),),
    },
    "verl": {
        "algorithm.adv_estimator": ((_ALWAYS, ("grpo", "gae", "rloo", "reinforce_plus_plus", "remax")),),
        "actor_rollout_ref.rollout.name": ((_ALWAYS, ("vllm", "sglang")),),
        "actor_rollout_ref.actor.loss_agg_mode": (
            (_ALWAYS, ("token-mean", "seq-mean-token-sum", "seq-mean-token-mean")),
        ),
        "actor_rollout_ref.actor.kl_loss_type": ((_ALWAYS, ("kl", "abs", "mse", "low_var_kl")),),
        "trainer.resume_mode": ((_ALWAYS, ("auto", "disable", "resume_path")),),
        "data.truncation": ((_ALWAYS, ("error", "left", "right")),),
    },
}


def suggestions_for(framework_name: str, field: str, release: "Key") -> "tuple[str, ...]":
    """Names to suggest for a field of a release; none for most fields."""
    spans = SUGGESTIONS.get(framework_name, {}).get(field, ())
    return next((names for since, names in spans if release >= since), ())
