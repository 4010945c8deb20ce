"""Formulas of quantities that every framework derives alike. A regime's own formula comes first.

`quantities` states what the quantities mean; it is loaded only by what prints them.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COMMON: "Mapping[str, str | tuple[str, ...]]" = {
    "completions_per_engine": "ratio(completions_per_rollout, generation_engines)",
    "on_policy": "updates_per_rollout <= 1",
    "rows_used": "training_rows // prompts_per_sampled_batch * prompts_per_sampled_batch",
    "rows_dropped": "training_rows - rows_used",
    "completions_per_epoch": "training_rows * group_size",
    "rollouts_per_epoch": "rows_used // prompts_per_rollout",
    "rollouts": ("ceil(executed_steps / updates_per_rollout)", "ceil(total_steps / updates_per_rollout)"),
}
