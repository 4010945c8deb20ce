"""What each release of slime refuses of what other frameworks refuse as well."""

from ..by_release import Enforcement
from .rules import LAUNCH

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
)
