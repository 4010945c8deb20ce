"""Settings that a release replaces, whatever a file says. Generated: `conformance/replaced` reads the source of each release."""

# {setting: ((first minor, last minor or None for no end so far, what becomes of it), ...)}
REPLACED = {
    "actor_rollout_ref.actor.fsdp_config.strategy": (
        ((0, 8), None, "strategy"),
    ),
    "actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size": (
        ((0, 7), None, "actor_sequence_parallel if actor_sequence_parallel > 1 else unknown"),
    ),
    "actor_rollout_ref.actor.optim.total_training_steps": (
        ((0, 2), None, "unknown if use_v1 and trainer_mode != 'sync' else total_training_steps"),
    ),
    "data.gen_batch_size": (
        ((0, 9), None, "1 if refills_singly else unknown"),
    ),
    "reward.reward_model.n_gpus_per_node": (
        ((0, 8), None, "gpus_of_a_node if has_reward_model and not reward_model_is_apart else unknown"),
    ),
    "reward.reward_model.nnodes": (
        ((0, 8), None, "nodes_of_run if has_reward_model and not reward_model_is_apart else unknown"),
    ),
}
# {setting: the statement of the source by which it is replaced, which a copy may not have}
STATEMENTS: "dict[str, str]" = {
    "actor_rollout_ref.actor.fsdp_config.strategy": "object.__setattr__(self.engine, 'strategy', self.strategy)",
    "actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size": "self.fsdp_config.ulysses_sequence_parallel_size = self.ulysses_sequence_parallel_size",
    "actor_rollout_ref.actor.optim.total_training_steps": "self.config.actor_rollout_ref.actor.optim.total_training_steps = total_training_steps",
    "data.gen_batch_size": "self.config.data.gen_batch_size = 1",
    "reward.reward_model.n_gpus_per_node": "config.reward.reward_model.n_gpus_per_node = config.trainer.n_gpus_per_node",
    "reward.reward_model.nnodes": "config.reward.reward_model.nnodes = config.trainer.nnodes",
}
