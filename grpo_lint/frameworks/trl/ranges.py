"""GRPO640 - GRPO697: numbers out of their range, and settings that do not go together, of which a run of TRL dies or suffers. The real
training script was run on each of them (`conformance/deaths`); values of a wrong shape are in `deaths.py`.
"""

from ...rules.base import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base import Table


def _number(
    code: str, name: str, setting: str, broken: str, must: str, why: str, instead: str = "", only_with: "tuple[str, ...]" = (),
    blocked_by: "tuple[str, ...]" = (),
) -> "Rule":  # fmt: skip
    """The rule that one number keeps to its range. `broken` may say more: when it is read at all."""
    return Rule(
        code,
        name,
        f"{setting} {must.replace('must be', 'is').replace('must lie', 'lies').replace('must fit', 'fits')}",
        broken,
        only_with=(setting, *only_with),
        message=f"{setting} is {{{setting}}}, and {must}",
        why=why,
        instead=instead or f"Give {setting} a value in its range, or leave the key out.",
        at=(setting,),
        blocked_by=blocked_by,
    )


_OF_SCHEDULES = (
    "{'linear': (), 'cosine': ('num_cycles', 'last_epoch'), 'cosine_with_restarts': ('num_cycles', 'last_epoch'), "
    "'polynomial': ('lr_end', 'power', 'last_epoch'), 'inverse_sqrt': ('timescale', 'last_epoch'), "
    "'cosine_with_min_lr': ('num_cycles', 'last_epoch', 'min_lr', 'min_lr_rate'), "
    "'cosine_warmup_with_min_lr': ('num_cycles', 'last_epoch', 'min_lr', 'min_lr_rate', 'warmup_lr_rate'), "
    "'warmup_stable_decay': ('num_decay_steps', 'num_stable_steps', 'num_training_steps', 'warmup_type', 'decay_type', 'min_lr_ratio', "
    "'num_cycles', 'last_epoch')}"
)
# What the conditions below read beside settings: {name: formulas}.
QUANTITIES: "Table" = {
    "samples_in_pages": ("use_transformers_continuous_batching", "use_transformers_paged", "False"),
    "samples_itself": "not use_vllm and not samples_in_pages",
    "generation_options": ("generation_kwargs", "{}"),
    "greedy_at_zero": "zero_temperature_is_greedy",
    "schedule_options": ("lr_scheduler_kwargs", "{}"),
    "unknown_schedule_options": f"beyond(lr_scheduler_kwargs, {_OF_SCHEDULES}[lr_scheduler_type])",
    "inverse_sqrt_takes_options": "transformers_minor >= 504",
    "minimal_rates": (
        "int('min_lr' in schedule_options and schedule_options['min_lr'] is not None) + "
        "int('min_lr_rate' in schedule_options and schedule_options['min_lr_rate'] is not None)"
    ),
    "schedule_end": ("lr_scheduler_kwargs['lr_end'] if 'lr_end' in lr_scheduler_kwargs else 1e-7", "1e-7"),
    "has_gradient_norm": ("max_grad_norm is not None", "False"),
    "compares_gradient_norm": "transformers_minor >= 503",
    "has_trackers": ("report_to is not None", "False"),
    "null_is_a_tracker": "transformers_minor >= 500",
    "names_dataset": ("dataset_name is not None", "False"),
    "names_mixture": ("len(datasets) > 0", "False"),
    "names_rewards": ("len(reward_funcs) > 0", "False"),
    "names_reward_model": ("reward_model_name_or_path is not None", "False"),
    "splits_mixture": ("test_split_size is not None", "False"),
    "takes_fractions": ("datasets[0]['fraction'] is not None if 'fraction' in datasets[0] else False", "False"),
    "clip_high": ("epsilon_high", "epsilon"),
}

