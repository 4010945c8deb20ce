"""What each release of NeMo-RL refuses of what other frameworks refuse as well."""

from ..by_release import Enforcement
from ..shared.memory import out_of_memory
from ..shared.models import model_over_ranks
from .rules import LOGPROBS, WORKERS

_WORLD = "World size (...) must be divisible by PP * CP * TP (...). ..."
_DIVIDES = "model-parallel-divides-world"

ENFORCEMENT = (
    Enforcement(_DIVIDES, "0.3", "0.3", "init", "cannot reshape array of size ... into shape ...", WORKERS),
    Enforcement(_DIVIDES, "0.4", None, "init", _WORLD, WORKERS),
    Enforcement("group-is-positive", "0.2", None, "run", "integer modulo by zero", LOGPROBS),
    Enforcement("group-has-two-completions", "0.2", None, "never"),
    *model_over_ranks("0.3", "init", WORKERS, "0.4", "0.3"),
    out_of_memory("0.2"),
)
