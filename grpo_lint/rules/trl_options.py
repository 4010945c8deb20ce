"""GRPO500 - GRPO549: options of TRL and of the Hugging Face trainer, one against another."""

from .base import Rule

RULES = (
    Rule(
        "GRPO501",
        "dtype-is-read",
        "The model is loaded in the type that the file says",
        message="{key} {history}: {consequence}, and the model is loaded in float32; it is now dtype",
        why="TRL 0.27 made float32 the default and dropped the old name. The run starts, needs twice the memory and is slower: "
        "the most expensive silent mistake an upgrade brings.",
        instead="Rename the key to dtype.",
        harm="warning",
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=1
            per_device_train_batch_size: 8
            num_generations: 8
            torch_dtype: bfloat16
            """,
    ),
)
