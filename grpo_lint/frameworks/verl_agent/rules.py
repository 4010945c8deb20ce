"""GRPO76x: what only verl-agent refuses. Its batches count environments, and its mini and micro batches the steps of their episodes."""

from ...rules.base import Rule

FIRST_STEP = "in the first training step"
_NO_TEXT = "NotImplementedError (without a text)"
_OF_NULL = "unsupported operand type(s) for *: 'NoneType' and 'int'"
_TOO_FEW = "Cannot take a larger sample than population when 'replace=False'"

RULES = (
    Rule(
        "GRPO760",
        "group-is-of-environments",
        "A group is made of environments, and not of completions",
        "rollout_n != 1",
        message="actor_rollout_ref.rollout.n is {rollout_n}: the size of a group is env.rollout.n, and this has to be 1",
        why="An environment takes one answer for each of its steps. Its group is made of environments that begin alike.",
        instead="Set env.rollout.n to the size of a group, and leave actor_rollout_ref.rollout.n at 1.",
        at=("rollout_n",),
        cure={"actor_rollout_ref.rollout.n": 1},
        enforced=(
            (
                "2025.5.31",
                None,
                "config",
                "In verl, actor_rollout_ref.rollout.n>1 is for GRPO. In verl+env, we keep n=1, and achieve GRPO by env.rollout.n",
            ),
        ),
    ),
    Rule(
        "GRPO761",
        "environment-is-known",
        "The environment is one that verl-agent has",
        message="env.env_name is {value}, and {title} has {known}",
        why="The name is looked for in a list when the environments are made; most are found by a part of it, in any case.",
        refused_by="verl-agent, before it loads the tokenizer: it prints Environment not supported, and ends with status 1.",
        instead="Use one of the list; add your own environment in agent_system/environments.",
    ),
    Rule(
        "GRPO762",
        "validation-batch-is-given",
        "The batch of the validation is given",
        "needs_validation_batch and not validation_batch_is_set",
        message="data.val_batch_size is not set, and it says how many environments are made for the validation",
        why="In verl the setting is deprecated, and null. Here it is the number of environments of the validation, which is multiplied "
        "when they are made.",
        instead="Set data.val_batch_size, such as to 128.",
        at=("validation_batch",),
        cure={"data.val_batch_size": 128},
        enforced=(("2025.6.3", None, "config", _OF_NULL),),
    ),
    Rule(
        "GRPO763",
        "rewards-are-of-episodes",
        "Rewards are those of episodes",
        "reward_manager != 'episode'",
        message="reward_model.reward_manager is {reward_manager}, and environments give their rewards to episode",
        why="The rewards come from the environments; no other manager reads them.",
        instead="Leave reward_model.reward_manager at episode.",
        at=("reward_manager",),
        only_with=("reward_model.reward_manager",),
        cure={"reward_model.reward_manager": "episode"},
        enforced=(("2025.5.31", None, "config", _NO_TEXT),),
    ),
    Rule(
        "GRPO764",
        "row-multiple-is-given",
        "The micro batches that a rollout is filled up to are given per GPU",
        "sections_without_size != ''",
        message="no micro batch per GPU is set for: {sections_without_size}(a rollout is filled up to a multiple of it)",
        why="How many rows a rollout has, only its episodes decide. They are filled up to a multiple of the micro batches of all GPUs, which "
        "are multiplied whether batches are dynamic or not; the deprecated sizes for all GPUs do not count.",
        instead="Set actor.ppo_micro_batch_size_per_gpu, rollout.log_prob_micro_batch_size_per_gpu and "
        "ref.log_prob_micro_batch_size_per_gpu.",
        at=("rollout_micro", "actor_micro", "ref_micro", "rollout_micro_global", "actor_micro_global", "dynamic"),
        blocked_by=("micro-batches-are-given", "model-parallel-divides-world", "rank-has-an-update"),
        enforced=(("2025.5.31", None, "run", _OF_NULL, FIRST_STEP),),
    ),
    Rule(
        "GRPO765",
        "rollout-fills-the-row-multiple",
        "The rows of a rollout can be filled up to the multiple that it needs",
        "least_row_multiple > rows_within_reach",
        message="a rollout has at most {most_rows_per_rollout} rows{most_rows_per_rollout.how}, too few to be brought to a multiple of "
        "{least_row_multiple}{least_row_multiple.how}",
        why="Each step of an episode gives a row. The rows are brought to a multiple of the micro batches of all GPUs: up to June 2025 by "
        "leaving rows out, then by copies of rows, of which each is copied once at most.",
        instead="Lower the micro batches per GPU, or raise data.train_batch_size, env.rollout.n or env.max_steps.",
        at=("rollout_micro", "actor_micro", "ref_micro", "ppo_mini_batch_size", "train_batch_size"),
        blocked_by=(
            "micro-batches-are-given",
            "model-parallel-divides-world",
            "rank-has-an-update",
            "rank-update-holds-whole-micro-batches",
            "group-is-positive",
        ),
        enforced=(
            ("2025.5.31", "2025.6.2", "run", "", FIRST_STEP),
            ("2025.6.3", None, "run", _TOO_FEW, FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO766",
        "gigpo-mode-is-known",
        "The norm of GiGPO is one that verl-agent knows",
        "uses_gigpo and gigpo_mode not in gigpo_modes",
        message="algorithm.gigpo.mode is {gigpo_mode}, not one of {gigpo_modes}",
        why="The name is looked up when advantages are first computed, after a rollout.",
        instead="Use mean_norm, or mean_std_norm, which also divides by the deviation of the group.",
        at=("gigpo_mode",),
        only_with=("algorithm.gigpo.mode",),
        cure={},
        enforced=(("2025.5.31", None, "run", "Unknown mode: ...", FIRST_STEP),),
    ),
    Rule(
        "GRPO767",
        "similarity-has-a-threshold",
        "States are grouped by a likeness between 0 and 1",
        "uses_gigpo and similarity_is_on and (similarity_threshold <= 0 or similarity_threshold >= 1)",
        message="algorithm.gigpo.similarity_thresh is {similarity_threshold}, and has to lie between 0 and 1",
        why="Steps whose states are at least so much alike form a group of GiGPO.",
        instead="Use 0.95, the default, or something near it; states that are equal are compared without enable_similarity.",
        at=("similarity_threshold", "similarity_is_on"),
        cure={"algorithm.gigpo.similarity_thresh": 0.95},
        other_cures=({"algorithm.gigpo.enable_similarity": False},),
        enforced=(
            (
                "2025.9.3",
                None,
                "run",
                "When enabling similarity-based step-level group, similarity_thresh should be in (0, 1)",
                FIRST_STEP,
            ),
        ),
    ),
    Rule(
        "GRPO768",
        "rows-divide-over-all-nodes",
        "The multiple that rows are brought to divides over the GPUs of all nodes",
        "world_size > processes_per_node and row_multiple % world_size != 0",
        message="rows are brought to a multiple of {row_multiple}{row_multiple.how}, which leaves out the nodes: they need not divide over "
        "{world_size} GPUs",
        why="Until August 2025 the multiple counts the GPUs of one node. Whether a rollout divides over all of them, its episodes decide.",
        instead="Choose rollout.log_prob_micro_batch_size_per_gpu as a multiple of the nodes.",
        at=("rollout_micro",),
        blocked_by=("rollout-fills-the-row-multiple",),
        enforced=(("2025.5.31", "2025.8.19", "never"),),
    ),
    Rule(
        "GRPO769",
        "environments-have-their-file",
        "A run starts from the file that has the settings of environments",
        "starts_without_environments",
        message="ppo_megatron_trainer has no section env, of which verl-agent makes the environments",
        why="Only ppo_trainer.yaml has this section. The workers of Megatron are those of verl.",
        instead="Start from ppo_trainer, and leave --config-name out.",
        at=("starts_without_environments",),
        enforced=(("2025.5.31", None, "config", "Key 'env' is not in struct"),),
    ),
)
