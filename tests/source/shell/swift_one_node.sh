#!/bin/bash
# 八卡训练 (eight cards) 🚀
# CUDA_VISIBLE_DEVICES=7 swift rollout --model Qwen/Qwen2.5-32B-Instruct
export OMP_NUM_THREADS=8   # threads of each process

CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
NPROC_PER_NODE=8 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-32B-Instruct \
    --dataset 'AI-MO/NuminaMath-TIR#1000' \
    --system "You are a helpful assistant. Think first, \"then\" answer." \
    --per_device_train_batch_size 1 \
    --num_generations 8 \
    --num_generations 4 \
    --learning_rate 5e-6 \
    --report_to tensorboard wandb \
    --output_dir output/$(date +%Y%m%d)_grpo \

