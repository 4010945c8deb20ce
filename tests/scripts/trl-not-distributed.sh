#!/bin/bash
# grpo-lint: version=1.16.0
accelerate launch --config_file accelerate/one-gpu.yaml train_grpo.py --config recipes/qwen-math.yaml --num_generations 16
