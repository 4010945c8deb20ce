"""What each release of EasyR1 refuses, and what harms its runs."""

from ..by_release import Enforcement

_TRAINER = "when its trainer is made, with Ray up and the data loaded"
_WORKERS = "when its workers start, with the GPUs taken"
_FIRST_STEP = "in the first training step"
_EQUAL_CHUNK = "only support equal chunk. Got size of DataProto ... and chunk ...."
_EQUAL_SPLIT = "only support equal split. Got size of DataProto ... and split ...."
_FORWARD = "Rollout batch size * rollout.n must be divisible by ... micro batch size for experience."
_MESH = "RuntimeError of the device mesh"

ENFORCEMENT = (
    # the trainer, in the order of its checks
    Enforcement(
        "data-fills-a-batch", "0.3", None, "init", "AssertionError (without a message)", "when the data is loaded"
    ),
    Enforcement("advantage-estimator-is-known", "0.3", None, "init", "Unknown advantage estimator: ....", _TRAINER),
    Enforcement(
        "rollout-prompts-fill-updates", "0.3", None, "init",
        "Rollout batch size must be divisible by actor global batch size.", _TRAINER,
    ),
    Enforcement("rollout-fills-forward-passes", "0.3", None, "init", _FORWARD, _TRAINER),
    Enforcement(
        "rollout-prompts-fill-critic-updates", "0.3", None, "init",
        "Rollout batch size must be divisible by critic global batch size.", _TRAINER,
    ),
    Enforcement("rollout-fills-critic-forward-passes", "0.3", None, "init", _FORWARD, _TRAINER),
    Enforcement(
        "group-has-two-completions", "0.3", None, "init",
        "GRPO and RLOO algorithm need `config.worker.rollout.n > 1`.", _TRAINER,
    ),
    # the workers
    Enforcement("model-parallel-divides-world", "0.3", None, "init", _MESH, _WORKERS),
    Enforcement("sharding-groups-divide-gpus", "0.3", None, "init", _MESH, _WORKERS),
    Enforcement(
        "rank-has-an-update", "0.3", None, "init",
        "... global batch size * ulysses size must be larger than num gpus.", _WORKERS,
    ),
    Enforcement(
        "rank-update-holds-whole-micro-batches", "0.3", None, "init",
        "... global batch size per device must be divisible by the micro batch size.", _WORKERS,
    ),
    Enforcement(
        "critic-update-holds-whole-micro-batches", "0.3", None, "init",
        "... global batch size per device must be divisible by the micro batch size.", _WORKERS,
    ),
    Enforcement(
        "offload-goes-without-accumulation", "0.3", None, "init",
        "... cannot use FSDP's CPU offload when gradient accumulation is enabled.", _WORKERS,
    ),
    Enforcement(
        "engines-divide-gpus", "0.3", None, "init", "rollout world size ... is not divisible by tp size ....", _WORKERS
    ),
    Enforcement(
        "engine-takes-a-sequence", "0.3", None, "init",
        "max_num_batched_tokens should be greater than prompt_length + response_length.", _WORKERS,
    ),
    # the first training step
    Enforcement(
        "rows-divide-over-generation", "0.3", None, "run", _EQUAL_CHUNK, "when it generates for the first time"
    ),
    Enforcement("rows-divide-over-ranks", "0.3", None, "run", _EQUAL_CHUNK, _FIRST_STEP),
    Enforcement("rank-rows-hold-whole-micro-batches", "0.3", "0.3.1", "run", _EQUAL_CHUNK, _FIRST_STEP),
    Enforcement("rank-rows-hold-whole-micro-batches", "0.3.2", None, "run", _EQUAL_SPLIT, _FIRST_STEP),
    Enforcement("critic-rows-hold-whole-micro-batches", "0.3", "0.3.1", "run", _EQUAL_CHUNK, _FIRST_STEP),
    Enforcement("critic-rows-hold-whole-micro-batches", "0.3.2", None, "run", _EQUAL_SPLIT, _FIRST_STEP),
    Enforcement("rollout-holds-updates-without-rest", "0.3", "0.3.1", "run", _EQUAL_CHUNK, _FIRST_STEP),
    Enforcement("rollout-holds-updates-without-rest", "0.3.2", None, "run", _EQUAL_SPLIT, _FIRST_STEP),
    Enforcement("rollout-holds-critic-updates-without-rest", "0.3", "0.3.1", "run", _EQUAL_CHUNK, _FIRST_STEP),
    Enforcement("rollout-holds-critic-updates-without-rest", "0.3.2", None, "run", _EQUAL_SPLIT, _FIRST_STEP),
    # accepted and harmful
    Enforcement("rollout-is-fetched-whole", "0.3.1", None, "never"),
    Enforcement("update-is-as-written", "0.3", None, "never"),
)  # fmt: skip
