#!/bin/bash
#SBATCH --job-name=grpo
#SBATCH --nodes=2
#SBATCH --ntasks-per-node 1  # one launcher on each node
#SBATCH --gres=gpu:8 -c 64
##SBATCH --exclusive
#SBATCH --output="logs/%x-%j.out"

source ~/.bashrc
conda activate openr1
GPUS_PER_NODE=8
#SBATCH --nodes=4
WORLD_SIZE=$((SLURM_NNODES * GPUS_PER_NODE))
NODES=${SLURM_NNODES:-1}
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export CMD="src/open_r1/grpo.py --config recipes/grpo.yaml"
LAUNCHER="accelerate launch --num_machines 2 --num_processes 14 --machine_rank \$SLURM_PROCID"
srun --nodes=2 --ntasks=2 bash -c "$LAUNCHER --main_process_ip $MASTER_ADDR $CMD --beta 0.0" 2>&1 | tee log.txt
srun --jobid $SLURM_JOB_ID bash -lc 'torchrun --nproc_per_node 8 $CMD --nodes $NODES'
