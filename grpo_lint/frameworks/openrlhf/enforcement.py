"""What each release of OpenRLHF refuses of what other frameworks refuse as well."""

from ..by_release import Enforcement
from ..shared.memory import out_of_memory
from .rules import WORKERS

ENFORCEMENT = (
    Enforcement("group-has-two-completions", "0.5.9", None, "config", "... requires n_samples_per_prompt > 1"),
    Enforcement("model-parallel-divides-world", "0.6", None, "init", "mesh of ... ranks cannot be ...", WORKERS),
    out_of_memory("0.5.9"),
)
