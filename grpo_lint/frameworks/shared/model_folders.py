"""What the config.json of a model in the checkout counts."""

from json import loads

# operand of the rules -> the names under which models have it, the usual one first
_NAMES = {
    "model_layers": ("num_hidden_layers",),
    "model_heads": ("num_attention_heads",),
    "model_kv_heads": ("num_key_value_heads",),
    "model_experts": ("num_experts", "n_routed_experts", "num_local_experts"),
}
_LARGEST = 1_000_000
_LANGUAGE = "text_config"  # the section of a model that sees, for its language model


def counted_in(text: str) -> "dict[str, int]":
    """{operand: number} of those that a config.json says; without heads for keys and values of their own, there are as many as
    attention heads."""
    try:
        config = loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(config, dict):
        return {}
    inner = config.get(_LANGUAGE)
    if isinstance(inner, dict):
        config = {**config, **inner}
    found = {}
    for operand, names in _NAMES.items():
        number = next((config[name] for name in names if name in config), None)
        if type(number) is int and 0 < number < _LARGEST:
            found[operand] = number
    if "model_heads" in found and _NAMES["model_kv_heads"][0] not in config:
        found["model_kv_heads"] = found["model_heads"]
    return found
