"""Which settings of the frameworks mean the same, in which unit each counts, and how values are converted.

A row is one quantity. A setting without a row means the same in frameworks of one family that both know its name, and
otherwise has no counterpart. A conversion that is not exact has a note on what to review.
"""

from ...message import NOTHING, Message, Telling, verbatim
from ..base import whole_number
from . import more_counterparts as further, parallel_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Collection, Fields, Iterable, Iterator, Mapping, Sequence

    _Words = Mapping[str, Mapping[object, str]]


_COLUMNS = ("trl", "swift", "megatron", "verl", "easyr1")
FRAMEWORKS = (*_COLUMNS, *further.FRAMEWORKS)
FAMILY = ("trl", "swift", "megatron")  # a name that two of these know means the same, except for the rows below

# kind | names in TRL | in ms-swift | in Megatron-SWIFT | in verl | in EasyR1 | what to review. Several names are those
# of several releases, - is none. `!`: it decides what is learnt, what fits into memory or
# where the engine is, so a default that differs is written out. Of the others it is told.
_ROWS = """
same      | model_name_or_path         | model                  | model                  | A.model.path                   | W.actor.model.model_path |
same      | model_revision             | model_revision         | model_revision         | -                              | - |
dtype!    | dtype torch_dtype          | torch_dtype            | torch_dtype            | -                              | - |
same      | attn_implementation        | attn_impl              | attn_impl              | -                              | - |
data      | dataset_name               | dataset                | dataset                | data.train_files               | data.train_files | each framework finds and reads data in its own way: columns, prompt and answer
same      | dataset_streaming          | streaming              | streaming              | -                              | - |
rewards   | reward_funcs               | reward_funcs           | reward_funcs           | -                              | - | a reward of your own is named, and made known, in each framework's own way
size      | per_device_train_batch_size | per_device_train_batch_size | micro_batch_size       | A.actor.ppo_micro_batch_size_per_gpu | W.actor.micro_batch_size_per_device_for_update |
update    | gradient_accumulation_steps | gradient_accumulation_steps | global_batch_size      | A.actor.ppo_mini_batch_size    | W.actor.global_batch_size |
size      | num_generations            | num_generations        | num_generations        | A.rollout.n                    | W.rollout.n |
reuse     | steps_per_generation       | steps_per_generation   | steps_per_generation   | data.train_batch_size          | data.rollout_batch_size |
reuse     | generation_batch_size      | generation_batch_size  | generation_batch_size  | data.train_batch_size          | data.rollout_batch_size |
same!     | num_iterations             | num_iterations         | num_iterations         | A.actor.ppo_epochs             | W.actor.ppo_epochs |
same!     | max_prompt_length          | max_length             | max_length             | data.max_prompt_length         | data.max_prompt_length |
same!     | max_completion_length      | max_completion_length  | max_completion_length  | data.max_response_length       | data.max_response_length |
same!     | temperature                | temperature            | temperature            | A.rollout.temperature          | W.rollout.temperature |
same!     | top_p                      | top_p                  | top_p                  | A.rollout.top_p                | W.rollout.top_p |
top_k!    | top_k                      | top_k                  | top_k                  | A.rollout.top_k                | W.rollout.top_k |
same!     | beta                       | beta                   | beta                   | A.actor.kl_loss_coef           | algorithm.kl_coef |
same!     | epsilon                    | epsilon                | epsilon                | A.actor.clip_ratio_low         | W.actor.clip_ratio_low |
high!    | epsilon_high               | epsilon_high           | epsilon_high           | A.actor.clip_ratio_high        | W.actor.clip_ratio_high |
loss!     | loss_type                  | loss_type              | loss_type              | A.actor.loss_agg_mode          | W.actor.loss_avg_mode |
scale!    | scale_rewards              | scale_rewards          | scale_rewards          | algorithm.norm_adv_by_std_in_grpo | - |
ratio!    | importance_sampling_level  | importance_sampling_level | importance_sampling_level | A.actor.policy_loss.loss_mode  | W.actor.loss_type |
same!     | learning_rate              | learning_rate          | lr                     | A.actor.optim.lr               | W.actor.optim.lr |
schedule! | lr_scheduler_type          | lr_scheduler_type      | lr_decay_style         | A.actor.optim.lr_scheduler_type A.actor.optim.warmup_style A.actor.optim.lr_decay_style | W.actor.optim.lr_scheduler_type W.actor.optim.warmup_style |
lowest!   | lr_scheduler_kwargs        | lr_scheduler_kwargs    | min_lr                 | A.actor.optim.min_lr A.actor.optim.min_lr_ratio | W.actor.optim.min_lr_ratio |
share     | warmup_ratio               | warmup_ratio           | lr_warmup_fraction     | A.actor.optim.lr_warmup_steps_ratio | W.actor.optim.lr_warmup_ratio |
warmup    | warmup_steps               | warmup_steps           | lr_warmup_iters        | A.actor.optim.lr_warmup_steps  | W.actor.optim.lr_warmup_steps |
same!     | weight_decay               | weight_decay           | weight_decay           | A.actor.optim.weight_decay     | W.actor.optim.weight_decay |
same!     | max_grad_norm              | max_grad_norm          | clip_grad              | A.actor.grad_clip              | W.actor.max_grad_norm |
first!   | adam_beta1                 | adam_beta1             | adam_beta1             | A.actor.optim.betas            | W.actor.optim.betas |
second!  | adam_beta2                 | adam_beta2             | adam_beta2             | A.actor.optim.betas            | W.actor.optim.betas |
same      | shuffle_dataset            | dataset_shuffle        | dataset_shuffle        | data.shuffle                   | data.shuffle |
same      | adam_epsilon               | adam_epsilon           | adam_eps               | -                              | - |
epochs!   | num_train_epochs           | num_train_epochs       | num_train_epochs max_epochs | trainer.total_epochs           | trainer.total_epochs trainer.total_episodes |
total     | max_steps                  | max_steps              | train_iters            | trainer.total_training_steps   | trainer.max_steps |
updates   | save_steps                 | save_steps             | save_steps save_interval | trainer.save_freq              | trainer.save_freq |
updates   | eval_steps                 | eval_steps             | eval_steps eval_interval | trainer.test_freq              | trainer.val_freq |
updates   | logging_steps              | logging_steps          | logging_steps log_interval | -                              | - |
same      | output_dir                 | output_dir             | output_dir save        | trainer.default_local_dir      | trainer.save_checkpoint_path |
same      | save_total_limit           | save_total_limit       | save_total_limit       | trainer.max_actor_ckpt_to_keep | trainer.save_limit |
loggers   | report_to                  | report_to              | report_to              | trainer.logger                 | trainer.logger |
same      | run_name                   | run_name               | wandb_exp_name         | trainer.experiment_name        | trainer.experiment_name |
same!     | gradient_checkpointing     | gradient_checkpointing | -                      | A.model.enable_gradient_checkpointing | W.actor.model.enable_gradient_checkpointing |
tuner!    | use_peft                   | tuner_type train_type  | tuner_type train_type  | -                              | - |
lora!     | lora_r                     | lora_rank              | lora_rank              | A.model.lora_rank              | W.actor.model.lora.rank |
lora!     | lora_alpha                 | lora_alpha             | lora_alpha             | A.model.lora_alpha             | W.actor.model.lora.alpha |
modules!  | lora_target_modules        | target_modules         | target_modules         | A.model.target_modules         | W.actor.model.lora.target_modules |
lora      | lora_modules_to_save       | modules_to_save        | modules_to_save        | -                              | - |
same!     | vllm_gpu_memory_utilization | vllm_gpu_memory_utilization | vllm_gpu_memory_utilization | A.rollout.gpu_memory_utilization | W.rollout.gpu_memory_utilization |
same!     | vllm_tensor_parallel_size  | vllm_tensor_parallel_size | vllm_tensor_parallel_size | A.rollout.tensor_model_parallel_size | W.rollout.tensor_parallel_size |
same      | vllm_max_model_length vllm_max_model_len | vllm_max_model_len     | vllm_max_model_len     | A.rollout.max_model_len        | W.rollout.max_model_len |
same!     | vllm_server_host           | vllm_server_host       | vllm_server_host       | -                              | - |
same      | vllm_server_port           | vllm_server_port       | vllm_server_port       | -                              | - |
same      | vllm_server_base_url       | vllm_server_base_url   | vllm_server_base_url   | -                              | - |
same      | vllm_group_port            | vllm_server_group_port | vllm_server_group_port | -                              | - |
sleep     | vllm_enable_sleep_mode     | sleep_level            | sleep_level            | A.rollout.free_cache_engine    | - | how deep the engine sleeps differs
mode!     | vllm_mode                  | vllm_mode              | vllm_mode              | -                              | - |
engine!   | use_vllm                   | use_vllm               | use_vllm               | A.rollout.name                 | W.rollout.name |
deepspeed | deepspeed                  | deepspeed              | -                      | -                              | - |
"""

