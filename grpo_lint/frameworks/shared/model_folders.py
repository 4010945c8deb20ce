"""What the config.json of a model in the checkout counts."""

from json import loads

# operand of the rules -> the names under which models have it, the usual one first
_NAMES = {
    "model_layers": ("num_hidden_layers",),
    "model_heads": ("num_attention_heads",),
    "model_kv_heads": ("num_key_value_heads",),
    "model_experts": ("num_experts", "n_routed_experts", "num_local_experts"),
}
# what only a folder tells: the table of names has no lengths
WINDOWS = dict.fromkeys(("model_positions", "model_window"), "max_position_embeddings")
_KEPT = ("su", "longrope", "llama3")  # kinds of scaling whose positions are already scaled
_LARGEST = 100_000_000
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
    return found | _windows(config)


def _windows(config: "dict[str, object]") -> "dict[str, int]":
    """The positions of a model, and the longest sequence that vLLM takes for it: `_get_and_verify_max_len` in 0.8.5 and 0.11.0 multiplies
    them by the factor of the scaling, those before it where there are such. Other keys for a length may say more or less."""
    positions, scaling = config.get("max_position_embeddings"), config.get("rope_scaling")
    if type(positions) is not int or not 0 < positions < _LARGEST or "model_max_length" in config:
        return {}
    found = {"model_positions": positions}
    if scaling is None:
        return {**found, "model_window": positions}
    if not isinstance(scaling, dict) or "gemma3" in str(config.get("model_type")):
        return found
    kind, factor = scaling.get("rope_type", scaling.get("type")), scaling.get("factor", 1)
    if kind == "yarn":
        positions = scaling.get("original_max_position_embeddings")
    if kind in _KEPT:
        factor = 1
    if type(positions) is not int or type(factor) not in (int, float) or not 0 < positions * factor < _LARGEST:
        return found
    return {**found, "model_window": int(positions * factor)}
