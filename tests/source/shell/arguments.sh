#!/bin/bash
usage() { echo "usage: $0 [--gpus N] [--config F]"; exit 1; }
GPUS=8
CONFIG=default.yaml
DRY=false
while [[ $# -gt 0 ]]; do
  case "$1" in
    --gpus) GPUS="$2"; shift 2 ;;
    --config=*) CONFIG="${1#*=}"; shift ;;
    -h|--help) usage ;;
    *) break ;;
  esac
done
[ -n "$CONFIG" ] || usage
if $DRY; then
  echo dry
else
  accelerate launch --num_processes $GPUS --mixed_precision bf16 train.py --config "$CONFIG" "$@"
fi
