#!/bin/bash
# grpo-lint: version=1.16.0
accelerate launch --num_processes 8 train_grpo.py \
    --config recipes/qwen-math.yaml \
    # a larger group for the hard problems
    --num_generations 16 \
    --beta 0.01
