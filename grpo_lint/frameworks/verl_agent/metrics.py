"""It logs what verl logs."""

from ..verl.metrics import METRICS, STEPS

__all__ = ["METRICS", "STEPS"]
