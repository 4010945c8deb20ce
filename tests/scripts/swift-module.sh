#!/bin/bash
# grpo-lint: version=3.5.3
CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
NPROC_PER_NODE=8 \
python3 -m swift.cli.rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-32B-Instruct \
    --reward_funcs accuracy \
    --dataset 'AI-MO/NuminaMath-TIR#1000' \
    --max_completion_length 2080 \
    --per_device_train_batch_size 1 \
    --per_device_eval_batch_size 1 \
    --gradient_accumulation_steps 8 \
    --num_generations 8