# Rows and settings that mean more than their value.
LONGEST_COMPLETION, KL_WEIGHT = "max_completion_length", "beta"  # titles of rows
USES_ENGINE, ENGINE_MODE, ENGINE_SLEEPS, ENGINE_MEMORY = (
    "use_vllm", "vllm_mode", "vllm_enable_sleep_mode", "vllm_gpu_memory_utilization",
)  # fmt: skip
SERVER_HOST = "vllm_server_host"
SERVER_ADDRESSES = frozenset((SERVER_HOST, "vllm_server_base_url"))
ADAPTER_RANK = "lora_r"


def is_parallel_size(name: str) -> bool:
    """Whether a setting spreads a model over processes, under one name in all releases of its framework."""
    return name.endswith("_model_parallel_size") or name in _OF_MEGATRON


_OF_MEGATRON = ("context_parallel_size", "expert_tensor_parallel_size", "sequence_parallel")


# Fields whose defaults read otherwise and say the same: the trainer sets them, or both mean no.
_ALIKE_BY_DEFAULT = frozenset(("remove_unused_columns", "include_num_input_tokens_seen", "eval_strategy"))

# Names that several frameworks have for different settings: of other units, or about something else.
_UNLIKE = frozenset(
    "group_by_length label_names local_rank optim_args ddp_timeout callbacks debug env ENV use_ray".split()
)

