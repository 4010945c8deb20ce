#!/usr/bin/env bash
# grpo-lint: version=1.16.0
export CUDA_VISIBLE_DEVICES=0,1,2
nohup uv run --with deepspeed accelerate launch --num_processes=3 -m my_project.train_grpo --config recipes/qwen-math.yaml \
    --gradient_accumulation_steps=1 > train.log 2>&1 &
