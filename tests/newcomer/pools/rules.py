from ...rules.base import Rule

RULES = (
    Rule(
        "GRPO290",
        "engines-fill-their-pool",
        "The engines fill the GPUs that generate",
        "sampler_gpus % engine_ranks != 0",
        message="engines of {engine_ranks} GPUs do not fill the {sampler_gpus} GPUs of the sampler",
        why="Each engine takes as many GPUs as its tensors are split over, and none may be left over.",
        instead="Set sampler.engine.tensor_parallel to a divisor of sampler.gpus.",
        at=("engine_ranks", "sampler_gpus"),
        enforced=(("1.1", None, "init", "... GPUs cannot hold engines of ..."),),
    ),
)
