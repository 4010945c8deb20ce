#!/bin/bash
# grpo-lint: version=1.16.0
while [[ $# -gt 0 ]]; do
    case $1 in
        --group) GROUP=$2; shift 2 ;;
        *) EXTRA+=("$1"); shift ;;
    esac
done
accelerate launch --num_processes 4 train_grpo.py --config recipes/qwen-math.yaml --num_generations "${GROUP}" "${EXTRA[@]}"
