#!/bin/bash
NPROC_PER_NODE=2 swift rlhf --rlhf_type dpo --model Qwen/Qwen3-8B --dataset pairs.jsonl --per_device_train_batch_size 1
swift sft --model Qwen/Qwen3-8B --dataset chat.jsonl
