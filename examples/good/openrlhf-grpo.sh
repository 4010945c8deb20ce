#!/bin/bash
# OpenRLHF 0.11 with group_norm: 64 prompts x 8 completions on 8 GPUs, two updates a rollout.
# grpo-lint: version=0.11.2
MODEL=(
    --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct
    --actor.num_gpus_per_node 8
    --ref.num_gpus_per_node 8
    --vllm.num_engines 4
    --vllm.tensor_parallel_size 2
    --train.colocate_all
)
ray job submit --address http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray \
    "${MODEL[@]}" \
    --data.prompt_dataset prompts.jsonl \
    --reward.remote_url reward.py \
    --algo.advantage.estimator group_norm \
    --rollout.batch_size 64 \
    --rollout.n_samples_per_prompt 8 \
    --train.batch_size 256 \
    --train.micro_batch_size 4
