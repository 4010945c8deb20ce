"""Where EasyR1 holds the checks that its rows quote, for rule pages. Generated from its source; do not edit. To write it again:

    python conformance/places.py easyr1 SOURCES

PLACES: rule and first release of a row -> the file, with the function in it, or the package that refuses.
"""

PLACES = {
    "adaptive-divergence-has-a-horizon 0.3": "verl/trainer/core_algos.py get_kl_controller",
    "advantage-estimator-is-known 0.3": "verl/trainer/ray_trainer.py RayPPOTrainer.__init__",
    "critic-rows-hold-whole-micro-batches 0.3": "verl/protocol.py DataProto.chunk",
    "critic-rows-hold-whole-micro-batches 0.3.2": "verl/protocol.py DataProto.split",
    "critic-update-holds-whole-micro-batches 0.3": "verl/workers/fsdp_workers.py FSDPWorker._init_dist_mesh",
    "data-fills-a-batch 0.3": "verl/trainer/data_loader.py create_dataloader",
    "engine-takes-a-sequence 0.3": "verl/workers/rollout/vllm_rollout_spmd.py vLLMRollout.__init__",
    "engines-divide-gpus 0.3": "verl/workers/fsdp_workers.py FSDPWorker._build_rollout",
    "group-has-two-completions 0.3": "verl/trainer/ray_trainer.py RayPPOTrainer.__init__",
    "heads-divide-over-the-engine 0.3": "vLLM",
    "model-parallel-divides-world 0.3": "torch",
    "offload-goes-without-accumulation 0.3": "verl/workers/fsdp_workers.py FSDPWorker._init_dist_mesh",
    "rank-has-an-update 0.3": "verl/workers/fsdp_workers.py FSDPWorker._init_dist_mesh",
    "rank-rows-hold-whole-micro-batches 0.3": "verl/protocol.py DataProto.chunk",
    "rank-rows-hold-whole-micro-batches 0.3.2": "verl/protocol.py DataProto.split",
    "rank-update-holds-whole-micro-batches 0.3": "verl/workers/fsdp_workers.py FSDPWorker._init_dist_mesh",
    "rollout-fills-critic-forward-passes 0.3": "verl/trainer/ray_trainer.py RayPPOTrainer.__init__",
    "rollout-fills-forward-passes 0.3": "verl/trainer/ray_trainer.py RayPPOTrainer.__init__",
    "rollout-holds-critic-updates-without-rest 0.3": "verl/protocol.py DataProto.chunk",
    "rollout-holds-critic-updates-without-rest 0.3.2": "verl/protocol.py DataProto.split",
    "rollout-holds-updates-without-rest 0.3": "verl/protocol.py DataProto.chunk",
    "rollout-holds-updates-without-rest 0.3.2": "verl/protocol.py DataProto.split",
    "rollout-prompts-fill-critic-updates 0.3": "verl/trainer/ray_trainer.py RayPPOTrainer.__init__",
    "rollout-prompts-fill-updates 0.3": "verl/trainer/ray_trainer.py RayPPOTrainer.__init__",
    "rows-divide-over-generation 0.3": "verl/protocol.py DataProto.chunk",
    "rows-divide-over-ranks 0.3": "verl/protocol.py DataProto.chunk",
    "sharding-groups-divide-gpus 0.3": "torch",
}
