#!/bin/bash
# Seven processes train, the eighth GPU holds the vLLM server that `swift rollout` started on this host.
# grpo-lint: version=4.6.0
GROUP=${GROUP:-14}

CUDA_VISIBLE_DEVICES=7 swift rollout --model Qwen/Qwen3-8B --port 8000 &

CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6 NPROC_PER_NODE=7 megatron rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen3-8B \
    --dataset AI-MO/NuminaMath-TIR \
    --reward_funcs accuracy \
    --use_vllm true \
    --vllm_mode server \
    --vllm_server_host 127.0.0.1 \
    --micro_batch_size 2 \
    --global_batch_size 28 \
    --num_generations "$GROUP" \
    --max_completion_length 1024 \
    --num_train_epochs 3 \
    --tuner_type lora
