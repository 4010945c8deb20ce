"""Other names under which users write a setting; loaded only when an unknown key is reported.

A row holds names of one quantity, in one unit, as the frameworks around GRPO have them and as users remember them; TRL,
ms-swift, Megatron and verl are among them. The first name of a row that a release has is the one meant.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ROWS = """
model_name_or_path model model_name model_path model_id model_id_or_path base_model pretrained_model_name_or_path
dataset_name dataset dataset_path train_dataset train_data train_files train_file data_path dataset_id data
val_dataset eval_dataset eval_data val_data val_files valid_dataset
output_dir output_path output save_dir save_path checkpoint_dir out_dir save
per_device_train_batch_size micro_batch_size per_gpu_train_batch_size train_micro_batch_size_per_gpu micro_train_batch_size micro_batch per_device_batch_size
per_device_eval_batch_size eval_batch_size per_gpu_eval_batch_size micro_eval_batch_size
gradient_accumulation_steps gradient_accumulation grad_accumulation_steps grad_accum grad_acc accumulation_steps accumulate_grad_batches gradient_accumulate_steps
num_generations group_size n_samples_per_prompt rollout_n num_return_sequences num_rollouts num_completions num_generations_per_prompt
num_iterations num_ppo_epochs ppo_epochs mu
learning_rate lr
num_train_epochs max_epochs epochs num_epochs train_epochs total_epochs n_epochs epoch
max_steps train_iters total_training_steps num_train_steps max_train_steps train_steps
max_completion_length response_length max_new_tokens max_response_length max_generation_length max_gen_length completion_length
beta kl_coef kl_beta kl_loss_coef kl_coeff kl_penalty init_kl_coef
epsilon cliprange clip_range clip_eps clip_ratio clip_epsilon eps_clip clip_ratio_low epsilon_low
epsilon_high clip_ratio_high eps_clip_high cliprange_high
reward_funcs reward_functions reward_function reward_fn reward_func rewards
reward_weights reward_weight
lora_r lora_rank lora_dim
lora_target_modules target_modules
lora_modules_to_save modules_to_save
lora_alpha lora_scaling
use_peft use_lora
tuner_type train_type sft_type
lr_scheduler_type lr_decay_style lr_scheduler scheduler scheduler_type lr_schedule
warmup_ratio lr_warmup_fraction lr_warmup_ratio warmup_fraction
warmup_steps lr_warmup_iters lr_warmup_steps num_warmup_steps
weight_decay wd
max_grad_norm clip_grad grad_clip gradient_clip gradient_clipping gradient_clip_val
optim optimizer
save_steps save_interval save_freq save_every
eval_steps eval_interval eval_iters_interval test_freq eval_every eval_freq
logging_steps log_interval log_steps log_every log_freq
eval_strategy evaluation_strategy
save_total_limit max_ckpt_to_keep keep_checkpoints
report_to logger loggers log_with
run_name experiment_name exp_name wandb_run_name wandb_exp_name
vllm_tensor_parallel_size rollout_tensor_parallel_size vllm_tp vllm_tp_size vllm_tensor_parallel tensor_parallel_size
tensor_model_parallel_size tp_size tensor_parallel tp
pipeline_model_parallel_size pp_size pipeline_parallel_size pipeline_parallel pp
context_parallel_size cp_size context_parallel cp
expert_model_parallel_size ep_size expert_parallel_size expert_parallel ep
vllm_gpu_memory_utilization vllm_mem gpu_memory_utilization vllm_memory vllm_gpu_memory vllm_gpu_util vllm_gpu_utilization vllm_gpu_mem gpu_mem_util
vllm_max_model_length vllm_max_model_len max_model_len
vllm_server_host vllm_host
vllm_server_port vllm_port
use_vllm vllm
bf16 bfloat16
fp16 float16
dtype torch_dtype model_dtype
attn_implementation attn_impl attention_implementation
gradient_checkpointing activation_checkpoint grad_checkpointing enable_gradient_checkpointing
deepspeed deepspeed_config ds_config
seed random_seed
use_liger_kernel use_liger liger_kernel
external_plugins plugins plugin external_plugin
streaming dataset_streaming
"""
# The first row with a name is used.
_MEANT = {name: row for row in map(str.split, reversed(_ROWS.split("\n"))) for name in row}

# Names that mean no single other setting: {name: the settings that it may be about, some with their values}.
_SEVERAL = {
    "batch_size": ("per_device_train_batch_size", "generation_batch_size", "micro_batch_size", "global_batch_size"),
    "train_batch_size": (
        "per_device_train_batch_size",
        "generation_batch_size",
        "micro_batch_size",
        "global_batch_size",
    ),
    "use_lora": ("tuner_type: lora", "train_type: lora"),
    "use_peft": ("tuner_type: lora", "train_type: lora"),
    "lora": ("use_peft: true", "tuner_type: lora", "train_type: lora"),
    "peft": ("use_peft: true", "tuner_type: lora", "train_type: lora"),
    "warmup": ("warmup_steps", "warmup_ratio", "lr_warmup_fraction", "lr_warmup_iters"),
    "flash_attn": ("attn_implementation", "attn_impl", "attention_backend"),
    "use_flash_attn": ("attn_implementation", "attn_impl", "attention_backend"),
    "flash_attention": ("attn_implementation", "attn_impl", "attention_backend"),
    "use_flash_attention": ("attn_implementation", "attn_impl", "attention_backend"),
    "tensor_parallel_size": ("vllm_tensor_parallel_size", "tensor_model_parallel_size"),
    "use_kl": ("beta",),
    "use_kl_loss": ("beta",),
    "use_wandb": ("report_to",),
    "wandb": ("report_to",),
}
# Names that are no settings at all: the launcher sets the number of processes.
_PROCESSES = "num_gpus n_gpus n_gpu gpus ngpus num_gpu world_size nproc_per_node nproc num_nodes nnodes n_gpus_per_node num_processes"
_OF_THE_LAUNCHER = dict.fromkeys(_PROCESSES.split(), "the launcher sets the number of processes")


# Names of arguments that users' scripts declare most often.
_OFTEN_OF_A_SCRIPT = ("model_name_or_path", "dataset_name", "val_dataset", "output_dir")


def meant_by(name: str, is_known: "Callable[[str], bool]") -> "tuple[tuple[str, ...], bool, str]":
    """(the known settings that a name is about, whether it is only another name of the first, what else to say)."""
    several = tuple(each for each in _SEVERAL.get(name, ()) if is_known(each.partition(":")[0]))
    if several:
        return several, False, ""
    same = tuple(each for each in _MEANT.get(name, ()) if each != name and is_known(each))[:1]
    return same, bool(same), _OF_THE_LAUNCHER.get(name, "")


def is_often_of_a_script(name: str) -> bool:
    """Whether users' scripts often declare an argument of this name."""
    return _MEANT.get(name, [""])[0] in _OFTEN_OF_A_SCRIPT


def are_alike(name: str, other: str) -> bool:
    """Whether two similar names may mean the same: word by word, each is a misspelling or an abbreviation of the
    other."""
    words, others = name.split("_"), other.split("_")
    if len(words) != len(others):
        return _ratio("".join(words), "".join(others)) >= 0.9
    return all(map(_is_slip, words, others))


def is_misspelt(name: str, other: str) -> bool:
    """Whether a name differs from another one by slips of the hand alone: it has the same words."""
    return name.count("_") == other.count("_") and are_alike(name, other)


def _is_slip(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    if word == other or (len(shorter) >= 2 and longer.startswith(shorter)):
        return True
    return len(shorter) >= 3 and shorter[0] == longer[0] and _ratio(word, other) >= 0.7


def _ratio(one: str, other: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other).ratio()
