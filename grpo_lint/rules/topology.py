"""GRPO4xx: processes and how models are spread over them."""

from .base import Rule

RULES = (
    Rule(
        "GRPO401",
        "model-parallel-divides-world",
        "Tensor x pipeline x context parallel divides the number of processes",
        "model_parallel_size < 1 or world_size % model_parallel_size != 0",
        message="{world_size} processes cannot be divided into model replicas of {model_parallel_size}{model_parallel_size.how}",
        why="Every replica of the model takes tensor x pipeline x context parallel processes. Processes that are left over belong to no replica.",
        instead="Change the parallel sizes, or start a multiple of their product.",
        at=("model_parallel_size",),
        blocked_by=("parallel-sizes-are-positive", "megatron-ranks-divide-gpus"),
    ),
    Rule(
        "GRPO403",
        "vllm-tensor-parallel-divides-world",
        "A vLLM engine that shares the GPUs of training divides the number of processes",
        "engines_share_gpus and (engine_ranks == 0 or world_size % engine_ranks != 0)",
        with_any=("vllm_tensor_parallel_size", "tensor_parallel_size"),
        message="vllm_tensor_parallel_size {engine_ranks} does not divide {world_size} processes",
        why="In colocate mode the engines run on the GPUs of training, so all processes form engines of equal size.",
        instead="Set vllm_tensor_parallel_size to a divisor of the number of processes; 1 always works.",
        at=("engine_ranks",),
    ),
    # Read in vLLM 0.8.5 and 0.11.0: `ModelConfig.verify_with_parallel_config` refuses heads that do not divide; `QKVParallelLinear`, and the
    # models' own assertions, divide the key-value heads over the ranks, or copy each to as many ranks. What is copied runs.
    Rule(
        "GRPO409",
        "heads-divide-over-the-engine",
        "The attention heads of the model divide over the ranks of a vLLM engine",
        "model_heads % engine_spread != 0 or max(model_kv_heads, engine_spread) % min(model_kv_heads, engine_spread) != 0",
        with_any=(
            "vllm_tensor_parallel_size",
            "tensor_parallel_size",
            "actor_rollout_ref.rollout.tensor_model_parallel_size",
            "worker.rollout.tensor_parallel_size",
        ),
        message="the {model_heads} attention heads of the model do not divide over {engine_spread} ranks of an engine",
        special={
            "model_heads % engine_spread == 0": "of the {model_kv_heads} key-value heads of the model and the {engine_spread} ranks of an "
            "engine neither number divides the other"
        },
        why="Every rank of an engine holds the same number of whole attention heads. Each key-value head is on one rank, or on several.",
        instead="Set the tensor parallel size of the engine to a divisor of the heads.",
        at=("engine_spread",),
        blocked_by=("vllm-tensor-parallel-divides-world", "engines-divide-gpus"),
    ),
    Rule(
        "GRPO465",
        "training-state-fits-the-gpu",
        "Weights, gradients and the states of the optimizer fit into the memory of a GPU",
        "weight_memory + gradient_memory + optimizer_memory > largest_memory",
        only_with=("gpu_memory",),
        message="weights ({weight_memory} MB), gradients ({gradient_memory}) and states of AdamW ({optimizer_memory}) need {training_memory} MB on each "
        "GPU, which has {gpu_memory} GiB",
        why="An update holds all three at once. Activations, logits, the cache and the weights of the engine come on top, so this is the minimum.",
        instead="Spread the model over more processes, train adapters (LoRA), or move states to the host.",
        at=("model", "model_name_or_path", "actor_rollout_ref.model.path", "parameter_count"),
        other_cures=({"deepspeed": "zero3"},),
    ),
    Rule(
        "GRPO410",
        "legal-process-counts",
        "The config works on some numbers of processes only",
        message="works on {counts}",
        why="The file does not say how many processes there are. With these numbers no constraint is broken.",
        refused_by="With one of the listed numbers of processes the run is not refused; with any other the framework refuses it. Once the number is known, the rule that fails is reported instead.",
        instead="State the number in a comment, `# grpo-lint: world-size=8`, or with --world-size; then every rule can be checked.",
    ),
)
