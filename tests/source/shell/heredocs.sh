#!/bin/bash
GROUP=8
cat > config.yaml <<EOF
# written by $0
num_generations: $GROUP
learning_rate: 1e-6
run_name: \$keep-$(date)
EOF
cat <<'EOF' >> config.yaml
beta: ${beta}
EOF
tee accelerate.yaml <<-YAML
	num_processes: 4
	mixed_precision: bf16
	YAML
python - <<'PY'
import torch
print("swift rlhf --not-a-launch")
PY
ARGS=$(cat <<'EOF'
--config config.yaml
--seed 7
EOF
)
accelerate launch --config_file accelerate.yaml train.py $ARGS
sbatch <<EOT
#!/bin/bash
#SBATCH --nodes=3
export NPROC_PER_NODE=4
swift rlhf --num_generations $GROUP \\
  --rank \$SLURM_NODEID
EOT
