"""What each release of verl refuses, and what harms its runs."""

from ..by_release import Enforcement
from ..shared.memory import out_of_memory
from ..shared.models import experts_in_parts, heads_of_engine, model_over_ranks
from .rules import LONGER_THAN_THE_WINDOW, WORKERS

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
    Enforcement("engine-length-is-in-the-window", "0.3", "0.6", "init", LONGER_THAN_THE_WINDOW, WORKERS),
    Enforcement(
        "engine-length-is-in-the-window",
        "0.7.1",
        None,
        "init",
        "max_model_len (...) should be less than or equal to max_position_embeddings (...)",
        WORKERS,
    ),
    *model_over_ranks("0.3", "init", WORKERS, "0.4"),
    # older releases split the sequences wherever they split the model
    experts_in_parts("0.8"),
    out_of_memory("0.2"),
)
