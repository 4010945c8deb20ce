"""The frameworks. A dialect is imported when a file may be of it: the catalogues are the largest modules."""

from importlib import import_module

NAMES = ("megatron", "swift", "trl")  # in the order of recognition: the more telling keys first


# Every file of ours holds one of these words: the names that tell a dialect do, and so does our comment. Other files, most
# of a repository, cost this look and no more.
_HINTS = ("generation", "reward", "rlhf_type", "completion", "vllm", "grpo-lint", "grpo_lint", "rloo", "advantages",
          "epsilon_high", "num_iterations", "importance_sampling", "top_entropy")  # fmt: skip


def may_be_ours(text):
    """Whether a text may be a config of GRPO-family training, before it is parsed."""
    return any(hint in text for hint in _HINTS)


def dialect(name):
    return import_module(f"{__name__}.{name}").DIALECT


def recognise(names, value):
    """(dialect, why) for a file with these top-level keys, or (None, why not)."""
    for name in NAMES:
        found = dialect(name)
        why = found.recognise(names, value)
        if why:
            return found, why
    return None, "no config of GRPO-family training"
