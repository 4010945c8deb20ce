#!/bin/bash
# grpo-lint: version=1.16.0
GPUS=$(nvidia-smi -L | wc -l)
accelerate launch --num_processes $GPUS train_grpo.py --config recipes/qwen-math.yaml --num_generations 12 \
    --run_name "math-$(date +%F)"
