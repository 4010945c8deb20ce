"""Where NeMo-RL holds the checks that its rows quote, for rule pages. Generated from its source; do not edit. To write it again:

    python conformance/places.py nemo-rl SOURCES

PLACES: rule and first release of a row -> the file, with the function in it, or the package that refuses.
"""

PLACES = {
    "async-training-is-set-up 0.4": "nemo_rl/algorithms/grpo.py async_grpo_train",
    "batch-multiplier-has-dynamic-sampling 0.4": "nemo_rl/algorithms/grpo.py setup, nemo_rl/algorithms/ppo.py setup",
    "checkpoints-have-a-period 0.2": "nemo_rl/algorithms/grpo.py setup, nemo_rl/algorithms/dpo.py setup",
    "cispo-keeps-its-ratio 0.7": "nemo_rl/algorithms/loss/loss_functions.py ClippedPGLossFn.__init__",
    "cluster-has-a-node 0.2": "nemo_rl/models/generation/vllm.py VllmGeneration._get_tied_worker_bundle_indices, nemo_rl/models/policy/hf_policy.py HfPolicy._get_tied_worker_bundle_indices",
    "cluster-has-a-node 0.4": "nemo_rl/algorithms/grpo.py setup, nemo_rl/algorithms/ppo.py setup",
    "config-builds-on-a-whole-one 0.2": "pydantic",
    "config-builds-on-a-whole-one 0.7": "pydantic",
    "context-parallel-suits-the-backend 0.3": "nemo_rl/models/automodel/setup.py validate_and_prepare_config, nemo_rl/models/policy/workers/dtensor_policy_worker.py DTensorPolicyWorkerImpl.__init__",
    "divided-engines-are-asynchronous 0.3": "nemo_rl/models/generation/vllm/vllm_generation.py VllmGeneration.__init__",
    "draft-model-suits-training 0.6": "nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "dtensor-options-suit-its-worker 0.5": "nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "dynamic-batching-has-one-stage 0.2": "nemo_rl/models/policy/hf_policy.py HfPolicy.__init__",
    "dynamic-batching-has-one-stage 0.3": "nemo_rl/models/value/lm_value.py Value.__init__, nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "engines-fill-generation-gpus 0.3": "numpy",
    "engines-fill-generation-gpus 0.4": "nemo_rl/models/generation/vllm/vllm_generation.py VllmGeneration.__init__",
    "forced-ratio-has-one-update 0.5": "nemo_rl/algorithms/grpo.py setup, nemo_rl/algorithms/ppo.py setup",
    "generation-has-gpus-of-its-own 0.4": "nemo_rl/algorithms/grpo.py setup, nemo_rl/algorithms/distillation.py setup",
    "model-parallel-divides-world 0.3": "numpy",
    "model-parallel-divides-world 0.4": "nemo_rl/models/value/lm_value.py Value.__init__, nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "nemo-rl-estimator-is-known 0.6": "nemo_rl/algorithms/grpo.py _create_advantage_estimator",
    "packing-and-dynamic-batching-exclude 0.3": "nemo_rl/models/value/lm_value.py Value.__init__, nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "padding-suits-megatron 0.6": "nemo_rl/models/megatron/data.py _get_pack_sequence_parameters_for_megatron",
    "parallel-groups-fit-a-node 0.2": "nemo_rl/models/generation/vllm.py VllmGeneration._get_tied_worker_bundle_indices, nemo_rl/models/policy/hf_policy.py HfPolicy._get_tied_worker_bundle_indices",
    "precision-is-spelt-out 0.2": "nemo_rl/models/automodel/setup.py validate_and_prepare_config, nemo_rl/models/policy/workers/dtensor_policy_worker.py DTensorPolicyWorkerImpl.__init__",
    "prompt-batches-are-positive 0.2": "torch",
    "rank-rollout-fills-logprob-batches 0.2": "nemo_rl/distributed/batched_data_dict.py BatchedDataDict.make_microbatch_iterator",
    "rank-update-fills-micro-batches 0.2": "nemo_rl/distributed/batched_data_dict.py BatchedDataDict.make_microbatch_iterator",
    "reference-is-skipped-without-kl 0.7": "nemo_rl/algorithms/grpo.py setup",
    "rollout-divides-over-training-ranks 0.2": "nemo_rl/distributed/batched_data_dict.py BatchedDataDict.shard_by_batch_size",
    "rollout-is-whole-updates 0.2": "nemo_rl/distributed/batched_data_dict.py BatchedDataDict.shard_by_batch_size",
    "sampling-limits-are-taken 0.4": "nemo_rl/models/generation/vllm/vllm_generation.py VllmGeneration.__init__",
    "sampling-limits-are-taken 0.6": "nemo_rl/models/generation/vllm/vllm_generation.py VllmGeneration.__init__",
    "sequence-ratios-have-sequence-loss 0.4": "nemo_rl/algorithms/loss/loss_functions.py ClippedPGLossFn.__init__",
    "token-budget-is-positive 0.2": "nemo_rl/distributed/batched_data_dict.py BatchedDataDict.shard_by_batch_size",
    "token-budget-is-positive 0.3": "nemo_rl/data/packing/algorithms.py ModifiedFirstFitDecreasingPacker._pack_implementation",
    "training-backend-is-one 0.3": "nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "training-backend-is-one 0.4": "nemo_rl/models/value/lm_value.py Value.__init__, nemo_rl/models/policy/lm_policy.py Policy.__init__",
    "update-divides-over-training-ranks 0.2": "nemo_rl/distributed/batched_data_dict.py BatchedDataDict.shard_by_batch_size",
    "wide-tensor-parallel-has-equal-batches 0.6": "nemo_rl/models/policy/lm_policy.py Policy.__init__",
}
