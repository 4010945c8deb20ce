"""GRPO640 - GRPO697: numbers out of range and incompatible settings that end or harm a run of TRL. The real training
script was run on each of them (`conformance/deaths`); values of a wrong shape are in `runtime_failures.py`."""

from ...plan.formula import Reading, beyond, calculation, first_of, words
from ...rules.base import Rule
from ..shared.hugging_face import SCHEDULE

_TOO_MUCH_MEMORY = "GPU memory utilization must be less than 1.0. Got ..."
_TOO_LARGE_A_SHARE = "Input should be less than or equal to 1"
_FIRST_ROLLOUT = "in the first rollout"
_START = "when training starts, after the model is loaded"
_LOADER = "when the data loader is built"
_NO_METRIC = (
    "The `metric_for_best_model` training argument is set to '...', which is not found in the evaluation metrics."
)
_FIRST_EVALUATION = "in the first evaluation"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rules.base import Row
    from ...shared_types import Table


def _number(
    code: str, name: str, setting: str, broken: str, must: str, why: str, instead: str = "", only_with: "tuple[str, ...]" = (),
    blocked_by: "tuple[str, ...]" = (), enforced: "tuple[Row, ...]" = (),
) -> "Rule":  # fmt: skip
    """The rule that one number is in its range. `broken` may also state when the number is read."""
    return Rule(
        code,
        name,
        f"{setting} {must.replace('must be', 'is').replace('must lie', 'lies').replace('must fit', 'fits')}",
        broken,
        only_with=(setting, *only_with),
        message=f"{setting} is {{{setting}}}, but {must}",
        why=why,
        instead=instead or f"Correct {setting}, which {must}, or remove it.",
        at=(setting,),
        blocked_by=blocked_by,
        enforced=enforced,
    )


_OPTIONS_OF_CHECKPOINTING = "use_reentrant preserve_rng_state context_fn determinism_check debug early_stop".split()


def _takes_likeliest(read: Reading) -> str:
    """The setting that leaves only the likeliest token to sample from."""
    if read.top_p == 0:
        return "top_p"
    if read.top_k == 1:
        return "top_k"
    if read.samples_itself and "do_sample" in read.generation_options and not read.generation_options["do_sample"]:
        return "generation_kwargs"
    return ""


def _unknown_checkpointing_options(read: Reading) -> str:
    """The keys of gradient_checkpointing_kwargs that PyTorch does not take."""
    return beyond(read.checkpointing_options, _OPTIONS_OF_CHECKPOINTING)


def _dispatches_batches(read: Reading) -> bool:
    """Whether accelerator_config switches dispatch_batches on."""
    return "dispatch_batches" in read.accelerator_config and bool(read.accelerator_config["dispatch_batches"])


def _splits_batches(read: Reading) -> bool:
    """Whether accelerator_config switches split_batches on."""
    return "split_batches" in read.accelerator_config and bool(read.accelerator_config["split_batches"])


def _fuses_cross_entropy(read: Reading) -> bool:
    """Whether liger_kernel_config switches fused_linear_cross_entropy on."""
    options = read.liger_kernel_config
    return "fused_linear_cross_entropy" in options and bool(options["fused_linear_cross_entropy"])


def _importance_level_of_loss(read: Reading) -> object:
    """The importance_sampling_level that loss_type is defined with: sequence for luspo, token for vespo, else any."""
    if read.loss_type == "luspo":
        return "sequence"
    return "token" if read.loss_type == "vespo" else read.importance_sampling_level


# What every evaluation of TRL 1.5 and later returns, without the eval_ before it; a name with a / is one of a group of metrics.
_METRICS = frozenset(
    "loss runtime samples_per_second steps_per_second epoch model_preparation_time num_tokens reward reward_std frac_reward_zero_std "
    "entropy entropy_coef policy_loss aux_loss kl cispo_clip_ratio num_input_tokens_seen".split()
)


def _metric_of_nobody(read: Reading) -> bool:
    """Whether metric_for_best_model is none of what the trainer itself reports in an evaluation."""
    name = _bare(read.metric_for_best_model)
    if name == "kl":
        return bool(read.has_no_reference)
    return "/" not in name and name not in _METRICS


def _bare(metric: object) -> str:
    """A metric without the prefix of an evaluation."""
    return str(metric).removeprefix("eval_")


def _unreadable_options(read: Reading) -> str:
    """What of fsdp and fsdp_config the transformers before 5.15 fails at."""
    if read.fsdp is False and 457 <= read.transformers_minor < 500:
        return "fsdp: false"
    return _clashing(read.fsdp)


def _clashing(fsdp: object) -> str:
    """The options of sharding, where none of them says how to shard or two do; empty where they go together."""
    options = set(map(str, fsdp if isinstance(fsdp, list) else str(fsdp).split()))
    if options == {"offload"} or {"full_shard", "shard_grad_op"} <= options:
        return f"fsdp: {' '.join(sorted(options))}"
    return ""


def _unreadable_mapping(read: Reading) -> str:
    """fsdp_config, where it is neither a mapping nor a text."""
    return "" if _is_readable(read.fsdp_config) else "fsdp_config"


def _is_readable(mapping: object) -> bool:
    return isinstance(mapping, (dict, str))


def _takes_fractions(read: Reading) -> bool:
    """Whether the first of datasets is used only in part."""
    first = read.datasets[0]
    return "fraction" in first and first["fraction"] is not None


