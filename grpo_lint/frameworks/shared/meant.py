"""Which of the values that a key allows is most likely meant. Loaded where a value is none of them."""

from ...message import Message, verbatim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Fault

MOST_CHOICES, NEAREST = 12, 5


def nearest(value: object, choices: "list[str]") -> Message:
    """All of some choices; of a long list those that are most like a value, and what lists the others."""
    if len(choices) <= MOST_CHOICES:
        return verbatim(", ".join(choices))
    from difflib import SequenceMatcher  # loaded only for mistakes

    word = str(value)[:80].lower()
    ranked = sorted(choices, key=lambda each: -SequenceMatcher(None, each.lower(), word).ratio())
    return Message(
        "{names} and {count} more (`grpo-lint schema` lists all)",
        {"names": ", ".join(ranked[:NEAREST]), "count": len(choices) - NEAREST},
    )


# Other names that users write for a choice.
_USUAL = {
    "adamw": "adamw_torch",
    "adam": "adamw_torch",
    "adamw_hf": "adamw_torch",
    "adamw_fused": "adamw_torch_fused",
    "cosine_with_warmup": "cosine",
    "linear_with_warmup": "linear",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "none": "no",
    "off": "no",
    "never": "no",
    "step": "steps",
    "colocated": "colocate",
    "local": "colocate",
    "qlora": "lora",
    "grpo": "group_norm",
    "group_norm": "grpo",
    "reinforce++": "reinforce_plus_plus",
    "reinforce_plus_plus_baseline": "reinforce_baseline",
    "bfloat16": "bf16",
}


# Losses of GRPO that are mistaken for trainers, where dpo is a trainer.
_OF_GRPO = frozenset("dapo gspo gspo_token dr_grpo drgrpo bnpo cispo sapo real".split())


def likely(value: object, choices: "list[str]") -> str | None:
    """The choice that is most likely meant by a value: in another case, under a common name, or misspelt."""
    if type(value) is not str or not value or len(value) > 80:
        return None
    lower = {choice.lower(): choice for choice in choices}
    if value.lower() in lower:
        return lower[value.lower()]
    usual = "grpo" if "dpo" in lower and value.lower() in _OF_GRPO else _USUAL.get(value.lower())
    if usual in choices:
        return usual
    from difflib import get_close_matches  # loaded only for mistakes

    return next((lower[each] for each in get_close_matches(value.lower(), lower, n=1, cutoff=0.75)), None)


# The linear modules of a layer of most decoders, and what others call theirs.
_MODULES = "q_proj k_proj v_proj o_proj gate_proj up_proj down_proj".split()


def misspelt_module(names: object) -> "Fault | None":
    """What is wrong with the names of modules that get an adapter: one that is most likely another, as q_prj and qproj are. Names that
    a model may have of its own are let be."""
    from .values import quoted, wrong_choice, wrong_type

    for each in names if isinstance(names, list) else [names]:
        if type(each) is str and each.lower() in ("all_linear", "alllinear", "all linear"):
            return wrong_choice("never", each, ("all-linear", "a list of names"))
        meant = _module(each) if type(each) is str and len(each) < 20 else None
        if meant:
            told = {"text": quoted(str(each)), "name": meant}
            return wrong_type("never", Message("the name {text}, where most models have a module {name}", told))
    return None


def _module(name: str) -> str | None:
    from difflib import get_close_matches

    by_letters = {each.replace("_", ""): each for each in _MODULES}
    letters = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    if name in _MODULES or not letters.isalpha():
        return None
    if letters in by_letters:
        return by_letters[letters]
    near = [] if letters.endswith("proj") else get_close_matches(letters, by_letters, n=1, cutoff=0.8)
    return by_letters[near[0]] if near else None


def is_misspelt_attention(name: str) -> bool:
    """Whether a name of an attention is one that transformers does not know and that looks like one of its own. Others may be registered by a
    program, and those with a slash are kernels of the hub."""
    from difflib import get_close_matches

    from .values import ATTENTION

    if len(name) > 40 or "/" in name or "|" in name or name in ATTENTION:
        return False
    return name in ("flash", "fa2", "flash_attn", "flash_attn_2", "spda") or bool(
        get_close_matches(name, ATTENTION, n=1, cutoff=0.9)
    )
