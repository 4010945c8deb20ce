"""What verl-agent counts otherwise than verl, by date.

data.train_batch_size counts groups of environments, and env.rollout.n is the size of a group. Each step of an episode gives one row
of training, so that the number of rows is known only between two limits. Mini and micro batches count rows.
"""

from ...plan.formula import each_of, words
from ..by_release import in_force
from ..verl import options as of_verl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Changes

FIRST = "2025.5.31"
# the release of verl from which it comes: what that has and is not named here is the same
BASE = "0.3.1"
_FIRST_ESTIMATORS = ("gae", "grpo", "gigpo", "reinforce_plus_plus", "remax", "rloo")
ESTIMATORS = (*_FIRST_ESTIMATORS, "reinforce_plus_plus_baseline", "grpo_passk")
GROUP_ESTIMATORS = ("grpo", "gigpo", "rloo", "grpo_passk")

OPTIONS: "Changes" = {
    FIRST: {
        **in_force(of_verl.OPTIONS, BASE),
        "counts_rows": "True",
        "written_update": "ppo_mini_batch_size * rollout_n",  # of forks that take more than one answer of an environment
        "train_batch_size": "data.train_batch_size",
        "environments": "env.rollout.n",
        "environment_steps": "env.max_steps",
        "reward_manager": "reward_model.reward_manager",
        "validation_batch": "data.val_batch_size",
        "validation_batch_is_set": ("validation_batch is not None", "False"),
        "needs_validation_batch": "False",
        "gigpo_mode": "algorithm.gigpo.mode",
        "uses_gigpo": "adv_estimator == 'gigpo'",
        "gigpo_modes": words("mean_norm", "mean_std_norm"),
        "similarity_is_on": ("algorithm.gigpo.enable_similarity", "False"),
        "similarity_threshold": "algorithm.gigpo.similarity_thresh",
        "estimators": words(*_FIRST_ESTIMATORS),
        "group_estimators": words(*GROUP_ESTIMATORS),
        "reads_loss_mode": "True",
        "loss_modes": words("vanilla", "gspo"),
        "loss_aggregations": words(
            "token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"
        ),
        "has_reference": "use_kl_in_reward or use_kl_loss",
        "multiplies_reference": "has_reference",
        # until then it is the mini batch that a rollout has to be a multiple of, and the nodes are left out
        "row_parts": "lcm(rollout_micro * processes_per_node, ppo_mini_batch_size)",
        "row_parts_with_images": "row_parts",
        "least_row_multiple": (
            "row_parts_with_images if shows_images else nothing",
            "min(row_parts, row_parts_with_images) if may_show_images else nothing",
            "row_parts",
        ),
        "rows_within_reach": "most_rows_per_rollout",
        "sections_without_size": each_of(rollout="not rollout_micro_is_set"),
        "rows_per_rank": "unknown",
        "generation_chunks": "1",
    },
    "2025.6.3": {
        "estimators": words(*ESTIMATORS),
        "needs_validation_batch": "True",
        "normal_micro": ("actor_micro_global // dp_size", "actor_micro"),
        "critic_normal_micro": ("critic_micro_global // (world_size // critic_sequence_parallel)", "critic_micro"),
        "rows_within_reach": "2 * most_rows_per_rollout",
    },
    "2025.8.20": {
        "multiplies_reference": "True",
        "row_parts": "lcm(row_parts_of_probabilities, actor_micro * world_size)",
        "row_parts_with_images": "lcm(row_parts_of_probabilities, ppo_mini_batch_size)",
        "row_parts_of_probabilities": "lcm(rollout_micro * world_size, ref_micro * world_size if multiplies_reference else 1)",
        "sections_without_size": each_of(
            rollout="not rollout_micro_is_set",
            actor="not actor_micro_is_set",
            ref="multiplies_reference and not ref_micro_is_set",
        ),
    },
    "2025.12.11": {"multiplies_reference": "has_reference"},
}

_OF_UPDATES = ("completions_per_update", "prompts_per_update", "updates_per_rollout", "steps_per_epoch", "total_steps")
PLAN: "Changes" = {
    FIRST: {
        **in_force(of_verl.PLAN, BASE),
        # of how many rows an episode makes, only the run knows
        **dict.fromkeys(_OF_UPDATES),
        # one group over all environments is trained where this is less than 1
        "group_size": ("nothing if compares_groups or environments > 0 else 1", "environments"),
        "completions_per_rollout": "prompts_per_rollout * max(group_size, 1)",
        "most_rows_per_rollout": "completions_per_rollout * environment_steps",
        "row_multiple": (
            "row_parts_with_images if shows_images else nothing",
            "unknown if may_show_images else nothing",
            "row_parts",
        ),
        "rows_per_update": "update_per_rank * dp_size",
    },
    "2025.9.3": {"group_size": "environments"},
}
IDLE = of_verl.IDLE
