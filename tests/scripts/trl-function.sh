#!/bin/bash
# grpo-lint: version=1.16.0
train() {
    local group=$1 processes=$2
    accelerate launch --num_processes "$processes" train_grpo.py --config recipes/qwen-math.yaml --num_generations "$group"
}
train 8 4
train 8 7
train 32 2
