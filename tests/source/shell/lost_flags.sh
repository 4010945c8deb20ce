#!/bin/bash
accelerate launch --num_processes 7 grpo.py
  --config a.yaml \
  --num_generations 7

swift rlhf --rlhf_type grpo \
  --num_generations 8 \ 
  --per_device_train_batch_size 1

swift rlhf --rlhf_type grpo \
  --beta 0.04 \
  # --num_generations 8 \
  --per_device_train_batch_size 2 \
  --seed 1

swift rlhf --rlhf_type grpo \
  --beta 0.0 \

  --per_device_train_batch_size 4

swift rlhf --num_generations 8\
  --beta 0.1 \
--seed 3\
--epsilon 0.2
