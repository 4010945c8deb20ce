"""grpo-lint: checks GRPO-family training configs before they reach a GPU."""

__version__ = "0.1.0"
ISSUES = "https://github.com/grpo-lint/grpo-lint/issues"
