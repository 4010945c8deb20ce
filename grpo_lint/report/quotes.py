"""A message of a framework with the numbers of a run in the place of its dots."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..frameworks.by_release import Enforcement
    from ..launch.launch import Candidate, Launch
    from ..plan.plan import Plan

_DOTS = re.compile(r"\.\.\.")
_NAME = re.compile(
    r"(?<!\w)(\w+)(?: ?\(|=)$"
)  # what stands before a number: `micro_batch_size (`, `num_iters_per_step=`
# (words before the first of some numbers, what joins them, the quantities that these are)
_PRODUCTS = (
    ("global train batch size (", " x ", ("world_size", "micro_batch")),
    ("effective train batch size (", " x ", ("world_size", "micro_batch", "steps_per_rollout")),
    ("global eval batch size (", " x ", ("world_size", "per_device_eval_batch_size")),
    ("global eval batch size (", " * ", ("per_device_eval_batch_size", "world_size")),
    ("effective eval batch size (", " x ", ("world_size", "per_device_eval_batch_size")),
)
# {words before a number: the quantity that it is}, the longer ones first
_NUMBERS = {
    "number of generations per prompt (": "group_size",
    "number of generations used for evaluation (": "eval_group_size",
    "number of generations for eval (": "eval_group_size",
    "num_generations_eval (": "eval_group_size",
    "You provided ": "group_size",
    "Number of reward weights (": "reward_weights",
    "number of reward functions (": "reward_sources",
    "divisible by the global batch size (": "completions_per_step",
    "global batch size (": "global_batch_size",
    "micro batch size (": "micro_batch",
    "rollout prompt count (": "rollout_prompts_per_rank",
    "data parallel size (": "dp_size",
    "divide world size (": "world_size",
    "expert_tensor_model_pipeline_parallel size (": "expert_parallel_size",
    ") is not divisible by ": "model_parallel_size",
    "steps_per_generation must be > 0, got ": "steps_per_generation",
    "* steps_per_generation = ": "rollout_size_by_steps",
    "number of attention heads (": "model_heads",
    "tensor parallel size (": "engine_ranks",
    "num_attention_heads (": "heads_of_model",
    "num_query_groups (": "kv_heads_of_model",
}
_COUNTED = frozenset(("reward_weights",))  # lists whose length is meant
# settings of which the framework quotes something else, or that stand for another file's as well
_NOT_AS_SET = ("vllm_importance_sampling_clip_max", "gradient_accumulation_steps", "learning_rate", "weight_decay")


def with_numbers(enforced: "Enforcement", launch: "Launch", candidate: "Candidate") -> str:
    """The wording of a row with the numbers of a run, as far as they are known; dots stay for the others."""
    wording = enforced.wording
    if "..." not in wording or "evaluation" in enforced.moment:  # an evaluation has shares of its own
        return wording
    plan = launch.plan(candidate)
    framework = launch.framework
    names = {
        own: quantity
        for quantity, several in framework.arithmetic.own_names.items()
        for own in several.split(", ")
        if plan.value(own) is None  # one that is set is quoted as it is set
    }
    told: list[str] = []
    joint, end = "", 0
    others: Sequence[str] = ()
    for dots in _DOTS.finditer(wording):
        before = wording[end : dots.start()]
        if others and before == joint:
            name, *others = others
        else:
            name, joint, others = _meant(wording[: dots.start()], wording[dots.end() :], names)
        told += [before, _shown(plan, name)]
        end = dots.end()
    return "".join([*told, wording[end:]])


def _meant(before: str, after: str, names: "dict[str, str]") -> "tuple[str, str, Sequence[str]]":
    """(the quantity that some words before a number stand for, what joins it with others, these others); '' for none."""
    for words, joint, (first, *others) in _PRODUCTS:
        if before.endswith(words) and after.startswith(joint):
            return first, joint, others
    for words, quantity in _NUMBERS.items():
        if before.endswith(words):
            return quantity, "", ()
    name = _NAME.search(before)
    meant = names.get(name[1], name[1]) if name else ""
    return ("" if meant in _NOT_AS_SET else meant), "", ()


def _shown(plan: "Plan", name: str) -> str:
    value = plan.value(name) if name else None
    value = len(value) if name in _COUNTED and type(value) is list else value
    return str(value) if type(value) in (int, float) else "..."
