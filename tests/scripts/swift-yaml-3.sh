# In 3.10 - 4.0 the file is appended behind the flags: its group of 8 counts, not the 5 below.
# grpo-lint: version=3.12.6
NPROC_PER_NODE=4 swift rlhf --config recipes/swift-grpo.yaml --num_generations 5
