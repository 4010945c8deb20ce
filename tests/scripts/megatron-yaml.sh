#!/bin/bash
# grpo-lint: version=4.6.0
export NPROC_PER_NODE=8
megatron rlhf recipes/megatron-grpo.yaml --global_batch_size 24 --num_train_epochs 1
