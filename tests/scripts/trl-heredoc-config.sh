#!/bin/bash
# grpo-lint: version=1.16.0
cat > run.yaml <<'EOF'
model_name_or_path: Qwen/Qwen2.5-0.5B
max_completion_length: 256
learning_rate: 1.0e-6
num_generations: 8
per_device_train_batch_size: 3
gradient_accumulation_steps: 1
EOF
accelerate launch --num_processes 4 train_grpo.py --config run.yaml
