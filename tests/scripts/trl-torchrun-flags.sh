#!/bin/bash
# grpo-lint: version=1.16.0
export NCCL_DEBUG=WARN
MASTER_PORT=${MASTER_PORT:-29500}

torchrun --nproc_per_node="6" \
    --nnodes="1" \
    --master_port="$MASTER_PORT" \
    src/train_grpo.py \
    --model_name_or_path Qwen/Qwen2.5-VL-3B-Instruct \
    --output_dir out/vl \
    --max_prompt_length 1024 \
    --max_completion_length 512 \
    --per_device_train_batch_size 1 \
    --gradient_accumulation_steps 2 \
    --logging_steps 1 \
    --bf16 \
    --num_train_epochs 2 \
    --num_generations 8