# The value of a setting that is not written, where the catalogue only says that the framework chooses.
CHOSEN: "Mapping[tuple[str, str], object]" = {
    **further.CHOSEN,
    ("swift", "beta"): 0.04,
    ("swift", "loss_type"): "grpo",
    ("swift", "scale_rewards"): "group",
    ("megatron", "beta"): 0.04,
    ("megatron", "loss_type"): "grpo",
    ("megatron", "scale_rewards"): "group",
    ("verl", "adam_beta1"): 0.9,
    ("verl", "adam_beta2"): 0.999,
    ("easyr1", "adam_beta1"): 0.9,
    ("easyr1", "adam_beta2"): 0.999,
    ("easyr1", "scale_rewards"): "group",
    ("easyr1", "vllm_enable_sleep_mode"): True,
}
# What a release does that has no setting for it yet, by the names of TRL.
BEFORE_THE_SETTING: "Mapping[str, object]" = {
    "loss_type": "grpo",
    "scale_rewards": "group",
    "importance_sampling_level": "token",
    "num_iterations": 1,
    "epsilon": 0.2,
    "epsilon_high": 0.2,
}
# The row whose value such a setting takes.
FOLLOWS = {"epsilon_high": "epsilon"}

# {(framework, setting of another one): what to do instead}, where no setting there means the same
LACKS: "Mapping[tuple[str, str], str]" = {
    **further.LACKS,
    ("megatron", "per_device_eval_batch_size"): "evaluation takes micro_batch_size",
    ("megatron", "eval_strategy"): "it evaluates every eval_steps where there is a validation set",
    (
        "megatron",
        "gradient_checkpointing",
    ): "recompute_granularity says which activations are computed again: selective or full",
    ("megatron", "deepspeed"): "the model is spread by tensor, pipeline and context parallel sizes: --tp, --pp, --cp",
    ("verl", "eval_strategy"): "trainer.test_freq says when, and -1 switches it off",
    ("verl", "vllm_mode"): "the engine shares the GPUs, unless another entry point is started",
    (
        "verl",
        "reward_funcs",
    ): "reward.custom_reward_function names a file and a function, or the data says which reward is its own",
    ("verl", "deepspeed"): "FSDP shards the model: actor_rollout_ref.actor.fsdp_config",
    ("easyr1", "eval_strategy"): "trainer.val_freq says when, and -1 switches it off",
    ("easyr1", "vllm_mode"): "the engine shares the GPUs",
    ("easyr1", "reward_funcs"): "worker.reward.reward_function names a file and a function: reward.py:compute_score",
    ("easyr1", "deepspeed"): "FSDP shards the model: worker.actor.fsdp",
    ("easyr1", "scale_rewards"): "advantages are always divided by the deviation of their group",
    ("trl", "external_plugins"): "a reward of your own is named by its path of Python: my_module.my_reward",
    ("trl", "val_dataset"): "dataset_test_split names the split that is evaluated on",
}

# {framework: its setting that enables LoRA}
ALWAYS: "Mapping[str, Mapping[str, object]]" = {
    "trl": {},
    "swift": {"rlhf_type": "grpo"},
    "megatron": {"rlhf_type": "grpo"},
    "verl": {"algorithm.adv_estimator": "grpo"},
    "easyr1": {"algorithm.adv_estimator": "grpo"},
    **{name: {} for name in further.FRAMEWORKS},
}
# The frameworks whose intervals and total are counted in rollouts; the others count updates of the weights.
_OF_ROLLOUTS = ("verl", "easyr1", *further.FRAMEWORKS)
_SWIFTS = ("swift", "megatron")  # of one package
_VERLS = ("verl", "easyr1")  # both are started by a command, read data files, and have value names of their own
_ENGINE_BY_NAME = (*_VERLS, "nemo-rl")

# Settings that choose the trainer; elsewhere the program does.
TRAINERS = frozenset(("rlhf_type", "algorithm.adv_estimator"))
_SAID_BY_OTHERS = further.SAID_BY_OTHERS.union(
    (
        *(f"actor_rollout_ref.{name}" for name in ("actor.use_kl_loss", "actor.clip_ratio", "rollout.mode")),
        *("algorithm.use_kl_loss", "algorithm.disable_kl"),
    )
)
# How a copy of the model is spread over processes: the shape of the batch says it.
SPREAD = parallel_names.NAMES
_BATCH = ("size", "update", "reuse")  # kinds that the shape of the batch decides
# Settings of verl that the shape decides as well.
_ALSO_BATCH = further.ALSO_BATCH.union(("trainer.n_gpus_per_node", "trainer.nnodes", "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu",
                         "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu", "worker.actor.micro_batch_size_per_device_for_experience"))  # fmt: skip

# {framework: {its value name: that of TRL and ms-swift}}
_LOSSES: "_Words" = {
    "verl": {"seq-mean-token-mean": "grpo", "token-mean": "dapo", "seq-mean-token-sum-norm": "dr_grpo"},
    "easyr1": {"seq": "grpo", "token": "dapo"},
    **further.LOSSES,
}
_LEVELS: "_Words" = {
    "verl": {"vanilla": "token", "gspo": "sequence"},
    "easyr1": {"default": "token", "gspo": "sequence"},
    **further.LEVELS,
}
_SCALES: "_Words" = {"verl": {True: "group", False: "none"}, **further.SCALES}
_REWARDS = {"accuracy_reward": "accuracy"}  # both compare with math_verify
_WITH_A_LOWEST = "cosine_with_min_lr"
_SCHEDULES = ("constant", "linear", "cosine")
_NAMED_BY_TRANSFORMERS = frozenset(("trl", "swift", "openrlhf"))  # their schedules


