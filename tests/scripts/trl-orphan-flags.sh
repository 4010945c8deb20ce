#!/bin/bash
accelerate launch
    --config_file accelerate/zero3.yaml
    train_grpo.py
    --num_generations 8
    --per_device_train_batch_size 4
