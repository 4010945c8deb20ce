# grpo-lint: version=4.6.0
NPROC_PER_NODE=4 swift rlhf recipes/swift-grpo.yaml --num_generations 5