# Shares of the run are compared in millionths.
SAVES: "Table" = {
    "saves_between_evaluations": (
        "save_steps % eval_interval != 0 and (eval_interval >= 1 or save_steps >= 1 or shares_do_not_fit)"
    ),
    "shares_do_not_fit": "save_steps * 1000000 % (eval_interval * 1000000) != 0",
}
# Operands of the conditions below besides settings: {name: formulas}.
QUANTITIES: "Table" = {
    "samples_in_pages": ("use_transformers_continuous_batching", "use_transformers_paged", "False"),
    "samples_itself": "not use_vllm and not samples_in_pages",
    "starts_engine": ("vllm_mode == 'colocate'", "True"),
    "named_device": "int(vllm_device[5:]) if vllm_device[:5] == 'cuda:' else -1",
    "engine_device": "world_size if vllm_device == 'auto' else named_device",
    "generation_options": ("generation_kwargs", "{}"),
    **SCHEDULE,
    "takes_likeliest": calculation(_takes_likeliest),
    "greedy_at_zero": "zero_temperature_is_greedy",
    "steps_of_none": "1 if transformers_minor >= 449 else ceil(num_train_epochs * steps_per_epoch)",
    "checkpointing_options": ("gradient_checkpointing_kwargs", "{}"),
    "unknown_checkpointing_options": calculation(_unknown_checkpointing_options),
    "checkpointing_is_strict": "transformers_minor < 455 or transformers_minor >= 500",
    "has_gradient_norm": ("max_grad_norm is not None", "False"),
    "compares_gradient_norm": "transformers_minor >= 503",
    "has_trackers": ("report_to is not None", "False"),
    "null_is_a_tracker": "transformers_minor >= 500",
    "names_dataset": ("dataset_name is not None", "False"),
    "names_model": ("model_name_or_path is not None", "False"),
    "loads_with_options": ("len(model_init_kwargs) > 0", "False"),
    "names_mixture": ("len(datasets) > 0", "False"),
    "names_rewards": ("len(reward_funcs) > 0", "False"),
    "asks_for_rewards": ("scale_rewards is not None", "False"),  # GRPOTrainer, which alone has this field, does
    "names_reward_model": ("reward_model_name_or_path is not None", "False"),
    "reward_sources": "len(reward_funcs) + (1 if names_reward_model else 0)",
    "splits_mixture": ("test_split_size is not None", "False"),
    "takes_fractions": (calculation(_takes_fractions), "False"),
    "clip_high": ("epsilon_high", "epsilon"),
    "dispatches_batches": calculation(_dispatches_batches),
    "splits_batches": calculation(_splits_batches),
    "fuses_cross_entropy": calculation(_fuses_cross_entropy),
    "importance_level_of_loss": calculation(_importance_level_of_loss),
    **SAVES,
    "vllm_modes": words("server", "colocate"),
    "unreadable_sharding": (
        "unreadable_options if unreadable_options != '' else unreadable_mapping",
        "unreadable_options",
    ),
    "unreadable_options": (
        calculation(_unreadable_options),
        first_of(**{"fsdp: null": "transformers_minor < 457"}),
    ),
    "unreadable_mapping": calculation(_unreadable_mapping),
    "has_no_reference": ("beta == 0",),
    "metric_of_nobody": calculation(_metric_of_nobody),
    "resumes_by_itself": "resume_from_checkpoint is True",
    "trains_by_adam": "optim == 'adamw_torch' or optim == 'adamw_torch_fused'",
    "peak_rate": "learning_rate",
    "checks_its_rate": "trains_by_adam or optim == 'sgd' or optim == 'adagrad' or optim == 'rmsprop'",
    "reported_metrics": words(
        "loss",
        "eval_loss",
        "runtime",
        "eval_runtime",
        "samples_per_second",
        "eval_samples_per_second",
        "steps_per_second",
        "eval_steps_per_second",
        "epoch",
        "eval_epoch",
        "model_preparation_time",
        "eval_model_preparation_time",
    ),
    "cuts_importance": "vllm_importance_sampling_mode == 'token_truncate' or vllm_importance_sampling_mode == 'sequence_truncate'",
    "importance_modes": words("token_truncate", "token_mask", "sequence_truncate", "sequence_mask"),
    "token_modes": words("token_truncate", "token_mask"),
    "corrects_importance": "use_vllm and vllm_importance_sampling_correction",
    "token_losses": words("bnpo", "dr_grpo", "dapo", "cispo"),
    "samples_at_its_temperature": "samples_itself and 'temperature' not in generation_options",
    "checks_checkpointing": "checkpointing_is_strict and 'use_reentrant' not in checkpointing_options",
}

_SAMPLING = (
    _number(
        "GRPO640",
        "temperature-is-positive",
        "temperature",
        "samples_at_its_temperature and (temperature < 0 or temperature == 0 and not greedy_at_zero)",
        "must be above 0",
        "Sampling divides the scores of the next token by it.",
        "Set temperature to 1.0. A group needs completions that differ.",
        enforced=(("0.14", None, "run", "`temperature` (=...) has to be a strictly positive float", _FIRST_ROLLOUT),),
    ),
    Rule(
        "GRPO641",
        "completions-of-a-group-differ",
        "The temperature lets the completions of a group differ",
        "temperature == 0 and (use_vllm or samples_itself and greedy_at_zero) or temperature < 0 and use_vllm",
        only_with=("temperature",),
        message="temperature is {temperature}: all completions of a group are equal, and training divides the scores by it",
        why="Without sampling all rewards of a group are equal and its advantages are 0. TRL also divides the scores of its own forward pass by the temperature, so the weights become NaN with the first update.",
        instead="Set temperature to 1.0.",
        at=("temperature",),
        blocked_by=("temperature-is-positive",),
        enforced=(("0.16", None, "never"),),
    ),
    Rule(
        "GRPO694",
        "completions-are-sampled",
        "Sampling leaves more than the likeliest token",
        "takes_likeliest",
        with_any=("top_p", "top_k", "generation_kwargs"),
        message="every completion of a group is the same: {takes_likeliest} leaves only the likeliest token",
        why="Without sampling all rewards of a group are equal, its advantages are 0, and nothing is learned.",
        instead="Remove the setting.",
        at=("takes_likeliest",),
        enforced=(("0.16", None, "never"),),
    ),
    _number(
        "GRPO642",
        "top-p-is-not-negative",
        "top_p",
        "samples_itself and top_p < 0",
        "must be between 0 and 1",
        "Tokens are chosen from the likeliest ones that together have this probability.",
        enforced=(("0.16", None, "run", "`top_p` has to be a float > 0 and < 1, but is ...", _FIRST_ROLLOUT),),
    ),
    _number(
        "GRPO643",
        "top-k-counts-tokens",
        "top_k",
        "samples_itself and top_k < 0",
        "must be 0 or more",
        "It is the number of tokens to choose from. vLLM takes -1 for all of them; transformers takes 0, and refuses -1.",
        "Set top_k: 0 to choose from all tokens.",
        enforced=(("0.16", None, "run", "`top_k` has to be a strictly positive integer, but is ...", _FIRST_ROLLOUT),),
    ),
    _number(
        "GRPO644",
        "min-p-is-a-share",
        "min_p",
        "samples_itself and (min_p < 0 or min_p > 1)",
        "must be between 0 and 1",
        "It is the probability that a token needs, as a share of that of the most likely one.",
        enforced=(
            ("0.16", None, "run", "`min_p` has to be a float in the [0, 1] interval, but is ...", _FIRST_ROLLOUT),
        ),
    ),
    _number(
        "GRPO645",
        "repetition-penalty-is-positive",
        "repetition_penalty",
        "samples_itself and repetition_penalty <= 0",
        "must be above 0",
        "The scores of tokens that have already occurred are divided by it; 1 changes nothing.",
        enforced=(("0.16", None, "run", "`penalty` has to be a strictly positive float, but is ...", _FIRST_ROLLOUT),),
    ),
    _number(
        "GRPO646",
        "completions-have-tokens",
        "max_completion_length",
        "not use_vllm and max_completion_length <= 0",
        "must be 1 or more",
        "It is the number of tokens that a completion may have.",
        enforced=(("0.14", None, "init", "`max_new_tokens` must be greater than 0, but is ..."),),
    ),
)

