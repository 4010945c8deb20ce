"""Which of the values that a key allows is most likely meant. Loaded where a value is none of them."""

from ...message import Message, verbatim

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
