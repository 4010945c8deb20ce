"""GRPO408, GRPO411, GRPO412, GRPO418, GRPO467: the model as Megatron-Core spreads it over ranks.

Read in Megatron-Core 0.16.1: `TransformerConfig.__post_init__` (heads), `get_num_layers_to_build` (layers) and the layer of experts, which GRPO418 quotes. It
copies key-value heads where a rank would have less than one; older ones refuse that, which is not said, since no run says which one it has."""

from ...plan.formula import Reading, calculation
from ...rules.base import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Table


def cut(layers: int, stages: int) -> "tuple[int, int]":
    """The layers of the first and the last of some stages, as experts cut a model: those between have most, since the first one has the embedding and
    the last one the loss as well. 0 for a stage that has as many as those between. Both are 0 where the layers divide, and where no such cut has
    a layer for each end: so many stages hold only another layout."""
    if stages < 2 or layers % stages == 0:
        return 0, 0
    if stages == 2:  # the first one has what is left: Megatron-Core up to 0.12 divides by the number of stages between
        return 0, layers // 2
    left = layers - -(-layers // stages) * (stages - 2)
    return (left - left // 2, left // 2) if left >= 2 else (0, 0)


def first_of_cut(reading: Reading) -> object:
    """the layers of the first stage where those between have most, and none where it has as many"""
    return cut(reading.layers_of_model, reading.pipeline_model_parallel_size)[0] or None


def last_of_cut(reading: Reading) -> object:
    """the layers of the last stage where those between have most, and none where it has as many"""
    return cut(reading.layers_of_model, reading.pipeline_model_parallel_size)[1] or None


# The model, where no setting says what it has, and the layers that the stages share which have no number of their own. A framework says
# `first_stage_layers` and `last_stage_layers`, each None or a number.
OF_MODEL: "Table" = {
    "layers_of_model": "model_layers",
    "heads_of_model": "model_heads",
    "kv_heads_of_model": "model_kv_heads",
    "experts_of_model": "model_experts",
    "splits_kv_heads": (
        "kv_heads_of_model % tensor_model_parallel_size == 0 or tensor_model_parallel_size % kv_heads_of_model == 0"
    ),
    "counts_embedding": "False",
    "counts_loss": "False",
    "has_own_layout": "False",
    "first_is_apart": ("first_stage_layers is not None", "False"),
    "last_is_apart": ("last_stage_layers is not None", "False"),
    "stages_between": "pipeline_model_parallel_size - (1 if first_is_apart else 0) - (1 if last_is_apart else 0)",
    "layers_apart": "(first_stage_layers if first_is_apart else 0) + (last_stage_layers if last_is_apart else 0)",
    "layers_beside": "(1 if counts_embedding else 0) + (1 if counts_loss else 0)",
    "layers_between": "layers_of_model + layers_beside - layers_apart",
    "splits_layers_unevenly": "first_is_apart or last_is_apart or layers_beside > 0 or has_own_layout",
    "usual_first_stage": calculation(first_of_cut),
    "usual_last_stage": calculation(last_of_cut),
    "lacks_even_stages": "not has_own_layout and stages_between > 0 and layers_between % stages_between != 0",
    "has_empty_stages": "layers_apart > 0 and (layers_between < 1 if stages_between > 0 else layers_between != 0)",
}


def ends_in(section: str) -> "tuple[str, str]":
    """The settings of the first and the last stage in a section that names them as Megatron-Core does."""
    return f"{section}.num_layers_in_first_pipeline_stage", f"{section}.num_layers_in_last_pipeline_stage"


_SIZES = (("tp", "tensor_model"), ("pp", "pipeline_model"), ("cp", "context"), ("ep", "expert_model"))


def in_section(section: str) -> "Table":
    """The table of a framework that trains with Megatron-Core where `uses_megatron` holds, and has its settings in a section."""
    return {
        **OF_MODEL,
        **{f"megatron_{short}": (f"{section}.{name}_parallel_size", "1") for short, name in _SIZES},
        **{f"{name}_parallel_size": f"megatron_{short} if uses_megatron else unknown" for short, name in _SIZES},
        "megatron_sequence_parallel": (f"{section}.sequence_parallel", "False"),
        "splits_sequences": "megatron_sequence_parallel",
        **dict(zip(("first_stage_layers", "last_stage_layers"), ends_in(section), strict=True)),
    }


_OF_ACTOR, _OF_POLICY = "actor_rollout_ref.actor.megatron", "policy.megatron_cfg"
# the settings of the layers of the first and the last stage, where frameworks have them
ENDS_BY_FLAG = ("decoder_first_pipeline_num_layers", "decoder_last_pipeline_num_layers")
ENDS_OF_ACTOR = ends_in(f"{_OF_ACTOR}.override_transformer_config")
_ALL_ENDS = (ENDS_BY_FLAG, ENDS_OF_ACTOR, ends_in(_OF_POLICY))
NAMES_OF_ENDS = tuple(name for ends in _ALL_ENDS for name in ends)
_USUAL_ENDS = {
    **{name: f"usual_{end}_stage" for ends in _ALL_ENDS for name, end in zip(ends, ("first", "last"), strict=True)},
    f"{_OF_ACTOR}.use_mbridge": "usual_bridge",
}


def _sizes(kind: str) -> "tuple[str, ...]":
    """The settings of one parallel size, by framework."""
    return tuple(f"{section}{kind}_model_parallel_size" for section in (f"{_OF_ACTOR}.", f"{_OF_POLICY}.", ""))


RULES = (
    Rule(
        "GRPO408",
        "heads-divide-over-ranks",
        "The attention heads of the model divide over the tensor-parallel ranks",
        "tensor_model_parallel_size > 1 and (heads_of_model % tensor_model_parallel_size != 0 or not splits_kv_heads)",
        with_any=_sizes("tensor"),
        message="the {heads_of_model} attention heads of the model do not divide over {tensor_model_parallel_size} tensor-parallel ranks",
        special={
            "heads_of_model % tensor_model_parallel_size == 0": "of the {kv_heads_of_model} key-value heads of the model and the "
            "{tensor_model_parallel_size} tensor-parallel ranks neither number divides the other"
        },
        why="Every tensor-parallel rank holds the same number of whole attention heads. The number of heads is known by the exact name of a model.",
        instead="Set tensor_model_parallel_size to a divisor of the heads.",
        at=_sizes("tensor"),
        blocked_by=("parallel-sizes-are-positive",),
    ),
    Rule(
        "GRPO411",
        "layers-divide-over-stages",
        "The layers of the model divide over the pipeline stages",
        "pipeline_model_parallel_size > 1 and lacks_even_stages",
        with_any=_sizes("pipeline"),
        message="the {layers_of_model} layers of the model do not divide over {pipeline_model_parallel_size} pipeline stages",
        special={
            "first_is_apart or last_is_apart": "{layers_between} layers are left for {stages_between} pipeline stages without a number of their own, "
            "and do not divide over them",
            "layers_beside > 0": "{layers_between} layers, the embedding or the loss among them, do not divide over "
            "{pipeline_model_parallel_size} pipeline stages",
        },
        why="Every pipeline stage holds the same number of layers. The layers of the first or last stage, or a layout, can be set instead.",
        instead="Set the number of layers of the first or last stage, or set pipeline_model_parallel_size to a divisor of the layers.",
        at=_sizes("pipeline"),
        usual=_USUAL_ENDS,
        blocked_by=("parallel-sizes-are-positive",),
    ),
    Rule(
        "GRPO412",
        "experts-divide-over-ranks",
        "The experts of the model divide over the expert-parallel ranks",
        "expert_model_parallel_size > 1 and experts_of_model % expert_model_parallel_size != 0",
        with_any=_sizes("expert"),
        message="the {experts_of_model} experts of the model do not divide over {expert_model_parallel_size} expert-parallel ranks",
        why="Every expert-parallel rank holds the same number of experts.",
        instead="Set expert_model_parallel_size to a divisor of the experts.",
        at=_sizes("expert"),
    ),
    Rule(
        "GRPO418",
        "split-experts-split-sequences",
        "A mixture of experts with tensor parallelism has sequence parallelism, too",
        "tensor_model_parallel_size > 1 and not splits_sequences and experts_of_model > 1",
        with_any=_sizes("tensor"),
        message="tensor_model_parallel_size is {tensor_model_parallel_size} without sequence_parallel, and the model has "
        "{experts_of_model} experts",
        why="A layer of experts refuses its first forward pass in training: each tensor-parallel rank would compute the same tokens.",
        instead="Set sequence_parallel to true.",
        at=("splits_sequences", *_sizes("tensor")),
        blocked_by=("model-parallel-divides-world",),
        cure={"sequence_parallel": True},
        other_cures=tuple({f"{section}.sequence_parallel": True} for section in (_OF_ACTOR, _OF_POLICY)),
    ),
    Rule(
        "GRPO467",
        "each-stage-has-layers",
        "The layers of the first and the last pipeline stage leave some for those between",
        "pipeline_model_parallel_size > 1 and not has_own_layout and has_empty_stages",
        with_any=NAMES_OF_ENDS,
        message="the first and the last pipeline stage have {layers_apart} of the {layers_of_model} layers: nothing is left for the "
        "{stages_between} stages between",
        special={
            "stages_between == 0": "the two pipeline stages have {layers_apart} layers, but the model has {layers_of_model}",
            "first_is_apart and not last_is_apart": "the first pipeline stage has {layers_apart} of the {layers_of_model} layers: nothing is "
            "left for the other {stages_between}",
            "last_is_apart and not first_is_apart": "the last pipeline stage has {layers_apart} of the {layers_of_model} layers: nothing is "
            "left for the other {stages_between}",
        },
        why="Megatron-Core 0.16 refuses it when the model is built. Older ones build stages without layers, or a model with another number of layers.",
        instead="Set the layers of the first and the last stage to no more than those of the stages between.",
        harm="warning",
        at=NAMES_OF_ENDS,
        usual=_USUAL_ENDS,
        blocked_by=("parallel-sizes-are-positive", "layers-divide-over-stages"),
    ),
)
