"""What each release of slime refuses of what other frameworks refuse as well."""

from ..by_release import Enforcement
from ..shared.memory import out_of_memory
from ..shared.models import experts_in_parts, model_over_ranks
from .rules import LAUNCH, WORKERS

ENFORCEMENT = (
    Enforcement(
        "model-parallel-divides-world",
        "0.2.1",
        None,
        "init",
        "world size (...) is not divisible by total_model_size (...)",
        LAUNCH,
    ),
    Enforcement("group-has-two-completions", "0.2.1", None, "never"),
    *model_over_ranks("0.2.1", "init", WORKERS),
    experts_in_parts("0.2.1"),
    out_of_memory("0.2.1"),
)
