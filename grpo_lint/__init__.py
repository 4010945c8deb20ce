"""grpo-lint: checks GRPO-family training configs before they reach a GPU.

    import grpo_lint

    grpo_lint.check(training_args, world_size=8).raise_if_errors()

What `__all__` names, and `grpo_lint.rules.Rule`, is public and stable; everything else may change with any release.
"""

__version__ = "0.1.0"
REPOSITORY = "https://github.com/grpo-lint/grpo-lint"  # as in `project.urls` of pyproject.toml; a test compares
ISSUES = REPOSITORY + "/issues"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._api import ConfigError, Finding, Fix, Report, as_json, check, check_file, check_text, explain, explain_text

__all__ = [
    "ConfigError",
    "Finding",
    "Fix",
    "Report",
    "__version__",
    "as_json",
    "check",
    "check_file",
    "check_text",
    "explain",
    "explain_text",
]


def __getattr__(name: str) -> object:
    """Load the public face when it is first used: the command line goes without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _api

    return getattr(_api, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
