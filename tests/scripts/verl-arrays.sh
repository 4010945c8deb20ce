#!/usr/bin/env bash
# Overrides in arrays, started through Ray: a rollout of 48 prompts holds no whole updates of 32.
# grpo-lint: version=0.8.0
set -euxo pipefail
NNODES=${NNODES:-2}
n_resp_per_prompt=16
train_prompt_bsz=48
train_prompt_mini_bsz=32
use_dynamic_bsz=True

DATA=(
    data.train_batch_size=${train_prompt_bsz}
    data.max_prompt_length=$((1024 * 2))
    data.max_response_length=$((1024 * 8))
)
ACTOR=(
    actor_rollout_ref.actor.ppo_mini_batch_size=${train_prompt_mini_bsz}
    actor_rollout_ref.actor.use_dynamic_bsz=${use_dynamic_bsz}
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=$((1024 * 10))
    actor_rollout_ref.actor.clip_ratio_high=0.28
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=4
)
ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n=${n_resp_per_prompt}
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
)

ray job submit --no-wait --working-dir "${PWD}" -- \
    python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    "${DATA[@]}" \
    "${ACTOR[@]}" \
    "${ROLLOUT[@]}" \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes="${NNODES}" "$@"
