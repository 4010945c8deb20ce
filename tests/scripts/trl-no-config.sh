#!/bin/bash
# grpo-lint: version=1.16.0
accelerate launch --num_processes 8 train_grpo.py --config recipes/qwen-mth.yaml \
    --per_device_train_batch_size 4 --num_generations 8 --max_completion_length 512 --learning_rate 1e-6
