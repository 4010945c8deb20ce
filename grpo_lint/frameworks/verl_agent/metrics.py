"""What logs of verl-agent hold: what those of verl hold, in all of its releases."""

from ..verl.metrics import FORMS, METRICS as _OF_VERL, STEPS

METRICS = {part: tuple((name, "2025.5.31", "") for name, *_ in names) for part, names in _OF_VERL.items()}
__all__ = ["FORMS", "METRICS", "STEPS"]
