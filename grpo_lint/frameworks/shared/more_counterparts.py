"""The counterparts of frameworks whose settings are in sections or flags of their own, beside the table of `counterparts`:
their names, and what such a framework needs besides."""

from ...message import NOTHING, Message, verbatim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Iterator, Mapping

    Needed = Iterator[tuple[str, object, Message]]


FRAMEWORKS = ("nemo-rl", "openrlhf", "slime")

# title of a row | names in NeMo-RL, DTensor's before Megatron's | in OpenRLHF, the newest first | in slime
ROWS = """
model_name_or_path          | policy.model_name                       | actor.model_name_or_path pretrain                    | hf_checkpoint
dataset_name                | data.train.dataset_name data.dataset_name | data.prompt_dataset prompt_data                    | prompt_data
per_device_train_batch_size | policy.train_micro_batch_size           | train.micro_batch_size micro_train_batch_size        | micro_batch_size
gradient_accumulation_steps | policy.train_global_batch_size          | train.batch_size train_batch_size                    | global_batch_size
num_generations             | grpo.num_generations_per_prompt         | rollout.n_samples_per_prompt n_samples_per_prompt    | n_samples_per_prompt
steps_per_generation        | grpo.num_prompts_per_step               | rollout.batch_size rollout_batch_size                | rollout_batch_size num_steps_per_rollout
generation_batch_size       | grpo.num_prompts_per_step               | rollout.batch_size rollout_batch_size                | rollout_batch_size num_steps_per_rollout
num_iterations              | -                                       | train.max_epochs max_epochs                          | -
max_prompt_length           | data.max_input_seq_length               | prompt_max_len                                       | rollout_max_prompt_len
max_completion_length       | G.max_new_tokens                        | rollout.max_new_tokens max_new_tokens generate_max_len | rollout_max_response_len
temperature                 | G.temperature                           | rollout.temperature temperature                      | rollout_temperature
top_p                       | G.top_p                                 | rollout.top_p top_p                                  | rollout_top_p
top_k                       | G.top_k                                 | -                                                    | rollout_top_k
beta                        | loss_fn.reference_policy_kl_penalty     | algo.kl.init_coef init_kl_coef                       | kl_loss_coef
epsilon                     | loss_fn.ratio_clip_min                  | actor.eps_clip eps_clip                              | eps_clip
epsilon_high                | loss_fn.ratio_clip_max                  | actor.eps_clip_low_high eps_clip_low_high            | eps_clip_high
loss_type                   | loss_fn.token_level_loss                | actor.loss_agg_mode                                  | calculate_per_token_loss
scale_rewards               | grpo.normalize_rewards                  | algo.advantage.estimator advantage_estimator         | disable_grpo_std_normalization
importance_sampling_level   | loss_fn.sequence_level_importance_ratios | actor.policy_loss_type policy_loss_type             | advantage_estimator
learning_rate               | O.lr M.optimizer.lr                     | actor.adam.lr actor_learning_rate                    | lr
lr_scheduler_type           | M.scheduler.lr_decay_style              | actor.lr_scheduler                                   | lr_decay_style
warmup_ratio                | -                                       | actor.lr_warmup_ratio lr_warmup_ratio                | lr_warmup_fraction
warmup_steps                | M.scheduler.lr_warmup_iters             | -                                                    | lr_warmup_iters
weight_decay                | O.weight_decay M.optimizer.weight_decay | actor.adam.weight_decay l2                           | weight_decay
lr_scheduler_kwargs         | M.optimizer.min_lr                      | actor.min_lr_ratio                                   | min_lr
max_grad_norm               | policy.max_grad_norm                    | actor.max_norm max_norm                              | clip_grad
adam_beta1                  | O.betas M.optimizer.adam_beta1          | actor.adam.betas adam_betas                          | adam_beta1
adam_beta2                  | O.betas M.optimizer.adam_beta2          | actor.adam.betas adam_betas                          | adam_beta2
shuffle_dataset             | data.shuffle                            | -                                                    | rollout_shuffle
adam_epsilon                | O.eps M.optimizer.adam_eps              | actor.adam.eps                                       | adam_eps
num_train_epochs            | grpo.max_num_epochs                     | train.num_episodes num_episodes                      | num_epoch
max_steps                   | grpo.max_num_steps                      | -                                                    | num_rollout
save_steps                  | checkpointing.save_period               | ckpt.save_steps save_steps                           | save_interval
eval_steps                  | grpo.val_period                         | eval.steps eval_steps                                | eval_interval
logging_steps               | -                                       | logger.logging_steps logging_steps                   | -
output_dir                  | checkpointing.checkpoint_dir            | ckpt.output_dir save_path                            | save
save_total_limit            | -                                       | ckpt.max_num max_ckpt_num                            | -
run_name                    | logger.wandb.name                       | logger.wandb.run_name wandb_run_name                 | -
gradient_checkpointing      | D.activation_checkpointing M.activation_checkpointing | actor.gradient_checkpointing_enable gradient_checkpointing | -
lora_r                      | D.lora_cfg.dim                          | ds.lora.rank lora_rank                               | -
lora_alpha                  | D.lora_cfg.alpha                        | ds.lora.alpha lora_alpha                             | -
lora_target_modules         | D.lora_cfg.target_modules               | ds.lora.target_modules target_modules                | -
vllm_gpu_memory_utilization | G.vllm_cfg.gpu_memory_utilization| vllm.gpu_memory_utilization vllm_gpu_memory_utilization | -
vllm_tensor_parallel_size   | G.vllm_cfg.tensor_parallel_size| vllm.tensor_parallel_size vllm_tensor_parallel_size  | rollout_num_gpus_per_engine
vllm_max_model_length       | G.vllm_cfg.max_model_len| -                                                    | -
vllm_enable_sleep_mode      | -                                       | vllm.enable_sleep vllm_enable_sleep                  | -
use_vllm                    | G.backend                               | -                                                    | -
"""
# What TRL and ms-swift have no setting for: kind | Megatron-SWIFT | verl | EasyR1 | NeMo-RL | OpenRLHF | slime
ROWS_OF_OTHERS = """
same!     | -                         | A.actor.use_dynamic_bsz          | W.actor.dynamic_batching | policy.dynamic_batching.enabled | train.dynamic_batch_enable use_dynamic_batch | use_dynamic_batch_size
tokens!   | -                         | A.actor.ppo_max_token_len_per_gpu | -                   | policy.dynamic_batching.train_mb_tokens | train.max_tokens_per_gpu train_max_tokens_per_gpu | max_tokens_per_gpu
tokens    | -                         | A.rollout.log_prob_max_token_len_per_gpu | -            | policy.dynamic_batching.logprob_mb_tokens | - | log_probs_max_tokens_per_gpu
estimate! | -                         | A.actor.kl_loss_type             | algorithm.kl_penalty | loss_fn.reference_policy_kl_type | algo.kl.estimator kl_estimator | kl_loss_type
same!     | -                         | A.actor.entropy_coeff            | -                    | -                  | actor.entropy_coef entropy_loss_coef | entropy_coef
same      | -                         | data.prompt_key                  | data.prompt_key      | -                  | data.input_key input_key | input_key
same      | -                         | -                                | data.answer_key      | -                  | data.label_key label_key | label_key
same      | -                         | -                                | -                    | -                  | data.apply_chat_template apply_chat_template | apply_chat_template
same      | -                         | trainer.balance_batch            | -                    | -                  | - | balance_data
same      | recompute_granularity     | C.recompute_granularity          | -                    | -                  | - | recompute_granularity
same      | recompute_method          | C.recompute_method               | -                    | -                  | - | recompute_method
same      | recompute_num_layers      | C.recompute_num_layers           | -                    | -                  | - | recompute_num_layers
same      | recompute_modules         | C.recompute_modules              | -                    | -                  | - | -
"""
COUNTS_TOKENS, ESTIMATE = (
    "actor_rollout_ref.actor.use_dynamic_bsz",
    "actor_rollout_ref.actor.kl_loss_type",
)  # titles of rows
TOKENS = "actor_rollout_ref.actor.ppo_max_token_len_per_gpu"
LOWEST_RATE = "lr_scheduler_kwargs"  # the title of the row; trl and swift have it in a mapping
OF_ADAM = "actor_rollout_ref.actor.optim.betas"
# {framework: sizes of micro batches, which are not read where micro batches are counted in tokens}
NOT_IN_TOKENS = {
    "verl": (
        *(f"actor_rollout_ref.{each}.log_prob_micro_batch_size_per_gpu" for each in ("rollout", "ref")),
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
    ),
    "slime": ("micro_batch_size",),
}
SHORT = {
    "C.": "actor_rollout_ref.actor.megatron.override_transformer_config.",
    "G.": "policy.generation.", "O.": "policy.optimizer.kwargs.", "D.": "policy.dtensor_cfg.", "M.": "policy.megatron_cfg.",
}  # fmt: skip

