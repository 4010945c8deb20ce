"""What each release of NeMo-RL refuses of what other frameworks refuse as well."""

from ..by_release import Enforcement
from .rules import LOGPROBS, WORKERS

ENFORCEMENT = (
    Enforcement(
        "model-parallel-divides-world", "0.3", "0.3", "init", "cannot reshape array of size ... into shape ...", WORKERS
    ),
    Enforcement(
        "model-parallel-divides-world",
        "0.4",
        None,
        "init",
        "World size (...) must be divisible by PP * CP * TP (...). ...",
        WORKERS,
    ),
    Enforcement("group-is-positive", "0.2", None, "run", "integer modulo by zero", LOGPROBS),
    Enforcement("group-has-two-completions", "0.2", None, "never"),
)