_ENGINE = (
    _number(
        "GRPO692",
        "engine-takes-a-share-of-the-memory",
        "vllm_gpu_memory_utilization",
        "use_vllm and starts_engine and vllm_gpu_memory_utilization > 1",
        "must be between 0 and 1",
        "It is the share of a GPU's memory that the engine takes.",
        only_with=("use_vllm",),
        enforced=(
            # for vLLM, and for the device of TRL 0.14 and 0.15, the source was read
            ("0.14", "0.15", "init", _TOO_MUCH_MEMORY),
            ("0.18", None, "init", f"{_TOO_MUCH_MEMORY} / {_TOO_LARGE_A_SHARE}"),
        ),
    ),
    Rule(
        "GRPO693",
        "engine-has-no-eight-bit-model",
        "A model in 8 bits does not generate with a colocated engine",
        "use_vllm and vllm_mode == 'colocate' and load_in_8bit",
        only_with=("use_vllm", "load_in_8bit"),
        message="load_in_8bit with vllm_mode colocate: vLLM cannot load the model in 8 bits",
        why="The engine loads the model as the trainer does. vLLM itself quantises to 4 bits, not to 8.",
        instead="Set load_in_4bit instead of load_in_8bit, or let a server generate.",
        at=("load_in_8bit",),
        cure={},
        enforced=(("0.26", None, "init", "vLLM does not support in-flight 8-bit quantization."),),
    ),
    Rule(
        "GRPO436",
        "engine-has-a-device",
        "The engine has a device that training leaves free",
        "use_vllm and engine_device >= visible_devices",
        only_with=("use_vllm",),
        message="vllm_device {vllm_device} is cuda:{engine_device}, beyond the visible devices ({visible_devices})",
        why="The engine runs on its own device in the first process. With auto that is the device after those of the processes.",
        instead="Start one process fewer than there are visible devices.",
        at=("vllm_device", "use_vllm"),
        blocked_by=("processes-have-devices",),
        enforced=(("0.14", "0.15", "init", "The requested device for vllm (cuda:...) is not available."),),
    ),
)

