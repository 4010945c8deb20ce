#!/bin/bash
# grpo-lint: version=4.6.0
set -u
MODEL=${MODEL:-}
RESUME="${1:-}"
if [ -z "$MODEL" ]; then
    echo "MODEL=... $0 [checkpoint]" >&2
    exit 1
fi
NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model "$MODEL" --reward_funcs accuracy --dataset AI-MO/NuminaMath-TIR \
    --per_device_train_batch_size 1 --num_generations 16 --gradient_accumulation_steps 1 --resume_from_checkpoint "$RESUME"
