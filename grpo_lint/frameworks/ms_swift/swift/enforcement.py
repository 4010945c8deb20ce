"""What each release of ms-swift refuses, and what it accepts although it harms the run."""

from ...by_release import Enforcement, without_devices
from ...shared import deepspeed
from ...shared.hugging_face import rows_of_arguments
from ...shared.memory import out_of_memory
from ...shared.models import heads_of_engine
from ..rewards import rewards_for_length
from .rules import EVALUATION_OF_TRL, NO_NUMBER_OF_STEPS

_DIVISORS = "must be evenly divisible by the number of generations per prompt (...). Given the current ..."
_GROUP_TOO_SMALL = "GRPO requires at least 2 generations per prompt to calculate the advantages. You provided ..."
_GLOBAL_TRAIN_BATCH = f"The global train batch size (... x ...) {_DIVISORS}"
_GLOBAL_EVAL_BATCH = f"The global eval batch size (... x ...) {_DIVISORS}"
_EFFECTIVE_TRAIN_BATCH = f"The effective train batch size (... x ... x ...) {_DIVISORS}"
_EFFECTIVE_EVAL_BATCH = f"The effective eval batch size (... x ...) {_DIVISORS}"
_EVALUATION_OF_SWIFT = (
    "The global eval batch size (... x ...) must be evenly divisible by the number of generations for eval (...)."
)
_NOT_A_BATCH = "batch_size should be a positive integer value, but got batch_size=0"
_NOT_WHOLE_GROUPS = "generation_batch_size (...) must be divisible by num_generations (...)."
_BY_ZERO = "integer modulo by zero"
_ASKED = "3.9"  # the first release whose runs were watched; the other is 4.6
_START = "when training starts, after the model is loaded"
_LOADER = "when the data loader is built"
_FIRST_ROLLOUT = "in the first rollout"