_SAMPLING = (
    _number(
        "GRPO640",
        "temperature-is-positive",
        "temperature",
        "samples_itself and 'temperature' not in generation_options and "
        "(temperature < 0 or temperature == 0 and not greedy_at_zero)",
        "must be above 0",
        "Sampling divides the scores of the next token by it.",
        "Set it to 1.0. A group needs completions that differ.",
    ),
    Rule(
        "GRPO641",
        "completions-of-a-group-differ",
        "The temperature lets the completions of a group differ",
        "temperature == 0 and (use_vllm or samples_itself and greedy_at_zero) or temperature < 0 and use_vllm",
        only_with=("temperature",),
        message="temperature is {temperature}: every completion of a group is the same, and the scores are divided by it in training",
        why="Without sampling all rewards of a group are equal and its advantages are 0. TRL divides the scores of its own forward pass by "
        "the temperature, too: the weights become NaN with the first update.",
        instead="Set temperature to 1.0.",
        at=("temperature",),
        harm="warning",
        blocked_by=("temperature-is-positive",),
    ),
    _number(
        "GRPO642",
        "top-p-is-not-negative",
        "top_p",
        "samples_itself and top_p < 0",
        "must be between 0 and 1",
        "It is the share of probability that the tokens to choose from hold together.",
    ),
    _number(
        "GRPO643",
        "top-k-counts-tokens",
        "top_k",
        "samples_itself and top_k < 0",
        "must be 0 or more",
        "It is the number of tokens to choose from. vLLM takes -1 for all of them; transformers takes 0, and refuses -1.",
        "Set top_k: 0 to choose from all tokens.",
    ),
    _number(
        "GRPO644",
        "min-p-is-a-share",
        "min_p",
        "samples_itself and (min_p < 0 or min_p > 1)",
        "must be between 0 and 1",
        "It is the probability that a token needs, as a share of that of the most likely one.",
    ),
    _number(
        "GRPO645",
        "repetition-penalty-is-positive",
        "repetition_penalty",
        "samples_itself and repetition_penalty <= 0",
        "must be above 0",
        "The scores of tokens that were there are divided by it; 1 changes nothing.",
    ),
    _number(
        "GRPO646",
        "completions-have-tokens",
        "max_completion_length",
        "not use_vllm and max_completion_length <= 0",
        "must be 1 or more",
        "It is the number of tokens that a completion may have.",
    ),
)

_MINIMUM = ("lr_scheduler_type in ('cosine_with_min_lr', 'cosine_warmup_with_min_lr')",)
_SCHEDULE = (
    Rule(
        "GRPO647",
        "schedule-has-one-minimum",
        "A cosine schedule with a minimum is given one",
        f"{_MINIMUM[0]} and minimal_rates != 1",
        only_with=("lr_scheduler_type",),
        message="lr_scheduler_type {lr_scheduler_type} takes one of min_lr and min_lr_rate from lr_scheduler_kwargs, and {minimal_rates} "
        "of the two are set",
        why="min_lr is the rate at the end of the run, min_lr_rate the same as a share of learning_rate.",
        instead="Set lr_scheduler_kwargs: {min_lr_rate: 0.1}.",
        at=("lr_scheduler_kwargs", "lr_scheduler_type"),
    ),
    Rule(
        "GRPO648",
        "schedule-knows-its-options",
        "lr_scheduler_kwargs holds what the schedule takes",
        "unknown_schedule_options != '' and (lr_scheduler_type != 'inverse_sqrt' or inverse_sqrt_takes_options)",
        only_with=("lr_scheduler_kwargs",),
        message="the schedule {lr_scheduler_type} does not take {unknown_schedule_options}, which lr_scheduler_kwargs holds",
        why="The keys are handed to the function of the schedule. Those of constant and constant_with_warmup are not looked at.",
        instead="Leave the key out, or choose the schedule that takes it: min_lr and min_lr_rate belong to cosine_with_min_lr.",
        at=("lr_scheduler_kwargs",),
    ),
    Rule(
        "GRPO649",
        "schedule-rates-are-numbers",
        "The rates in lr_scheduler_kwargs are numbers",
        f"{_MINIMUM[0]} and (is_text(lr_scheduler_kwargs['min_lr']) if 'min_lr' in lr_scheduler_kwargs else "
        "is_text(lr_scheduler_kwargs['min_lr_rate']) if 'min_lr_rate' in lr_scheduler_kwargs else False)",
        only_with=("lr_scheduler_kwargs",),
        message="lr_scheduler_kwargs holds a text where a rate belongs",
        why="YAML takes 1e-7 for a text: a number with an exponent needs a point. No parser converts what stands inside a mapping.",
        instead="Write 1.0e-7.",
        at=("lr_scheduler_kwargs",),
        blocked_by=("schedule-has-one-minimum",),
    ),
    Rule(
        "GRPO650",
        "stable-schedule-decays",
        "A schedule that decays at its end is told when",
        "lr_scheduler_type == 'warmup_stable_decay' and 'num_decay_steps' not in schedule_options",
        only_with=("lr_scheduler_type",),
        message="lr_scheduler_type warmup_stable_decay needs num_decay_steps in lr_scheduler_kwargs",
        why="It is the number of steps at the end in which the rate falls. It has no default.",
        instead="Set lr_scheduler_kwargs: {num_decay_steps: 100}, a part of the steps of the run.",
        at=("lr_scheduler_kwargs", "lr_scheduler_type"),
    ),
    Rule(
        "GRPO651",
        "polynomial-schedule-falls",
        "A polynomial schedule ends below its learning rate",
        "lr_scheduler_type == 'polynomial' and learning_rate <= schedule_end",
        only_with=("lr_scheduler_type",),
        message="learning_rate is {learning_rate}, no more than the {schedule_end} at which the polynomial schedule ends",
        why="lr_end is 1e-7 unless lr_scheduler_kwargs says something else.",
        instead="Raise learning_rate, or set lr_scheduler_kwargs: {lr_end: 0.0}.",
        at=("learning_rate", "lr_scheduler_type"),
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
    ),
    _number(
        "GRPO653",
        "adapter-drops-a-share",
        "lora_dropout",
        "use_peft and lora_dropout > 1",
        "must lie between 0 and 1",
        "It is the share of inputs that is left out.",
        only_with=("use_peft",),
    ),
)

