#!/bin/bash
NODE_RANK=$1
TP=2 PP=1
MICRO=1; STEPS=2
set -a
NNODES=2
NPROC_PER_NODE=8
set +a
PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True' \
NODE_RANK=$NODE_RANK MASTER_ADDR=10.0.0.1 \
megatron rlhf \
    --rlhf_type grpo --tensor_model_parallel_size $TP --pipeline_model_parallel_size ${PP} \
    --micro_batch_size "$MICRO" --global_batch_size $((MICRO*NNODES*NPROC_PER_NODE/TP)) \
    --steps_per_generation $[STEPS] \
    --loss_scale 'default' --padding_free true \
    --reward_weights {1,2} \
    --dataset "a/b#$((STEPS ** 10))" "c d" $'e\tf' | tee -a log_${NODE_RANK}.txt