_SCHEDULE = (
    Rule(
        "GRPO647",
        "schedule-has-one-minimum",
        "A cosine schedule with a minimum is given one",
        "has_minimal_rate and minimal_rates != 1",
        only_with=("lr_scheduler_type",),
        message="lr_scheduler_type {lr_scheduler_type} takes one of min_lr and min_lr_rate from lr_scheduler_kwargs, and {minimal_rates} "
        "of the two are set",
        why="min_lr is the rate at the end of the run, min_lr_rate the same as a share of learning_rate.",
        instead="Set lr_scheduler_kwargs: {min_lr_rate: 0.1}.",
        at=("lr_scheduler_kwargs", "lr_scheduler_type"),
        enforced=(
            (
                "0.14",
                None,
                "run",
                "One of min_lr or min_lr_rate should be set through the `lr_scheduler_kwargs` / Only one of min_lr or min_lr_rate should be set",
                _START,
            ),
        ),
    ),
    Rule(
        "GRPO648",
        "schedule-knows-its-options",
        "lr_scheduler_kwargs holds what the schedule takes",
        "unknown_schedule_options != '' and (lr_scheduler_type != 'inverse_sqrt' or inverse_sqrt_takes_options)",
        only_with=("lr_scheduler_kwargs",),
        message="the schedule {lr_scheduler_type} does not take {unknown_schedule_options} of lr_scheduler_kwargs",
        why="The keys are passed to the function of the schedule. Those of constant and constant_with_warmup are not checked.",
        instead="Remove the key, or choose the schedule that takes it: min_lr and min_lr_rate belong to cosine_with_min_lr.",
        at=("lr_scheduler_kwargs",),
        enforced=(
            ("0.14", None, "run", "..._schedule_with_warmup() got an unexpected keyword argument '...'", _START),
        ),
    ),
    Rule(
        "GRPO649",
        "schedule-rates-are-numbers",
        "The rates in lr_scheduler_kwargs are numbers",
        "has_minimal_rate and minimal_rate_is_text",
        only_with=("lr_scheduler_kwargs",),
        message="lr_scheduler_kwargs holds a text where a rate belongs",
        why="YAML reads 1e-7 as text: a number with an exponent needs a decimal point. No parser converts values inside a mapping.",
        instead="Write 1.0e-7.",
        at=("lr_scheduler_kwargs",),
        blocked_by=("schedule-has-one-minimum",),
        enforced=(("0.14", None, "run", "unsupported operand type(s) for /: 'str' and 'float'", _START),),
    ),
    Rule(
        "GRPO650",
        "stable-schedule-decays",
        "A schedule that decays at its end has num_decay_steps",
        "lr_scheduler_type == 'warmup_stable_decay' and schedule_lacks_steps",
        only_with=("lr_scheduler_type",),
        message="lr_scheduler_type warmup_stable_decay needs num_decay_steps in lr_scheduler_kwargs, and before transformers 4.49 "
        "num_stable_steps, too",
        why="It is the number of steps at the end in which the rate falls. It has no default.",
        instead="Set lr_scheduler_kwargs: {num_decay_steps: 100}, a part of the steps of the run.",
        at=("lr_scheduler_kwargs", "lr_scheduler_type"),
        enforced=(
            (
                "0.14",
                None,
                "run",
                "get_wsd_schedule() missing 1 required positional argument: 'num_decay_steps'",
                _START,
            ),
        ),
    ),
    Rule(
        "GRPO675",
        "stable-schedule-has-known-shapes",
        "warmup_type and decay_type of a schedule are known shapes",
        "lr_scheduler_type == 'warmup_stable_decay' and unknown_shapes != ''",
        only_with=("lr_scheduler_type", "lr_scheduler_kwargs"),
        message="lr_scheduler_kwargs asks for the shape {unknown_shapes}, not one of linear, cosine and 1-sqrt",
        why="The rate rises and falls in one of three shapes.",
        instead="Write linear, cosine or 1-sqrt.",
        at=("lr_scheduler_kwargs",),
        enforced=(("0.15", None, "run", "Unknown decay type: ..., expected 'linear', 'cosine' or '1-sqrt'", _START),),
    ),
    Rule(
        "GRPO651",
        "polynomial-schedule-falls",
        "A polynomial schedule ends below its learning rate",
        "lr_scheduler_type == 'polynomial' and learning_rate <= schedule_end",
        only_with=("lr_scheduler_type",),
        message="learning_rate is {learning_rate}, no more than the {schedule_end} at which the polynomial schedule ends",
        why="Unless lr_scheduler_kwargs sets it, lr_end is 1e-7.",
        instead="Raise learning_rate, or set lr_scheduler_kwargs: {lr_end: 0.0}.",
        at=("learning_rate", "lr_scheduler_type"),
        enforced=(("0.14", None, "run", "lr_end (...) must be smaller than initial lr (...)", _START),),
    ),
)

_ADAPTER = (
    _number(
        "GRPO652",
        "adapter-has-a-rank",
        "lora_r",
        "use_peft and lora_r <= 0",
        "must be 1 or more",
        "It is the rank of the matrices that are trained.",
        only_with=("use_peft",),
        enforced=(("0.14", None, "init", "`r` should be a positive integer value but the value passed is ..."),),
    ),
    _number(
        "GRPO653",
        "adapter-drops-a-share",
        "lora_dropout",
        "use_peft and lora_dropout > 1",
        "must lie between 0 and 1",
        "It is the share of inputs that is dropped.",
        only_with=("use_peft",),
        enforced=(("0.14", None, "init", "dropout probability has to be between 0 and 1, but got ..."),),
    ),
)

