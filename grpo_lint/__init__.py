"""grpo-lint: checks GRPO-family training configs before they reach a GPU."""

__version__ = "0.1.0"
REPOSITORY = "https://github.com/grpo-lint/grpo-lint"  # as in `project.urls` of pyproject.toml; a test compares
ISSUES = REPOSITORY + "/issues"