# The value of what is not written, or has no setting there: by the name, or the title of the row.
CHOSEN: "Mapping[tuple[str, str], object]" = {
    ("nemo-rl", "policy.optimizer.kwargs.betas"): [0.9, 0.999],
    **{(name, LOWEST_RATE): 0.0 for name in ("trl", "swift", "verl", "easyr1")},  # the end of a schedule
    ("easyr1", "worker.actor.optim.min_lr_ratio"): 0.0,
    ("verl", "actor_rollout_ref.actor.optim.min_lr_ratio"): 0.0,
    ("openrlhf", LOWEST_RATE): 0.1,  # of releases that have no setting for either
    ("openrlhf", "lr_scheduler_type"): "cosine_with_min_lr",
    **{(name, ESTIMATE): "k3" for name in ("trl", "swift", "megatron")},
    ("verl", OF_ADAM): [0.9, 0.999],
    ("easyr1", "worker.actor.optim.betas"): [0.9, 0.999],
    ("openrlhf", "actor.entropy_coef"): 0.0,
    ("openrlhf", "entropy_loss_coef"): 0.0,
    ("nemo-rl", "num_iterations"): 1,
    ("nemo-rl", "vllm_enable_sleep_mode"): True,
    ("openrlhf", "loss_type"): "dapo",
    ("openrlhf", "top_k"): 0,
    ("openrlhf", "use_vllm"): True,
    ("openrlhf", "vllm_enable_sleep_mode"): True,
    ("slime", "num_iterations"): 1,
    ("slime", "vllm_enable_sleep_mode"): True,
}
# {a data set that NeMo-RL knows by a name of its own: its name on the hub}
HUB_NAMES = {
    "OpenMathInstruct-2": "nvidia/OpenMathInstruct-2",
    "DeepScaler": "agentica-org/DeepScaleR-Preview-Dataset",
    "DAPOMath17K": "BytedTsinghua-SIA/DAPO-Math-17k",
    "GSM8K": "openai/gsm8k",
    "gsm8k": "openai/gsm8k",
    "geometry3k": "hiyouga/geometry3k",
}
LACKS: "Mapping[tuple[str, str], str]" = {
    ("easyr1", TOKENS): "micro_batch_size_per_device_for_update says them, as a number of the longest sequences",
    ("nemo-rl", "dataset_name"): "data names a data set that NeMo-RL knows, or a file, and env what rewards its answers",
    ("nemo-rl", "reward_funcs"): "env.math and its like give rewards, or an environment of your own",
    ("nemo-rl", "lr_scheduler_type"): "policy.scheduler lists schedulers of PyTorch",
    ("nemo-rl", "warmup_ratio"): "policy.scheduler lists schedulers of PyTorch",
    ("nemo-rl", "warmup_steps"): "policy.scheduler lists schedulers of PyTorch",
    ("nemo-rl", "num_iterations"): "a rollout is passed over once",
    ("nemo-rl", "eval_strategy"): "grpo.val_period says when, and 0 switches it off",
    ("nemo-rl", "vllm_mode"): "the engine shares the GPUs unless policy.generation.colocated.enabled is off",
    ("nemo-rl", "deepspeed"): "policy.dtensor_cfg shards the model with FSDP",
    ("openrlhf", "reward_funcs"): "--reward.remote_url names a file with a function reward_func",
    ("openrlhf", "use_vllm"): "its rollouts are always made by vLLM",
    ("openrlhf", "max_steps"): "the data and the number of episodes say how long it trains",
    ("openrlhf", "eval_strategy"): "the interval of evaluations says when, and -1 switches it off",
    ("openrlhf", "vllm_mode"): "the engines share the GPUs where all is colocated",
    ("openrlhf", "deepspeed"): "the stage of ZeRO is a flag of its own",
    ("slime", "reward_funcs"): "--rm-type or --custom-rm-path gives rewards",
    ("slime", "use_vllm"): "SGLang makes its rollouts",
    ("slime", "lora_rank"): "slime trains all weights",
    ("slime", "lora_r"): "slime trains all weights",
    ("slime", "num_iterations"): "a rollout is passed over once",
    ("slime", "eval_strategy"): "--eval-interval says when",
    ("slime", "vllm_mode"): "--colocate lets the engines share the GPUs",
    ("slime", "deepspeed"): "Megatron spreads the model: --tensor-model-parallel-size and its like",
    ("slime", "gradient_checkpointing"): "--recompute-granularity says which activations are computed again: selective or full",
}  # fmt: skip