_TRAINER = (
    _number(
        "GRPO654",
        "learning-rate-is-not-negative",
        "learning_rate",
        "learning_rate < 0 and checks_its_rate",
        "must be 0 or more",
        "The optimizer refuses a negative rate.",
        blocked_by=("polynomial-schedule-falls",),
        enforced=(("0.14", None, "run", "Invalid learning rate: ...", _START),),
    ),
    Rule(
        "GRPO655",
        "adam-averages-over-steps",
        "adam_beta1 and adam_beta2 lie between 0 and 1",
        "trains_by_adam and (adam_beta1 < 0 or adam_beta1 >= 1 or adam_beta2 < 0 or adam_beta2 >= 1)",
        with_any=("adam_beta1", "adam_beta2"),
        message="adam_beta1 is {adam_beta1} and adam_beta2 {adam_beta2}: each must be 0 or more, and below 1",
        why="They are the shares of the earlier steps in Adam's running averages.",
        instead="Use 0.9 and 0.999, or leave the keys out.",
        at=("adam_beta1", "adam_beta2"),
        enforced=(("0.14", None, "run", "Invalid beta parameter at index ...: ...", _START),),
    ),
    _number(
        "GRPO656",
        "adam-epsilon-is-not-negative",
        "adam_epsilon",
        "trains_by_adam and adam_epsilon < 0",
        "must be 0 or more",
        "It keeps Adam from dividing by 0.",
        enforced=(("0.14", None, "run", "Invalid epsilon value: ...", _START),),
    ),
    Rule(
        "GRPO636",
        "sharding-is-readable",
        "The installed transformers can read fsdp and fsdp_config",
        "transformers_minor < 515 and unreadable_sharding != ''",
        message="the installed transformers cannot read {unreadable_sharding}: the config class fails",
        why="fsdp names one strategy, full_shard or shard_grad_op, with or without offload. fsdp_config is a mapping or its file. Up to transformers 4.57 null is no value of fsdp; from 4.57 to 5.0 false is none.",
        instead="Leave fsdp and fsdp_config out, or write fsdp: full_shard.",
        at=("fsdp", "fsdp_config"),
        blocked_by=("value-has-the-type-of-its-key",),
        enforced=(
            (
                "0.14",
                None,
                "config",
                "argument of type '...' is not iterable / '...' object has no attribute 'get' / `--fsdp full_shard` is not compatible with "
                "`--fsdp shard_grad_op`. / `--fsdp offload` can't work on its own.",
            ),
        ),
    ),
    _number(
        "GRPO699",
        "adam-epsilon-is-positive",
        "adam_epsilon",
        "trains_by_adam and adam_epsilon == 0",
        "must be above 0",
        "A weight whose gradients were all 0 so far becomes NaN. In the first update that is the first matrix of each LoRA adapter. "
        "Where the head has its own weights, it is also the embedding of a token that no batch held.",
        "Remove adam_epsilon.",
        enforced=(("0.14", None, "never"),),
    ),
    _number(
        "GRPO657",
        "seed-fits",
        "seed",
        "seed < 0 or seed > 4294967295",
        "must fit in 32 bits, from 0 to 4294967295",
        "NumPy accepts no other seed.",
        enforced=(("0.14", None, "init", "Seed must be between 0 and 2**32 - 1"),),
    ),
    _number(
        "GRPO658",
        "workers-are-counted",
        "dataloader_num_workers",
        "dataloader_num_workers < 0",
        "must be 0 or more",
        "It counts processes that load data; 0 leaves that to the training process.",
        enforced=(
            (
                "0.14",
                None,
                "run",
                "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
                _LOADER,
            ),
        ),
    ),
    Rule(
        "GRPO659",
        "persistent-workers-exist",
        "dataloader_persistent_workers has workers",
        "dataloader_persistent_workers and dataloader_num_workers == 0",
        only_with=("dataloader_persistent_workers",),
        message="dataloader_persistent_workers is on, but dataloader_num_workers is {dataloader_num_workers}",
        why="There is no worker process that could persist.",
        instead="Set dataloader_num_workers to 1 or more, or turn dataloader_persistent_workers off.",
        at=("dataloader_persistent_workers", "dataloader_num_workers"),
        cure={"dataloader_persistent_workers": False},
        enforced=(("0.14", None, "run", "persistent_workers option needs num_workers > 0", _LOADER),),
    ),
    _number(
        "GRPO660",
        "workers-prefetch",
        "dataloader_prefetch_factor",
        "dataloader_num_workers > 0 and dataloader_prefetch_factor <= 0",
        "must be 1 or more",
        "It counts the batches that each worker loads ahead.",
        only_with=("dataloader_num_workers",),
        enforced=(
            (
                "0.14",
                None,
                "run",
                "prefetch_factor option should be non-negative / prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter",
                _LOADER,
            ),
        ),
    ),
    Rule(
        "GRPO661",
        "gradient-norm-is-a-number",
        "max_grad_norm is a number",
        "not has_gradient_norm and compares_gradient_norm",
        message="max_grad_norm is null, but transformers 5.3 and later compares it with 0",
        why="Up to 5.2 null turned the clipping of gradients off.",
        instead="Set max_grad_norm: 0.0 to turn it off.",
        at=("max_grad_norm",),
        cure={"max_grad_norm": 0.0},
        enforced=(
            ("0.14", None, "run", "'>' not supported between instances of 'NoneType' and 'int'", "in the first update"),
        ),
    ),
    Rule(
        "GRPO691",
        "trackers-have-names",
        "report_to is not null",
        "not has_trackers and null_is_a_tracker",
        message="report_to is null, but transformers 5.0 and later takes that for the name of a tracker",
        why="Up to 4.57 null meant all trackers that are installed.",
        instead='Write report_to: "none", or remove the key.',
        at=("report_to",),
        cure={"report_to": "none"},
        enforced=(("0.28", None, "init", "None is not supported, only ... are supported."),),
    ),
    _number(
        "GRPO663",
        "embeddings-get-noise",
        "neftune_noise_alpha",
        "neftune_noise_alpha < 0",
        "must be 0 or more",
        "It scales the noise that is added to the embeddings.",
        enforced=(
            ("0.14", None, "run", "uniform_ expects to return a [from, to) range, but found from=... > to=...", _START),
        ),
    ),
)

_CHECKPOINTING = (
    Rule(
        "GRPO662",
        "checkpointing-knows-its-options",
        "gradient_checkpointing_kwargs holds only what PyTorch accepts",
        "gradient_checkpointing and unknown_checkpointing_options != '' and checks_checkpointing",
        only_with=("gradient_checkpointing_kwargs",),
        message="PyTorch does not accept {unknown_checkpointing_options} of gradient_checkpointing_kwargs",
        why="Without use_reentrant: false the keys are passed to a function that refuses unknown ones.",
        instead="Write use_reentrant: false.",
        at=("gradient_checkpointing_kwargs",),
        enforced=(("0.14", None, "run", "Unexpected keyword arguments: ...", _START),),
    ),
)

