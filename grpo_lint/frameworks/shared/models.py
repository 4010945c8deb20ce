"""The sizes of models that parallel sizes have to divide.

A folder in the checkout has them in its config.json. Of the others only whole names are looked up: a path, another owner or a
quantised copy is an unknown model.
"""

from ...message import Message
from ...record import kept
from ..base import Attached
from ..by_release import Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rules.base import Stage
    from ...shared_types import NamedFiles

# operand of the rules -> what it counts, named as in a config.json
COUNTS = {
    "model_layers": "num_hidden_layers",
    "model_heads": "num_attention_heads",
    "model_kv_heads": "num_key_value_heads",
    "model_experts": "num_experts",
    "model_parameters": "parameters",
}
WHEN_BUILT = "when the model is built"


def attached(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """{operand: Attached} of the model that a setting names: of a folder of this name in the checkout, which counts first, else of
    the table; empty where neither is known."""
    if type(value) is not str or "/" not in value:
        return {}
    file = files.find(f"{value.rstrip('/')}/config.json") if files is not None else None
    if file is not None:
        from .model_folders import WINDOWS, counted_in

        counts = counted_in(file.text)
        keys = COUNTS | WINDOWS
        return {name: Attached(keys[name], count, file.path, file) for name, count in counts.items()}
    numbers = _numbers(value)
    if numbers is None:
        return {}
    counted = zip(COUNTS.items(), numbers)
    return {operand: Attached(word, count, value) for (operand, word), count in counted if count}


def is_known(name: str) -> bool:
    """Whether it is the exact name of a model in the table."""
    return _numbers(name) is not None


@kept(100)
def _numbers(name: str) -> "tuple[int, ...] | None":
    from .model_table import MODELS  # loaded only for files that name a model of a hub

    for line in MODELS.splitlines():
        *numbers, names = line.split(" ", len(COUNTS))
        whole = ""
        for word in names.split():
            whole = word if "/" in word else whole
            if name == (word if word is whole else whole + word):
                return tuple(map(int, numbers))
    return None


def heads_of_engine(since: str, stage: "Stage" = "run", moment: str = "") -> "Enforcement":
    """The row for a model whose attention heads vLLM cannot spread over its processes, in all versions of a framework
    from `since` on."""
    return Enforcement(
        "heads-divide-over-the-engine",
        since,
        None,
        stage,
        "Total number of attention heads (...) must be divisible by tensor parallel size (...). / AssertionError (without a message)",
        moment or Message("when the engine is made"),
    )


def model_over_ranks(
    since: str, stage: "Stage", moment: str, experts_since: "str | None" = None, parts_since: str = ""
) -> "tuple[Enforcement, ...]":
    """The rows for a model that Megatron-Core cannot spread over its ranks. `experts_since`: where expert parallel came later; `parts_since`:
    with the row of `experts_in_parts`."""
    heads = (
        "num_attention_heads (...) must be a multiple of tensor_model_parallel_size (...). / num_query_groups (...) must be a multiple "
        "of tensor_model_parallel_size (...). / num_query_groups (...) must be a multiple or divisor of tensor_model_parallel_size (...)."
    )
    layers = (
        "num_layers should be divisible by pipeline_model_parallel_size / number of layers at middle stage: ... must be divisible by... / "
        "number of middle layers: ... must be divisible by middle pipeline_model_parallel_size ..."
    )
    return (
        Enforcement("heads-divide-over-ranks", since, None, stage, heads, moment),
        Enforcement("layers-divide-over-stages", since, None, stage, layers, moment),
        Enforcement(
            "experts-divide-over-ranks",
            experts_since or since,
            None,
            stage,
            "AssertionError (without a message)",
            moment,
        ),
        *((experts_in_parts(parts_since),) if parts_since else ()),
    )


def experts_in_parts(since: str) -> "Enforcement":
    """The row for a model of experts that tensor parallel splits, and sequence parallel does not, from `since` on."""
    return Enforcement(
        "split-experts-split-sequences",
        since,
        None,
        "run",
        "During training, performance may degrade if MoE and tensor parallelismare enabled without also enabling sequence parallelism.",
        Message("in the first forward pass of the training"),
    )