class CannotSay(Telling):
    """A value has no counterpart, or no known one; the message says why."""


class Row:
    """One quantity: its `kind`, {framework: its names, the newest first}, what to review after a conversion, and
    whether it decides what is learnt."""

    def __init__(self, kind: str, names: "dict[str, tuple[str, ...]]", look_at: str = "") -> None:
        self.kind = kind.rstrip("!")
        self.decides = kind.endswith("!")
        self.look_at = look_at
        self.names = names

    @property
    def is_of_the_batch(self) -> bool:
        return self.kind in _BATCH

    @property
    def title(self) -> str:
        """The name of the row: its newest name in the first framework that has one."""
        return next(names[0] for names in self.names.values() if names)

    def follows(self) -> "Row | None":
        """The row whose value this one takes where it is not set."""
        return row_named(FOLLOWS[self.title]) if self.title in FOLLOWS else None

    def name(self, framework: str, has: "Callable[[str], bool]") -> "str | None":
        """Its name in a release; None where the release has none."""
        return next((name for name in self.names[framework] if has(name)), None)


def _in_full(name: str) -> str:
    """The full name of a name in the table."""
    return _SHORT.get(name[:2], name[:2]) + name[2:]


_SHORT = {"A.": "actor_rollout_ref.", "W.": "worker.", **further.SHORT}


def _names(columns: "Iterable[str]", frameworks: "Sequence[str]") -> "dict[str, tuple[str, ...]]":
    """{framework: its names} of the cells of a row."""
    cells = (tuple(_in_full(name) for name in each.split() if name != "-") for each in columns)
    return dict(zip(frameworks, cells))


def _rows() -> "Iterator[Row]":
    beside = {}
    for line in further.ROWS.strip().splitlines():
        title, *columns = line.split("|")
        beside[title.strip()] = _names(columns, further.FRAMEWORKS)
    for line in _ROWS.strip().splitlines():
        kind, *columns, look_at = line.split("|")
        names = _names(columns, _COLUMNS)
        more = beside.get(names[FRAMEWORKS[0]][0], dict.fromkeys(further.FRAMEWORKS, ()))
        yield Row(kind.strip(), {**names, **more}, look_at.strip())
    for line in further.ROWS_OF_OTHERS.strip().splitlines():
        kind, *columns = line.split("|")
        yield Row(kind.strip(), {"trl": (), "swift": (), **_names(columns, FRAMEWORKS[2:])})


ROWS = tuple(_rows())


def row_named(title: str) -> Row:
    """The row with a title."""
    return next(row for row in ROWS if row.title == title)


def rows_of(name: str, framework: str) -> "list[Row]":
    """The rows that hold a setting of a framework; it may be a list of what two settings are elsewhere."""
    return [row for row in ROWS if name in row.names[framework]]


def row_of(name: str, framework: str) -> "Row | None":
    """The first row that holds a setting of a framework."""
    return next(iter(rows_of(name, framework)), None)


def defaults_that_differ(
    pair: "Pair", ours: "Fields", theirs: "Fields", written: "Collection[str]"
) -> "Iterator[tuple[str, object, object]]":
    """(setting, its default, the other one) of what both frameworks know under one name, and no row decides. `written`:
    settings that the run sets."""
    for name in sorted(ours.names()):
        field, other = ours[name], theirs[name]
        row = row_of(name, pair.source)
        if row is not None and (row.decides or row.is_of_the_batch or name not in row.names[pair.target]):
            continue
        if field is None or other is None or name in written or name in _ALIKE_BY_DEFAULT:
            continue
        if not means_the_same(name, pair.source, pair.target) or None in (field.default, other.default):
            continue
        if field.default not in (other.default, [other.default], "", []) and [field.default] != other.default:
            yield name, field.default, other.default


def is_of_the_batch(name: str) -> bool:
    """Whether a setting without a row is computed anew with the batch."""
    return name in _ALSO_BATCH or name in SPREAD


def means_the_same(name: str, source: str, target: str) -> bool:
    """Whether a name without a row has one meaning in two frameworks, if both know it."""
    if {source, target} == {"megatron", "slime"} and name.startswith(_OF_MEGATRON_CORE):
        return True
    return source == target or (source in FAMILY and target in FAMILY and name not in _UNLIKE)


# The beginnings of flags that Megatron-SWIFT and slime hand on to Megatron-Core under its names.
_OF_MEGATRON_CORE = (
    "moe_",
    "attention_",
    "overlap_",
    "cross_entropy_",
    "mtp_",
    "optimizer_cpu_",
    "use_precision_aware",
    "accumulate_",
)


