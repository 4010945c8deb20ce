"""How models are built: what parallel sizes have to divide.

Only whole names are looked up: a path, another owner or a quantised copy is a model of which nothing is known.
"""

from ..base import Attached, Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base import NamedFiles

# operand of the rules -> what it counts, in the words of a config.json
COUNTS = {
    "model_layers": "num_hidden_layers",
    "model_heads": "num_attention_heads",
    "model_kv_heads": "num_key_value_heads",
    "model_experts": "num_experts",
}
WHEN_BUILT = "when the model is built"


def attached(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """{operand: Attached} of the model that a setting names; empty of one that is not in the table, or that a folder of
    this name beside the file replaces."""
    if type(value) is not str or "/" not in value:
        return {}
    from .model_table import MODELS  # only files that name a model of a hub pay for it

    numbers = next((numbers for numbers, names in MODELS.items() if value in names), None)
    if numbers is None or (files is not None and files.find(f"{value}/config.json") is not None):
        return {}
    counted = zip(COUNTS.items(), numbers)
    return {operand: Attached(word, count, value) for (operand, word), count in counted if count}


def heads_of_engine(since: str) -> "Enforcement":
    """How vLLM refuses a model whose heads it cannot spread, under all versions of a framework from `since` on; its source was
    read (`ModelConfig.verify_with_parallel_config`)."""
    return Enforcement(
        "heads-divide-over-the-engine",
        since,
        None,
        "run",
        "Total number of attention heads (...) must be divisible by tensor parallel size (...).",
        "when the engine is made",
    )
