#!/bin/bash
# OpenRLHF 0.11: the reference model shares the GPUs of the actor, and is left at 8 of them, its default, where the actor has 4.
# grpo-lint: version=0.11.2
ray job submit --address http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray \
    --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct \
    --actor.num_gpus_per_node 4 \
    --vllm.num_engines 4 \
    --train.colocate_all \
    --data.prompt_dataset prompts.jsonl \
    --reward.remote_url reward.py \
    --algo.advantage.estimator group_norm \
    --rollout.batch_size 64 \
    --rollout.n_samples_per_prompt 8 \
    --train.batch_size 256 \
    --train.micro_batch_size 4
