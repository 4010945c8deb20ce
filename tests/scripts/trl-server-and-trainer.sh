#!/bin/bash
# grpo-lint: version=1.16.0
# CUDA_VISIBLE_DEVICES=3 trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --max-model-len 1024
CUDA_VISIBLE_DEVICES=0,1,2 accelerate launch --num_processes 3 train_grpo.py --model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --use_vllm true --vllm_mode server --per_device_train_batch_size 8 --num_generations 8 --max_completion_length 1024 \
    --learning_rate 1e-6
