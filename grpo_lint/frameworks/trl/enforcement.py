"""What each release of TRL refuses, and what it accepts although it harms the run."""

from ..by_release import Enforcement, without_devices
from ..shared import deepspeed
from ..shared.hugging_face import rows_of_arguments
from ..shared.models import heads_of_engine

_DIVISORS = "must be evenly divisible by the number of generations per prompt (...). Given the current ..."
_GROUP_TOO_SMALL = "... requires at least 2 generations per prompt to calculate the advantages. You provided ..."
_GLOBAL_TRAIN_BATCH = f"The global train batch size (... x ...) {_DIVISORS}"
_GLOBAL_EVAL_BATCH = f"The global eval batch size (... x ...) {_DIVISORS}"
_EFFECTIVE_TRAIN_BATCH = f"The effective train batch size (... x ... x ...) {_DIVISORS}"
_EFFECTIVE_EVAL_BATCH = f"The effective eval batch size (... x ...) {_DIVISORS}"
_NO_LENGTH = "args.max_steps must be set to a positive value if dataloader does not have a length, was -1"
_NOT_A_BATCH = "batch_size should be a positive integer value, but got batch_size=0"
_NO_CURRENT_BATCH = "cannot access local variable 'current_batch'"
_NOT_WHOLE_STEPS = "generation_batch_size (...) must be divisible by the global batch size (...)."
_BY_ZERO = "integer modulo by zero"

_TOO_MUCH_MEMORY = "GPU memory utilization must be less than 1.0. Got ..."
_TOO_LARGE_A_SHARE = "Input should be less than or equal to 1"
_FIRST_ROLLOUT = "in the first rollout"
_START = "when training starts, after the model is loaded"
_LOADER = "when the data loader is built"
_EVALUATION = "in the first evaluation"


def _dies(moment: str, rule: str, since: str, wording: str, until: "str | None" = None) -> "Enforcement":
    """The row of a rule whose violation ends a run after its start."""
    return Enforcement(rule, since, until, "run", wording, moment)