_EVALUATION = (
    Rule(
        "GRPO690",
        "trainer-evaluates",
        "The trainer can evaluate",
        "evaluates",
        with_any=("eval_strategy", "evaluation_strategy"),
        message="eval_strategy is {evaluates_by}, but the trainer of TRL 0.14 cannot evaluate",
        why="Its batches are lists, but the evaluation of transformers looks for keys in them.",
        instead="Set eval_strategy to no, or use TRL 0.15 or newer.",
        at=("eval_strategy", "evaluation_strategy"),
        cure={"eval_strategy": "no"},
        enforced=(("0.14", "0.14", "run", "'list' object has no attribute 'get'", _FIRST_EVALUATION),),
    ),
    Rule(
        "GRPO463",
        "evaluation-has-a-set",
        "A trainer that evaluates gets a data set to evaluate on",
        "evaluates and eval_dataset_size == 0",
        with_any=("eval_strategy", "evaluation_strategy"),
        message="eval_strategy is {evaluates_by}, but the trainer is given no eval_dataset",
        why="The trainer of transformers refuses to evaluate on nothing when it is created, after the model is loaded. It takes no part of the training set instead.",
        instead="Pass an eval_dataset to the trainer, or set eval_strategy to no.",
        at=("eval_strategy", "evaluation_strategy"),
        cure={"eval_strategy": "no"},
        blocked_by=("trainer-evaluates",),
        enforced=(
            (
                "0.15",
                None,
                "init",
                "You have set `args.eval_strategy` to ... but you didn't pass an `eval_dataset` to `Trainer`.",
            ),
        ),
    ),
    _number(
        "GRPO664",
        "evaluation-is-moved-now-and-then",
        "eval_accumulation_steps",
        "evaluates and eval_accumulation_steps == 0",
        "must be 1 or more",
        "After this number of steps the results of an evaluation move to the CPU.",
        enforced=(("0.14", None, "run", "integer modulo by zero", _FIRST_EVALUATION),),
    ),
    Rule(
        "GRPO665",
        "evaluation-on-start-has-a-set",
        "An evaluation at the start has something to evaluate on",
        "eval_on_start and not evaluates",
        only_with=("eval_on_start",),
        message="eval_on_start is on, but eval_strategy is no: TRL's training script hands the trainer no evaluation set then",
        why="The script passes the evaluation set only if eval_strategy asks for evaluation. The trainer evaluates at the start all the same, and has no set.",
        instead="Set eval_strategy to steps or epoch, or turn eval_on_start off.",
        at=("eval_on_start", "eval_strategy"),
        cure={"eval_on_start": False},
        enforced=(("0.14", None, "run", "Trainer: evaluation requires an eval_dataset.", _START),),
    ),
    Rule(
        "GRPO666",
        "best-metric-is-returned",
        "The metric for the best model is one that the evaluation returns",
        "evaluates and metric_for_best_model not in reported_metrics",
        only_with=("metric_for_best_model",),
        message="metric_for_best_model is {metric_for_best_model}, which the evaluation of these versions does not return: only eval_loss "
        "and the times of the run",
        why="The rewards are logged. But until TRL 1.5 evaluate() does not return them, and the trainer looks for the metric there.",
        instead="Set metric_for_best_model: eval_loss, or take TRL 1.5 or newer.",
        at=("metric_for_best_model",),
        enforced=(
            (
                "0.14",
                "1.4",
                "run",
                _NO_METRIC,
                _FIRST_EVALUATION,
            ),
        ),
    ),
    Rule(
        "GRPO697",
        "best-metric-is-logged-by-a-reward",
        "The metric for the best model is logged by the trainer or by a reward",
        "evaluates and metric_of_nobody",
        only_with=("metric_for_best_model",),
        message="metric_for_best_model is {metric_for_best_model}: the first evaluation fails unless a reward function logs this metric",
        why="The trainer looks the metric up after each evaluation. It logs the reward, the lengths of completions and similar metrics; a reward function may log others with log_metric.",
        instead="Set metric_for_best_model: eval_reward, or log the metric in a reward.",
        at=("metric_for_best_model",),
        harm="warning",
        blocked_by=("best-metric-is-returned",),
        enforced=(("1.5", None, "never"),),
    ),
    Rule(
        "GRPO698",
        "first-run-has-a-checkpoint",
        "A run that resumes from its last checkpoint has one",
        "resumes_by_itself",
        only_with=("resume_from_checkpoint",),
        message="resume_from_checkpoint is true: a run whose output_dir holds no checkpoint yet does not start",
        why="TRL's own training script hands the value to the trainer. This resumes from the last checkpoint in output_dir, and refuses to start without one.",
        instead="Leave it out of the first run, or name a checkpoint.",
        at=("resume_from_checkpoint",),
        enforced=(("1.15", None, "never"),),
    ),
)

_ALGORITHM = (
    _number(
        "GRPO676",
        "prompts-keep-tokens",
        "max_prompt_length",
        "max_prompt_length <= 0",
        "must be 1 or more",
        "Longer prompts are cut to this number of tokens.",
        "Leave it out, or set it to null, to keep prompts as they are.",
        enforced=(
            (
                "0.20",
                "0.25",
                "run",
                "index -1 is out of bounds for dimension 1 with size 0 / can't convert negative int to unsigned",
                _FIRST_ROLLOUT,
            ),
        ),
    ),
    _number(
        "GRPO667",
        "reference-model-has-an-interval",
        "ref_model_sync_steps",
        "sync_ref_model and ref_model_sync_steps == 0",
        "must be 1 or more",
        "After this number of steps the reference model is updated from the trained one.",
        only_with=("sync_ref_model",),
        blocked_by=("reference-model-exists", "reference-model-is-no-adapter"),
        enforced=(("0.15", None, "run", "integer modulo by zero", "in the first update"),),
    ),
    _number(
        "GRPO668",
        "sequences-are-padded-to-a-multiple",
        "pad_to_multiple_of",
        "pad_to_multiple_of == 0 or pad_to_multiple_of < -1",
        "must be 1 or more",
        "Sequences are padded to a multiple of it.",
        enforced=(("1.0", None, "run", "integer modulo by zero", _FIRST_ROLLOUT),),
    ),
    _number(
        "GRPO669",
        "entropy-quantile-is-a-share",
        "top_entropy_quantile",
        "top_entropy_quantile < 0",
        "must be between 0 and 1",
        "It is the share of tokens, those with the highest entropy, that are trained on.",
        blocked_by=("liger-masks-no-tokens",),
        enforced=(
            ("0.20", None, "run", "quantile() q must be in the range [0, 1] but got ...", "in the first update"),
        ),
    ),
    Rule(
        "GRPO670",
        "sapo-divides-by-its-temperatures",
        "The temperatures of SAPO are not 0",
        "loss_type == 'sapo' and (sapo_temperature_neg == 0 or sapo_temperature_pos == 0)",
        with_any=("sapo_temperature_neg", "sapo_temperature_pos"),
        message="a temperature of SAPO is 0: sapo_temperature_pos is {sapo_temperature_pos}, sapo_temperature_neg {sapo_temperature_neg}",
        why="The loss divides by both. The first update makes every weight NaN, and the next rollout has nothing to sample from.",
        instead="Use 1.0 and 1.05, or leave the keys out.",
        at=("sapo_temperature_pos", "sapo_temperature_neg"),
        enforced=(
            (
                "0.26",
                None,
                "run",
                "probability tensor contains either `inf`, `nan` or element < 0",
                "in the second rollout",
            ),
        ),
    ),
)

