#!/bin/bash
# grpo-lint: version=1.16.0
trl grpo --config recipes/qwen-math.yaml --num_processes 8 --per_device_train_batch_size 2
