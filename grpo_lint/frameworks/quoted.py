"""How the messages of frameworks quote the numbers of a run."""

# (words before the first of some numbers, what joins them, the quantities that these are)
PRODUCTS = (
    ("global train batch size (", " x ", ("world_size", "micro_batch")),
    ("effective train batch size (", " x ", ("world_size", "micro_batch", "steps_per_rollout")),
    ("global eval batch size (", " x ", ("world_size", "per_device_eval_batch_size")),
    ("global eval batch size (", " * ", ("per_device_eval_batch_size", "world_size")),
    ("effective eval batch size (", " x ", ("world_size", "per_device_eval_batch_size")),
)
# {words before a number: the quantity that it is}, the longer ones first
NUMBERS = {
    "number of generations per prompt (": "group_size",
    "number of generations used for evaluation (": "eval_group_size",
    "number of generations for eval (": "eval_group_size",
    "num_generations_eval (": "eval_group_size",
    "You provided ": "group_size",
    "Number of reward weights (": "reward_weights",
    "number of reward functions (": "reward_sources",
    "divisible by the global batch size (": "completions_per_step",
    "global batch size (": "global_batch_size",
    "micro batch size (": "micro_batch",
    "rollout prompt count (": "rollout_prompts_per_rank",
    "data parallel size (": "dp_size",
    "divide world size (": "world_size",
    "expert_tensor_model_pipeline_parallel size (": "expert_parallel_size",
    ") is not divisible by ": "model_parallel_size",
    "steps_per_generation must be > 0, got ": "steps_per_generation",
    "* steps_per_generation = ": "rollout_size_by_steps",
    "number of attention heads (": "model_heads",
    "tensor parallel size (": "engine_ranks",
    "num_attention_heads (": "heads_of_model",
    "num_query_groups (": "kv_heads_of_model",
}
BY_LENGTH = frozenset(("reward_weights",))  # lists whose length is meant
# settings of which the framework quotes something else, or that stand for another file's as well
OTHERWISE = ("vllm_importance_sampling_clip_max", "gradient_accumulation_steps", "learning_rate", "weight_decay")
