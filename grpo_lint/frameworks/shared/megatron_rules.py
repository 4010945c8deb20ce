"""GRPO408, GRPO411, GRPO412, GRPO418: the model as Megatron-Core spreads it over ranks.

Read in Megatron-Core 0.16.1: `TransformerConfig.__post_init__` (heads), `get_num_layers_to_build` (layers) and the layer of experts, which GRPO418 quotes. It
copies key-value heads where a rank would have less than one; older ones refuse that, which is not said, since no run says which one it has."""

from ...rules.base import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Table

# The layers that the stages share which have no number of their own. A framework says `layers_of_model`, `first_stage_layers`, `last_stage_layers`
# (each None or a number), `counts_embedding`, `counts_loss` and `has_own_layout`.
OF_STAGES: "Table" = {
    "first_is_apart": ("first_stage_layers is not None", "False"),
    "last_is_apart": ("last_stage_layers is not None", "False"),
    "stages_between": "pipeline_model_parallel_size - (1 if first_is_apart else 0) - (1 if last_is_apart else 0)",
    "layers_apart": "(first_stage_layers if first_is_apart else 0) + (last_stage_layers if last_is_apart else 0)",
    "layers_beside": "(1 if counts_embedding else 0) + (1 if counts_loss else 0)",
    "layers_between": "layers_of_model + layers_beside - layers_apart",
    "splits_layers_unevenly": "first_is_apart or last_is_apart or layers_beside > 0 or has_own_layout",
    # as experts cut a model: the stages between have most, the two ends share what is left
    "layers_at_ends": "layers_of_model - (pipeline_model_parallel_size - 2) * -(-layers_of_model // pipeline_model_parallel_size)",
    "usual_first_stage": "layers_at_ends - layers_at_ends // 2",
    "usual_last_stage": "layers_at_ends // 2",
    "lacks_even_stages": "not has_own_layout and stages_between > 0 and layers_between % stages_between != 0",
}

_OF_ACTOR = "actor_rollout_ref.actor.megatron"

RULES = (
    Rule(
        "GRPO408",
        "heads-divide-over-ranks",
        "The attention heads of the model divide over the tensor-parallel ranks",
        "tensor_model_parallel_size > 1 and (heads_of_model % tensor_model_parallel_size != 0 or not splits_kv_heads)",
        with_any=("tensor_model_parallel_size", f"{_OF_ACTOR}.tensor_model_parallel_size"),
        message="the {heads_of_model} attention heads of the model do not divide over {tensor_model_parallel_size} tensor-parallel ranks",
        special={
            "heads_of_model % tensor_model_parallel_size == 0": "of the {kv_heads_of_model} key-value heads of the model and the "
            "{tensor_model_parallel_size} tensor-parallel ranks neither number divides the other"
        },
        why="Every tensor-parallel rank holds the same number of whole attention heads. The number of heads is known by the exact name of a model.",
        instead="Set tensor_model_parallel_size to a divisor of the heads.",
        at=("tensor_model_parallel_size",),
        blocked_by=("parallel-sizes-are-positive",),
    ),
    Rule(
        "GRPO411",
        "layers-divide-over-stages",
        "The layers of the model divide over the pipeline stages",
        "pipeline_model_parallel_size > 1 and lacks_even_stages",
        with_any=("pipeline_model_parallel_size", f"{_OF_ACTOR}.pipeline_model_parallel_size"),
        message="the {layers_of_model} layers of the model do not divide over {pipeline_model_parallel_size} pipeline stages",
        special={
            "first_is_apart or last_is_apart": "{layers_between} layers are left for {stages_between} pipeline stages without a number of their own, "
            "and do not divide over them",
            "layers_beside > 0": "{layers_between} layers, the embedding or the loss among them, do not divide over "
            "{pipeline_model_parallel_size} pipeline stages",
        },
        why="Every pipeline stage holds the same number of layers. The layers of the first or last stage, or a layout, can be set instead.",
        instead="Set the number of layers of the first or last stage, or set pipeline_model_parallel_size to a divisor of the layers.",
        at=("pipeline_model_parallel_size",),
        usual={
            "decoder_first_pipeline_num_layers": "usual_first_stage",
            "decoder_last_pipeline_num_layers": "usual_last_stage",
        },
        blocked_by=("parallel-sizes-are-positive",),
    ),
    Rule(
        "GRPO412",
        "experts-divide-over-ranks",
        "The experts of the model divide over the expert-parallel ranks",
        "expert_model_parallel_size > 1 and experts_of_model % expert_model_parallel_size != 0",
        with_any=("expert_model_parallel_size", f"{_OF_ACTOR}.expert_model_parallel_size"),
        message="the {experts_of_model} experts of the model do not divide over {expert_model_parallel_size} expert-parallel ranks",
        why="Every expert-parallel rank holds the same number of experts.",
        instead="Set expert_model_parallel_size to a divisor of the experts.",
        at=("expert_model_parallel_size",),
    ),
    Rule(
        "GRPO418",
        "split-experts-split-sequences",
        "A mixture of experts with tensor parallelism has sequence parallelism, too",
        "tensor_model_parallel_size > 1 and not splits_sequences and experts_of_model > 1",
        with_any=("tensor_model_parallel_size", f"{_OF_ACTOR}.tensor_model_parallel_size"),
        message="tensor_model_parallel_size is {tensor_model_parallel_size} without sequence_parallel, and the model has "
        "{experts_of_model} experts",
        why="A layer of experts refuses its first forward pass in training: each tensor-parallel rank would compute the same tokens.",
        instead="Set sequence_parallel to true.",
        at=("splits_sequences", "tensor_model_parallel_size"),
        blocked_by=("model-parallel-divides-world",),
        cure={"sequence_parallel": True},
        other_cures=({f"{_OF_ACTOR}.sequence_parallel": True},),
    ),
)
