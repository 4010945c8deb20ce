"""The settings of EasyR1 by their names in formulas, and its arithmetic by release.

It is that of verl's first releases with one difference. The batch of an update is divided by the ranks and rounded
down, and a batch that does not fit then ends the run.
"""

from ...plan.formula import word, words
from ..shared.memory import MEMORY, OF_FSDP
from .catalogue import AUTOMATIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Changes, Idle

_ACTOR, _CRITIC, _ROLLOUT = "worker.actor", "worker.critic", "worker.rollout"
_MICRO, _FORWARD = "micro_batch_size_per_device_for_update", "micro_batch_size_per_device_for_experience"

OPTIONS: "Changes" = {
    "0.3": {
        **OF_FSDP,
        # None is fp32 for what is trained; what is offloaded between the updates is loaded for each of them
        "model_bytes": "2 if model_dtype in half_precisions else 4 if model_dtype in full_precisions else unknown",
        "model_dtype": (f"{_ACTOR}.fsdp.torch_dtype", word("fp32")),
        "half_precisions": words("bf16", "bfloat16", "fp16", "float16"),
        "full_precisions": words("fp32", "float32"),
        "weight_bytes": "2 if trains_adapter else model_bytes",
        "trains_adapter": "lora_rank > 0 and not offloads_to_cpu",
        "lora_rank": (f"{_ACTOR}.model.lora.rank", "0"),
        "freezes_some": f"{_ACTOR}.model.freeze_vision_tower",
        "holds_all_states": "lora_rank == 0 and not freezes_some and not offloads_to_cpu and optimizer == 'adamw'",
        "optimizer": f"{_ACTOR}.optim.strategy",
        "trains_by_adam": "optimizer == 'adamw' or optimizer == 'adamw_bf16'",
        "peak_rate": f"{_ACTOR}.optim.lr",
        "train_batch_size": "data.rollout_batch_size",
        "rollout_n": f"{_ROLLOUT}.n",
        "ppo_mini_batch_size": f"{_ACTOR}.global_batch_size",
        "critic_mini": f"{_CRITIC}.global_batch_size",
        "ppo_epochs": f"{_ACTOR}.ppo_epochs",
        "actor_micro": f"{_ACTOR}.{_MICRO}",
        "critic_micro": f"{_CRITIC}.{_MICRO}",
        "rollout_micro": f"{_ACTOR}.{_FORWARD}",
        "critic_forward_micro": f"{_CRITIC}.{_FORWARD}",
        "dynamic": "False",
        "critic_dynamic": "False",
        "strategy": word("fsdp"),
        "critic_strategy": word("fsdp"),
        "fsdp_size": f"{_ACTOR}.fsdp.fsdp_size",
        "offloads_to_cpu": f"{_ACTOR}.fsdp.enable_cpu_offload",
        "critic_offloads_to_cpu": f"{_CRITIC}.fsdp.enable_cpu_offload",
        "is_fsdp": "True",
        "critic_has_ranks": "has_critic",
        "offloads_critic": "has_critic and critic_offloads_to_cpu",
        "actor_sequence_parallel": f"{_ACTOR}.ulysses_sequence_parallel_size",
        "critic_sequence_parallel": f"{_CRITIC}.ulysses_sequence_parallel_size",
        "sequence_parallel": "actor_sequence_parallel",
        "rollout_tensor_parallel": f"{_ROLLOUT}.tensor_parallel_size",
        "engine_spread": "rollout_tensor_parallel",
        "engine_size": "rollout_tensor_parallel",
        "engine_sizes_are_checked": "True",
        "engine_tokens": f"{_ROLLOUT}.max_num_batched_tokens",
        "engine_length": f"{_ROLLOUT}.max_model_len",
        "engine_asserts_length": "False",
        "asked_of_window": ("engine_length", "max_prompt_length + max_response_length"),
        "engine_window": ("unknown if window_is_passed else nothing", "model_window"),
        "max_prompt_length": "data.max_prompt_length",
        "max_response_length": "data.max_response_length",
        "adv_estimator": "algorithm.adv_estimator",
        "estimators": words("gae", "grpo", "reinforce_plus_plus", "remax", "rloo"),
        "compares_groups": "adv_estimator == 'grpo' or adv_estimator == 'rloo'",
        "has_critic": "adv_estimator == 'gae'",
        "disable_kl": "algorithm.disable_kl",
        "hybrid_engine": "worker.hybrid_engine",
        "lacks_hybrid_engine": "not hybrid_engine",
        "has_reference": "not disable_kl",
        "kl_type": "algorithm.kl_type",
        "kl_horizon": "algorithm.kl_horizon",
        "is_megatron": "False",
        "filters": "False",
        "total_epochs": "trainer.total_episodes",
        "total_training_steps": "trainer.max_steps",
        "prompts_fetched": "train_batch_size",
        "loader_batch": "prompts_fetched",
        "rest_of_fetches": "0 if filters else train_batch_size % prompts_fetched",
        "rows_to_generate": "prompts_fetched",
        "generation_chunks": "world_size",
        "written_update": "ppo_mini_batch_size * rollout_n",
        "update_divisor": "dp_size",
        "update_per_rank": "written_update // world_size * sequence_parallel",
        "rows_per_rank": "completions_per_rollout // world_size * sequence_parallel",
        "normal_micro": "actor_micro",
        # what is left of a division by a negative number may be 0
        "checks_micro_of_rank": "actor_micro >= 0 or update_per_rank % actor_micro != 0",
        "reads_schedule": "False",
        "whole_updates": "True",
        # a rollout is cut into as many parts as whole updates fit in, and these have to be equal
        "rest_of_rollout": "rows_per_rank % (rows_per_rank // update_per_rank)",
        "rest_of_forward": "1 if rows_per_rank < rollout_micro else rows_per_rank % (rows_per_rank // rollout_micro)",
        "rest_of_reference": "rest_of_forward",
        "rest_of_critic_forward": (
            "1 if critic_rows_of_rank < critic_forward_micro else critic_rows_of_rank % (critic_rows_of_rank // critic_forward_micro)"
        ),
        "critic_rows_of_rank": "completions_per_rollout // world_size * critic_sequence_parallel",
        "rest_of_critic": "critic_rows_of_rank % (critic_rows_of_rank // critic_rows_per_rank)",
        "critic_rows": "critic_mini * rollout_n",
        "critic_rows_per_rank": "critic_rows // world_size * critic_sequence_parallel",
        "critic_normal_micro": "critic_micro",
    },
    "0.3.1": {
        "actor_sequence_parallel": f"{_ACTOR}.ulysses_size",
        "critic_sequence_parallel": f"{_CRITIC}.ulysses_size",
        "update_per_rank": "written_update * sequence_parallel // world_size",
        "critic_rows_per_rank": "critic_rows * critic_sequence_parallel // world_size",
        "prompts_fetched": ("data.mini_rollout_batch_size", "train_batch_size"),
        "filters": "algorithm.online_filtering",
        "total_epochs": "trainer.total_epochs",
        "trains_no_epoch": ("lacks_epochs is not None", "False"),
    },
    "0.3.2": {
        "dynamic": f"{_ACTOR}.dynamic_batching",
        "critic_dynamic": f"{_CRITIC}.dynamic_batching",
        "update_per_rank": "written_update // dp_size",
        "critic_rows_per_rank": "critic_rows // (world_size // critic_sequence_parallel)",
        "rest_of_rollout": "rows_per_rank % update_per_rank",
        "rest_of_forward": "rows_per_rank % rollout_micro",
        "rest_of_critic_forward": "critic_rows_of_rank % critic_forward_micro",
        "rest_of_critic": "critic_rows_of_rank % critic_rows_per_rank",
    },
    "0.3.3": {
        "estimators": words("gae", "grpo", "grpo_passk", "reinforce_plus_plus", "remax", "rloo"),
        "reads_schedule": "True",
    },
}

