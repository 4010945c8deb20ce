"""Settings by the part that they play, for what is told, compared and tried alike for all frameworks."""

# The sizes of a batch where a framework counts them so, and the other names of a rollout's size.
ACCUMULATION = "gradient_accumulation_steps"
DEVICE_BATCH = "per_device_train_batch_size"
ROLLOUT_SIZE = "generation_batch_size"
ROLLOUT_STEPS = "steps_per_generation"
# Settings and quantities that are sizes of a run whatever the number of processes is.
FIXED_SIZES = (ROLLOUT_SIZE, "global_batch_size", "num_generations", "completions_per_rollout")
ENGINE_PROCESSES = "num_infer_workers"
ON_RAY = "use_ray"
RATIOS = "importance_sampling_level"
RATIOS_OF_SEQUENCES = ("sequence", "sequence_token")
EVALUATION_SWITCHES = ("eval_strategy", "evaluation_strategy")
# What ends a run: the keys behind which an editor shows how long it is.
LENGTHS = ("max_steps", "train_iters", "num_train_epochs", "max_epochs", "trainer.max_steps", "trainer.total_training_steps",
           "trainer.total_epochs", "trainer.total_episodes")  # fmt: skip

# Settings about logging and storage, which do not affect training.
BESIDE_TRAINING = (
    "logging_", "log_", "report_to", "push_to_hub", "hub_", "save_", "output_dir", "run_name", "disable_tqdm", "wandb", "trackio", "swanlab",
    "include_num_input_tokens_seen", "skip_memory_metrics", "dataloader_num_workers", "project", "add_version", "tensorboard", "default_local_dir",
    "trainer.logger", "trainer.project_name", "trainer.experiment_name", "trainer.default_local_dir", "trainer.save_freq", "logger",
)  # fmt: skip
# Settings about how a run is computed, which in exact arithmetic do not affect training; by the end of their path.
OF_MEMORY = frozenset("""gradient_checkpointing activation_checkpointing activation_offloading vllm_gpu_memory_utilization gpu_memory_utilization
    vllm_server_timeout max_num_seqs vllm_max_num_seqs enforce_eager vllm_enforce_eager load_format use_remove_padding dataloader_persistent_workers
    load_from_cache_file ddp_timeout vllm_use_async_engine entropy_checkpointing entropy_from_logits_with_chunking trust_remote_code
    free_cache_engine offload_model offload_optimizer""".split())  # fmt: skip
# {switch: the prefix of the settings that have no effect while it is off}
SWITCHES = {"use_vllm": "vllm_", "sync_ref_model": "ref_model_", "use_peft": "lora_", "critic_model": "critic.",
            "reward_model.enable": "reward_model."}  # fmt: skip