_SCRIPT = (
    Rule(
        "GRPO677",
        "script-has-a-model",
        "The file names a model",
        "not names_model",
        with_any=("dataset_name", "datasets"),
        message="model_name_or_path is not set: TRL's training script has nothing to train",
        why="The script passes the name to the trainer. Your own script may load a model itself.",
        instead="Set model_name_or_path.",
        at=("model_name_or_path", "dataset_name"),
        enforced=(("0.22", None, "init", "'NoneType' object has no attribute 'config'"),),
    ),
    Rule(
        "GRPO678",
        "model-is-loaded-by-the-trainer",
        "model_init_kwargs needs a model that the trainer loads",
        "loads_with_options",
        only_with=("model_init_kwargs",),
        message="model_init_kwargs is set, but TRL's training script of these versions loads the model itself",
        why="The trainer uses them only if it gets the name of a model. Since 0.22 the script passes the name.",
        instead="Remove model_init_kwargs, or use TRL 0.22 or newer.",
        at=("model_init_kwargs",),
        enforced=(
            (
                "0.14",
                "0.21",
                "init",
                "You passed `model_init_kwargs` to the `GRPOConfig`, but your model is already instantiated.",
            ),
        ),
    ),
    Rule(
        "GRPO679",
        "test-split-is-a-share",
        "test_split_size is a share of the rows, or a number of them",
        "test_split_size <= 0 or test_split_size > 1 and test_split_size != int(test_split_size)",
        only_with=("test_split_size", "datasets"),
        message="test_split_size is {test_split_size}, no share between 0 and 1",
        why="The rows of a mixture that are kept for evaluation are set as a share.",
        instead="Write a share such as 0.1.",
        at=("test_split_size",),
        enforced=(
            (
                "0.22",
                None,
                "init",
                "test_size=... should be either positive and smaller than the number of samples ... or a float in the (0, 1) range",
            ),
        ),
    ),
    Rule(
        "GRPO671",
        "run-has-a-data-set",
        "The file names a data set",
        "not names_dataset and not names_mixture",
        with_any=("model_name_or_path",),
        message="neither dataset_name nor datasets is set: TRL's training script has nothing to train on",
        why="The script takes its data from one of the two. Your own script may take it from elsewhere.",
        instead="Set dataset_name.",
        at=("dataset_name", "datasets", "model_name_or_path"),
        enforced=(
            ("0.18", "0.21", "init", "expected str, bytes or os.PathLike object, not NoneType"),
            ("0.22", None, "init", "Either `datasets` or `dataset_name` must be provided."),
        ),
    ),
    Rule(
        "GRPO672",
        "run-has-a-reward",
        "The file names a reward",
        "not names_rewards and not names_reward_model and asks_for_rewards",
        with_any=("dataset_name", "datasets"),
        message="neither reward_funcs nor reward_model_name_or_path is set: TRL's training script has no reward",
        why="The script takes its rewards from the two keys. Your own script may define its rewards itself.",
        instead="Set reward_funcs.",
        at=("reward_funcs", "reward_model_name_or_path", "dataset_name"),
        blocked_by=("weights-have-rewards", "rewards-have-weights"),
        enforced=(
            ("0.22", "1.7", "never"),
            (
                "1.8",
                None,
                "init",
                "No reward source provided. Pass `reward_funcs`, or an `environment_factory` whose environment defines a `get_reward` method.",
            ),
        ),
    ),
    Rule(
        "GRPO464",
        "weights-have-rewards",
        "There are rewards for reward_weights",
        "len(reward_weights) > 0 and not names_rewards and not names_reward_model",
        only_with=("reward_weights",),
        message="reward_weights gives {reward_weights.count} weights, but neither reward_funcs nor reward_model_name_or_path is set: "
        "TRL's training script has no reward",
        why="The trainer compares the number of weights with the number of rewards. TRL's script takes the rewards from reward_funcs and reward_model_name_or_path.",
        instead="Set reward_funcs, with one name for each weight.",
        at=("reward_weights", "reward_funcs", "reward_model_name_or_path"),
        blocked_by=("rewards-have-weights",),
        enforced=(("0.20", None, "init", "Number of reward weights (...) must match number of reward functions (0)"),),
    ),
    Rule(
        "GRPO673",
        "fractions-are-of-a-known-size",
        "Fractions are taken of data sets whose size is known",
        "streaming and takes_fractions",
        only_with=("streaming", "datasets"),
        message="streaming is on, but data sets of the mixture have a fraction",
        why="A fraction needs the number of rows, which a stream does not know.",
        instead="Turn streaming off, or remove fraction.",
        at=("streaming", "datasets"),
        cure={"streaming": False},
        enforced=(("1.8", None, "init", "Using a dataset `fraction` is not supported with streaming datasets."),),
    ),
    Rule(
        "GRPO674",
        "mixture-has-a-test-split",
        "A mixture that is evaluated on has a test split",
        "names_mixture and evaluates and not splits_mixture",
        only_with=("datasets",),
        message="eval_strategy asks for evaluation, but a mixture of data sets has no split to evaluate on without test_split_size",
        why="A mixture has only a train split. TRL's training script looks in it for the split of dataset_test_split.",
        instead="Set test_split_size: 0.1, or eval_strategy to no.",
        at=("datasets", "eval_strategy"),
        enforced=(("0.22", None, "init", "KeyError: 'test'"),),
    ),
)

