"""Where slime holds the checks that its rows quote, for rule pages. Generated from its source; do not edit. To write it again:

    python conformance/places.py slime SOURCES

PLACES: rule and first release of a row -> the file, with the function in it, or the package that refuses.
"""

PLACES = {
    "balancing-needs-dynamic-batches 0.3.1": "slime/utils/arguments.py slime_validate_args",
    "checkpoints-have-a-place 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "distillation-says-where-the-teacher-runs 0.2.3": "slime/utils/arguments.py slime_validate_args",
    "dynamic-batches-have-tokens 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "evaluation-has-data 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "model-parallel-divides-world 0.2.1": "Megatron-Core",
    "one-half-is-left-out 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "one-place-for-divergence 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "oversampling-fills-a-rollout 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "reinforce-normalises-advantages 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "rollout-fills-one-update 0.2.2": "slime/ray/rollout.py RolloutManager._get_rollout_data",
    "rollout-fills-one-update 0.3": "slime/utils/dp_schedule.py build_dp_schedule",
    "rollout-fills-one-update 0.3.1": "slime/utils/dp_schedule.py build_dp_schedule",
    "rollout-is-cut-evenly 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "run-has-a-length 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "teacher-is-named-where-it-is-loaded 0.2.3": "slime/utils/arguments.py slime_validate_args",
    "uneven-stages-need-stages 0.2.2": "slime/backends/megatron_utils/arguments.py validate_args",
    "update-agrees-with-steps 0.2.1": "slime/utils/arguments.py slime_validate_args",
    "update-fills-ranks-with-micro-batches 0.2.1": "Megatron-Core",
}