_ADAM = "optim in ('adamw_torch', 'adamw_torch_fused')"
_TRAINER = (
    _number(
        "GRPO654",
        "learning-rate-is-not-negative",
        "learning_rate",
        "learning_rate < 0 and optim in ('adamw_torch', 'adamw_torch_fused', 'sgd', 'adagrad', 'rmsprop')",
        "must be 0 or more",
        "The optimizer refuses another.",
        blocked_by=("polynomial-schedule-falls",),
    ),
    Rule(
        "GRPO655",
        "adam-averages-over-steps",
        "adam_beta1 and adam_beta2 lie between 0 and 1",
        f"{_ADAM} and (adam_beta1 < 0 or adam_beta1 >= 1 or adam_beta2 < 0 or adam_beta2 >= 1)",
        with_any=("adam_beta1", "adam_beta2"),
        message="adam_beta1 is {adam_beta1} and adam_beta2 {adam_beta2}: each must be 0 or more, and below 1",
        why="They are the shares that Adam's running averages keep of the steps before.",
        instead="Use 0.9 and 0.999, or leave the keys out.",
        at=("adam_beta1", "adam_beta2"),
    ),
    _number(
        "GRPO656",
        "adam-epsilon-is-not-negative",
        "adam_epsilon",
        f"{_ADAM} and adam_epsilon < 0",
        "must be 0 or more",
        "It keeps Adam from dividing by 0.",
    ),
    _number(
        "GRPO657",
        "seed-fits",
        "seed",
        "seed < 0 or seed > 4294967295",
        "must fit in 32 bits, from 0 to 4294967295",
        "NumPy takes no other.",
    ),
    _number(
        "GRPO658",
        "workers-are-counted",
        "dataloader_num_workers",
        "dataloader_num_workers < 0",
        "must be 0 or more",
        "It counts processes that load data; 0 leaves that to the training process.",
    ),
    Rule(
        "GRPO659",
        "persistent-workers-exist",
        "Workers that stay are there",
        "dataloader_persistent_workers and dataloader_num_workers == 0",
        only_with=("dataloader_persistent_workers",),
        message="dataloader_persistent_workers is on, but dataloader_num_workers is {dataloader_num_workers}",
        why="There is no worker process that could stay.",
        instead="Set dataloader_num_workers to 1 or more, or switch dataloader_persistent_workers off.",
        at=("dataloader_persistent_workers", "dataloader_num_workers"),
        cure={"dataloader_persistent_workers": False},
    ),
    _number(
        "GRPO660",
        "workers-prefetch",
        "dataloader_prefetch_factor",
        "dataloader_num_workers > 0 and dataloader_prefetch_factor <= 0",
        "must be 1 or more",
        "It counts the batches that each worker loads ahead.",
        only_with=("dataloader_num_workers",),
    ),
    Rule(
        "GRPO661",
        "gradient-norm-is-a-number",
        "max_grad_norm is no null",
        "not has_gradient_norm and compares_gradient_norm",
        message="max_grad_norm is null, and transformers from 5.3 on compares it with 0",
        why="Until 5.2 null switched the clipping of gradients off.",
        instead="Set max_grad_norm: 0.0 to switch it off.",
        at=("max_grad_norm",),
        cure={"max_grad_norm": 0.0},
    ),
    Rule(
        "GRPO662",
        "trackers-have-names",
        "report_to is no null",
        "not has_trackers and null_is_a_tracker",
        message="report_to is null, and transformers from 5.0 on takes that for the name of a tracker",
        why="Until 4.57 null meant all that are installed.",
        instead='Write report_to: "none", or leave the key out.',
        at=("report_to",),
        cure={"report_to": "none"},
    ),
    _number(
        "GRPO663",
        "embeddings-get-noise",
        "neftune_noise_alpha",
        "neftune_noise_alpha < 0",
        "must be 0 or more",
        "It scales noise that is drawn between two bounds.",
    ),
)

