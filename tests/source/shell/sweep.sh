#!/bin/bash
train() {
  local model=$1 group="${2:-8}"
  shift
  CUDA_VISIBLE_DEVICES=${GPUS:-0,1} torchrun --nproc_per_node 2 train.py --model "$model" --num_generations "$group" --rest "$@"
}
train Qwen/Qwen2.5-0.5B 4
train Qwen/Qwen2.5-3B
for beta in 0.0 0.04; do
  for seed in 42; do
    train small 16 --beta $beta --seed $seed
  done
done
MODE=full
case "$MODE" in
  lora) LR=1e-4; EXTRA="--use_peft" ;;
  full|all)
    LR=1e-6
    EXTRA=
    ;;
  *) echo "unknown mode"; exit 1 ;;
esac
python train.py --learning_rate $LR $EXTRA && echo done || echo failed
unused() {
  trl grpo --config "$1"
}
