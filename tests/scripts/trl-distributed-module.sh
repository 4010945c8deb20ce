#!/bin/bash
# grpo-lint: version=0.16.1
NNODES=2
python -m torch.distributed.run --nproc_per_node=8 --nnodes=$NNODES train_grpo.py --config recipes/qwen-math.yaml --num_generations 6
