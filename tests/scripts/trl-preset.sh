#!/bin/bash
# grpo-lint: version=0.29.1
trl grpo --config recipes/qwen-math.yaml --accelerate_config zero3 --num_generations 12
