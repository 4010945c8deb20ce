"""What single versions of TRL refuse besides the batch arithmetic, and what they accept to the harm of the run.

The first rows are checks of transformers' own arguments, which come before TRL's.
"""

from ..base import Refusal
from ..shared.hugging_face import refusals_of_arguments

_ANY = ("0.14", None)
_LIGER = "Liger loss does not support two-sided GRPO loss yet. / Liger kernel does not support two-sided GRPO loss yet."

REFUSALS = (
    *refusals_of_arguments("0.14"),
    Refusal(
        "warmup-is-not-negative",
        "0.14",
        "0.27",
        "config",
        "warmup_steps must be of type int and must be 0 or a positive integer.",
    ),
    Refusal("warmup-ratio-is-a-share", "0.14", "0.27", "config", "warmup_ratio must lie in range [0,1]"),
    Refusal(
        "warmup-is-not-negative",
        "0.28",
        None,
        "config",
        "warmup_steps must be an integer or a float / Expected value warmup_steps >= 0",
    ),
    Refusal(
        "cache-is-emptied-now-and-then",
        "0.16",
        None,
        "config",
        "`torch_empty_cache_steps` must be an integer bigger than 0, got ...",
    ),
    Refusal("one-quantisation", *_ANY, "config", "You can't use 8 bit and 4 bit precision at the same time"),
    # TRL's own config
    Refusal(
        "uploaded-completions-are-logged",
        "0.28",
        None,
        "config",
        "log_completions_hub_repo is set, but log_completions is False.",
    ),
    Refusal("liger-has-no-delta", "0.18", "1.3", "config", _LIGER),
    Refusal(
        "importance-clips-are-ordered",
        "1.6",
        None,
        "config",
        "vllm_importance_sampling_clip_min (...) must be less than vllm_importance_sampling_clip_max (...).",
    ),
    Refusal(
        "importance-sampling-is-bounded",
        "1.6",
        None,
        "config",
        "At least one of `vllm_importance_sampling_clip_min` or `vllm_importance_sampling_clip_max` must be set",
    ),
    # the trainer, after the model is loaded
    Refusal(
        "best-model-has-a-metric",
        *_ANY,
        "init",
        "`args.metric_for_best_model` must be provided when using 'best' save_strategy ...",
    ),
    Refusal(
        "rewards-have-weights",
        "0.15",
        None,
        "init",
        "Number of reward weights (...) must match number of reward functions (...)",
    ),
    Refusal("reference-model-exists", "0.15", "0.27", "never"),
    Refusal("reference-model-exists", "0.28", None, "init", "You passed `sync_ref_model=True` while `beta=0.0`"),
    Refusal(
        "vespo-corrects-tokens",
        "1.0",
        None,
        "init",
        "VESPO loss requires `vllm_importance_sampling_mode` to be either 'token_truncate' or 'token_mask'. Got: ...",
    ),
    Refusal(
        "liger-masks-no-tokens",
        "0.20",
        "1.13",
        "init",
        "Liger Kernels don't currently support masking token positions based on entropy.",
    ),
    Refusal(
        "liger-has-no-off-policy-mask",
        "0.27",
        "1.13",
        "init",
        "Liger kernel does not support off-policy sequence masking yet.",
    ),
    Refusal("dataset-has-a-length", "0.19", "1.8", "init", "Iterable datasets are not yet supported in GRPOTrainer."),
    Refusal("vllm-mode-is-known", "0.18", "0.21", "run", moment="in the first rollout"),
    Refusal("vllm-mode-is-known", "0.22", None, "init", "vllm_mode must be either 'server' or 'colocate', got '...'."),
    Refusal(
        "liger-computes-bnpo",
        "0.17",
        "0.17",
        "init",
        "The provided loss type (`...`) is not supported with `use_liger_loss`.",
    ),
    Refusal(
        "liger-has-token-ratios",
        "0.20",
        "0.29",
        "init",
        "Liger Kernels currently only support token-level importance sampling.",
    ),
    Refusal("liger-has-no-entropy-bonus", "1.8", "1.13", "init", "Entropy bonus is not supported with Liger kernel."),
    Refusal(
        "liger-sees-no-adapter-of-the-head",
        "1.7",
        "1.14",
        "init",
        "`use_liger_kernel=True` is incompatible with applying a PEFT adapter to `lm_head`.",
    ),
    Refusal("head-has-no-adapter", "1.15", None, "init", "Applying a PEFT adapter to `lm_head` is not supported"),
    Refusal(
        "liger-keeps-the-cross-entropy",
        "1.15",
        None,
        "init",
        '`liger_kernel_config={"fused_linear_cross_entropy": True}` is not supported',
    ),
    Refusal(
        "reference-model-is-no-adapter",
        "0.28",
        None,
        "init",
        "You passed `sync_ref_model=True` while using a PEFT model, which is currently not supported.",
    ),
    Refusal(
        "sapo-has-temperatures",
        "0.26",
        "0.28",
        "init",
        "When using `sapo` loss, both `sapo_temperature_neg` and `sapo_temperature_pos` must be set.",
    ),
    Refusal("liger-trains-the-whole-model", "0.17", "0.17", "init", "Liger loss is not supported with a PEFT model."),
    Refusal("liger-kernel-is-new-enough", "0.17", "1.14", "init", "Liger is required to use ..."),
    Refusal(
        "continuous-batching-is-there",
        "1.7",
        None,
        "init",
        "Using `use_transformers_continuous_batching` requires transformers>=5.8.0.",
    ),
    Refusal("streams-are-not-dispatched", "1.9", None, "init", "Iterable datasets require `dispatch_batches=False`"),
    Refusal(
        "streams-have-steps",
        "1.9",
        None,
        "run",
        "args.max_steps must be set to a positive value if dataloader does not have a length, was -1",
        "when the trainer counts its steps",
    ),
    Refusal(
        "importance-sampling-mode-is-known",
        "0.26",
        None,
        "run",
        "Unknown vLLM importance sampling level: ...",
        "in the first rollout",
    ),
    # accepted, and harmful
    Refusal("vllm-is-supported", "0.24", None, "never"),
    Refusal("loss-has-its-ratios", "0.28", None, "never"),
    Refusal("rewards-are-scaled-as-said", "0.22.0", "0.22.1", "never"),
    Refusal("batches-are-not-split", *_ANY, "never"),
    Refusal("sequence-ratios-meet-a-sequence-loss", "0.20", None, "never"),
    Refusal("sequence-ratios-have-their-own-epsilon", "0.20", None, "never", severity="info"),
    Refusal("loss-is-scaled-once", "0.22.0", "1.9.0", "never"),
    Refusal("adapter-is-used", *_ANY, "never"),
    Refusal("engine-holds-prompt-and-completion", *_ANY, "never", severity="info"),
)
