"""Options that only Megatron-SWIFT has, or takes in its own way."""

from .base import Rule


def _example(settings, version="4.6.0"):
    """A config that is in order apart from `settings`."""
    return (
        f"# grpo-lint: dialect=megatron version={version} world-size=1\nrlhf_type: grpo\nmicro_batch_size: 1\n"
        f"global_batch_size: 8\nnum_generations: 8\nvllm_mode: colocate\n{settings}\n"
    )


RULES = (
    Rule(
        "GRPO570",
        "option-is-supported",
        "Megatron-SWIFT supports the option",
        "unsupported",
        message="{unsupported} is not supported by Megatron-SWIFT in this version",
        why="Its trainer takes the arguments of `swift rlhf`, but does not do everything that one does.",
        instead="Leave the option at its default, or use `swift rlhf`. dataset_shuffle false is possible from 4.2.1, "
        "multi_turn_scheduler from 4.3, log_entropy and top_entropy_quantile from 3.12.1.",
        at=("unsupported",),
        example=_example("num_iterations: 2"),
        fixed="num_iterations: 1",
    ),
    Rule(
        "GRPO571",
        "recomputation-is-of-one-kind",
        "recompute_method goes with full recomputation",
        "recompute_granularity == 'selective'",
        only_with=("recompute_method",),
        message="recompute_method {recompute_method} needs recompute_granularity full; it is {recompute_granularity}",
        why="The method says which whole layers are computed again. Selective recomputation, the default, takes parts of all layers.",
        instead="Set recompute_granularity to full (and recompute_num_layers), or remove recompute_method.",
        at=("recompute_method",),
        example=_example("recompute_method: uniform"),
        fixed="recompute_granularity: full",
    ),
    Rule(
        "GRPO572",
        "grouped-lengths-are-padded",
        "group_by_length goes with padding",
        "group_by_length and (padding_free or packing)",
        only_with=("group_by_length",),
        message="group_by_length does not go with padding_free, which is on unless it is turned off",
        why="Sequences of like length are put together to save padding. Without padding there is nothing to save.",
        instead="Remove group_by_length, or set padding_free to false.",
        at=("group_by_length",),
        example=_example("group_by_length: true"),
        fixed="padding_free: false",
    ),
    Rule(
        "GRPO573",
        "overlap-has-sequence-parallel",
        "Overlapped tensor-parallel communication has sequence parallelism",
        "tp_comm_overlap and not computes_in_sequence_parallel",
        only_with=("tp_comm_overlap",),
        message="tp_comm_overlap needs sequence_parallel and more than {tensor_model_parallel_size} tensor-parallel rank",
        why="What overlaps is the exchange of sequence-parallel activations. With one tensor-parallel rank sequence_parallel "
        "is switched off silently.",
        instead="Set sequence_parallel to true with tensor_model_parallel_size 2 or more, or remove tp_comm_overlap.",
        at=("tp_comm_overlap",),
        example=_example("tp_comm_overlap: true"),
        fixed="tp_comm_overlap: false",
    ),
    Rule(
        "GRPO574",
        "estimator-scales-its-rewards",
        "The advantage estimator scales rewards in its own way",
        "estimator_keeps_scaling",
        only_with=("advantage_estimator",),
        message="advantage_estimator {advantage_estimator} keeps scale_rewards group here; `swift rlhf` would choose another",
        why="Before 4.6 the Megatron trainer has the defaults of the grpo estimator for all of them: scale_rewards group, no KL "
        "in the reward. `swift rlhf` takes none for rloo and batch for reinforce_plus_plus, and KL in the reward for both.",
        instead="Set scale_rewards (none for rloo, batch for reinforce_plus_plus) and kl_in_reward.",
        at=("advantage_estimator",),
        harm="warning",
        example=_example("advantage_estimator: rloo", "4.3.2"),
        fixed="scale_rewards: none\nkl_in_reward: true",
    ),
    Rule(
        "GRPO575",
        "ray-keeps-its-teacher",
        "Under Ray the teacher is a model of the run",
        "use_ray and asks_teacher_server",
        only_with=("teacher_model_server",),
        message="teacher_model_server is not supported with use_ray",
        why="The Ray pipeline places a teacher_model beside the student; it does not ask servers.",
        instead="Set teacher_model, or run without Ray.",
        at=("teacher_model_server",),
        example=_example("use_ray: true\nteacher_model_server: http://localhost:8000"),
    ),
    Rule(
        "GRPO626",
        "old-checkpoints-can-go",
        "Two checkpoints stay, and are written before the next",
        "save_total_limit < 2 or async_save",
        only_with=("save_total_limit",),
        message="save_total_limit {save_total_limit} must be at least 2, and does not go with async_save",
        why="An old checkpoint is removed when the new one is complete. With one in all, or one still being written, none would be safe.",
        instead="Set save_total_limit to 2 or more and async_save to false.",
        at=("save_total_limit",),
        example=_example("save_total_limit: 1"),
        fixed="save_total_limit: 2",
    ),
)
