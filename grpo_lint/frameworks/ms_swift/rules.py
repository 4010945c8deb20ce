"""What both trainers of ms-swift refuse or do, because they read a file as flags or share arguments."""

from ...rules.base import Rule

RULES = (
    Rule(
        "GRPO006",
        "version-reads-yaml",
        "The version reads YAML files",
        message="{title} {version} reads no YAML file, so the keys are judged as if they were its flags",
        why="Before 3.10 `swift rlhf` takes its arguments from the command line only. Reading a file came with 3.10.",
        instead="Pass the keys as flags, or use ms-swift 3.10 or newer.",
    ),
    Rule(
        "GRPO105",
        "key-is-spelt-out",
        "A key is spelt out",
        message="{key} is taken for {name}, because no other key begins like this",
        why="ms-swift passes the keys to argparse, which completes abbreviations. The next release may have a second key that begins like this, and a typo is never noticed.",
        instead="Write the whole name.",
    ),
    Rule(
        "GRPO106",
        "key-is-not-ambiguous",
        "A key is not the beginning of several",
        message="{key} could be {names}{hint}",
        why="ms-swift passes the keys to argparse. It completes an abbreviation of one key, and refuses an abbreviation of several.",
        instead="Write the whole name.",
    ),
    Rule(
        "GRPO112",
        "null-is-not-a-text",
        "null does not become the text None",
        message="{key} is null, which becomes the text 'None'",
        why="ms-swift turns every value into the text of a flag. For a key that holds text, None is then a name like any other: val_dataset: null asks for a data set called None.",
        instead="Remove it.",
    ),
    Rule(
        "GRPO113",
        "list-holds-texts",
        "A list holds texts only",
        message="{key} holds {value} in a list: this version joins the flags of a file as texts and fails on anything else",
        why="ms-swift 3.10 to 4.5 turns the file into a command line and prints it. A number in a list ends that with a TypeError.",
        instead='Put quotes around the items, as in ["0.5", "0.5"]. They are converted back to numbers.',
    ),
    Rule(
        "GRPO209",
        "rollout-sizes-agree",
        "generation_batch_size and steps_per_generation say the same when both are set",
        "generation_batch_size != rollout_size_by_steps",
        only_with=("generation_batch_size", "steps_per_generation"),
        message="generation_batch_size {generation_batch_size} and steps_per_generation disagree: the steps make "
        "{rollout_size_by_steps} completions{rollout_size_by_steps.how}",
        why="These versions allow both keys if they describe the same rollout.",
        instead="Keep one of them. steps_per_generation keeps its meaning when the number of processes changes.",
        at=("generation_batch_size", "steps_per_generation"),
    ),
    Rule(
        "GRPO219",
        "rollout-takes-steps",
        "A rollout takes at least one step",
        "steps_per_rollout < 1",
        message="a rollout would take {steps_per_rollout} steps{steps_per_rollout.how}",
        why="A rollout is used step by step. Without a step it is never used.",
        instead="Set steps_per_generation to 1 or more.",
        at=("steps_per_rollout",),
        blocked_by=(
            "rollout-size-set-once",
            "rollout-sizes-agree",
            "rollout-holds-whole-steps",
            "rollout-holds-whole-updates",
        ),
    ),
)
