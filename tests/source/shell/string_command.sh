#!/bin/bash
CONFIG=recipes/qwen.yaml
LAUNCHER="accelerate launch --config_file recipes/accelerate/zero2.yaml --num_processes 3"
CMD="src/grpo.py --config $CONFIG"
CMD+=" --num_generations 6"
if [ -n "$WANDB_API_KEY" ]; then
  CMD="$CMD --report_to wandb"
fi
$LAUNCHER $CMD
TASK="python train.py --beta 0.04 --name 'two words'"
eval "$TASK --lr 1e-6"
eval $TASK
EXTRA=""
if nvidia-smi; then EXTRA=" --bf16 true"; fi
FULL="trl grpo --config $CONFIG$EXTRA"
$FULL
