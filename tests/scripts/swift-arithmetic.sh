#!/bin/bash
# grpo-lint: version=4.6.0
GPUS=4
TOTAL=64
MICRO=3
STEPS=$((TOTAL / (GPUS * MICRO)))
NPROC_PER_NODE=$GPUS swift rlhf --rlhf_type grpo --model Qwen/Qwen3-8B --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size $MICRO --gradient_accumulation_steps $STEPS --num_generations 8
