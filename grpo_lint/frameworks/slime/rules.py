"""GRPO870 - GRPO888: what only slime refuses. --rollout-batch-size counts prompts, every other size completions.

train.py looks at its flags before any worker starts; what Megatron's calculator of micro batches refuses it refuses with the GPUs taken.
"""

from ...rules.base import Rule

LAUNCH = "when train.py looks at its flags, before any worker starts"
WORKERS = "when the workers that train start, with the GPUs taken"
UPDATE = "in the first update, after a whole rollout"
_EARLIER = ("model-parallel-divides-world", "update-agrees-with-steps", "rollout-is-cut-evenly")

RULES = (
    Rule(
        "GRPO870",
        "update-fills-ranks-with-micro-batches",
        "The completions of an update divide over micro batches and data-parallel ranks",
        "counts_micro_batches and dp_size > 0 and completions_per_update % (micro * dp_size) != 0",
        message="an update of {completions_per_update} completions{completions_per_update.how} does not divide over micro batches of {micro} on "
        "{dp_size} data-parallel ranks{dp_size.how}",
        why="Megatron's calculator of micro batches is asked when the workers start, also with --use-dynamic-batch-size, where micro batches are "
        "made of tokens and nothing else reads --micro-batch-size.",
        instead="Choose --global-batch-size as a multiple of --micro-batch-size x the data-parallel ranks.",
        at=("global_batch_size", "num_steps_per_rollout", "micro_batch_size", "rollout_batch_size"),
        blocked_by=_EARLIER,
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "global batch size (...) is not divisible by micro batch size (...) times data parallel size (...)",
                WORKERS,
            ),
        ),
    ),
    Rule(
        "GRPO871",
        "rollout-is-cut-evenly",
        "A rollout is a whole number of updates",
        "(refuses_rests or trains_on_rollouts and update_is_set) and completions_per_rollout % completions_per_update != 0",
        message="a rollout of {completions_per_rollout} completions{completions_per_rollout.how} is no multiple of --global-batch-size "
        "{completions_per_update}",
        special={
            "completions_per_rollout >= completions_per_update": "of a rollout of {completions_per_rollout} completions{completions_per_rollout.how} "
            "updates of {completions_per_update} leave a rest, which is not trained on",
        },
        why="Up to 0.2.1 train.py refuses the command. Since then what is left over at the end of a rollout is dropped without a word, in "
        "each of them.",
        instead="Choose --global-batch-size as a divisor of --rollout-batch-size x --n-samples-per-prompt.",
        at=("global_batch_size", "rollout_batch_size", "n_samples_per_prompt"),
        blocked_by=("rollout-fills-one-update", "run-has-an-update", "update-agrees-with-steps"),
        enforced=(
            (
                "0.2.1",
                "0.2.1",
                "init",
                "rollout_batch_size ... * n_samples_per_prompt ... is not a multiple of global_batch_size ...",
                LAUNCH,
            ),
            ("0.2.2", None, "never"),
        ),
    ),
    Rule(
        "GRPO872",
        "rollout-fills-one-update",
        "A rollout has the completions of an update",
        "refuses_small_rollouts and trains_on_rollouts and completions_per_rollout < completions_per_update",
        message="a rollout has {completions_per_rollout} completions{completions_per_rollout.how}, fewer than the {completions_per_update} of an "
        "update",
        why="Updates are cut from one rollout, never from several.",
        instead="Raise --rollout-batch-size, or lower --global-batch-size.",
        at=("global_batch_size", "rollout_batch_size", "n_samples_per_prompt"),
        blocked_by=(*_EARLIER[:2], "update-fills-ranks-with-micro-batches", "run-has-an-update"),
        enforced=(
            ("0.2.2", "0.2.4", "run", "Not enough samples ... for global_batch_size ...", UPDATE),
            (
                "0.3",
                None,
                "run",
                "num_rollouts (...) < global_batch_size (...); need at least one rollout per step.",
                UPDATE,
            ),
        ),
    ),
    Rule(
        "GRPO873",
        "update-has-a-size",
        "The size of an update is given",
        "counts_micro_batches and not update_is_set and not steps_are_set",
        message="neither --global-batch-size nor --num-steps-per-rollout is given",
        special={
            "takes_the_least": "neither --global-batch-size nor --num-steps-per-rollout is given, so that an update has "
            "{completions_per_update} completions{completions_per_update.how}: {updates_per_rollout} updates a rollout",
        },
        why="Megatron takes one micro batch of each rank for an update, the least that there is. Up to 0.2.1 train.py divides by the size that "
        "is not there.",
        instead="Set --global-batch-size, or --num-steps-per-rollout 1 for one update a rollout.",
        at=("rollout_batch_size", "n_samples_per_prompt"),
        blocked_by=("model-parallel-divides-world",),
        cure={"num_steps_per_rollout": 1},
        usual={"global_batch_size": "completions_per_rollout"},
        enforced=(
            ("0.2.1", "0.2.1", "init", "unsupported operand type(s) for %: 'int' and 'NoneType'", LAUNCH),
            ("0.2.2", None, "never"),
        ),
    ),
    Rule(
        "GRPO874",
        "update-agrees-with-steps",
        "The size of an update agrees with the number of updates of a rollout",
        "update_is_set and steps_are_set and global_batch_size != size_by_steps",
        message="--global-batch-size {global_batch_size} and --num-steps-per-rollout {num_steps_per_rollout} disagree: a rollout of "
        "{rollout_size} completions in so many updates has {size_by_steps} in each",
        why="Each of them follows from the other and the size of a rollout.",
        instead="Leave out one of them.",
        at=("global_batch_size", "num_steps_per_rollout"),
        cure={"num_steps_per_rollout": None},
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "global_batch_size ... is not equal to rollout_batch_size ... * n_samples_per_prompt ... // num_steps_per_rollout ...",
                LAUNCH,
            ),
        ),
    ),
    Rule(
        "GRPO875",
        "steps-cut-the-rollout-evenly",
        "The updates of a rollout have equal shares of it",
        "trains_on_rollouts and not update_is_set and rollout_size % num_steps_per_rollout != 0",
        message="a rollout of {rollout_size} completions in {num_steps_per_rollout} updates has {size_by_steps} in each, and a rest that is not "
        "trained on",
        why="The size of an update is rounded down.",
        instead="Choose --num-steps-per-rollout as a divisor of the completions of a rollout.",
        at=("num_steps_per_rollout", "rollout_batch_size"),
        blocked_by=(*_EARLIER, "update-fills-ranks-with-micro-batches"),
        enforced=(("0.2.2", None, "never"),),
    ),
    Rule(
        "GRPO876",
        "one-place-for-divergence",
        "The divergence from the reference counts in one place",
        "kl_of_rewards != 0 and kl_of_loss != 0",
        message="--kl-coef {kl_of_rewards} and --kl-loss-coef {kl_of_loss} are both set: only one of them can be",
        why="The first takes the divergence off the rewards, the second adds it to the loss; both would count it twice.",
        instead="Leave out one of them.",
        at=("kl_coef", "kl_loss_coef"),
        cure={"kl_coef": 0.0},
        other_cures=({"kl_loss_coef": 0.0},),
        enforced=(("0.2.1", None, "init", "Only one of kl_coef and kl_loss_coef can be set", LAUNCH),),
    ),
    Rule(
        "GRPO877",
        "reinforce-normalises-advantages",
        "REINFORCE++ normalises its advantages",
        "estimator in to_normalise and not normalises",
        message="--advantage-estimator {estimator} needs --normalize-advantages",
        why="These estimators have no group or critic to compare with, so that advantages are normalised over the batch.",
        instead="Add --normalize-advantages.",
        at=("advantage_estimator",),
        cure={"normalize_advantages": True},
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "The 'reinforce_plus_plus' and 'reinforce_plus_plus_baseline' advantage estimators require advantage normalization. ...",
                LAUNCH,
            ),
        ),
    ),
    Rule(
        "GRPO878",
        "dynamic-batches-have-tokens",
        "Batches made of tokens have a number of tokens",
        "uses_dynamic and not tokens_are_set",
        message="--use-dynamic-batch-size is on, and --max-tokens-per-gpu is not set",
        why="Micro batches are made of as many sequences as fit into that many tokens.",
        instead="Set --max-tokens-per-gpu, at least the longest sequence divided by --context-parallel-size.",
        at=("use_dynamic_batch_size",),
        enforced=(
            ("0.2.1", None, "init", "max_tokens_per_gpu must be set when use_dynamic_batch_size is set", LAUNCH),
        ),
    ),
    Rule(
        "GRPO879",
        "oversampling-fills-a-rollout",
        "As many prompts are drawn as a rollout has",
        "oversampled < prompts",
        message="--over-sampling-batch-size {oversampled} is smaller than --rollout-batch-size {prompts}",
        why="Prompts are drawn in batches of this size, of which those that are kept fill a rollout.",
        instead="Choose --over-sampling-batch-size at least as large as --rollout-batch-size.",
        at=("over_sampling_batch_size",),
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "over_sampling_batch_size ... should be greater than or equal to rollout_batch_size ...",
                LAUNCH,
            ),
        ),
    ),
    Rule(
        "GRPO880",
        "run-has-a-length",
        "The run has a number of rollouts or of epochs",
        "not length_is_set",
        message="neither --num-rollout nor --num-epoch is given",
        why="Nothing else says when the run ends.",
        instead="Set --num-rollout, the rollouts of the run, or --num-epoch.",
        at=("rollout_batch_size",),
        usual={"num_epoch": 1},
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "num_epoch is not set, but num_rollout is not set, please set --num-rollout or --num-epoch",
                LAUNCH,
            ),
        ),
    ),
    Rule(
        "GRPO881",
        "evaluation-has-data",
        "An evaluation has data",
        "evaluates and not eval_data_is_set",
        message="--eval-interval {eval_interval} asks for evaluations, and neither --eval-prompt-data nor --eval-config names their data",
        why="The data for training are not evaluated on.",
        instead="Set --eval-prompt-data NAME FILE, or leave out --eval-interval.",
        at=("eval_interval",),
        enforced=(
            ("0.2.1", None, "init", "Evaluation datasets must be configured when eval_interval is set.", LAUNCH),
        ),
    ),
    Rule(
        "GRPO882",
        "checkpoints-have-a-place",
        "Checkpoints have a place",
        "saves and not save_is_set",
        message="--save-interval {save_interval} asks for checkpoints, and --save does not say where",
        why="Without it the run would end at the first checkpoint.",
        instead="Set --save, or leave out --save-interval.",
        at=("save_interval",),
        enforced=(("0.2.1", None, "init", "'--save' is required when save_interval is set.", LAUNCH),),
    ),
    Rule(
        "GRPO886",
        "one-half-is-left-out",
        "Training alone and generation alone are not both asked for",
        "only_trains and only_rolls_out",
        message="--debug-train-only and --debug-rollout-only are both given: nothing would be left to run",
        why="The first reads what was generated before, the second stops before training.",
        instead="Leave out one of them.",
        at=("debug_train_only", "debug_rollout_only"),
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "debug_rollout_only and debug_train_only cannot be set at the same time, please set only one of them.",
                LAUNCH,
            ),
        ),
    ),
    Rule(
        "GRPO885",
        "saved-runs-say-how-often",
        "Checkpoints have an interval",
        "needs_an_interval and save_is_set and not saves",
        message="--save says where checkpoints go, and --save-interval not how often",
        why="Megatron asks for both: an assertion without words.",
        instead="Set --save-interval, or leave out --save.",
        at=("save",),
        enforced=(("0.2.1", None, "init", "AssertionError (without a message)", LAUNCH),),
    ),
    Rule(
        "GRPO883",
        "divergence-has-a-reference",
        "A divergence has a reference",
        "compares_with_reference and not reference_is_set",
        message="the divergence from a reference is asked for, and --ref-load does not name the reference",
        why="It is a checkpoint that is loaded beside the policy.",
        instead="Set --ref-load, or leave out --use-kl-loss and --kl-coef.",
        at=("use_kl_loss", "kl_coef"),
        enforced=(
            (
                "0.2.1",
                None,
                "init",
                "TypeError: stat: path should be string, bytes, os.PathLike or integer, not NoneType",
                LAUNCH,
            ),
        ),
    ),
    Rule(
        "GRPO884",
        "run-has-an-update",
        "The run has the completions of one update",
        "refuses_small_rollouts and trains_on_rollouts and num_rollout * completions_per_rollout < completions_per_update",
        message="{num_rollout} rollouts of {completions_per_rollout} completions are fewer than the {completions_per_update} of one update",
        why="The schedule of the learning rate has no step then: an assertion without words.",
        instead="Raise --num-rollout or --rollout-batch-size, or lower --global-batch-size.",
        at=("num_rollout", "global_batch_size"),
        blocked_by=(*_EARLIER[:2], "update-fills-ranks-with-micro-batches"),
        enforced=(("0.2.2", None, "init", "AssertionError (without a message)", WORKERS),),
    ),
    Rule(
        "GRPO887",
        "distillation-says-where-the-teacher-runs",
        "Distillation says where its teacher runs",
        "distils_on_policy and not teacher_place_is_set",
        message="--use-opd is on, and --opd-type does not say where the teacher runs",
        why="The teacher either answers on a server of SGLang during the rollout, or is loaded beside the policy by Megatron.",
        instead="Set --opd-type to sglang or to megatron, or leave out --use-opd.",
        at=("use_opd",),
        enforced=(("0.2.3", None, "init", "--opd-type must be specified when --use-opd is enabled. ...", LAUNCH),),
    ),
    Rule(
        "GRPO888",
        "teacher-is-named-where-it-is-loaded",
        "A teacher is named where it is loaded, and nowhere else",
        "teacher_is_named != needs_a_teacher and (teacher_place_is_set or not distils_on_policy)",
        message="--opd-type megatron loads a teacher, and --opd-teacher-load does not name it",
        special={
            "not distils_on_policy": "--opd-teacher-load names a teacher, and --use-opd is off",
            "teacher_is_named": "--opd-teacher-load names a teacher, and with --opd-type {teacher_place} none is loaded",
        },
        why="Megatron loads the teacher beside the policy; with SGLang a server has it, which --opd-teacher-load says nothing of.",
        instead="Set --opd-teacher-load together with --use-opd and --opd-type megatron, and leave it out otherwise.",
        at=("opd_teacher_load", "opd_type"),
        blocked_by=("distillation-says-where-the-teacher-runs",),
        enforced=(
            (
                "0.2.3",
                None,
                "init",
                "--opd-teacher-load is required when --opd-type=megatron. ... / should not be set when --opd-type=sglang. ... / is set but --use-opd is not enabled. ...",
                LAUNCH,
            ),
        ),
    ),
)
