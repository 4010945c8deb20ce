#!/bin/bash
# grpo-lint: version=1.16.0
NUM_GPUS=4
ARGS=(
    --model_name_or_path Qwen/Qwen2.5-0.5B   # small, for a smoke test
    --num_generations 8
    --per_device_train_batch_size 1
    --max_completion_length 512
    --learning_rate 1e-6
)
ARGS+=(--gradient_accumulation_steps 1)
accelerate launch --num_processes "$NUM_GPUS" train_grpo.py "${ARGS[@]}"
