"""Recognises a file of NeMo-RL by the names of its keys only, since every YAML file is tested."""

from ...message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import AbstractSet, Lookup


_BESIDE = ("policy", "cluster", "loss_fn")  # a file with `grpo` and two of them needs nothing else
_OF_SECTIONS = frozenset(
    """num_prompts_per_step num_generations_per_prompt max_num_steps train_global_batch_size train_micro_batch_size
    generation dtensor_cfg megatron_cfg""".split()
)


def detect(names: "AbstractSet[str]", value: "Lookup") -> "Message | None":
    """Why a file with these top-level keys is one of NeMo-RL; None where it need not be."""
    section = next((name for name in ("grpo", "policy") if _is_ours(name, names, value)), "")
    if not section:
        return None
    if "grpo" in names and sum(name in names for name in _BESIDE) > 1:
        return Message("has grpo and policy, sections of NeMo-RL")
    built_on = _built_on(value("defaults")) if "defaults" in names else ""
    if not built_on:
        return None
    return Message("builds on {file} and has {section}, a section of NeMo-RL", {"file": built_on, "section": section})


def _built_on(defaults: object) -> str:
    """The file with GRPO in its name on which a config builds; empty for none."""
    listed = defaults if type(defaults) is list else [defaults]
    return next((each for each in listed if type(each) is str and "grpo" in each and each.endswith(".yaml")), "")


def _is_ours(name: str, names: "AbstractSet[str]", value: "Lookup") -> bool:
    section = value(name) if name in names else None
    return type(section) is dict and not _OF_SECTIONS.isdisjoint(section)
