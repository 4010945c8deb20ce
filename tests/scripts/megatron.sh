#!/bin/bash
# grpo-lint: version=4.6.0
PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True' \
NPROC_PER_NODE=8 \
NNODES=2 \
NODE_RANK=$RANK \
MASTER_ADDR=$MASTER_ADDR \
megatron rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen3-30B-A3B \
    --dataset AI-MO/NuminaMath-TIR \
    --reward_funcs accuracy \
    --use_vllm true --vllm_mode colocate \
    --tensor_model_parallel_size 2 \
    --micro_batch_size 1 \
    --global_batch_size 16 \
    --steps_per_generation 2 \
    --num_generations 4 \
    --num_train_epochs 1
