"""Where the code of verl, and of what was made of it, shows what the rows say: a copy that is run without it does not do so."""

# {rule: code, besides the words of its rows}: each release for which a row holds has one of these (`conformance/witnesses.py --checks`)
CHECKS: "dict[str, tuple[str, ...]]" = {
    **dict.fromkeys(
        "batch-divides-over-gpus engine-has-no-pipeline engine-spreads-its-experts engine-takes-a-sequence engines-divide-gpus "
        "lora-rank-fits-the-engine loss-aggregation-is-known loss-mode-is-known megatron-ranks-divide-gpus "
        "rank-rows-hold-whole-micro-batches replayed-routes-are-recorded rollout-is-asynchronous run-has-gpus "
        "rollout-is-fetched-whole rows-divide-over-generation rows-divide-over-ranks sequence-parallel-removes-padding "
        "separate-rollout-fills-its-updates separate-rollout-has-gpus separate-rollout-receives-weights "
        "tools-are-for-grpo tools-have-a-config update-divides-over-ranks validation-samples-at-a-temperature "
        "group-is-of-environments gigpo-mode-is-known similarity-has-a-threshold".split(),
        (),
    ),
    "critic-has-the-strategy-of-the-actor": (
        "assert config.actor_rollout_ref.actor.strategy == config.critic.strategy",
        "assert config.critic.strategy in ['fsdp', 'fsdp2']",
    ),
    "critic-update-holds-whole-micro-batches": (
        "assert self.config.ppo_mini_batch_size % self.config.ppo_micro_batch_size_per_gpu == 0",
    ),
    "data-fills-a-batch": ("assert len(self.train_dataloader) >= 1",),
    "dynamic-batches-agree": (
        "assert self.config.actor.use_dynamic_bsz == self.config.rollout.log_prob_use_dynamic_bsz",
    ),
    "global-critic-micro-batch-fits": (
        "assert config.critic.ppo_mini_batch_size % config.critic.ppo_micro_batch_size == 0",
    ),
    "global-micro-batch-fits": (
        "assert config.actor_rollout_ref.actor.ppo_mini_batch_size % config.actor_rollout_ref.actor.ppo_micro_batch_size == 0",
    ),
    "log-prob-micro-batch-reaches-each-rank": ("self.config.rollout.log_prob_micro_batch_size //= ",),
    "megatron-has-a-micro-batch": ("megatron_dp * config.actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",),
    "micro-batches-are-given": ("Please set at least one of",),
    "micro-batches-are-given-once": ("You have set both",),
    "micro-batches-are-per-gpu": ("assert self.config.actor.ppo_micro_batch_size_per_gpu is not None",),
    "rank-has-an-update": ("self.config.actor.ppo_mini_batch_size //= ",),
    "rank-update-holds-whole-micro-batches": (
        "assert self.config.actor.ppo_mini_batch_size % self.config.actor.ppo_micro_batch_size_per_gpu == 0",
    ),
    "rollout-holds-a-critic-update": ("assert config.data.train_batch_size >= config.critic.ppo_mini_batch_size",),
    "rollout-holds-an-update": (
        "assert config.data.train_batch_size >= config.actor_rollout_ref.actor.ppo_mini_batch_size",
    ),
}
