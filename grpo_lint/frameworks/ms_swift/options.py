"""What both commands of ms-swift require of options other than the batch: formulas, combinations, settings without
effect."""

from ...plan.formula import Reading, calculation, word, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Idle, Table

FIRST_REWARDS = words("toolbench", "math", "accuracy", "format", "react_format", "cosine", "repetition")
REWARDS = words("toolbench", "math", "accuracy", "format", "react_format", "cosine", "repetition", "soft_overlong")

OUTDATED_VLLM = (
    "rollout_importance_sampling_mode is not supported in vLLM version < 0.10.2, please update vLLM to 0.10.2 or later."
)
QUANTISATION = "Please set the quant_bits. / bnb not support quant_bits: ... / quanto quantization only support quant bits 2/4/8/float8"
LABELS = ("num_labels is not None", "False")


def _quantises_to_known_bits(read: Reading) -> bool:
    """Whether quant_bits is set, to a number of bits that quant_method knows."""
    if not read.says_bits:
        return False
    if read.quant_method == "bnb":
        return read.quant_bits in ("4", "8")
    return read.quant_method != "quanto" or read.quant_bits in ("2", "4", "8", "float8")


SHARED: "Table" = {
    # which parameters are trained; the vision part of a model that has one is frozen unless freeze_vit is off
    "trains_each_part": "freeze_parameters_ratio == 0 and not names_parts and not freeze_llm and not (sees and freeze_vit)",
    "sees": (
        "False if model_parameters > 0 else nothing",
        "'VL' in model or 'Omni' in model or 'ision' in model or 'lava' in model or '-V-' in model",
        "False",
    ),
    "names_parts": ("names_by_pattern or names_by_word", "names_by_word"),
    "names_by_word": "len(freeze_parameters) + len(trainable_parameters) > 0",
    "names_by_pattern": ("freeze_parameters_regex is not None", "trainable_parameters_regex is not None", "False"),
    "quantises_to_known_bits": calculation(_quantises_to_known_bits),
    "takes_weight_of_server": "server_may_reward and len(reward_weights) == reward_sources + 1",
    "loads_plugins": "len(external_plugins) + len(custom_register_path) > 0",
    "registered_rewards": REWARDS,
    "unknown_rewards": "beyond(reward_funcs, registered_rewards)",
    "adds_gym_reward": ("use_gym_env", "gym_env is not None", "False"),
    # an environment behind a vLLM server may compute rewards too, and only the server knows it
    "server_may_reward": ("use_vllm and vllm_mode == 'server'", "False"),
    "has_vllm_mode": ("vllm_mode is not None", "False"),
    "engine_ranks": "vllm_tensor_parallel_size",
    "engine_spread": "engine_ranks if engines_share_gpus else unknown",
    "engine_length": "vllm_max_model_len",
    "longest_prompt": ("max_length", "1"),
    "longest_sequence": "longest_prompt + max_completion_length",
    "says_bits": ("quant_bits is not None", "False"),
    "says_quantisation": ("quant_method is not None", "says_bits"),
    "has_soft_cache": ("soft_cache_length is not None", "False"),
    "soft_length": ("soft_max_length", "max_completion_length"),
    "refused_truncations": words("right", "split"),
    "masks_off_policy": ("off_policy_sequence_mask_delta is not None", "False"),
    "scaling": ("scale_rewards", word("group")),
    "sequence_ratio_epsilon": "epsilon if weighs_sequences else 0",
    "weighs_sequences": "importance_sampling_level == 'sequence' or importance_sampling_level == 'sequence_token'",
}

DISTILLATION = {
    "loss_type": "loss == 'real' or loss == 'fipo'",
    "off_policy_sequence_mask_delta": "masks_off_policy",
    "dynamic_sample": "len(reward_funcs) == 0 and dynamic_sample",
    "scale_rewards": "len(reward_funcs) == 0 and scaling == 'gdpo'",
}

SHARED_IDLE: "Idle" = {
    "dynamic_sample is off": ("not dynamic_sample", ("max_resample_times",)),
    "soft_overlong is not among the rewards": ("'soft_overlong' not in reward_funcs", ("soft_cache_length", "soft_max_length")),
    "cosine is not among the rewards": (
        "'cosine' not in reward_funcs and not loads_plugins",
        ("cosine_min_len_value_wrong", "cosine_max_len_value_wrong", "cosine_min_len_value_correct",
         "cosine_max_len_value_correct", "cosine_max_len"),
    ),
    "repetition is not among the rewards": (
        "'repetition' not in reward_funcs and not loads_plugins", ("repetition_n_grams", "repetition_max_penalty"),
    ),
}  # fmt: skip
