#!/bin/bash
# grpo-lint: version=1.16.0
deepspeed --include localhost:0,1,2,3 --master_port 60000 train_grpo.py \
    --deepspeed configs/zero2.json --num_generations 6 --per_device_train_batch_size 2 \
    --max_completion_length 256 --learning_rate 1e-6 --output_dir out