_EVALUATION = (
    _number(
        "GRPO664",
        "evaluation-is-moved-now-and-then",
        "eval_accumulation_steps",
        "evaluates and eval_accumulation_steps == 0",
        "must be 1 or more",
        "It counts the steps after which what an evaluation gathered goes to the CPU.",
    ),
    Rule(
        "GRPO665",
        "evaluation-on-start-has-a-set",
        "An evaluation at the start has something to evaluate on",
        "eval_on_start and not evaluates",
        only_with=("eval_on_start",),
        message="eval_on_start is on, but eval_strategy is no: TRL's training script hands the trainer no evaluation set then",
        why="The script passes the evaluation set only where eval_strategy asks for evaluation. The trainer evaluates at the start all the "
        "same, and finds none.",
        instead="Set eval_strategy to steps or epoch, or switch eval_on_start off.",
        at=("eval_on_start", "eval_strategy"),
        cure={"eval_on_start": False},
    ),
    Rule(
        "GRPO666",
        "best-metric-is-returned",
        "The metric for the best model is one that the evaluation returns",
        "evaluates and metric_for_best_model not in ('loss', 'eval_loss', 'runtime', 'eval_runtime', 'samples_per_second', "
        "'eval_samples_per_second', 'steps_per_second', 'eval_steps_per_second', 'epoch', 'eval_epoch', 'model_preparation_time', "
        "'eval_model_preparation_time')",
        only_with=("metric_for_best_model",),
        message="metric_for_best_model is {metric_for_best_model}, which the evaluation of these versions does not return: only eval_loss "
        "and the times of the run",
        why="The rewards are logged, but until TRL 1.5 they are not among what evaluate() returns, where the trainer looks for the metric.",
        instead="Set metric_for_best_model: eval_loss, or take TRL 1.5 or newer.",
        at=("metric_for_best_model",),
    ),
)

