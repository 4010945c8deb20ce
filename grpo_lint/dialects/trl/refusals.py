"""What single versions of TRL refuse besides the batch arithmetic, and what they accept to the harm of the run."""

from ..base import Refusal

REFUSALS = ()