_HARMS = (
    Rule(
        "GRPO680",
        "run-has-epochs",
        "A run without max_steps has epochs",
        "max_steps < 0 and num_train_epochs <= 0",
        only_with=("num_train_epochs",),
        message="num_train_epochs is {num_train_epochs} and max_steps is not set: training takes no step and reports success",
        why="If max_steps is not positive, the number of steps follows from the epochs.",
        instead="Set num_train_epochs or max_steps above 0.",
        at=("num_train_epochs",),
        harm="warning",
        enforced=(("0.14", None, "never"),),
    ),
    Rule(
        "GRPO681",
        "no-steps-are-not-asked-for",
        "max_steps is -1 or positive",
        "max_steps == 0",
        only_with=("max_steps",),
        message="max_steps is 0, which is not the same as -1 (not set): what it does depends on transformers",
        why="Up to transformers 4.48 the run goes by its epochs; from 4.49 on it takes exactly one step.",
        instead="Set max_steps: -1 to go by num_train_epochs.",
        at=("max_steps",),
        harm="warning",
        enforced=(("0.14", None, "never"),),
    ),
    Rule(
        "GRPO682",
        "cispo-has-its-own-bound",
        "CISPO has its own upper bound",
        "loss_type == 'cispo' and clip_high < 1",
        only_with=("loss_type",),
        message="loss_type cispo clips ratios at {clip_high}: epsilon_high is the bound itself here, and is not added to 1",
        why="Every ratio near 1 is above such a bound, so all tokens have the same weight. The authors of CISPO and ScaleRL use 4 to 8.",
        instead="Set epsilon_high: 5.0.",
        at=("epsilon_high", "loss_type"),
        enforced=(("0.26", None, "never"),),
    ),
    Rule(
        "GRPO683",
        "delta-is-above-the-clip",
        "delta is above the clip",
        "delta < 1 + clip_high",
        only_with=("delta",),
        message="delta is {delta}, less than 1 + {clip_high} ({clip_high.setting}), where ratios are clipped already",
        why="delta bounds the ratio from above where the advantage is negative. Below the clip it cuts ratios that should count.",
        instead="Set delta above 1 + epsilon_high, or remove it.",
        at=("delta",),
        harm="warning",
        enforced=(("0.18", None, "never"),),
    ),
    Rule(
        "GRPO684",
        "clip-is-wider-above",
        "The upper clip is not narrower than the lower one",
        "epsilon_high < epsilon and epsilon_high >= 0 and loss_type != 'cispo'",
        only_with=("epsilon_high",),
        message="epsilon_high is {epsilon_high}, below epsilon {epsilon}",
        why="The upper clip is raised so that unlikely tokens can gain. The two are easily mixed up.",
        instead="Set epsilon_high to epsilon or more.",
        at=("epsilon_high", "epsilon"),
        harm="warning",
        enforced=(("0.17", None, "never"),),
    ),
    Rule(
        "GRPO685",
        "coefficients-are-not-negative",
        "beta and epsilon are not negative",
        "beta < 0 or epsilon < 0",
        with_any=("beta", "epsilon"),
        message="beta is {beta} and epsilon {epsilon}: neither may be negative",
        why="A negative beta rewards distance from the reference model; a negative epsilon clips every ratio. Neither is refused.",
        instead="Use 0 or more.",
        at=("beta", "epsilon"),
        harm="warning",
        enforced=(("0.14", None, "never"),),
    ),
    Rule(
        "GRPO686",
        "warmup-ends-within-the-run",
        "The warm-up is shorter than the run",
        "warmup_steps >= 1 and max_steps > 0 and warmup_steps >= max_steps",
        only_with=("warmup_steps", "max_steps"),
        message="the warm-up takes {warmup_steps} steps, but the run ends after {max_steps}: learning_rate is never reached",
        why="During the warm-up the learning rate rises from 0 to learning_rate.",
        instead="Set warmup_steps below max_steps.",
        at=("warmup_steps", "max_steps"),
        harm="warning",
        enforced=(("0.14", None, "never"),),
    ),
    Rule(
        "GRPO687",
        "evaluation-comes-within-the-run",
        "The first evaluation comes before the end of the run",
        "evaluates_by == 'steps' and eval_interval >= 1 and max_steps > 0 and eval_interval > max_steps",
        only_with=("eval_strategy", "max_steps"),
        message="the run evaluates every {eval_interval} steps, but ends after {max_steps}: it never evaluates",
        why="Evaluation counts optimizer steps.",
        instead="Lower eval_steps.",
        at=("eval_interval", "eval_strategy"),
        harm="warning",
        enforced=(("0.14", None, "never"),),
    ),
    Rule(
        "GRPO695",
        "checkpoints-come-within-the-run",
        "The first checkpoint comes before the end of the run",
        "save_strategy == 'steps' and save_steps >= 1 and total_steps > 0 and save_steps > total_steps",
        only_with=("save_steps",),
        message="checkpoints come every {save_steps} steps, but the run has {total_steps}: only the last step is saved",
        why="A run that stops early has no checkpoint to resume from.",
        instead="Lower save_steps.",
        at=("save_steps",),
        harm="info",
        enforced=(("0.14", None, "never", "", "", "info"),),
    ),
    Rule(
        "GRPO688",
        "batch-size-keeps-groups-whole",
        "The batch size is fixed",
        "auto_find_batch_size",
        only_with=("auto_find_batch_size",),
        message="auto_find_batch_size is on: a smaller batch after an out-of-memory error may split groups",
        why="The size is lowered while the run starts, and groups are not checked again. TRL 1.9 and later refuse it.",
        instead="Remove auto_find_batch_size, and set the batch size.",
        at=("auto_find_batch_size",),
        blocked_by=("batch-size-is-fixed",),
        cure={"auto_find_batch_size": False},
        enforced=(("0.14", "1.8", "never"),),
    ),
    Rule(
        "GRPO689",
        "updates-keep-to-one-rollout",
        "No update takes its completions from two rollouts",
        "gradient_accumulation_steps > 0 and steps_per_rollout % accumulation != 0 and accumulation % steps_per_rollout != 0",
        with_any=("steps_per_generation", "generation_batch_size"),
        message="a rollout lasts {steps_per_rollout} micro steps and an update takes {accumulation}: some updates mix two rollouts",
        why="One gradient then mixes completions of two rollouts, generated by models that are one update apart. This is not refused.",
        instead="Make one of the two a multiple of the other.",
        at=("steps_per_generation", "generation_batch_size", "accumulation"),
        harm="warning",
        blocked_by=("rollout-size-set-once", "rollout-holds-whole-steps", "rollout-holds-whole-micro-batches"),
        enforced=(("0.18", None, "never"),),
    ),
)

RULES = (
    *_SAMPLING,
    *_ENGINE,
    *_SCHEDULE,
    *_ADAPTER,
    *_TRAINER,
    *_CHECKPOINTING,
    *_EVALUATION,
    *_ALGORITHM,
    *_SCRIPT,
    *_HARMS,
)