class Pair:
    """The conversion from one framework to another; `updates`: for how many updates a rollout is used in the target, in
    its names; `now`: the value that a row has in the run, by its title; `sharers`: GPUs that share a sequence; `are_shares`: whether the
    lowest learning rate is a share of the highest, in the source and in the target."""

    def __init__(
        self,
        source: str,
        target: str,
        updates: int,
        now: "Callable[[str], object]" = lambda title: None,
        sharers: int = 1,
        are_shares: "tuple[bool, bool]" = (False, False),
    ) -> None:
        self.are_shares = are_shares
        self.source = source
        self.target = target
        self.updates = updates
        self.now = now
        self.sharers = sharers

    @property
    def is_of_one_package(self) -> bool:
        """Whether both belong to one package, with the same names of data, rewards and engines."""
        return {self.source, self.target} <= {*_SWIFTS}

    @property
    def takes_rows_by_name(self) -> bool:
        """Whether `name#1000` means 1000 rows of a data set in both."""
        return self.is_of_one_package or self.source == self.target

    def replaces_steps_of_warmup(self, release: "tuple[int, ...]") -> bool:
        """Whether a release of the target takes a share of 0 in place of a warm-up in steps, and the source does not."""
        return self.target == "swift" != self.source and release >= (4, 5)

    def value(self, kind: str, value: object, type: str) -> object:
        """A value of a row of this kind as the other framework writes it, for a field of this type. Raises
        CannotSay."""
        change = _CHANGES.get(kind) if self.source != self.target or kind == "high" else None
        return _of_type(change(self, value) if change else value, type)

    def _updates(self, value: object) -> object:
        """A number of updates of the weights; verl counts rollouts."""
        if type(value) is float and value.is_integer():
            value = int(value)
        if self.source in _OF_ROLLOUTS and whole_number(value):
            value = (whole_number(value) or 0) * self.updates
        if self.target not in _OF_ROLLOUTS or self.updates == 1:
            return value
        count = whole_number(value)
        if count and count % self.updates == 0:
            return count // self.updates
        raise CannotSay(
            Message(
                "{value} updates are no whole number of rollouts, each of which is used for {updates}",
                {"value": value, "updates": self.updates},
            )
        )

    def _total(self, value: object) -> object:
        """A number of updates for the whole run, of which none or a negative one means that nothing is said."""
        count = whole_number(value)
        if count is not None and count <= 0 and self.target in further.FRAMEWORKS:
            raise CannotSay(Message("it is not set"))
        return self._updates(value)

    def _warmup(self, value: object) -> object:
        if type(value) is float and 0 < value < 1:
            raise CannotSay(Message("a share of the run where a number of steps belongs"))
        if "slime" not in (self.source, self.target):
            return self._updates(value)
        of_updates = Pair(
            "trl" if self.source == "slime" else self.source,
            "trl" if self.target == "slime" else self.target,
            self.updates,
        )
        return of_updates._updates(value)

    def _top_k(self, value: object) -> object:
        if value in (None, 0, -1):
            return {"trl": 0, "nemo-rl": None}.get(self.target, -1)
        return value

    def _scale(self, value: object) -> object:
        if self.source not in _SCALES and type(value) is bool:
            value = "group" if value else "none"
        return self._by(_SCALES, value)

    def _one_of_two(self, value: object, at: int, other: str) -> object:
        """One of two numbers that some frameworks have in a list; `other`: the title of the row of the other one."""
        is_list = type(value) is list and len(value) == 2
        if self.target in further.WITH_LISTS and is_list:
            return value
        value = value[at] if type(value) is list and is_list else value
        if self.target not in further.WITH_LISTS:
            return value
        beside = self.now(other)
        beside = beside[1 - at] if type(beside) is list and len(beside) == 2 else beside
        if beside is None:
            raise CannotSay(Message("the other of the two numbers is not known"))
        return [value, beside] if at == 0 else [beside, value]

    def _high(self, value: object) -> object:
        ends = value if type(value) is list and len(value) == 2 else [self.now("epsilon"), value]
        return ends if self.target == "openrlhf" else ends[1]

    def _by(self, table: "_Words", value: object) -> object:
        """The target's name of a value, by its name in TRL and ms-swift."""
        value = value[0] if type(value) is list and len(value) == 1 else value
        if self.source in table:
            value = self._of(table[self.source], value)
        if self.target in table:
            value = self._of({ours: theirs for theirs, ours in table[self.target].items()}, value)
        return value

    @staticmethod
    def _of(table: "Mapping[object, object]", value: object) -> object:
        if type(value) not in (str, bool) or value not in table:
            raise CannotSay(Message("there is no {value}", {"value": value}))
        return table[value]

    def _schedule(self, value: object) -> object:
        if {self.source, self.target} <= {"trl", "swift"}:
            return value
        if (
            value in ("cosine", _WITH_A_LOWEST)
            and self.now(further.LOWEST_RATE)
            and self.target in _NAMED_BY_TRANSFORMERS
        ):
            return _WITH_A_LOWEST
        value = "cosine" if value == _WITH_A_LOWEST else value
        if {self.source, self.target} <= _NAMED_BY_TRANSFORMERS and value in (*_SCHEDULES, "constant_with_warmup"):
            return value
        value = "constant" if value == "constant_with_warmup" else value
        if value not in _SCHEDULES or (value == "linear" and self.target in _VERLS):
            raise CannotSay(Message("there is no schedule {value}", {"value": value}))
        if value == "constant" and self.target in _NAMED_BY_TRANSFORMERS:
            return "constant_with_warmup"
        return value

    def _lowest(self, value: object) -> object:
        """The learning rate at the end of a schedule: a rate, a share of the highest, or either in a mapping of transformers."""
        if {self.source, self.target} <= {"trl", "swift"}:
            return value
        is_share, as_share = self.are_shares
        if type(value) is dict:
            is_share = "min_lr_rate" in value
            value = value.get("min_lr_rate") if is_share else value.get("min_lr")
        if type(value) not in (int, float):
            raise CannotSay(Message("no lowest learning rate is in it"))
        rate, found = self.now("learning_rate"), float(value)  # type: ignore[arg-type]  # a number
        if found and is_share != as_share:
            if type(rate) is not float or rate <= 0:
                raise CannotSay(Message("the learning rate of which it is a share is not known"))
            found = float(f"{found * rate if is_share else found / rate:.12g}")
        if self.target not in ("trl", "swift"):
            return found
        if not found:
            raise CannotSay(Message("schedules end at 0 there"))
        if self.now("lr_scheduler_type") not in ("cosine", _WITH_A_LOWEST):
            raise CannotSay(Message("the schedule of transformers ends at 0, but for the cosine"))
        return {"min_lr": found}

    def _tuner(self, value: object) -> object:
        lora = value if type(value) is bool else {"lora": True, "full": False}.get(str(value))
        if lora is None:
            raise CannotSay(Message("there is no {value}", {"value": value}))
        return lora if self.target == "trl" else "lora" if lora else "full"

    def _tokens(self, value: object) -> object:
        """The tokens of a micro batch on one GPU; NeMo-RL counts those of all that share a sequence."""
        count = whole_number(value)
        if count is None:
            raise CannotSay(Message("it is not set"))
        count = count // self.sharers if self.source == "nemo-rl" else count
        return count * self.sharers if self.target == "nemo-rl" else count

    def _rewards(self, value: object) -> object:
        names = value if type(value) is list else [value]
        if self.target == "trl":
            table = {theirs: ours for ours, theirs in _REWARDS.items()}
        else:
            table = _REWARDS if self.source == "trl" else {}
        return [table.get(name, name) if type(name) is str else name for name in names]

    def _data(self, value: object) -> object:
        names = value if type(value) is list else [value]
        if self.source == "nemo-rl" and value in further.HUB_NAMES and self.target != "nemo-rl":
            names = [further.HUB_NAMES[str(value)]]
        elif "nemo-rl" in (self.source, self.target):
            raise CannotSay(Message("NeMo-RL names a data set that it knows itself, or a file beside env"))
        if self._both_read(names):
            return names
        if "slime" in (self.source, self.target):
            raise CannotSay(Message("slime reads a file of JSON lines or of Parquet, and takes its columns by flags"))
        if "verl" in (self.source, self.target):
            raise CannotSay(Message("verl reads files of Parquet, and the others data sets by name"))
        if "easyr1" in (self.source, self.target):
            raise CannotSay(
                Message("EasyR1 names the split behind the data set, name@train, and the others the data set alone")
            )
        if self.target == "openrlhf":
            return ",".join([str(name).partition("#")[0] for name in names])
        if self.target == "trl":
            if len(names) != 1:
                raise CannotSay(Message("several data sets are listed under datasets there"))
            return str(names[0]).partition("#")[0].partition(":")[0]
        return names

    def _both_read(self, names: "list[object]") -> bool:
        """Whether a file of Parquet is read in both frameworks by its path."""
        return (
            {self.source, self.target} == {"verl", "slime"} and len(names) == 1 and str(names[0]).endswith(".parquet")
        )

    def _sleep(self, value: object) -> object:
        on = value if type(value) is bool else bool(whole_number(value))
        return int(on) if self.target in _SWIFTS else on

    def _loggers(self, value: object) -> object:
        names = [name for name in (value if type(value) is list else [value]) if name not in ("none", None, "console")]
        if self.target in _VERLS:
            return ["console", *names]
        return names or (["none"] if self.target == "trl" else ["tensorboard"])

    def _engine(self, value: object) -> object:
        if value == "sglang" and self.target == "nemo-rl" != self.source:
            raise CannotSay(Message("policy.generation.sglang_cfg says how SGLang runs; vLLM does in the example"))
        if self.source in _ENGINE_BY_NAME and self.target in _ENGINE_BY_NAME:
            return value
        if self.target in _ENGINE_BY_NAME:
            if value is not True:
                raise CannotSay(Message("its rollouts are made by an engine"))
            return "vllm"
        if self.source in _ENGINE_BY_NAME:
            if value not in ("vllm", "sglang"):
                raise CannotSay(Message("{engine} makes its rollouts, and vLLM those of the other", {"engine": value}))
            return True  # vLLM takes the place of SGLang
        if self.target == "megatron" and value is not True:
            raise CannotSay(Message("its rollouts are always made by vLLM"))
        return value

    def _epochs(self, value: object) -> object:
        if self.target not in ("trl", "swift") and type(value) is float:
            if not value.is_integer():
                raise CannotSay(Message("epochs are a whole number there"))
            return int(value)
        return value

    def _deepspeed(self, value: object) -> object:
        if self.target == "trl" and type(value) is str and not value.endswith(".json"):
            raise CannotSay(Message("a configuration of ms-swift's own; name a file, or say it to accelerate"))
        return value

    def _modules(self, value: object) -> object:
        if self.target == "nemo-rl" and value in ("all-linear", ["all-linear"]):
            raise CannotSay(Message("match_all_linear is on there, and takes all linear layers"))
        return value

    def _dtype(self, value: object) -> object:
        if value == "auto" and self.target != "trl":
            raise CannotSay(Message("that of the model is taken where nothing is said"))
        return value.removeprefix("torch.") if type(value) is str else value


