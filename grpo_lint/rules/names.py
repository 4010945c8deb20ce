"""GRPO1xx: names, types and versions. Raised key by key; these rules have no condition over a plan."""

from .base import Rule

RULES = (
    Rule(
        "GRPO101",
        "version-has-the-trainer",
        "The version has the trainer that the file configures",
        message="{title} {version} has no {algorithm} trainer that reads these keys: {consequence}",
        why="The trainer came with a later release, or an older one of the same name reads other keys.",
        instead="Correct the version, or take a newer release.",
        example="""\
            # grpo-lint: dialect=megatron version=3.8.3 world-size=8
            rlhf_type: grpo
            micro_batch_size: 1
            global_batch_size: 16
            """,
    ),
    Rule(
        "GRPO110",
        "value-has-the-type-of-its-key",
        "A value has the type of its key",
        message="{key} holds {problem}",
        why="The framework's parser, or the first arithmetic on the value, refuses it.",
        instead="Write a value of the right type.",
        example="""\
            # grpo-lint: dialect=swift version=4.6.0 world-size=1
            rlhf_type: grpo
            per_device_train_batch_size: 8.0
            num_generations: 8
            """,
        fixed="per_device_train_batch_size: 8",
    ),
)
