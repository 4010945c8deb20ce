#!/bin/bash
# grpo-lint: version=1.16.0
LAUNCHER="accelerate launch --num_processes 4"
PROGRAM="train_grpo.py --config recipes/qwen-math.yaml"
CMD="$LAUNCHER $PROGRAM --num_generations 7"
echo "$CMD"
eval $CMD
