#!/bin/bash
# grpo-lint: version=0.9.1
# no counterpart in verl, and lost: external_plugins: ['plugins/math_rewards.py']
# no counterpart in verl, and lost: reward_funcs: ['accuracy', 'format']
# no counterpart in verl, and lost: dataset: ['AI-MO/NuminaMath-TIR#8000']
# no counterpart in verl, which does so anyway: tuner_type: full
# no counterpart in verl, which does so anyway: vllm_mode: colocate
# no counterpart in verl, and no effect on the training: val_dataset: ['AI-MO/aimo-validation-aime']
python3 -m verl.trainer.main_ppo \
    --config-name=ppo_megatron_trainer \
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo \
    actor_rollout_ref.actor.clip_ratio_low=0.0003 \
    actor_rollout_ref.actor.clip_ratio_high=0.0004 \
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B-Instruct-2507 \
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 \
    actor_rollout_ref.actor.megatron.expert_model_parallel_size=4 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 \
    actor_rollout_ref.actor.ppo_mini_batch_size=4 \
    data.train_batch_size=8 \
    actor_rollout_ref.rollout.n=4 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.4 \
    actor_rollout_ref.rollout.free_cache_engine=true \
    data.max_response_length=4096 \
    actor_rollout_ref.actor.optim.lr=1.0e-06 \
    actor_rollout_ref.actor.kl_loss_coef=0.001 \
    trainer.total_epochs=1 \
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=selective \
    trainer.default_local_dir=runs/qwen3-30b-gspo \
    trainer.save_freq=25 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1 \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1 \
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size=1 \
    actor_rollout_ref.ref.megatron.tensor_model_parallel_size=2 \
    actor_rollout_ref.ref.megatron.expert_model_parallel_size=4 \
    actor_rollout_ref.ref.megatron.expert_tensor_parallel_size=1 \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.rollout.temperature=0.9 \
    actor_rollout_ref.actor.loss_agg_mode=seq-mean-token-mean \
    actor_rollout_ref.actor.optim.lr_decay_style=cosine \
    actor_rollout_ref.actor.optim.weight_decay=0.1 \
    actor_rollout_ref.actor.use_kl_loss=true \
    actor_rollout_ref.actor.clip_ratio=0.0003
