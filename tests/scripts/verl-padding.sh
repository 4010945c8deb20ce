#!/bin/bash
# 0.9 fills a rollout up with dummies, 0.8 would die of it, and earlier releases train a short last update.
# grpo-lint: version=0.9.0
python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=40 actor_rollout_ref.rollout.n=4 \
    actor_rollout_ref.actor.ppo_mini_batch_size=32 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16 \
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16 actor_rollout_ref.actor.use_kl_loss=no
