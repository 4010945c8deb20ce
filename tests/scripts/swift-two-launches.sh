#!/bin/bash
# grpo-lint: version=4.6.0
# First the server, on a GPU of its own, then the trainer on the other seven.
CUDA_VISIBLE_DEVICES=7 swift rollout --model Qwen/Qwen3-8B --vllm_data_parallel_size 1 --port 8000 &

CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6 NPROC_PER_NODE=7 swift rlhf \
    --rlhf_type grpo --model Qwen/Qwen3-8B --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
    --use_vllm true --vllm_mode server --vllm_server_host 127.0.0.1 --vllm_server_port 8000 \
    --per_device_train_batch_size 8 --num_generations 16
