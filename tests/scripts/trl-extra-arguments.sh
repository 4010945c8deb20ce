#!/bin/bash
# grpo-lint: version=1.16.0
accelerate launch --num_processes 3 train_grpo.py --config recipes/qwen-math.yaml --num_generations 8 --per_device_train_batch_size 1 "$@"
