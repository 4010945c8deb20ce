#!/bin/bash
# grpo-lint: version=4.6.0
# A template: what stands in angle brackets is filled in by whoever starts it.
NNODES=2 NODE_RANK=0 NPROC_PER_NODE=4 \
swift rlhf \
    --rlhf_type grpo \
    --model <model or checkpoint> \
    --use_vllm true \
    --vllm_mode server \
    --vllm_server_host <first_node> <second_node> \
    --vllm_server_port <port-1> <port-2> \
    --output_dir /data/<user>/grpo \
    --dataset AI-MO/NuminaMath-TIR#1000 \
    --reward_funcs accuracy \
    --per_device_train_batch_size 1 \
    --gradient_accumulation_steps 1 \
    --num_generations 6 < /dev/null > run.log
