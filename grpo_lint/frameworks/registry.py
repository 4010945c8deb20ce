"""The names of the frameworks: the only list of them. What stands in a folder is imported when it is asked for: the
catalogues are the largest modules, and a file that is none of ours needs nothing of all that."""

from . import recognition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from types import ModuleType

    from .base import Framework, Reader
    from .commands import Commands

# {name of a framework: where it lives below this folder}; of a later one the files may hold all that tells those before
# it, so it is asked first whether a file is its own.
FOLDERS = {
    "trl": "trl",
    "swift": "ms_swift.swift",
    "megatron": "ms_swift.megatron",
    "verl": "verl",
    "easyr1": "easyr1",
}
NAMES = tuple(FOLDERS)
OF_SCRIPTS = ("trl",)  # those with which training scripts of people's own train

# {package: the files that say the release of a copy of it in a repository, in the order of trust}; the first one stands
# in the folder that Python imports.
PACKAGES = {"trl": ("trl/__init__.py", "VERSION"), "ms-swift": ("swift/version.py",),
            "verl": ("verl/version/version",), "easyr1": ("verl/__init__.py",)}  # fmt: skip

# Those of them that stand in copies which people change: what such a copy says of itself tells less than a release does.
CHANGED_COPIES = ("version.py", "version/version", "verl/__init__.py")


def framework(name: str) -> "Framework":
    """The Framework of a name out of NAMES."""
    found: Framework = _module(name, "framework").FRAMEWORK
    return found


def commands() -> "list[Commands]":
    """The Commands of all frameworks."""
    return [_module(name, "commands").COMMANDS for name in NAMES]


def catalogue_module(name: str) -> "ModuleType":
    """The generated module with the fields of a framework by release."""
    return _module(name, "catalogue")


def recognise(names: "AbstractSet[str]", value: "Reader") -> "tuple[str | None, str]":
    """(name of a framework, why) for a file with these top-level keys, or (None, why not); value(name) reads a key."""
    if names >= recognition.SAVED_KEYS:
        return None, "the arguments of a run, as ms-swift saves them"
    for name in reversed(NAMES):
        why = _module(name, "recognition").told_by(names, value)
        if why:
            return name, why
    return None, "no config of GRPO-family training"


def trained_by_scripts(names: "AbstractSet[str]") -> "str | None":
    """The name of the framework with which the script that a command starts may train, where flags and keys are too few
    to tell; None for none."""
    return next((name for name in OF_SCRIPTS if _module(name, "recognition").may_train(names)), None)


def trained_by_sure_scripts(names: "AbstractSet[str]") -> "str | None":
    """The name of the framework with which a script that does nothing else may train, whatever of its keys these are; None
    for none."""
    return next((name for name in OF_SCRIPTS if _module(name, "recognition").may_be_trained_with(names)), None)


def serves_scripts(name: str) -> bool:
    """Whether training scripts of people's own train with a framework."""
    return name in OF_SCRIPTS


def _module(name: str, part: str) -> "ModuleType":
    return __import__(f"grpo_lint.frameworks.{FOLDERS[name]}.{part}", fromlist=[part])
