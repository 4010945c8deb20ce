"""Whether a file may be one of ours at all, told by its words: most files of a repository cost this look and no more.

What tells the file of one framework stands in the `recognition` of its folder: names of keys, no catalogue.
"""

# Every file of ours holds one of these words: the keys that tell a framework do, and so does our comment.
_HINTS = ("generation", "reward", "rlhf_type", "completion", "vllm", "rloo", "advantages", "unique_prompts",
          "epsilon_high", "num_iterations", "importance_sampling", "top_entropy", "actor_rollout_ref", "main_ppo",
          "rollout_batch_size", "verl.trainer", "ppo_trainer")  # fmt: skip

# In the file in which ms-swift saves all the arguments of a run, these stand beside the arguments.
SAVED_KEYS = frozenset(("model_info", "model_meta"))


def may_be_ours(text: str) -> bool:
    """Whether a text may be a config of GRPO-family training, before it is parsed."""
    for hint in _HINTS:  # a loop, for this is asked of every file
        if hint in text:
            return True
    return "grpo" in text and ("grpo-lint" in text or "grpo_lint" in text)


def may_be_settings(text: str) -> bool:
    """Whether a text may hold settings of ours although no key says so: the script that is started with it may."""
    return "per_device_train_batch_size" in text or may_be_ours(text)


def may_hold_a_command(text: str) -> bool:
    """Whether a YAML file may hold a script that starts training."""
    return any(word in text for word in ("rlhf", "launch", "torchrun", "trl", "deepspeed", "python"))


def is_for_accelerate(data: bytes) -> bool:
    """Whether the bytes of a file may be those of one for accelerate, which says how many processes there are."""
    return b"distributed_type" in data or (b"num_processes" in data and b"mixed_precision" in data)


# A file of Python with a config of ours names one of these: classes, and the package that holds more of them.
_CLASSES = (b"GRPOConfig", b"RLOOConfig", b"RLHFArguments", b"rlhf_main", b"trl.experimental")
# What a notebook with a command of ours, or a file for one, holds in any case.
_COMMANDS = (b"rlhf", b"grpo", b"GRPO", b"rloo", b"num_generations", b"verl.trainer")


def is_foreign_program(data: bytes) -> bool:
    """Whether the bytes of a file of Python show at once that it makes no config of ours."""
    for word in _CLASSES:
        if word in data:
            return False
    return True


def is_foreign_notebook(data: bytes) -> bool:
    """Whether the bytes of a notebook show at once that it neither makes a config of ours nor starts a run."""
    if not is_foreign_program(data):
        return False
    for word in _COMMANDS if b"!" in data or b"%%" in data else ():
        if word in data:
            return False
    return True


def is_foreign(data: bytes) -> bool:
    """Whether the bytes of a file that is no script show at once that it is none of ours.

    For most files of most repositories this is all that counts, so it is asked before anything else is done with them.
    """
    return data.isascii() and b"\0" not in data and data[:2] != b"#!" and not may_be_settings(str(data, "ascii"))
