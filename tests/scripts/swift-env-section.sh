#!/bin/bash
# The file sets NPROC_PER_NODE itself.
# grpo-lint: version=4.6.0
swift rlhf recipes/swift-env.yaml --num_generations 6
