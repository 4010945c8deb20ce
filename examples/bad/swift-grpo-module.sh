#!/bin/bash
# A 32B model on eight GPUs, started in a way that uses them as one: `python -m swift.cli.rlhf` never reads NPROC_PER_NODE,
# only the `swift` command does. The symptom is that "only some GPUs are used", or a message about the evaluation batch.
# grpo-lint: version=3.5.3
CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
NPROC_PER_NODE=8 \
python3 -m swift.cli.rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-32B-Instruct \
    --train_type lora \
    --torch_dtype bfloat16 \
    --dataset 'AI-MO/NuminaMath-TIR#1000' \
    --reward_funcs accuracy \
    --max_completion_length 2080 \
    --num_train_epochs 3 \
    --per_device_train_batch_size 1 \
    --per_device_eval_batch_size 1 \
    --gradient_accumulation_steps 8 \
    --num_generations 8 \
    --learning_rate 5e-6 \
    --deepspeed zero3
