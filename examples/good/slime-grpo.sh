#!/bin/bash
# grpo-lint: version=0.3.1
CKPT_ARGS=(
   --hf-checkpoint Qwen/Qwen3-4B
   --ref-load Qwen3-4B_torch_dist
   --save checkpoints
   --save-interval 20
)
ROLLOUT_ARGS=(
   --prompt-data dapo-math-17k.jsonl
   --num-rollout 3000
   --rollout-batch-size 32
   --n-samples-per-prompt 8
   --global-batch-size 256
)
ray job submit --address="http://127.0.0.1:8265" \
   -- python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate \
   --tensor-model-parallel-size 2 --use-dynamic-batch-size --max-tokens-per-gpu 9216 \
   ${CKPT_ARGS[@]} ${ROLLOUT_ARGS[@]}