ENFORCEMENT = (
    # the same in every release
    *rows_of_arguments("3.1"),
    *deepspeed.rows("3.1"),
    without_devices("3.1"),
    # the training batch
    Enforcement("group-is-positive", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-is-positive", "3.4", "3.4", "config", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "3.5", "4.3", "config", f"{_GROUP_TOO_SMALL} / {_BY_ZERO}"),
    Enforcement("group-is-positive", "4.4", None, "run", moment="when the sampler is built"),
    Enforcement("group-has-two-completions", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-has-two-completions", "3.4", "4.3", "config", _GROUP_TOO_SMALL),
    Enforcement("group-has-two-completions", "4.4", None, "config", "num_generations must be greater than 1 for GRPO"),
    Enforcement(
        "rollout-size-set-once",
        "3.5",
        "4.3",
        "config",
        "'generation_batch_size' and 'steps_per_generation' can not be both configured at the same time",
    ),
    Enforcement("rollout-holds-whole-groups", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-holds-whole-groups", "3.4", "3.4", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement(
        "rollout-holds-whole-groups", "3.5", "4.3", "config", f"{_NOT_WHOLE_GROUPS} / {_EFFECTIVE_TRAIN_BATCH}"
    ),
    Enforcement(
        "rollout-holds-whole-groups",
        "4.4",
        None,
        "config",
        "generation_batch_size (...) must be evenly divisible by num_generations (...).",
    ),
    Enforcement(
        "rollout-holds-whole-steps",
        "3.5",
        None,
        "config",
        f"generation_batch_size (...) must be divisible by the global batch size (...). / {_BY_ZERO}",
    ),
    Enforcement("rollout-is-not-empty", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "3.4", "3.4", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement(
        "rollout-is-not-empty", "3.5", "4.1", "config", f"{_EFFECTIVE_TRAIN_BATCH} / {_NOT_WHOLE_GROUPS} / {_BY_ZERO}"
    ),
    Enforcement("rollout-is-not-empty", "4.2", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement("batch-sizes-are-positive", "3.1", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement(
        "rollout-sizes-agree",
        "4.4",
        None,
        "config",
        "generation_batch_size (...) must equal per_device_train_batch_size * world_size * steps_per_generation = ...",
    ),
    Enforcement(
        "rollout-takes-steps", "4.2", None, "config", f"steps_per_generation must be > 0, got ... / {_NOT_WHOLE_GROUPS}"
    ),
    # the evaluation batch
    Enforcement("evaluation-holds-whole-groups", "3.1", "3.3", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-holds-whole-groups", "3.4", "3.4", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement(
        "evaluation-holds-whole-groups", "3.5", "3.11", "config", f"{_GLOBAL_EVAL_BATCH} / {EVALUATION_OF_TRL}"
    ),
    # the arguments of TRL are checked first, and then those of ms-swift
    Enforcement(
        "evaluation-holds-whole-groups",
        "3.12",
        "4.3",
        "config",
        "The global eval batch size (... * ...) must be divisible by the number of generations used for evaluation (...). / "
        f"{_EVALUATION_OF_SWIFT} / {EVALUATION_OF_TRL}",
    ),
    Enforcement(
        "evaluation-holds-whole-groups",
        "4.4",
        None,
        "config",
        "The global eval batch size (... x ...) must be evenly divisible by num_generations_eval (...).",
    ),
    Enforcement("evaluation-is-not-empty", "3.1", "3.3", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "3.4", "3.4", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "3.5", "3.11", "config", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "3.12", "4.1", "config", _EVALUATION_OF_SWIFT),
    Enforcement("evaluation-is-not-empty", "4.2", None, "run", _NOT_A_BATCH, "in the first evaluation"),
    # processes and devices
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "3.5",
        None,
        "init",
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    heads_of_engine("3.5"),
    out_of_memory("3.1"),
    # options of TRL
    Enforcement(
        "streams-have-steps",
        "3.1",
        None,
        "run",
        "The train_dataset does not implement __len__, max_steps has to be specified. / args.max_steps must "
        "be set to a positive value if dataloader does not have a length, was -1",
        "when the trainer counts its steps",
    ),
    Enforcement(
        "warmup-is-not-negative",
        "3.1",
        "4.1",
        "config",
        "warmup_steps must be of type int and must be 0 or a positive integer.",
    ),
    Enforcement("warmup-is-not-negative", "4.2", "4.4", "config", NO_NUMBER_OF_STEPS),
    Enforcement("liger-kernel-is-new-enough", "3.10", "3.12", "config", "Please update liger-kernel to 0.6.3 or later"),
    Enforcement(
        "liger-kernel-is-new-enough",
        "4.0",
        None,
        "config",
        "Please update liger-kernel to 0.7.0 or later: pip install -U liger-kernel",
    ),
    Enforcement(
        "cache-is-emptied-now-and-then",
        "3.1",
        None,
        "config",
        "`torch_empty_cache_steps` must be an integer bigger than 0, got ...",
    ),
    # options of ms-swift
    *rewards_for_length("3.3"),
    Enforcement("engine-holds-prompt-and-completion", "3.1", None, "never"),
    # numbers of which real runs died
    Enforcement("learning-rate-is-not-negative", _ASKED, None, "run", "Invalid learning rate: ...", _START),
    Enforcement("adam-averages-over-steps", _ASKED, None, "run", "Invalid beta parameter at index ...: ...", _START),
    Enforcement("adam-epsilon-is-not-negative", _ASKED, None, "run", "Invalid epsilon value: ...", _START),
    Enforcement(
        "temperature-is-positive",
        _ASKED,
        None,
        "run",
        "`temperature` (=...) has to be a strictly positive float",
        _FIRST_ROLLOUT,
    ),
    Enforcement(
        "top-p-is-not-negative",
        _ASKED,
        None,
        "run",
        "`top_p` has to be a float > 0 and < 1, but is ...",
        _FIRST_ROLLOUT,
    ),
    Enforcement(
        "repetition-penalty-is-positive",
        _ASKED,
        None,
        "run",
        "`penalty` has to be a strictly positive float, but is ...",
        _FIRST_ROLLOUT,
    ),
    Enforcement(
        "completions-have-tokens",
        _ASKED,
        None,
        "init",
        "`max_new_tokens` must be greater than 0, but is ...",
    ),
    Enforcement("seed-fits", _ASKED, None, "init", "Seed must be between 0 and 2**32 - 1"),
    Enforcement("reference-model-has-an-interval", _ASKED, None, "run", _BY_ZERO, "in the first update"),
    Enforcement("best-metric-is-logged-by-a-reward", "4.6", None, "never"),
    Enforcement(
        "schedule-has-one-minimum",
        _ASKED,
        None,
        "run",
        "One of min_lr or min_lr_rate should be set through the `lr_scheduler_kwargs` / Only one of min_lr or min_lr_rate should be set",
        _START,
    ),
    Enforcement(
        "schedule-knows-its-options",
        _ASKED,
        None,
        "run",
        "..._schedule_with_warmup() got an unexpected keyword argument '...'",
        _START,
    ),
    Enforcement(
        "stable-schedule-decays",
        _ASKED,
        None,
        "run",
        "get_wsd_schedule() missing 1 required positional argument: 'num_decay_steps'",
        _START,
    ),
    Enforcement(
        "polynomial-schedule-falls", _ASKED, None, "run", "lr_end (...) must be smaller than initial lr (...)", _START
    ),
    Enforcement(
        "workers-are-counted",
        _ASKED,
        None,
        "run",
        "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
        _LOADER,
    ),
    Enforcement(
        "persistent-workers-exist", _ASKED, "3.9", "run", "persistent_workers option needs num_workers > 0", _LOADER
    ),
    Enforcement(
        "workers-prefetch",
        _ASKED,
        None,
        "run",
        "prefetch_factor option should be non-negative / prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter",
        _LOADER,
    ),
    Enforcement(
        "embeddings-get-noise",
        _ASKED,
        None,
        "run",
        "uniform_ expects to return a [from, to) range, but found from=... > to=...",
        _START,
    ),
    Enforcement("evaluation-is-moved-now-and-then", _ASKED, None, "run", _BY_ZERO, "in the first evaluation"),
)