ENFORCEMENT = (
    # the same in every release
    *rows_of_arguments("0.14"),
    *deepspeed.rows("0.14"),
    without_devices("0.14"),
    # the training batch
    Enforcement("group-is-positive", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-is-positive", "0.17", "0.17", "init", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "0.18", "0.19", "config", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "0.20", None, "config", f"{_BY_ZERO} / {_GROUP_TOO_SMALL}"),
    _dies(
        "in the second rollout",
        "group-has-two-completions",
        "0.14",
        "probability tensor contains either `inf`, `nan` or element < 0",
        until="0.14",
    ),
    Enforcement("group-has-two-completions", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-has-two-completions", "0.17", "0.17", "init", _GROUP_TOO_SMALL),
    Enforcement("group-has-two-completions", "0.18", None, "config", _GROUP_TOO_SMALL),
    Enforcement(
        "rollout-size-set-once",
        "0.18",
        None,
        "config",
        "'generation_batch_size' and 'steps_per_generation' can not be both configured at the same time",
    ),
    Enforcement("rollout-holds-whole-groups", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-holds-whole-groups", "0.17", "0.17", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement("rollout-holds-whole-groups", "0.18", "0.19", "config", _EFFECTIVE_TRAIN_BATCH),
    Enforcement(
        "rollout-holds-whole-groups",
        "0.20",
        None,
        "config",
        "generation_batch_size (...) must be divisible by num_generations (...).",
    ),
    Enforcement("rollout-holds-whole-steps", "0.19.1", None, "config", f"{_NOT_WHOLE_STEPS} / {_BY_ZERO}"),
    Enforcement("rollout-holds-whole-micro-batches", "0.18", "0.19.0", "config", f"{_NOT_WHOLE_STEPS} / {_BY_ZERO}"),
    Enforcement("rollout-is-not-empty", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "0.17", "0.17", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "0.18", "0.19", "config", f"{_EFFECTIVE_TRAIN_BATCH} / {_BY_ZERO}"),
    Enforcement("rollout-is-not-empty", "0.20", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement("batch-sizes-are-positive", "0.15", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement(
        "batch-size-is-fixed",
        "1.9",
        None,
        "config",
        "auto_find_batch_size is not supported by ..., because the generation batch must contain full prompt groups",
    ),
    # the evaluation batch
    Enforcement("evaluation-holds-whole-groups", "0.15", "0.16", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-holds-whole-groups", "0.17", "0.17", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement("evaluation-holds-whole-groups", "0.18", "0.19", "config", _GLOBAL_EVAL_BATCH),
    Enforcement(
        "evaluation-holds-whole-groups",
        "0.20",
        "0.21",
        "run",
        "shape '[-1, ...]' is invalid for input of size ...",
        "in the first evaluation",
    ),
    Enforcement(
        "evaluation-holds-whole-groups",
        "0.22",
        "0.26.0",
        "config",
        "The global eval batch size (... * ...) must be divisible by num_generations (...).",
    ),
    Enforcement(
        "evaluation-holds-whole-groups",
        "0.26.1",
        None,
        "config",
        "The global eval batch size (... * ...) must be divisible by the number of generations used for "
        "evaluation (...).",
    ),
    Enforcement("evaluation-is-not-empty", "0.15", "0.16", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "0.17", "0.17", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "0.18", "0.19", "config", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "0.20", None, "run", _NOT_A_BATCH, "in the first evaluation"),
    # processes and devices
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "0.18",
        "0.27",
        "init",
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "0.28",
        None,
        "init",
        "tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    heads_of_engine("0.18"),
    # the schedule
    Enforcement("dataset-fills-a-rollout", "0.16", "0.19", "run", _NO_CURRENT_BATCH, "when the first epoch is read"),
    Enforcement("dataset-fills-a-rollout", "0.20", None, "run", _NO_LENGTH, "when the trainer counts its steps"),
    Enforcement("training-takes-steps", "0.16", "0.19", "run", _NO_CURRENT_BATCH, "when the first epoch is read"),
    Enforcement("iterations-are-positive", "0.15", None, "run", _NO_LENGTH, "when the trainer counts its steps"),
    # options of TRL
    Enforcement("vllm-mode-is-known", "0.18", "0.21", "run", moment="in the first rollout"),
    Enforcement(
        "vllm-mode-is-known", "0.22", None, "init", "vllm_mode must be either 'server' or 'colocate', got '...'."
    ),
    Enforcement(
        "importance-sampling-mode-is-known",
        "0.26",
        None,
        "run",
        "Unknown vLLM importance sampling level: ...",
        "in the first rollout",
    ),
    Enforcement("loss-has-its-ratios", "0.28", None, "never"),
    Enforcement(
        "sapo-has-temperatures",
        "0.26",
        "0.28",
        "init",
        "When using `sapo` loss, both `sapo_temperature_neg` and `sapo_temperature_pos` must be set.",
    ),
    Enforcement(
        "streams-are-not-dispatched", "1.9", None, "init", "Iterable datasets require `dispatch_batches=False`"
    ),
    Enforcement("streams-have-steps", "1.9", None, "run", _NO_LENGTH, "when the trainer counts its steps"),
    Enforcement("batches-are-not-split", "0.14", None, "never"),
    Enforcement("rewards-are-scaled-as-said", "0.22.0", "0.22.1", "never"),
    Enforcement(
        "best-model-has-a-metric",
        "0.14",
        None,
        "init",
        "`args.metric_for_best_model` must be provided when using 'best' save_strategy ...",
    ),
    Enforcement(
        "warmup-is-not-negative",
        "0.14",
        "0.27",
        "config",
        "warmup_steps must be of type int and must be 0 or a positive integer.",
    ),
    Enforcement(
        "warmup-is-not-negative",
        "0.28",
        None,
        "config",
        "warmup_steps must be an integer or a float / Expected value warmup_steps >= 0",
    ),
    Enforcement("warmup-ratio-is-a-share", "0.14", "0.27", "config", "warmup_ratio must lie in range [0,1]"),
    Enforcement(
        "reference-model-is-no-adapter",
        "0.28",
        None,
        "init",
        "You passed `sync_ref_model=True` while using a PEFT model, which is currently not supported.",
    ),
    Enforcement(
        "liger-computes-bnpo",
        "0.17",
        "0.17",
        "init",
        "The provided loss type (`...`) is not supported with `use_liger_loss`.",
    ),
    Enforcement(
        "liger-trains-the-whole-model", "0.17", "0.17", "init", "Liger loss is not supported with a PEFT model."
    ),
    Enforcement("liger-kernel-is-new-enough", "0.17", "1.14", "init", "Liger is required to use ..."),
    Enforcement(
        "continuous-batching-is-there",
        "1.7",
        None,
        "init",
        "Using `use_transformers_continuous_batching` requires transformers>=5.8.0.",
    ),
    Enforcement("vllm-is-supported", "0.24", None, "never"),
    Enforcement(
        "uploaded-completions-are-logged",
        "0.28",
        None,
        "config",
        "log_completions_hub_repo is set, but log_completions is False.",
    ),
    Enforcement(
        "liger-has-no-delta",
        "0.18",
        "1.3",
        "config",
        "Liger loss does not support two-sided GRPO loss yet. / Liger kernel does not support two-sided GRPO loss yet.",
    ),
    Enforcement(
        "importance-clips-are-ordered",
        "1.6",
        None,
        "config",
        "vllm_importance_sampling_clip_min (...) must be less than vllm_importance_sampling_clip_max (...).",
    ),
    Enforcement(
        "importance-sampling-is-bounded",
        "1.6",
        None,
        "config",
        "At least one of `vllm_importance_sampling_clip_min` or `vllm_importance_sampling_clip_max` must be set",
    ),
    Enforcement(
        "liger-has-token-ratios",
        "0.20",
        "0.29",
        "init",
        "Liger Kernels currently only support token-level importance sampling.",
    ),
    Enforcement(
        "rewards-have-weights",
        "0.15",
        None,
        "init",
        "Number of reward weights (...) must match number of reward functions (...)",
    ),
    Enforcement("reference-model-exists", "0.15", "0.27", "never"),
    Enforcement("reference-model-exists", "0.28", None, "init", "You passed `sync_ref_model=True` while `beta=0.0`"),
    Enforcement(
        "vespo-corrects-tokens",
        "1.0",
        None,
        "init",
        "VESPO loss requires `vllm_importance_sampling_mode` to be either 'token_truncate' or 'token_mask'. Got: ...",
    ),
    Enforcement(
        "liger-has-no-entropy-bonus", "1.8", "1.13", "init", "Entropy bonus is not supported with Liger kernel."
    ),
    Enforcement("sequence-ratios-meet-a-sequence-loss", "0.20", None, "never"),
    Enforcement("loss-is-scaled-once", "0.22.0", "1.9.0", "never"),
    Enforcement("head-has-no-adapter", "1.15", None, "init", "Applying a PEFT adapter to `lm_head` is not supported"),
    Enforcement(
        "liger-sees-no-adapter-of-the-head",
        "1.7",
        "1.14",
        "init",
        "`use_liger_kernel=True` is incompatible with applying a PEFT adapter to `lm_head`.",
    ),
    Enforcement("adapter-is-used", "0.14", None, "never"),
    Enforcement(
        "liger-keeps-the-cross-entropy",
        "1.15",
        None,
        "init",
        '`liger_kernel_config={"fused_linear_cross_entropy": True}` is not supported',
    ),
    Enforcement("engine-holds-prompt-and-completion", "0.14", None, "never", severity="info"),
    Enforcement(
        "liger-masks-no-tokens",
        "0.20",
        "1.13",
        "init",
        "Liger Kernels don't currently support masking token positions based on entropy.",
    ),
    Enforcement(
        "liger-has-no-off-policy-mask",
        "0.27",
        "1.13",
        "init",
        "Liger kernel does not support off-policy sequence masking yet.",
    ),
    Enforcement(
        "dataset-has-a-length", "0.22", "1.8", "init", "Iterable datasets are not yet supported in GRPOTrainer."
    ),
    Enforcement("one-quantisation", "0.14", None, "config", "You can't use 8 bit and 4 bit precision at the same time"),
    Enforcement(
        "cache-is-emptied-now-and-then",
        "0.16",
        None,
        "config",
        "`torch_empty_cache_steps` must be an integer bigger than 0, got ...",
    ),
    # options of ms-swift
    Enforcement("sequence-ratios-have-their-own-epsilon", "0.20", None, "never", severity="info"),
    # numbers out of range, and incompatible settings
    _dies(
        _FIRST_ROLLOUT, "temperature-is-positive", "0.14", "`temperature` (=...) has to be a strictly positive float"
    ),
    Enforcement("completions-of-a-group-differ", "0.16", None, "never"),
    Enforcement("completions-are-sampled", "0.16", None, "never"),
    _dies(_FIRST_ROLLOUT, "top-p-is-not-negative", "0.16", "`top_p` has to be a float > 0 and < 1, but is ..."),
    _dies(_FIRST_ROLLOUT, "top-k-counts-tokens", "0.16", "`top_k` has to be a strictly positive integer, but is ..."),
    _dies(_FIRST_ROLLOUT, "min-p-is-a-share", "0.16", "`min_p` has to be a float in the [0, 1] interval, but is ..."),
    _dies(
        _FIRST_ROLLOUT,
        "repetition-penalty-is-positive",
        "0.16",
        "`penalty` has to be a strictly positive float, but is ...",
    ),
    # for vLLM, and for the device of TRL 0.14 and 0.15, the source was read
    Enforcement("engine-takes-a-share-of-the-memory", "0.14", "0.15", "init", _TOO_MUCH_MEMORY),
    Enforcement(
        "engine-takes-a-share-of-the-memory", "0.18", None, "init", f"{_TOO_MUCH_MEMORY} / {_TOO_LARGE_A_SHARE}"
    ),
    Enforcement(
        "engine-has-a-device", "0.14", "0.15", "init", "The requested device for vllm (cuda:...) is not available."
    ),
    Enforcement(
        "engine-has-no-eight-bit-model", "0.26", None, "init", "vLLM does not support in-flight 8-bit quantization."
    ),
    Enforcement("completions-have-tokens", "0.14", None, "init", "`max_new_tokens` must be greater than 0, but is ..."),
    _dies(
        _START,
        "schedule-has-one-minimum",
        "0.14",
        "One of min_lr or min_lr_rate should be set through the `lr_scheduler_kwargs` / Only one of min_lr or min_lr_rate should be set",
    ),
    _dies(
        _START,
        "schedule-knows-its-options",
        "0.14",
        "..._schedule_with_warmup() got an unexpected keyword argument '...'",
    ),
    _dies(_START, "schedule-rates-are-numbers", "0.14", "unsupported operand type(s) for /: 'str' and 'float'"),
    _dies(
        _START,
        "stable-schedule-decays",
        "0.14",
        "get_wsd_schedule() missing 1 required positional argument: 'num_decay_steps'",
    ),
    _dies(_START, "polynomial-schedule-falls", "0.14", "lr_end (...) must be smaller than initial lr (...)"),
    Enforcement(
        "adapter-has-a-rank", "0.14", None, "init", "`r` should be a positive integer value but the value passed is ..."
    ),
    Enforcement(
        "adapter-drops-a-share", "0.14", None, "init", "dropout probability has to be between 0 and 1, but got ..."
    ),
    _dies(_START, "learning-rate-is-not-negative", "0.14", "Invalid learning rate: ..."),
    _dies(_START, "adam-averages-over-steps", "0.14", "Invalid beta parameter at index ...: ..."),
    _dies(_START, "adam-epsilon-is-not-negative", "0.14", "Invalid epsilon value: ..."),
    Enforcement("seed-fits", "0.14", None, "init", "Seed must be between 0 and 2**32 - 1"),
    _dies(
        _LOADER,
        "workers-are-counted",
        "0.14",
        "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
    ),
    _dies(_LOADER, "persistent-workers-exist", "0.14", "persistent_workers option needs num_workers > 0"),
    _dies(
        _LOADER,
        "workers-prefetch",
        "0.14",
        "prefetch_factor option should be non-negative / prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter",
    ),
    _dies(
        "in the first update",
        "gradient-norm-is-a-number",
        "0.14",
        "'>' not supported between instances of 'NoneType' and 'int'",
    ),
    Enforcement("trackers-have-names", "0.28", None, "init", "None is not supported, only ... are supported."),
    _dies(
        _START,
        "embeddings-get-noise",
        "0.14",
        "uniform_ expects to return a [from, to) range, but found from=... > to=...",
    ),
    Enforcement(
        "evaluation-has-a-set",
        "0.15",  # 0.14 has a rule of its own: it cannot evaluate at all
        None,
        "init",
        "You have set `args.eval_strategy` to ... but you didn't pass an `eval_dataset` to `Trainer`.",
    ),
    _dies(_EVALUATION, "evaluation-is-moved-now-and-then", "0.14", "integer modulo by zero"),
    _dies(_START, "evaluation-on-start-has-a-set", "0.14", "Trainer: evaluation requires an eval_dataset."),
    _dies(
        _EVALUATION,
        "best-metric-is-returned",
        "0.14",
        "The `metric_for_best_model` training argument is set to '...', which is not found in the evaluation metrics.",
        until="1.4",
    ),
    _dies("in the first update", "reference-model-has-an-interval", "0.15", "integer modulo by zero"),
    _dies(_FIRST_ROLLOUT, "sequences-are-padded-to-a-multiple", "1.0", "integer modulo by zero"),
    _dies(
        "in the first update",
        "entropy-quantile-is-a-share",
        "0.20",
        "quantile() q must be in the range [0, 1] but got ...",
    ),
    _dies(
        "in the second rollout",
        "sapo-divides-by-its-temperatures",
        "0.26",
        "probability tensor contains either `inf`, `nan` or element < 0",
    ),
    _dies(
        _START,
        "stable-schedule-has-known-shapes",
        "0.15",
        "Unknown decay type: ..., expected 'linear', 'cosine' or '1-sqrt'",
    ),
    _dies(
        _FIRST_ROLLOUT,
        "prompts-keep-tokens",
        "0.20",
        "index -1 is out of bounds for dimension 1 with size 0 / can't convert negative int to unsigned",
        until="0.25",
    ),
    Enforcement("script-has-a-model", "0.22", None, "init", "'NoneType' object has no attribute 'config'"),
    Enforcement(
        "model-is-loaded-by-the-trainer",
        "0.14",
        "0.21",
        "init",
        "You passed `model_init_kwargs` to the `GRPOConfig`, but your model is already instantiated.",
    ),
    Enforcement(
        "test-split-is-a-share",
        "0.22",
        None,
        "init",
        "test_size=... should be either positive and smaller than the number of samples ... or a float in the (0, 1) range",
    ),
    Enforcement(
        "run-has-a-data-set", "0.18", "0.21", "init", "expected str, bytes or os.PathLike object, not NoneType"
    ),
    Enforcement("run-has-a-data-set", "0.22", None, "init", "Either `datasets` or `dataset_name` must be provided."),
    _dies(_EVALUATION, "trainer-evaluates", "0.14", "'list' object has no attribute 'get'", until="0.14"),
    _dies(_START, "checkpointing-knows-its-options", "0.14", "Unexpected keyword arguments: ..."),
    Enforcement(
        "weights-have-rewards",
        "0.20",
        None,
        "init",
        "Number of reward weights (...) must match number of reward functions (0)",
    ),
    Enforcement("run-has-a-reward", "0.22", "1.7", "never"),
    Enforcement(
        "run-has-a-reward",
        "1.8",
        None,
        "init",
        "No reward source provided. Pass `reward_funcs`, or an `environment_factory` whose environment defines a `get_reward` method.",
    ),
    Enforcement(
        "fractions-are-of-a-known-size",
        "1.8",
        None,
        "init",
        "Using a dataset `fraction` is not supported with streaming datasets.",
    ),
    Enforcement("mixture-has-a-test-split", "0.22", None, "init", "KeyError: 'test'"),
    Enforcement("run-has-epochs", "0.14", None, "never"),
    Enforcement("no-steps-are-not-asked-for", "0.14", None, "never"),
    Enforcement("cispo-has-its-own-bound", "0.26", None, "never"),
    Enforcement("delta-is-above-the-clip", "0.18", None, "never"),
    Enforcement("clip-is-wider-above", "0.17", None, "never"),
    Enforcement("coefficients-are-not-negative", "0.14", None, "never"),
    Enforcement("warmup-ends-within-the-run", "0.14", None, "never"),
    Enforcement("evaluation-comes-within-the-run", "0.14", None, "never"),
    Enforcement("checkpoints-come-within-the-run", "0.14", None, "never", severity="info"),
    Enforcement("batch-size-keeps-groups-whole", "0.14", "1.8", "never"),
    Enforcement("updates-keep-to-one-rollout", "0.18", None, "never"),
)
