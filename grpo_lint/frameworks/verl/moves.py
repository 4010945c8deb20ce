"""Where releases of verl have moved their settings."""

MOVED = {
    "actor_rollout_ref.actor.checkpoint.contents": "actor_rollout_ref.actor.checkpoint.save_contents",
    "critic.checkpoint.contents": "critic.checkpoint.save_contents",
    "trainer.val_generations_to_log_to_wandb": "trainer.log_val_generations",
    "actor_rollout_ref.rollout.multi_turn.max_turns": "actor_rollout_ref.rollout.multi_turn.max_assistant_turns",
    "actor_rollout_ref.actor.optim.warmup_style": "actor_rollout_ref.actor.optim.lr_scheduler_type",
    "trainer.profile_steps": "global_profiler.steps",
    "ray_init.timeline_json_file": "ray_kwargs.timeline_json_file",
    "actor_rollout_ref.rollout.update_weights_bucket_megabytes": "actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes",
    # as `migrate_legacy_reward_impl` of verl moves them
    "reward_model.num_workers": "reward.num_workers",
    "reward_model.reward_manager": "reward.reward_manager.name",
    "reward_model.reward_loop_source": "reward.reward_manager.source",
    "reward_model.reward_loop_module_path": "reward.reward_manager.module.path",
    "reward_model.reward_loop_class_name": "reward.reward_manager.module.name",
    "reward_model.model.path": "reward.reward_model.model_path",
    "reward_model.enable": "reward.reward_model.enable",
    "reward_model.enable_resource_pool": "reward.reward_model.enable_resource_pool",
    "reward_model.n_gpus_per_node": "reward.reward_model.n_gpus_per_node",
    "reward_model.nnodes": "reward.reward_model.nnodes",
}
MOVED_SECTIONS = (
    ("ray_init.", "ray_kwargs.ray_init."),
    ("critic.model.fsdp_config.", "critic.fsdp."),
    ("reward_model.rollout.", "reward.reward_model.rollout."),
    ("custom_reward_function.", "reward.custom_reward_function."),
    ("sandbox_fusion.", "reward.sandbox_fusion."),
)