_CHANGES: "dict[str, Callable[[Pair, object], object]]" = {
    "updates": Pair._updates, "total": Pair._total, "first": lambda pair, value: pair._one_of_two(value, 0, "adam_beta2"),
    "second": lambda pair, value: pair._one_of_two(value, 1, "adam_beta1"), "high": Pair._high, "warmup": Pair._warmup, "top_k": Pair._top_k, "loss": lambda pair, value: pair._by(_LOSSES, value), "ratio": lambda pair, value: pair._by(_LEVELS, value),
    "scale": Pair._scale, "schedule": Pair._schedule, "lowest": Pair._lowest, "tuner": Pair._tuner, "rewards": Pair._rewards, "data": Pair._data,
    "sleep": Pair._sleep, "engine": Pair._engine, "epochs": Pair._epochs, "deepspeed": Pair._deepspeed, "modules": Pair._modules, "loggers": Pair._loggers, "dtype": Pair._dtype, "tokens": Pair._tokens, "estimate": lambda pair, value: pair._by(further.ESTIMATES, value),
}  # fmt: skip


def _of_type(value: object, type_: str) -> object:
    """A value for a field that accepts a list, or the only item of a list for one that does not. Raises CannotSay where
    neither fits."""
    kind = type_.rstrip("?")
    takes_list = "list" in kind or "pair" in kind
    if takes_list and type(value) is not list and value is not None and not kind.startswith("str|"):
        return [value]
    if not takes_list and type(value) is list and kind in ("str", "int", "float", "bool"):
        if len(value) != 1:
            raise CannotSay(Message("one value where {count} are given", {"count": len(value)}))
        return value[0]
    if kind == "int" and type(value) is float:
        if not value.is_integer():
            raise CannotSay(Message("it is a whole number there"))
        return int(value)
    return value


