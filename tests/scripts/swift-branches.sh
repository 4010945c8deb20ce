#!/bin/bash
# grpo-lint: version=4.6.0
if [ "$1" = "large" ]; then
    GROUP=16
else
    GROUP=8
fi
for SEED in 1 2 3; do
    NPROC_PER_NODE=3 swift rlhf --rlhf_type grpo --model Qwen/Qwen3-8B --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
        --per_device_train_batch_size 2 --num_generations $GROUP --seed $SEED
done
