"""The least memory that a GPU needs at an update: weights, gradients and the states of AdamW, without activations, logits, caches and engines.
Of adapters the frozen weights alone.

A framework says how many bytes a parameter takes (`weight_bytes`, `gradient_bytes`, `optimizer_bytes`) and over how many
processes each is spread (`weight_shards`, ...); where it does not know one of them, there is no bound.
"""

from ...message import Message
from ...plan.formula import word, words
from ..by_release import Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Table

# in megabytes of a million bytes, each rounded down
MEMORY: "Table" = {
    "parameter_count": ("parameters", "model_parameters"),
    "weight_memory": "nothing if trains_adapter else parameter_count * weight_bytes // weight_shards // 1000000",
    "gradient_memory": "nothing if trains_adapter else parameter_count * gradient_bytes // gradient_shards // 1000000",
    "optimizer_memory": "nothing if trains_adapter else parameter_count * optimizer_bytes // optimizer_shards // 1000000",
    "training_memory": ("frozen_memory", "weight_memory + gradient_memory + optimizer_memory"),
}
# what no GPU of the stated size has: a twentieth more than its GiB
LARGEST: "Table" = {
    "largest_memory": "gpu_memory * 1073741824 * 105 // 100 // 1000000",
    # where adapters are trained: in the plan it is all that is known
    "frozen_memory": "parameter_count * weight_bytes // frozen_shards // 1000000 if trains_adapter else nothing",
}

# Where FSDP holds all three in the type of the model: `model_bytes`, and what is over `shards` processes. Unknown where not all
# parameters are trained, or where another optimizer or the host holds some of it.
OF_FSDP: "Table" = {
    **LARGEST,
    "weight_bytes": "model_bytes",
    "gradient_bytes": "model_bytes",
    "optimizer_bytes": "2 * model_bytes",
    "shards": "fsdp_size if fsdp_size > 0 and fsdp_size < world_size else world_size",
    "weight_shards": "shards if holds_all_states else unknown",
    "frozen_shards": "shards",
    "gradient_shards": "weight_shards",
    "optimizer_shards": "weight_shards",
}

# Where the weights are always in full precision, and FSDP shards them within each replica.
OF_MASTER_WEIGHTS: "Table" = {**OF_FSDP, "model_bytes": "4", "fsdp_size": "world_size // replicas"}

# Megatron-Core in half precision: weights of 2 bytes, gradients of 4 where they are summed in full precision, and 12 of states: a copy of the
# weights and two moments. No parameter is cut up further than `sharers`, so the GPU that holds most holds at least that share; a distributed
# optimizer spreads states over all processes. Unknown where something else than AdamW holds them, or the host some of it.
SHARERS = "pipeline_model_parallel_size * max(tensor_model_parallel_size, ranks_of_an_expert)"
OF_MEGATRON: "Table" = {
    **LARGEST,
    "sharers": SHARERS,
    "weight_bytes": "2",
    "gradient_bytes": "4 if sums_in_full else 2",
    "optimizer_bytes": "12",
    "weight_shards": "sharers if holds_all_states else unknown",
    "frozen_shards": "sharers",
    "gradient_shards": "weight_shards",
    "optimizer_shards": "unknown if not holds_all_states else world_size if spreads_states else sharers",
}

# Of the trainer of transformers. DeepSpeed holds weights and gradients in the precision of the training and, beside half precision, a copy of
# the weights in full; ZeRO's stages 1, 2 and 3 spread states, gradients and weights. Where nobody says how the processes share the model, all
# of it counts as spread.
OF_TRAINER: "Table" = {
    **LARGEST,
    "zero": ("zero_stage", "-1"),
    "is_zero": "zero >= 0",
    "may_be_spread": "not is_zero and not is_unsharded",
    "is_unsharded": ("unsharded and not len(fsdp) > 0", "unsharded", "False"),
    "devices_of_a_copy": "1",
    "sharding_is_seen": ("seen_sharding", "False"),  # in a file for accelerate
    "weight_bytes": "model_bytes if not is_zero else 2 if trains_in_half else 4",
    "gradient_bytes": "weight_bytes",
    "optimizer_bytes": "2 * model_bytes if not is_zero else 12 if copies_weights else 8",
    # in full precision stages 1 and 2 keep a copy all the same, and stage 3 does in some releases
    "copies_weights": "trains_in_half or zero == 1 or zero == 2",
    "trains_in_half": ("zero_in_half", "trains_in_fp16 or trains_in_bf16", "True"),
    "weight_shards": "unknown if not holds_all_states else world_size if zero == 3 or may_be_spread else devices_of_a_copy",
    "gradient_shards": "unknown if not holds_all_states else world_size if zero >= 2 or may_be_spread else devices_of_a_copy",
    "optimizer_shards": "unknown if not holds_all_states else world_size if zero >= 1 or may_be_spread else devices_of_a_copy",
    "frozen_shards": "unknown if offloads else world_size if zero == 3 or may_be_spread else devices_of_a_copy",
    "holds_all_states": "trains_all and holds_adam and not offloads",
    "offloads": ("zero_offloads", "'offload' in fsdp or (unknown if fsdp_is_detailed else False)", "False"),
    "fsdp_is_detailed": ("len(fsdp) > 0 and len(fsdp_config) > 0", "False"),
    "holds_adam": ("optim in names_of_adam", "True"),
    "names_of_adam": words("adamw_torch", "adamw_torch_fused", "adamw_hf", "adamw_apex_fused"),
    "model_bytes": "4 if model_dtype == 'float32' else 2",
    "model_dtype": ("dtype", "torch_dtype", word("auto")),
}


def out_of_memory(since: str) -> "Enforcement":
    """The row for a model whose states no GPU of the stated size holds, in all versions of a framework from `since` on."""
    return Enforcement(
        "training-state-fits-the-gpu",
        since,
        None,
        "run",
        "torch.OutOfMemoryError: CUDA out of memory.",
        Message("at the first update"),
    )
