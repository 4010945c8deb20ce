#!/usr/bin/env bash
# grpo-lint: version=1.16.0
set -euo pipefail
cd "$(dirname "$0")"
accelerate launch --config_file=accelerate/zero3.yaml train_grpo.py --config recipes/qwen-math.yaml
