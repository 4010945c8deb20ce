#!/usr/bin/env bash
set -euo pipefail
export NPROC_PER_NODE=${NPROC_PER_NODE:-6}	# two cards are kept for vLLM
export NNODES="${NNODES:=2}"
: "${MASTER_PORT:=29500}"
export MASTER_PORT CUDA_VISIBLE_DEVICES='0,1,2,3,4,5'
BATCH_SIZE=2
GLOBAL=$((BATCH_SIZE * NPROC_PER_NODE * NNODES))
OUTPUT=$(date +%F)
MODEL=${1:-Qwen/Qwen2.5-7B}
NAME=${MODEL##*/}
WANDB_PROJECT=${WANDB_PROJECT-grpo} RUN="${NAME,,}-bs${BATCH_SIZE}"
ACCUMULATION=$(( 96 / GLOBAL ))
if [ -z "${REWARD:-}" ]; then
  REWARD=accuracy
fi
swift rlhf --rlhf_type grpo --model "$MODEL" --run_name="$RUN" --output_dir "$OUTPUT/$NAME" \
  --per_device_train_batch_size=$BATCH_SIZE --gradient_accumulation_steps "$ACCUMULATION" \
  --reward_funcs $REWARD ${RESUME:+--resume_from_checkpoint "$RESUME"} "$@"
