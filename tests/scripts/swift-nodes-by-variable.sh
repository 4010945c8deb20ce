#!/bin/bash
# grpo-lint: version=4.6.0
# The cluster sets WORLD_SIZE to the number of nodes, so nobody knows here how many processes there are.
NNODES=$WORLD_SIZE NODE_RANK=$RANK \
torchrun \
    --nproc_per_node=8 \
    --nnodes=${WORLD_SIZE} \
    --node_rank=${RANK} \
    swift/cli/rlhf.py \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-7B \
    --dataset AI-MO/NuminaMath-TIR \
    --reward_funcs accuracy \
    --per_device_train_batch_size 4 \
    --gradient_accumulation_steps 1 \
    --num_generations 48
