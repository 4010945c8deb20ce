"""`python -m grpo_lint` is `grpo-lint`."""

from .start import console

console()
