"""`python -m grpo_lint` is `grpo-lint`."""

from .cli import console

console()
