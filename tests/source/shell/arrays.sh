#!/bin/bash
NUM=7
USE_VLLM=true
MODEL_ARGS=(
  --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct
  --dtype bfloat16          # half the memory

  # --attn_implementation flash_attention_2
  --attn_implementation sdpa
)
TRAIN_ARGS=(--num_generations $NUM "--per_device_train_batch_size" "$((NUM * 2))")
TRAIN_ARGS+=(--output_dir "out dir/$NUM")
if [ "$USE_VLLM" = "true" ]; then
  TRAIN_ARGS+=(--use_vllm true --vllm_mode server)
fi
if [[ -f checkpoint/state.json ]]; then
  TRAIN_ARGS+=(--resume_from_checkpoint true)
fi
LAUNCH=(accelerate launch --num_processes "$NUM" --config_file configs/zero3.yaml)
"${LAUNCH[@]}" train.py "${MODEL_ARGS[@]}" ${TRAIN_ARGS[@]} --seed ${#MODEL_ARGS[@]} --first "${MODEL_ARGS[1]}"
torchrun --nproc_per_node=${#LAUNCH[@]} train.py "${MODEL_ARGS[*]}"
IFS=',' read -r -a DEVICES <<< "${DEVICE_LIST:-0,1,,3,}"
torchrun --nproc_per_node=${#DEVICES[@]} train.py "${DEVICES[@]}"
read -ra WORDS <<< "a b"
torchrun --nproc_per_node=${#WORDS[@]} train.py
