"""Whether a file may be checked at all, decided by its words. Most files of a repository cost only this test.

What identifies a file of one framework is in the `recognition` module of its folder: names of keys, no catalogue.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

# Every file that is checked holds one of these words: a key that identifies a framework, or a directive.
_OWN_HINTS = ("rlhf_type", "actor_rollout_ref", "main_ppo", "rollout_batch_size", "verl.trainer", "ppo_trainer",
              "train_global_batch_size", "num_prompts_per_step", "grpo_math", "dtensor_cfg", "megatron_cfg",
              "rollout-batch-size", "n-samples-per-prompt", "train_ppo_ray")  # fmt: skip
_HINTS = ("generation", "reward", "completion", "vllm", "rloo", "advantages", "unique_prompts", "epsilon_high",
          "num_iterations", "importance_sampling", "top_entropy", "gconfig", *_OWN_HINTS)  # fmt: skip

# Every config of a framework that is known and not judged (`not_judged`) holds one of these.
_OF_OTHERS = ("allocation_mode", "actor_infer", "orchestrator", "rollouts_per_", "group_size", "rllm", "tinker_base",
              "generator", "trl:")  # fmt: skip

# Keys of the file in which ms-swift saves all arguments of a run; they are beside the arguments.
SAVED_KEYS = frozenset(("model_info", "model_meta"))


def may_be_ours(text: str) -> bool:
    """Whether a text, before it is parsed, may be a config of GRPO-family training."""
    for hint in _HINTS:  # a loop is fastest, and every file is tested
        if hint in text:
            return True
    return "grpo" in text and ("grpo-lint" in text or "grpo_lint" in text)


def may_be_of_others(text: str) -> bool:
    """Whether a framework that is not judged may have a text."""
    for word in _OF_OTHERS:
        if word in text:
            return True
    return False


def may_be_settings(text: str) -> bool:
    """Whether a text may hold settings although no key identifies it; the script that is started with it may."""
    return "per_device_train_batch_size" in text or may_be_ours(text)


def may_be_looked_into(text: str) -> bool:
    """Whether a text that is no script may be judged: it may hold settings, or a command that starts training."""
    return may_be_settings(text) or (("grpo" in text or "--config" in text) and may_hold_a_command(text))


def may_be_of_own_programs(text: str) -> bool:
    """Whether a text may hold settings from which programs of somebody's own start, which nobody has to name."""
    return "actor_rollout_ref" in text or "ppo_trainer" in text


GROUP_KEY = "num_generations"


def sets_a_batch(names: "AbstractSet[str]") -> bool:
    """Whether settings in sections, of which no framework is known yet, are those of a batch of groups."""
    return GROUP_KEY in names and not names.isdisjoint(("per_device_train_batch_size", "micro_batch_size"))


def may_hold_a_command(text: str) -> bool:
    """Whether a YAML file may hold a script that starts training."""
    return any(word in text for word in ("rlhf", "launch", "torchrun", "trl", "deepspeed", "python", "uv"))


def may_be_written_by_us(text: str) -> bool:
    """Whether a text may be a document that grpo-lint wrote, which is JSON (`launch.own_files`)."""
    return text[:1] in ("{", "[") and ('"version"' in text or "GRPO" in text or "grpo-lint" in text)


def is_for_accelerate(data: bytes) -> bool:
    """Whether the bytes of a file may be those of an accelerate config, which states the number of processes."""
    return b"distributed_type" in data or (b"num_processes" in data and b"mixed_precision" in data)


# A Python file with a config names one of these: classes, and the package that holds more of them.
_CLASSES = (b"GRPOConfig", b"RLOOConfig", b"RLHFArguments", b"rlhf_main", b"trl.experimental")
# Every notebook with a training command, or with a file for one, holds one of these.
_COMMANDS = (b"rlhf", b"grpo", b"GRPO", b"rloo", b"num_generations", b"verl.trainer")


# What somebody expects to be checked holds one of these: no prose and no data of others does.
_SURELY_OURS = (b"grpo-lint", b"num_generations", b"steps_per_generation", b"generation_batch_size", b"adv_estimator",
                *(word.encode() for word in _OWN_HINTS), *_CLASSES)  # fmt: skip
LONGEST_WORD = max(map(len, _SURELY_OURS))


def is_surely_ours(data: bytes) -> bool:
    """Whether the bytes of a file that cannot be read as a whole, or a piece of them, name what only our frameworks have."""
    if b"\0" in data:
        data = data.replace(b"\0", b"")  # UTF-16 and UTF-32
    return any(word in data for word in _SURELY_OURS)


def is_foreign_program(data: bytes) -> bool:
    """Whether the bytes of a Python file show at once that it creates no config."""
    for word in _CLASSES:
        if word in data:
            return False
    return b"\0" not in data or is_foreign_program(data.replace(b"\0", b""))  # UTF-16 and UTF-32


_STARTS_PROGRAMS = (b"subprocess", b"os.system", b"os.exec", b"os.popen", b"azure.ai.ml", b"sky.Task")


def may_start_programs(data: bytes) -> bool:
    """Whether the bytes of a Python file may start a training by a command."""
    return any(word in data for word in _STARTS_PROGRAMS) and any(word in data for word in _COMMANDS)


def has_nothing_for_us(data: bytes) -> bool:
    """Whether the bytes of a Python file show at once that it neither creates a config nor starts a run."""
    return is_foreign_program(data) and not may_start_programs(data)


def is_foreign_notebook(data: bytes) -> bool:
    """Whether the bytes of a notebook show at once that it neither creates a config nor starts a run."""
    if not is_foreign_program(data):
        return False
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    for word in _COMMANDS if b"!" in data or b"%%" in data or b"subprocess" in data else ():
        if word in data:
            return False
    return True


def is_foreign(data: bytes) -> bool:
    """Whether the bytes of a file that is no script show at once that it is not checked.

    For most files of most repositories nothing else is done, so this test comes first.
    """
    if not data.isascii() or b"\0" in data or data[:2] == b"#!" or may_be_settings(text := str(data, "ascii")):
        return False
    if may_be_of_others(text):
        return False
    return ("grpo" not in text and "--config" not in text) or not may_hold_a_command(text)
