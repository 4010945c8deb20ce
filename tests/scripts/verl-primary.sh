#!/bin/bash
# A file of settings of one's own over that of the release, and two overrides.
# grpo-lint: version=0.7.1
python3 -m verl.trainer.main_ppo \
    --config-path="$(dirname "$0")/verl" \
    --config-name=multiturn_grpo \
    data.train_batch_size=40 \
    +trainer.val_before_train=False
