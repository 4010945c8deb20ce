"""Where OpenRLHF holds the checks that its rows quote, for rule pages. Generated from its source; do not edit. To write it again:

    python conformance/places.py openrlhf SOURCES

PLACES: rule and first release of a row -> the file, with the function in it, or the package that refuses.
"""

PLACES = {
    "asynchronous-engines-stay-awake 0.8": "openrlhf/cli/train_ppo_ray.py",
    "asynchronous-engines-stay-awake 0.10.4": "openrlhf/cli/train_ppo_ray.py",
    "colocated-engines-fill-the-actor 0.5.9": "openrlhf/cli/train_ppo_ray.py train",
    "colocated-reference-is-alike 0.5.9": "openrlhf/cli/train_ppo_ray.py train",
    "colocated-reward-is-alike 0.5.9": "openrlhf/cli/train_ppo_ray.py train",
    "critic-goes-into-the-actor 0.5.9": "openrlhf/cli/train_ppo_ray.py _validate_args",
    "dynamic-filtering-is-set-up 0.8.1": "openrlhf/cli/train_ppo_ray.py",
    "engines-go-into-the-actor 0.5.9": "openrlhf/cli/train_ppo_ray.py _validate_args",
    "evaluation-has-rewards-from-outside 0.7": "openrlhf/cli/train_ppo_ray.py",
    "evaluation-has-rewards-from-outside 0.10.4": "openrlhf/cli/train_ppo_ray.py",
    "evaluation-has-rewards-from-outside 0.11": "openrlhf/cli/train_ppo_ray.py",
    "group-has-two-completions 0.5.9": "openrlhf/cli/train_ppo_ray.py",
    "images-have-no-critic-and-no-packing 0.10": "openrlhf/cli/train_ppo_ray.py",
    "model-parallel-divides-world 0.6": "torch",
    "oversampling-is-asynchronous 0.10": "openrlhf/cli/train_ppo_ray.py",
    "partial-rollout-is-asynchronous 0.9.7": "openrlhf/cli/train_ppo_ray.py",
    "partial-rollout-is-asynchronous 0.10.4": "openrlhf/cli/train_ppo_ray.py",
    "prompts-divide-over-the-actor 0.5.9": "openrlhf/cli/train_ppo_ray.py _validate_args",
    "rollout-has-a-chunk-for-each-rank 0.7.2": "openrlhf/cli/train_ppo_ray.py",
    "update-is-whole-micro-batches 0.5.9": "DeepSpeed",
}
