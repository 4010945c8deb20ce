#!/bin/bash
# A 32B model on eight GPUs, started in a way that uses them as one: `python -m swift.cli.rlhf` never reads NPROC_PER_NODE,
# only the `swift` command does. The symptom is that "only some GPUs are used", or a message about the evaluation batch.
# grpo-lint: version=1.16.0
# no counterpart in TRL, and no effect on the training: deepspeed: zero3
CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \
NPROC_PER_NODE=8 \
accelerate launch --num_processes 1 -m trl.scripts.grpo \
    --model_name_or_path Qwen/Qwen2.5-32B-Instruct \
    --use_peft true \
    --dtype bfloat16 \
    --dataset_name AI-MO/NuminaMath-TIR \
    --reward_funcs accuracy_reward \
    --max_completion_length 2080 \
    --num_train_epochs 3.0 \
    --per_device_train_batch_size 1 \
    --per_device_eval_batch_size 1 \
    --gradient_accumulation_steps 8 \
    --num_generations 8 \
    --learning_rate 5.0e-06 \
    --temperature 0.9 \
    --top_p 0.9 \
    --top_k 50 \
    --beta 0.04 \
    --loss_type grpo \
    --lr_scheduler_type cosine \
    --weight_decay 0.1 \
    --adam_beta2 0.95 \
    --lora_r 8 \
    --lora_target_modules all-linear
