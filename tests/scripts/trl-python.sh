#!/bin/bash
# grpo-lint: version=1.16.0
CUDA_VISIBLE_DEVICES=0 python train_grpo.py \
    --per_device_train_batch_size 2 --num_generations 4 --max_completion_length 256 --learning_rate 1e-6
