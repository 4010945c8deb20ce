#!/bin/sh
# grpo-lint: version=4.6.0
: "${NPROC_PER_NODE:=8}"
export NPROC_PER_NODE
BATCH=${BATCH:-1}
swift rlhf --rlhf_type grpo --model Qwen/Qwen3-8B --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size $BATCH --num_generations ${NUM_GENERATIONS:-16} --gradient_accumulation_steps 1
