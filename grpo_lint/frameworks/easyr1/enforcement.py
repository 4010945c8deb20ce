"""What each release of EasyR1 refuses, and what harms its runs."""

from ..by_release import Enforcement
from ..shared.memory import out_of_memory
from ..shared.models import heads_of_engine
from ..verl.rules import LONGER_THAN_THE_WINDOW
from .rules import EQUAL_CHUNK, EQUAL_SPLIT, FIRST_STEP, TRAINER, WORKERS

_MESH = "RuntimeError of the device mesh"

ENFORCEMENT = (
    # the trainer, in the order of its checks
    Enforcement(
        "data-fills-a-batch", "0.3", None, "init", "AssertionError (without a message)", "when the data is loaded"
    ),
    Enforcement("advantage-estimator-is-known", "0.3", None, "init", "Unknown advantage estimator: ....", TRAINER),
    Enforcement(
        "group-has-two-completions", "0.3", None, "init",
        "GRPO and RLOO algorithm need `config.worker.rollout.n > 1`.", TRAINER,
    ),
    Enforcement("engine-is-hybrid", "0.3", "0.3.0", "init", "NotImplementedError (without a message)", TRAINER),
    # the workers
    Enforcement("engine-is-hybrid", "0.3.1", None, "init", "NotImplementedError (without a message)", WORKERS),
    Enforcement("model-parallel-divides-world", "0.3", None, "init", _MESH, WORKERS),
    Enforcement("sharding-groups-divide-gpus", "0.3", None, "init", _MESH, WORKERS),
    Enforcement(
        "rank-has-an-update", "0.3", None, "init",
        "... global batch size * ulysses size must be larger than num gpus.", WORKERS,
    ),
    Enforcement(
        "rank-update-holds-whole-micro-batches", "0.3", None, "init",
        "... global batch size per device must be divisible by the micro batch size.", WORKERS,
    ),
    Enforcement(
        "critic-update-holds-whole-micro-batches", "0.3", None, "init",
        "... global batch size per device must be divisible by the micro batch size.", WORKERS,
    ),
    Enforcement(
        "engines-divide-gpus", "0.3", None, "init", "rollout world size ... is not divisible by tp size ....", WORKERS
    ),
    Enforcement(
        "engine-takes-a-sequence", "0.3", None, "init",
        "max_num_batched_tokens should be greater than prompt_length + response_length.", WORKERS,
    ),
    heads_of_engine("0.3", "init", WORKERS),
    Enforcement("engine-length-is-in-the-window", "0.3", None, "init", LONGER_THAN_THE_WINDOW, WORKERS),
    # the first training step
    out_of_memory("0.3"),
    Enforcement(
        "rows-divide-over-generation", "0.3", None, "run", EQUAL_CHUNK, "when it generates for the first time"
    ),
    Enforcement("rows-divide-over-ranks", "0.3", None, "run", EQUAL_CHUNK, FIRST_STEP),
    Enforcement("rank-rows-hold-whole-micro-batches", "0.3", "0.3.1", "run", EQUAL_CHUNK, FIRST_STEP),
    Enforcement("rank-rows-hold-whole-micro-batches", "0.3.2", None, "run", EQUAL_SPLIT, FIRST_STEP),
    Enforcement("rollout-holds-updates-without-rest", "0.3", "0.3.1", "run", EQUAL_CHUNK, FIRST_STEP),
    Enforcement("rollout-holds-updates-without-rest", "0.3.2", None, "run", EQUAL_SPLIT, FIRST_STEP),
    # accepted and harmful
    Enforcement("rollout-is-fetched-whole", "0.3.1", None, "never"),
    Enforcement("update-is-as-written", "0.3", None, "never"),
    Enforcement("engine-length-holds-a-sequence", "0.3", None, "never"),
)  # fmt: skip
