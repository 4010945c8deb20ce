"""What single versions of TRL refuse besides the batch arithmetic, and what they accept to the harm of the run.

The first rows are checks of transformers' own arguments, which come before TRL's.
"""

from ..base import Refusal
from ..hugging_face import refusals_of_arguments

_ANY = ("0.14", None)
_LIGER = "Liger loss does not support two-sided GRPO loss yet. / Liger kernel does not support two-sided GRPO loss yet."

REFUSALS = (
    *refusals_of_arguments("0.14"),
    Refusal("warmup-is-not-negative", "0.14", "0.27", "config", "warmup_steps must be of type int and must be 0 or a positive integer."),
    Refusal("warmup-ratio-is-a-share", "0.14", "0.27", "config", "warmup_ratio must lie in range [0,1]"),
    Refusal("warmup-is-not-negative", "0.28", None, "config", "warmup_steps must be an integer or a float / Expected value warmup_steps >= 0"),
    Refusal("cache-is-emptied-now-and-then", "0.16", None, "config", "`torch_empty_cache_steps` must be an integer bigger than 0, got ..."),
    Refusal("one-quantisation", *_ANY, "config", "You can't use 8 bit and 4 bit precision at the same time"),
    # TRL's own config
    Refusal("uploaded-completions-are-logged", "0.28", None, "config", "log_completions_hub_repo is set, but log_completions is False."),
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
    # TRL's trainer, after the model is loaded
    Refusal("rewards-have-weights", "0.15", None, "init", "Number of reward weights (...) must match number of reward functions (...)"),
    Refusal("reference-model-exists", "0.15", "0.27", "never"),
    Refusal("reference-model-exists", "0.28", None, "init", "You specified sync_ref_model=True, but beta=0.0"),
    Refusal("vespo-corrects-tokens", "1.0", None, "init", "VESPO loss requires vllm_importance_sampling_mode token_truncate or token_mask"),
    Refusal("liger-masks-no-tokens", "0.20", "1.13", "init", "Liger Kernels don't currently support masking token positions based on entropy."),
    Refusal("liger-has-no-off-policy-mask", "0.27", "1.13", "init", "Liger kernel does not support off-policy sequence masking yet."),
    Refusal("dataset-has-a-length", "0.19", "1.8", "init", "Iterable datasets are not yet supported in GRPOTrainer."),
    # accepted, and harmful
    Refusal("sequence-ratios-meet-a-sequence-loss", "0.20", None, "never"),
    Refusal("sequence-ratios-have-their-own-epsilon", "0.20", None, "never", severity="info"),
    Refusal("loss-is-scaled-once", "0.22.0", "1.9.0", "never"),
    Refusal("adapter-is-used", *_ANY, "never"),
    Refusal("engine-holds-prompt-and-completion", *_ANY, "never", severity="info"),
)
