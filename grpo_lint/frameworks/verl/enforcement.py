"""What each release of verl refuses, and what harms its runs."""

from ..by_release import Enforcement
from ..shared.memory import out_of_memory
from ..shared.models import heads_of_engine, model_over_ranks
from .rules import WORKERS

ENFORCEMENT = (
    Enforcement(
        "model-parallel-divides-world",
        "0.2",
        None,
        "init",
        "AssertionError or ValueError of the device mesh",
        WORKERS,
    ),
    heads_of_engine("0.2", "init", WORKERS),
    *model_over_ranks("0.3", "init", WORKERS, "0.4"),
    out_of_memory("0.2", "error"),
)