def trains_lora(framework: str, value: "Callable[[str], object]", has: "Callable[[str], bool]") -> "bool | None":
    """Whether LoRA is trained; None where it is unknown. `value` gives the value of a setting, including its default,
    and `has` whether the release knows the setting."""
    if framework in further.FRAMEWORKS:
        return further.trains_lora(framework, value)
    if framework in _VERLS:
        rank = row_named("lora_r").name(framework, has)
        found = 0 if rank is None else value(rank)
        return bool(found) if type(found) is int else None
    row = next(row for row in ROWS if row.kind == "tuner")
    tuner = next((each for name in row.names[framework] if (each := value(name)) is not None), None)
    return tuner if type(tuner) is bool else None if tuner is None else tuner == "lora"


def has_a_lowest(target: str, now: "Callable[[str], object]", lowest: object) -> bool:
    """Whether a lowest learning rate that nobody wrote has to be: of a schedule that falls, and ends at 0 where nothing is said."""
    falls = now("lr_scheduler_type") not in ("constant", "constant_with_warmup")
    return falls and not (target in ("trl", "swift") and lowest == 0)


def remark_on(row: Row, pair: Pair) -> Message:
    """What is to be looked at when a setting of a row is carried over between two frameworks."""
    if row.title == "max_prompt_length" and (pair.source in _SWIFTS) != (pair.target in _SWIFTS):
        return Message("max_length of ms-swift may count what a chat template adds")
    return NOTHING if pair.is_of_one_package or not row.look_at else Message(row.look_at)


_SHARDS_THERE: "Mapping[str, tuple[str, Message]]" = {
    "trl": ("accelerate launch", Message("--config_file names a file for accelerate with FSDP or DeepSpeed ZeRO-3")),
    "swift": ("deepspeed", Message("zero3, or fsdp, shards it")),
    "megatron": ("tensor_model_parallel_size", Message("--tp and --pp spread it")),
    "openrlhf": ("zero_stage", Message("stage 3 shards it")),
    "slime": ("tensor_model_parallel_size", Message("the flags of Megatron's parallel sizes spread it")),
}


def unsharded(source: str, target: str, value: "Callable[[str], object]") -> "tuple[str, Message, Message] | None":
    """(setting, who shards the model, how the other framework does) where one framework spreads the model over its processes unless
    told otherwise, and the other one only when it is told to. `value` gives that of a setting, its default included."""
    if target not in _SHARDS_THERE or source == target:
        return None
    size = value(_SIZE_OF_A_SHARD[source]) if source in _SIZE_OF_A_SHARD else 1
    by = NOTHING
    if source == "easyr1" or (source == "verl" and value("actor_rollout_ref.actor.strategy") in ("fsdp", "fsdp2")):
        by = NOTHING if size in (0, 1) else verbatim("FSDP")
    elif source in ("nemo-rl", "openrlhf"):
        by = further.sharded_by(source, value)
    elif source in _MEGATRON_SIZES:
        sizes = [value(f"{_MEGATRON_SIZES[source]}{kind}_model_parallel_size") for kind in ("tensor", "pipeline")]
        is_spread = any(type(each) is int and each > 1 for each in sizes)
        by = Message("tensor and pipeline parallel sizes") if is_spread else NOTHING
    return (_SHARDS_THERE[target][0], by, _SHARDS_THERE[target][1]) if by else None


