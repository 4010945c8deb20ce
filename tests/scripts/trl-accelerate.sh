#!/usr/bin/env bash
# grpo-lint: version=1.16.0
# 8 GPUs, one of them kept for the reward model
accelerate launch --config_file accelerate/zero3.yaml --num_processes 7 \
    train_grpo.py --config recipes/qwen-math.yaml \
    --run_name qwen-math
