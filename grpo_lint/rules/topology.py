"""GRPO4xx: processes and how models are spread over them."""

from .base import Rule

RULES = (
    Rule(
        "GRPO401",
        "model-parallel-divides-world",
        "Tensor x pipeline x context parallel divides the number of processes",
        "model_parallel_size < 1 or world_size % model_parallel_size != 0",
        message="{world_size} processes cannot be divided into model replicas of {model_parallel_size}{model_parallel_size.how}",
        why="Every replica of the model takes tensor x pipeline x context parallel processes; what is left over has no place. "
        "With fewer processes than one replica needs, Megatron-SWIFT says 'integer modulo by zero'.",
        instead="Change the parallel sizes, or start a multiple of their product.",
        at=("model_parallel_size",),
        blocked_by=("parallel-sizes-are-positive",),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            tensor_model_parallel_size: 4
            pipeline_model_parallel_size: 3
            micro_batch_size: 1
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="pipeline_model_parallel_size: 2",
    ),
    Rule(
        "GRPO402",
        "expert-parallel-divides-world",
        "Expert x expert-tensor x pipeline parallel divides the number of processes",
        "world_size % expert_parallel_size != 0",
        message="{world_size} processes cannot be divided into expert groups of {expert_parallel_size}{expert_parallel_size.how}",
        why="Experts are spread over their own grid of processes. expert_tensor_parallel_size is 1 unless it is set; it does "
        "not follow tensor_model_parallel_size.",
        instead="Lower expert_model_parallel_size, or start a multiple of the product.",
        at=("expert_parallel_size",),
        blocked_by=("parallel-sizes-are-positive", "model-parallel-divides-world"),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            pipeline_model_parallel_size: 2
            expert_model_parallel_size: 8
            micro_batch_size: 1
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="expert_model_parallel_size: 4",
    ),
    Rule(
        "GRPO403",
        "vllm-tensor-parallel-divides-world",
        "A vLLM engine that shares the GPUs of training divides the number of processes",
        "vllm_shares_gpus and (engine_ranks == 0 or world_size % engine_ranks != 0)",
        with_any=("vllm_tensor_parallel_size", "tensor_parallel_size"),
        message="vllm_tensor_parallel_size {engine_ranks} does not divide {world_size} processes",
        why="In colocate mode the engines run on the GPUs of training, so all processes form engines of equal size.",
        instead="Set vllm_tensor_parallel_size to a divisor of the number of processes; 1 always works.",
        at=("engine_ranks",),
        example="""\
            # grpo-lint: dialect=trl version=1.16.0 world-size=6
            per_device_train_batch_size: 4
            num_generations: 8
            use_vllm: true
            vllm_mode: colocate
            vllm_tensor_parallel_size: 4
            """,
        fixed="vllm_tensor_parallel_size: 2",
    ),
    Rule(
        "GRPO404",
        "parallel-sizes-are-positive",
        "Parallel sizes are at least 1",
        "smallest_parallel_size < 1",
        message="a parallel size of {smallest_parallel_size} is below 1{smallest_parallel_size.how}",
        why="A parallel size counts processes.",
        instead="Set the size to 1 or more.",
        at=("smallest_parallel_size",),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            tensor_model_parallel_size: 0
            micro_batch_size: 1
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="tensor_model_parallel_size: 1",
    ),
    Rule(
        "GRPO405",
        "virtual-pipeline-has-a-pipeline",
        "Virtual pipeline stages need a pipeline",
        "virtual_stages != 1 and pipeline_model_parallel_size <= 1",
        with_any=("virtual_pipeline_model_parallel_size", "pipeline_model_parallel_layout"),
        message="{virtual_stages} virtual stages need more than {pipeline_model_parallel_size} pipeline stage",
        why="Virtual stages interleave the layers of several pipeline stages; with one stage there is nothing to interleave.",
        instead="Remove virtual_pipeline_model_parallel_size, or set pipeline_model_parallel_size to 2 or more.",
        at=("virtual_stages", "pipeline_model_parallel_size"),
        blocked_by=("parallel-sizes-are-positive", "layout-has-known-layers", "layout-fits-the-pipeline"),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            virtual_pipeline_model_parallel_size: 2
            micro_batch_size: 1
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="virtual_pipeline_model_parallel_size: 1",
    ),
    Rule(
        "GRPO406",
        "uneven-pipeline-has-a-pipeline",
        "An uneven split of layers needs a pipeline",
        "uneven_pipeline and pipeline_model_parallel_size <= 1",
        message="decoder_first_pipeline_num_layers and decoder_last_pipeline_num_layers need more than "
        "{pipeline_model_parallel_size} pipeline stage",
        why="The keys say how many layers the first and the last stage hold; with one stage it holds them all.",
        instead="Remove the keys, or set pipeline_model_parallel_size to 2 or more.",
        at=("uneven_pipeline", "pipeline_model_parallel_size"),
        blocked_by=("parallel-sizes-are-positive",),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            decoder_first_pipeline_num_layers: 10
            micro_batch_size: 1
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="pipeline_model_parallel_size: 2",
    ),
    Rule(
        "GRPO407",
        "frozen-share-needs-one-stage",
        "freeze_parameters_ratio needs a model on one pipeline stage",
        "freeze_parameters_ratio > 0 and freeze_parameters_ratio < 1 and pipeline_model_parallel_size > 1",
        only_with=("freeze_parameters_ratio",),
        message="freeze_parameters_ratio {freeze_parameters_ratio} does not go with {pipeline_model_parallel_size} pipeline stages",
        why="A stage holds a part of the layers and cannot tell which share of the whole model they are.",
        instead="Name what to freeze with freeze_parameters, or set pipeline_model_parallel_size to 1.",
        at=("freeze_parameters_ratio", "pipeline_model_parallel_size"),
        example="""\
            # grpo-lint: dialect=megatron version=4.6.0 world-size=8
            rlhf_type: grpo
            freeze_parameters_ratio: 0.5
            pipeline_model_parallel_size: 2
            micro_batch_size: 1
            global_batch_size: 32
            num_generations: 4
            """,
        fixed="pipeline_model_parallel_size: 1",
    ),
    Rule(
        "GRPO410",
        "legal-process-counts",
        "The config runs on some numbers of processes only",
        message="runs on {counts}",
        why="The number of processes is not in the file. These are the numbers for which no constraint fails.",
        refused_by="Nobody on the numbers of processes that are listed. On all others the run is refused by the framework; "
        "with a number of processes the rule that says so is reported instead.",
        instead="Say it with a comment, `# grpo-lint: world-size=8`, or with --world-size; then every rule is decided.",
        example="""\
            # grpo-lint: dialect=trl version=1.16.0
            per_device_train_batch_size: 4
            num_generations: 8
            """,
        fixed="per_device_train_batch_size: 8",
    ),
)