# What the choice of the program, or the settings of other rows, say as well.
SAID_BY_OTHERS = frozenset((
    "algo.kl.use_loss", "use_kl_loss", "train.colocate_all", "colocate_all_models", "train.colocate_actor_ref", "colocate_actor_ref",
    "colocate", "defaults", "policy.tokenizer.name", "policy.generation.colocated.enabled", "policy.dtensor_cfg.lora_cfg.enabled",
))  # fmt: skip
# What the shape of the batch and of the cluster decides as well.
ALSO_BATCH = frozenset((
    "cluster.gpus_per_node", "cluster.num_nodes", "policy.logprob_batch_size", "policy.dtensor_cfg.tensor_parallel_size",
    "policy.dtensor_cfg.context_parallel_size", "policy.megatron_cfg.tensor_model_parallel_size",
    "policy.megatron_cfg.pipeline_model_parallel_size", "policy.megatron_cfg.context_parallel_size",
    *(f"{each}{name}" for each in ("actor", "ref") for name in (".num_nodes", ".num_gpus_per_node", "_num_nodes", "_num_gpus_per_node")),
    "rollout.micro_batch_size", "micro_rollout_batch_size", "vllm.num_engines", "vllm_num_engines", "ring_attn_size", "ds.ring_attn_size",
    "ds.tensor_parallel_size", "ds_tensor_parallel_size",
))  # fmt: skip

