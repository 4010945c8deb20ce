#!/bin/bash
# grpo-lint: version=1.16.0
cat > run.yaml <<EOF
num_generations: 8
per_device_train_batch_size: 4
EOF
accelerate launch --num_processes 2 train_grpo.py --per_device_train_batch_size 1 --num_generations 4 \
    --max_completion_length 128 --learning_rate 1e-6