_ALGORITHM = (
    _number(
        "GRPO667",
        "reference-model-has-an-interval",
        "ref_model_sync_steps",
        "sync_ref_model and ref_model_sync_steps == 0",
        "must be 1 or more",
        "It counts the steps after which the reference model takes over from the trained one.",
        only_with=("sync_ref_model",),
        blocked_by=("reference-model-exists", "reference-model-is-no-adapter"),
    ),
    _number(
        "GRPO668",
        "sequences-are-padded-to-a-multiple",
        "pad_to_multiple_of",
        "pad_to_multiple_of <= 0",
        "must be 1 or more",
        "Lengths are raised to a multiple of it.",
    ),
    _number(
        "GRPO669",
        "entropy-quantile-is-a-share",
        "top_entropy_quantile",
        "top_entropy_quantile < 0",
        "must be between 0 and 1",
        "It is the share of tokens, those with the highest entropy, that is trained on.",
        blocked_by=("liger-masks-no-tokens",),
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
    ),
)

_SCRIPT = (
    Rule(
        "GRPO671",
        "run-has-a-data-set",
        "The file names a data set",
        "not names_dataset and not names_mixture",
        with_any=("model_name_or_path",),
        message="neither dataset_name nor datasets is set: TRL's training script has nothing to train on",
        why="The script takes its data from one of the two. A script of one's own may take it from elsewhere.",
        instead="Set dataset_name.",
        at=("dataset_name", "datasets", "model_name_or_path"),
    ),
    Rule(
        "GRPO672",
        "run-has-a-reward",
        "The file names a reward",
        "not names_rewards and not names_reward_model",
        with_any=("dataset_name", "datasets"),
        message="neither reward_funcs nor reward_model_name_or_path is set: TRL's training script has no reward",
        why="The script takes its rewards from the two keys. A script of one's own brings its own.",
        instead="Set reward_funcs.",
        at=("reward_funcs", "reward_model_name_or_path", "dataset_name"),
    ),
    Rule(
        "GRPO673",
        "fractions-are-of-a-known-size",
        "Parts of data sets are taken of sets whose size is known",
        "streaming and takes_fractions",
        only_with=("streaming", "datasets"),
        message="streaming is on, but data sets of the mixture have a fraction",
        why="A fraction needs the number of rows, which a stream does not know.",
        instead="Switch streaming off, or remove fraction.",
        at=("streaming", "datasets"),
        cure={"streaming": False},
    ),
    Rule(
        "GRPO674",
        "mixture-has-a-test-split",
        "A mixture that is evaluated on has a test split",
        "names_mixture and evaluates and not splits_mixture",
        only_with=("datasets",),
        message="eval_strategy asks for evaluation, but a mixture of data sets has no split to evaluate on without test_split_size",
        why="A mixture has a train split only. TRL's training script takes the split of dataset_test_split from it.",
        instead="Set test_split_size: 0.1, or eval_strategy to no.",
        at=("datasets", "eval_strategy"),
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
        why="The number of steps follows from the epochs where max_steps is not positive.",
        instead="Set num_train_epochs or max_steps above 0.",
        at=("num_train_epochs",),
        harm="warning",
    ),
    Rule(
        "GRPO681",
        "no-steps-are-not-asked-for",
        "max_steps is not 0",
        "max_steps == 0",
        only_with=("max_steps",),
        message="max_steps is 0, which is not the same as not set: what becomes of the run depends on the version of transformers",
        why="Until transformers 4.51.2 the run goes by its epochs; from 4.51.3 on it takes exactly one step.",
        instead="Set max_steps: -1 to go by num_train_epochs.",
        at=("max_steps",),
        harm="warning",
    ),
    Rule(
        "GRPO682",
        "cispo-has-its-own-bound",
        "CISPO has an upper bound of its own",
        "loss_type == 'cispo' and clip_high < 1",
        only_with=("loss_type",),
        message="loss_type is cispo, and its ratios are cut at {clip_high}: for this loss epsilon_high is the bound itself, not what is added "
        "to 1",
        why="Every ratio near 1 lies above such a bound, so all tokens weigh the same. The authors of CISPO and of ScaleRL use 4 to 8.",
        instead="Set epsilon_high: 5.0.",
        at=("epsilon_high", "loss_type"),
        harm="warning",
    ),
    Rule(
        "GRPO683",
        "delta-is-above-the-clip",
        "The second clip lies above the first",
        "delta < 1 + clip_high",
        only_with=("delta",),
        message="delta is {delta}, below the 1 + {clip_high} at which ratios are clipped already",
        why="delta bounds the ratio from above where the advantage is negative. Below the clip it cuts ratios that are meant to count.",
        instead="Set delta above 1 + epsilon_high, or remove it.",
        at=("delta",),
        harm="warning",
    ),
    Rule(
        "GRPO684",
        "clip-is-wider-above",
        "The upper clip is not narrower than the lower one",
        "epsilon_high < epsilon and epsilon_high >= 0 and loss_type != 'cispo'",
        only_with=("epsilon_high",),
        message="epsilon_high is {epsilon_high}, below epsilon {epsilon}",
        why="The upper clip is raised to let unlikely tokens gain. The two are easily mixed up.",
        instead="Set epsilon_high to epsilon or more.",
        at=("epsilon_high", "epsilon"),
        harm="warning",
    ),
    Rule(
        "GRPO685",
        "coefficients-are-not-negative",
        "beta and epsilon are not negative",
        "beta < 0 or epsilon < 0",
        with_any=("beta", "epsilon"),
        message="beta is {beta} and epsilon {epsilon}: neither may be negative",
        why="A negative beta rewards distance from the reference model; a negative epsilon clips every ratio. Nobody refuses it.",
        instead="Use 0 or more.",
        at=("beta", "epsilon"),
        harm="warning",
    ),
    Rule(
        "GRPO686",
        "warmup-ends-within-the-run",
        "The warm-up is shorter than the run",
        "warmup_steps >= 1 and max_steps > 0 and warmup_steps >= max_steps",
        only_with=("warmup_steps", "max_steps"),
        message="warmup_steps is {warmup_steps}, and the run has {max_steps} steps: the learning rate is never reached",
        why="The rate rises during the warm-up.",
        instead="Make the warm-up a part of the run.",
        at=("warmup_steps", "max_steps"),
        harm="warning",
    ),
    Rule(
        "GRPO687",
        "evaluation-comes-within-the-run",
        "The first evaluation comes before the end of the run",
        "evaluates_by == 'steps' and eval_interval >= 1 and max_steps > 0 and eval_interval > max_steps",
        only_with=("eval_strategy", "max_steps"),
        message="the run evaluates every {eval_interval} steps, and has {max_steps}: it never does",
        why="Evaluation counts steps of the optimizer.",
        instead="Lower eval_steps.",
        at=("eval_interval", "eval_strategy"),
        harm="warning",
    ),
    Rule(
        "GRPO688",
        "batch-size-keeps-groups-whole",
        "The batch size is not looked for",
        "auto_find_batch_size",
        only_with=("auto_find_batch_size",),
        message="auto_find_batch_size is on: a smaller batch after an out-of-memory error may break groups in two",
        why="The size is lowered in the middle of the start, and nothing checks again that groups fit. TRL 1.9 and later refuse it.",
        instead="Remove auto_find_batch_size, and choose the batch size.",
        at=("auto_find_batch_size",),
        harm="warning",
        blocked_by=("batch-size-is-fixed",),
        cure={"auto_find_batch_size": False},
    ),
    Rule(
        "GRPO689",
        "updates-keep-to-one-rollout",
        "No update takes its completions from two rollouts",
        "steps_per_rollout > 0 and accumulation > 0 and steps_per_rollout % accumulation != 0 and accumulation % steps_per_rollout != 0",
        with_any=("steps_per_generation", "generation_batch_size"),
        message="a rollout is used up in {steps_per_rollout} steps and an update takes {accumulation}: some updates mix two rollouts",
        why="Completions of two generations, of models one update apart, enter one gradient. Nobody refuses it.",
        instead="Make one of the two a multiple of the other.",
        at=("steps_per_generation", "generation_batch_size", "accumulation"),
        harm="warning",
        blocked_by=("rollout-size-set-once", "rollout-holds-whole-steps", "rollout-holds-whole-micro-batches"),
    ),
)

RULES = (*_SAMPLING, *_SCHEDULE, *_ADAPTER, *_TRAINER, *_EVALUATION, *_ALGORITHM, *_SCRIPT, *_HARMS)
