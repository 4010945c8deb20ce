#!/bin/bash
# grpo-lint: version=1.16.0 world-size=8
accelerate launch --num_processes 4 train_grpo.py --config recipes/qwen-math.yaml