# {framework: {its value: that of the first column}} of rows whose values are words or truth values
LOSSES: "Mapping[str, Mapping[object, str]]" = {
    "nemo-rl": {True: "dapo", False: "grpo"},
    "openrlhf": {"token-mean": "dapo", "seq-mean-token-mean": "grpo"},
    "slime": {True: "dapo", False: "grpo"},
}
LEVELS: "Mapping[str, Mapping[object, str]]" = {
    "nemo-rl": {False: "token", True: "sequence"},
    "openrlhf": {"ppo": "token", "gspo": "sequence"},
    "slime": {"grpo": "token", "gspo": "sequence"},
}
SCALES: "Mapping[str, Mapping[object, str]]" = {
    "nemo-rl": {True: "group", False: "none"},
    "openrlhf": {"group_norm": "group", "dr_grpo": "none"},
    "slime": {False: "group", True: "none"},
}
_KS: "Mapping[object, str]" = {each: each for each in ("k1", "k2", "k3")}
ESTIMATES: "Mapping[str, Mapping[object, str]]" = {
    **{name: {**_KS, "kl": "k1", "mse": "k2", "low_var_kl": "k3"} for name in ("verl", "easyr1")},
    "nemo-rl": _KS,
    "openrlhf": _KS,
    "slime": {**_KS, "low_var_kl": "k3"},
}
WITH_LISTS = ("nemo-rl", "openrlhf", "verl", "easyr1")  # the two numbers of Adam are one list there

# What each conversion to a framework leaves to a person: (setting, what).
LEFT: "Mapping[str, tuple[tuple[str, str], ...]]" = {
    "nemo-rl": (
        ("data", "data and rewards are those of the example until you set the sections data and env"),
        ("policy.scheduler", "the schedule is that of the example until you list schedulers"),
    ),
    "openrlhf": (("reward.remote_url", "no reward is named: a file with a function reward_func, or a reward model"),),
    "slime": (
        ("MODEL_ARGS", "the flags of the model's layers come from scripts/models of slime, and its rewards from --rm-type"),
    ),
}  # fmt: skip

# {framework: (a setting, those of which it needs one, what to do)}
UNFOUNDED: "Mapping[str, tuple[tuple[str, tuple[str, ...], str], ...]]" = {
    "slime": (
        ("eval_interval", ("eval_prompt_data", "eval_config"), "--eval-prompt-data has to name data for evaluations first"),
    ),
}  # fmt: skip


