#!/bin/bash
# grpo-lint: version=4.6.0
export CUDA_VISIBLE_DEVICES=0,1,2,3
export NPROC_PER_NODE=4 # one process for each card
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen3-8B \
    --reward_funcs accuracy \
    --use_vllm true --vllm_mode colocate \
    --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size 4 \
    --num_generations 8 \
