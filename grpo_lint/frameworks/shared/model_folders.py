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
_MOST_PARAMETERS = 10**13
# {type of a model whose parameters are counted: whether queries, keys and values have biases, and norms}
_COUNTED = {
    "qwen2": (True, False),
    "qwen3": (False, True),
    "qwen3_moe": (False, True),
    "llama": (False, False),
    "mistral": (False, False),
}
_WIDTHS = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "intermediate_size",
    "vocab_size",
)
_OTHERWISE = ("quantization_config", "attention_bias", "mlp_bias", "mlp_only_layers")  # what makes another model of it
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
    count = 0 if inner is not None else _parameters(config)
    if 0 < count < _MOST_PARAMETERS:
        found["model_parameters"] = count
    if "model_heads" in found and _NAMES["model_kv_heads"][0] not in config:
        found["model_kv_heads"] = found["model_heads"]
    return found | _windows(config)


def _parameters(config: "dict[str, object]") -> int:
    """How many parameters a model of a known type has, its embedding once where it is the last layer too; 0 where it is of another type, is
    quantised, or has parts of other widths. `conformance/models` counts those of the table so."""
    kind = str(config.get("model_type"))
    widths = [each for name in _WIDTHS if type(each := config.get(name)) is int and 0 < each < _LARGEST]
    if kind not in _COUNTED or len(widths) < len(_WIDTHS) or any(config.get(name) for name in _OTHERWISE):
        return 0
    width, layers, heads, groups, inner, vocabulary = widths
    size = config.get("head_dim", 128 if _COUNTED[kind][1] else width // heads)
    experts = _experts(config, width) if kind.endswith("_moe") else 3 * width * inner
    if type(size) is not int or not 0 < size < _LARGEST or not experts:
        return 0
    layer = _attention(kind, width, heads * size, groups * size, size) + experts + 2 * width
    return layers * layer + width + vocabulary * width * (1 if config.get("tie_word_embeddings") is True else 2)


def _attention(kind: str, width: int, queries: int, keys: int, size: int) -> int:
    has_biases, has_norms = _COUNTED[kind]
    return 2 * width * (queries + keys) + has_biases * (queries + 2 * keys) + has_norms * 2 * size


def _experts(config: "dict[str, object]", width: int) -> int:
    """The parameters of the experts of a layer, with those that choose among them; 0 where they are not known, or not each layer has them."""
    number, inner = config.get("num_experts"), config.get("moe_intermediate_size")
    if type(number) is not int or type(inner) is not int or config.get("decoder_sparse_step", 1) != 1:
        return 0
    return number * (3 * width * inner + width)


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