_SIZE_OF_A_SHARD = {"verl": "actor_rollout_ref.actor.fsdp_config.fsdp_size", "easyr1": "worker.actor.fsdp.fsdp_size"}
_MEGATRON_SIZES = {"megatron": "", "slime": "", "verl": "actor_rollout_ref.actor.megatron."}


def is_said_by_others(name: str) -> bool:
    """Whether the meaning of a setting is carried by the choice of the program, or by other converted settings."""
    return name in TRAINERS or name in _SAID_BY_OTHERS


_KL_IN_THE_LOSS = {"verl": "actor_rollout_ref.actor.use_kl_loss", "easyr1": "algorithm.use_kl_loss"}


def switches_of(
    source: str, target: str, algorithm: str, value: "Callable[[str], object]", name_of: "Callable[[Row], str | None]"
) -> "Iterator[tuple[str, object, Message, Message]]":
    """(setting, value, why, what to review) where one framework has a switch and the other a number or a choice. These
    replace the converted settings. `name_of` gives the name of a row in the other framework."""
    if source not in FAMILY and source != target:
        yield from _switch_of_the_kl_term(source, value, name_of(row_named("beta")))
    low, name = further.clipped_apart(source, value), name_of(row_named("epsilon"))
    if low is not None and name and source != target:
        yield name, low, Message("the lower end of eps_clip_low_high"), NOTHING
    if algorithm == "rloo" and source != target and target not in further.FRAMEWORKS:
        name = "algorithm.adv_estimator" if target in _VERLS else "advantage_estimator"
        look_at = Message("TRL's RLOO takes the KL term into the reward, and does not normalise advantages by default")
        yield name, "rloo", Message("RLOO is a choice of its advantages"), look_at


def _switch_of_the_kl_term(
    source: str, value: "Callable[[str], object]", coefficient: "str | None"
) -> "Iterator[tuple[str, object, Message, Message]]":
    by_name = _KL_IN_THE_LOSS.get(source)
    in_loss = value(by_name) if by_name else further.kl_is_in_the_loss(source, value)
    off = value("algorithm.disable_kl") is True
    if coefficient and (off or in_loss is False):
        why = Message("disable_kl is on") if off else Message("use_kl_loss is off")
        yield coefficient, 0.0, why, NOTHING if off else _kl_in_the_reward(source)


def _kl_in_the_reward(source: str) -> Message:
    if source in ("easyr1", "nemo-rl", "openrlhf"):
        return Message(
            "the source takes the KL term into the reward where it is not in the loss, and this is the one in the loss"
        )
    return NOTHING


def companions_of(source: str, target: str, values: "Mapping[str, object]") -> "Iterator[tuple[str, object, Message]]":
    """(setting, value, why) of what the other framework needs besides the rows. `values`: the settings of the result so
    far."""
    if source == "trl" and target in ("swift", "megatron") and "dataset" in values:
        yield (
            "use_hf",
            True,
            Message("TRL finds data sets and models on Hugging Face, ms-swift on ModelScope unless this is on"),
        )
    if target in ("swift", "megatron") and values.get("fp16") is True and "torch_dtype" not in values:
        yield (
            "torch_dtype",
            "float16",
            Message("ms-swift takes the type of the model where none is named, and refuses fp16 beside bf16"),
        )
    yield from _engine_beside(source, target, values)
    if target in _NEEDED:
        yield from _NEEDED[target](values)
    if source != target:
        yield from further.needed(source, target, values)


def _engine_beside(source: str, target: str, values: "Mapping[str, object]") -> "Iterator[tuple[str, object, Message]]":
    """Where the engine is, which a framework of TRL's family has to be told."""
    by_sglang = source == "slime" and target in ("trl", "swift")
    if by_sglang:
        yield "use_vllm", True, Message("slime makes its rollouts by SGLang, and here vLLM is the engine")
    shares = target == "swift" or (target == "trl" and source not in FAMILY)
    if target == "megatron" or (shares and (by_sglang or values.get("use_vllm") is True)):
        yield "vllm_mode", "colocate", Message("vLLM makes its rollouts in the training processes")


def _needed_by_easyr1(values: "Mapping[str, object]") -> "Iterator[tuple[str, object, Message]]":
    in_loss = bool(values.get("algorithm.kl_coef"))
    yield "algorithm.disable_kl", not in_loss, Message("beta says whether there is a KL term")
    if in_loss:
        yield "algorithm.use_kl_loss", True, Message("the KL term in the loss, as beta switches it on")
        yield "algorithm.kl_penalty", "low_var_kl", Message("the estimate of the KL term that the others take")
    yield "worker.actor.dynamic_batching", False, Message("micro batches of so many completions, not of so many tokens")


def _needed_by_verl(values: "Mapping[str, object]") -> "Iterator[tuple[str, object, Message]]":
    coefficient = values.get("actor_rollout_ref.actor.kl_loss_coef")
    yield (
        "actor_rollout_ref.actor.use_kl_loss",
        bool(coefficient),
        Message("the KL term in the loss, as beta switches it on"),
    )
    yield "actor_rollout_ref.rollout.name", "vllm", Message("its rollouts are made by an engine")
    clip = values.get("actor_rollout_ref.actor.clip_ratio_low")
    if clip is not None:
        yield "actor_rollout_ref.actor.clip_ratio", clip, Message("what the lower and the upper clip are given besides")


_NEEDED = {"easyr1": _needed_by_easyr1, "verl": _needed_by_verl}
