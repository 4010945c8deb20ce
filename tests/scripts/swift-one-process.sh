#!/bin/bash
# grpo-lint: version=4.6.0
CUDA_VISIBLE_DEVICES=0,1 swift rlhf --rlhf_type grpo --model Qwen/Qwen3-8B --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size 8 --num_generations 8 --use_vllm true --vllm_mode colocate