# {quantity: formula} that a plan shows, by the release that changed it
PLAN: "Changes" = {
    "0.3": {
        **MEMORY,
        "model_parallel_size": "sequence_parallel",
        "dp_size": "world_size // model_parallel_size",
        "generation_engines": "world_size // engine_size",
        "group_size": "rollout_n",
        "distils": "not compares_groups",
        "prompts_per_rollout": "train_batch_size",
        "completions_per_rollout": "prompts_per_rollout * group_size",
        "micro_batch": "nothing if dynamic else actor_micro",
        "completions_per_update": "rows_per_rank // (rows_per_rank // update_per_rank) * dp_size",
        "accumulation": "ceil(update_per_rank / micro_batch)",
        "prompts_per_update": "ratio(completions_per_update, group_size)",
        "updates_per_rollout": "rows_per_rank // update_per_rank * ppo_epochs",
        "reference_model": "True if has_reference else False",
        "critic_model": "True if has_critic else False",
        "training_rows": "dataset_size",
        # the last part of what the loader fetches is dropped
        "rollouts_per_epoch": "training_rows // prompts_fetched * prompts_fetched // prompts_per_rollout",
        "rows_used": "rollouts_per_epoch * prompts_per_rollout",
        "rollouts": ("total_training_steps", "rollouts_per_epoch * total_epochs"),
        "steps_per_epoch": "rollouts_per_epoch * updates_per_rollout",
        "total_steps": "rollouts * updates_per_rollout",
    },
    "0.3.2": {"completions_per_update": "update_per_rank * dp_size"},
}

# Why settings have no effect, where the condition holds.
IDLE: "Idle" = {
    "the run overwrites it": ("True", tuple(sorted(AUTOMATIC))),
    # up to 0.3.2 the learning rate is constant, whatever schedule is set
    "nothing reads it before 0.3.3": (
        "not reads_schedule",
        tuple(
            f"worker.{role}.optim.{name}" for role in ("actor", "critic") for name in ("warmup_style", "min_lr_ratio")
        ),
    ),
    "disable_kl is on": (
        "not has_reference",
        ("algorithm.use_kl_loss", "algorithm.kl_coef", "algorithm.kl_penalty"),
    ),
}
