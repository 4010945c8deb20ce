"""What each release of verl-agent refuses of what verl's rules describe, and what harms its runs."""

from ..by_release import Enforcement
from ..verl.framework import FRAMEWORK as VERL
from ..versions import version_key
from .options import BASE, FIRST
from .rules import FIRST_STEP

# What these workers do otherwise, or never come to: a rollout may be smaller than an update, which counts rows.
_OTHERWISE = frozenset((
    "rollout-holds-an-update", "rollout-holds-a-critic-update", "dynamic-rollout-holds-an-update",
    "rows-divide-over-generation", "rollout-holds-updates-without-rest", "last-update-is-whole",
    "log-prob-micro-batch-reaches-each-rank", "estimator-is-chosen", "group-samples-at-a-temperature",
    "heads-divide-over-ranks", "layers-divide-over-stages", "experts-divide-over-ranks",  # its Megatron config is refused
))  # fmt: skip
_SINCE = {"rank-update-holds-whole-micro-batches": "2025.6.3", "critic-update-holds-whole-micro-batches": "2025.6.3"}

ENFORCEMENT = (
    *(
        Enforcement(row.rule, _SINCE.get(row.rule, FIRST), None, row.stage, row.wording, row.moment, row.severity)
        for row in VERL.refusals.enforcement.at(version_key(BASE)).values()
        if row.rule not in _OTHERWISE
    ),
    Enforcement(
        "rollout-holds-a-critic-update", "2025.6.3", "2025.8.6", "config", "AssertionError (without a message)"
    ),
    # rows are padded to a multiple of the micro batches, which is taken modulo 0
    Enforcement("log-prob-micro-batch-reaches-each-rank", FIRST, None, "run", "integer modulo by zero", FIRST_STEP),
    Enforcement("group-is-positive", "2025.9.3", None, "run", "Repeats must be non-negative", FIRST_STEP),
    Enforcement("loss-aggregation-is-known", "2025.6.3", None, "config", "Invalid loss_agg_mode: ..."),
    Enforcement("loss-mode-is-known", "2025.10.15", None, "run", "Unsupported loss_mode: ...", FIRST_STEP),
)