def is_of_the_other_engine(framework: str, name: str, value: "Callable[[str], object]") -> bool:
    """Whether a setting is of an engine that does not run, of those that train or of those that generate."""
    if framework == "verl":  # Megatron's optimizer does not read them
        return name == OF_ADAM and _is_megatron(value)
    if framework != "nemo-rl":
        return False
    if name.startswith(("policy.generation.vllm_cfg.", "policy.generation.sglang_cfg.")):
        by_sglang = value("policy.generation.backend") == "sglang"
        return name.startswith("policy.generation.vllm_cfg.") == by_sglang
    by_megatron = value("policy.megatron_cfg.enabled") is True
    return name.startswith(("policy.dtensor_cfg.", "policy.optimizer.") if by_megatron else "policy.megatron_cfg.")


def is_a_share(framework: str, name: "str | None") -> bool:
    """Whether the lowest learning rate is a share of the highest, by the name of its setting, or where a framework has none."""
    return name.endswith("_ratio") if name else framework == "openrlhf"


_PASS_OF_EASYR1 = "worker.actor.micro_batch_size_per_device_for_update"
_LENGTHS = ("data.max_prompt_length", "data.max_response_length")


def tokens_of_a_pass(framework: str, value: "Callable[[str], object]") -> "int | None":
    """The tokens of a micro batch where a number of the longest sequences says them, as in EasyR1; None where it does not."""
    if framework != "easyr1":
        return None
    micro, prompt, response = (value(name) for name in (_PASS_OF_EASYR1, *_LENGTHS))
    if type(micro) is not int or type(prompt) is not int or type(response) is not int:
        return None
    return micro * (prompt + response)


