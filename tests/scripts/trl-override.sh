#!/bin/bash
# grpo-lint: version=1.16.0
# The recipe is in order; the group of the command line is not.
GROUP=12
accelerate launch --num_processes 8 \
    --mixed_precision bf16 \
    train_grpo.py \
    --config recipes/qwen-math.yaml \
    --num_generations ${GROUP}
