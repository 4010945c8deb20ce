#!/bin/bash
# grpo-lint: version=4.6.0
NPROC_PER_NODE=4 swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen3-8B \
    --reward_funcs accuracy \
    --dataset AI-MO/NuminaMath-TIR \ 
    --per_device_train_batch_size 4 \
    --num_generations 8