def sequences_of_a_pass(framework: str, tokens: object, written: "Callable[[str], object]") -> int:
    """How many of the longest sequences say so many tokens of a micro batch; 1 where no number of sequences does."""
    lengths = [each for each in map(written, _LENGTHS) if type(each) is int and each > 0]
    if framework != "easyr1" or type(tokens) is not int or len(lengths) != len(_LENGTHS):
        return 1
    return max(tokens // sum(lengths), 1)


def _is_megatron(value: "Callable[[str], object]") -> bool:
    """Whether Megatron trains in verl."""
    return value("--config-name") == "ppo_megatron_trainer" or value("actor_rollout_ref.actor.strategy") == "megatron"


def of_the_transformer(pair: "tuple[str, str]", name: str, has: "Callable[[str], bool]") -> str:
    """The name of a setting of Megatron-Core's TransformerConfig in another framework that hands it on; empty where it has none. verl takes any
    of them in a section that holds few."""
    (source, target), section = pair, SHORT["C."]
    last = name.removeprefix("+").removeprefix(section)
    if not last.startswith("moe_") or last in _NO_FIELDS or (source == "verl") != (last != name):
        return ""
    if target == "verl":
        return f"+{section}{last}" if has(f"{section}recompute_granularity") else ""
    return last if target in ("megatron", "slime") and has(last) else ""


_NO_FIELDS = ("moe_extended_tp", "moe_router_force_biased", "moe_use_upcycling", "moe_upcycling_granularity")


def clipped_apart(source: str, value: "Callable[[str], object]") -> object:
    """The lower end where one setting names both ends of a clip; None for none."""
    both = _first(value, "actor.eps_clip_low_high", "eps_clip_low_high") if source == "openrlhf" else None
    return both[0] if type(both) is list and len(both) == 2 else None


def trains_lora(framework: str, value: "Callable[[str], object]") -> "bool | None":
    if framework == "nemo-rl":
        return value("policy.dtensor_cfg.lora_cfg.enabled") is True
    rank = 0 if framework == "slime" else _first(value, "ds.lora.rank", "lora_rank")
    return rank > 0 if type(rank) is int else None


def sharded_by(source: str, value: "Callable[[str], object]") -> Message:
    """What spreads the model over processes; nothing where each holds all of it."""
    if source == "nemo-rl":
        return NOTHING if value("policy.dtensor_cfg.enabled") is False else verbatim("FSDP")
    stage = _first(value, "ds.zero_stage", "zero_stage")
    return Message("ZeRO-3") if source == "openrlhf" and stage == 3 else NOTHING


def kl_is_in_the_loss(source: str, value: "Callable[[str], object]") -> "bool | None":
    """Whether the KL term is one of the loss; None where that is not known."""
    if source == "nemo-rl":
        return value("loss_fn.use_kl_in_reward") is not True
    found = _first(value, "algo.kl.use_loss", "use_kl_loss")
    return found if type(found) is bool else None


def needed(source: str, target: str, values: "Mapping[str, object]") -> "Needed":
    """(setting, value, why) of what a framework needs besides the rows; of two names for one setting a release knows one."""
    if target in _NEEDED:
        yield from _NEEDED[target](values)


_SHARES = Message("the engines share the GPUs with training")
_SUM = Message("the most tokens of a prompt and its completion together")
_IN_LOSS = Message("the KL term in the loss, as beta switches it on")
_ESTIMATE = Message("the estimate of the KL term that the others take")


def _needed_by_nemo_rl(values: "Mapping[str, object]") -> "Needed":
    counted = Message("micro batches of so many completions, not of so many tokens")
    yield "policy.sequence_packing.enabled", False, counted
    yield "policy.dynamic_batching.enabled", False, counted
    total = _sum(values, ("data.max_input_seq_length",), ("policy.generation.max_new_tokens",))
    if total:
        yield "policy.max_total_sequence_length", total, _SUM
    if values.get("loss_fn.sequence_level_importance_ratios") is True:
        yield "loss_fn.token_level_loss", False, Message("ratios of sequences need the mean of each sequence")
    if "policy.dtensor_cfg.lora_cfg.dim" in values:
        yield "policy.dtensor_cfg.lora_cfg.enabled", True, Message("LoRA is trained")
    if "policy.dtensor_cfg.lora_cfg.target_modules" in values:
        yield "policy.dtensor_cfg.lora_cfg.match_all_linear", False, Message("the layers are named")


def _needed_by_openrlhf(values: "Mapping[str, object]") -> "Needed":
    estimator = Message("advantages are made of groups")
    yield "algo.advantage.estimator", "group_norm", estimator
    yield "advantage_estimator", "group_norm", estimator
    if _first(values.get, "algo.kl.init_coef", "init_kl_coef"):
        for name in ("algo.kl.use_loss", "use_kl_loss"):
            yield name, True, _IN_LOSS
        for name in ("algo.kl.estimator", "kl_estimator"):
            yield name, "k3", _ESTIMATE
    for name in ("train.colocate_all", "colocate_all_models", "vllm.enable_sleep", "vllm_enable_sleep"):
        yield name, True, _SHARES
    total = _sum(values, ("prompt_max_len",), ("rollout.max_new_tokens", "max_new_tokens"))
    if total:
        for name in ("data.max_len", "max_len"):
            yield name, total, _SUM


def _needed_by_slime(values: "Mapping[str, object]") -> "Needed":
    yield "colocate", True, _SHARES
    if values.get("kl_loss_coef"):
        yield "use_kl_loss", True, _IN_LOSS
        yield "kl_loss_type", "low_var_kl", _ESTIMATE
        reference = f"{values.get('hf_checkpoint') or 'model'}_torch_dist"
        yield "ref_load", reference, Message("the model in the format of Megatron, which slime's tool converts it to")
    if "num_rollout" not in values:
        yield "num_epoch", 1, Message("slime asks for the length of a run")
    if "save_interval" in values and "save" not in values:
        yield "save", "checkpoints", Message("an interval of checkpoints needs a folder")
    if "save" in values:
        yield "save_interval", 20, Message("a folder for checkpoints needs an interval")


def _sum(values: "Mapping[str, object]", prompt: "tuple[str, ...]", completion: "tuple[str, ...]") -> int:
    """The length of prompt and completion together; 0 where one is not known."""
    lengths = [_first(values.get, *names) for names in (prompt, completion)]
    return sum(each for each in lengths if type(each) is int) if all(type(each) is int for each in lengths) else 0


def _first(value: "Callable[[str], object]", *names: str) -> object:
    """The value of the first name that has one."""
    return next((found for name in names if (found := value(name)) is not None), None)


_NEEDED = {"nemo-rl": _needed_by_nemo_rl, "openrlhf": _needed_by_openrlhf, "slime": _needed_by_slime}
