#!/bin/bash
# grpo-lint: version=4.6.0
# 四张卡，每张卡一个进程 🚀
NPROC_PER_NODE=4 swift rlhf \
    --rlhf_type grpo --model Qwen/Qwen3-8B --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
    --system '你是一位细心的数学家。' --per_device_train_batch_size 1 --num_generations 8
