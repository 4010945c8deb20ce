#!/bin/bash
# OpenRLHF 0.11: one completion has no group, 2 engines do not fill 4 GPUs, the reference model is left at 8, and 250 is no multiple of 16.
# grpo-lint: version=0.11.2
ray job submit --address http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray \
    --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --actor.num_gpus_per_node 4 \
    --vllm.num_engines 2 \
    --train.colocate_all \
    --data.prompt_dataset prompts.jsonl \
    --reward.remote_url reward.py \
    --algo.advantage.estimator group_norm \
    --rollout.batch_size 64 \
    --train.batch_size 250 \
    --train.micro_batch_size 4
