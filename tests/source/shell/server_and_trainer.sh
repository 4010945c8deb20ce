#!/bin/bash
PORT=8001
CUDA_VISIBLE_DEVICES=6,7 nohup swift rollout --model Qwen/Qwen2.5-7B --port $PORT --vllm_tensor_parallel_size 2 > server.log 2>&1 &
SERVER=$!
trap "kill $SERVER" EXIT
sleep 60; (
  cd examples/grpo && export NPROC_PER_NODE=6
  CUDA_VISIBLE_DEVICES=0,1,2,3,4,5 swift rlhf --rlhf_type grpo --vllm_mode server --vllm_server_port $PORT --config conf.yaml >> train.log
)
NPROC_PER_NODE=6
swift rlhf --config again.yaml
wait
