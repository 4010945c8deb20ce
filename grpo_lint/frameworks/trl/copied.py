"""TRL as a copy in a checkout has it."""

from ..shared.copied_fields import Classes, framework_with_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Framework
    from ..protocols import Copy

_CLASSES = Classes(
    by_group={
        "grpo": ("trl.trainer.grpo_config.GRPOConfig",),
        "rloo": ("trl.trainer.rloo_config.RLOOConfig",),
        "script": ("trl.scripts.grpo.GRPOScriptArguments", "trl.scripts.utils.ScriptArguments"),
        "model": ("trl.trainer.model_config.ModelConfig",),
    },
    trainers=("grpo", "rloo"),
    of_others=frozenset(("transformers",)),
    unknown_type="any?",
)


def framework_of(framework: "Framework", copy: "Copy", group: str) -> "Framework | None":
    return framework_with_fields(framework, copy, group, _CLASSES)
