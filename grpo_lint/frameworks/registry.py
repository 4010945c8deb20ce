"""The names of the frameworks: the only list of them. The modules of a folder are imported on first use, since the
catalogues are the largest modules and most files need none."""

from ..message import Message
from . import recognition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ..shared_types import AbstractSet, Commands, EntryPoint, Framework, Lookup, Mapping, RunTemplate
    from .programs import ScriptLooks, ScriptReader
    from .schema import SchemaKind


# {name of a framework: its place below this folder}. A file of a later framework may hold everything that identifies an
# earlier one, so later ones are tested first.
FOLDERS = {
    "trl": "trl",
    "swift": "ms_swift.swift",
    "megatron": "ms_swift.megatron",
    "verl": "verl",
    "easyr1": "easyr1",
    "verl-agent": "verl_agent",
    "nemo-rl": "nemo_rl",
    "slime": "slime",
    "openrlhf": "openrlhf",
}
NAMES = tuple(FOLDERS)
# {name of a fork: (the framework whose programs start it, a section that only the fork has, settings there that tell it)}
FORKS = {"verl-agent": ("verl", "env", ("env_name", "rollout.n", "max_steps"))}
# {framework: sections of which each file of it has one, so that nothing of it is loaded for others; none where it reads no files}
BEGIN_WITH = {"nemo-rl": ("grpo", "policy"), "slime": ()}
ROOTS = [name for name in NAMES if name not in FORKS]  # of which it is known what their settings are elsewhere
# The schemas that are committed and shipped: (framework, algorithm).
SHIPPED_SCHEMAS = (
    ("trl", "grpo"),
    ("trl", "rloo"),
    ("swift", "grpo"),
    ("megatron", "grpo"),
    ("verl", "grpo"),
    ("easyr1", "grpo"),
    ("verl-agent", "grpo"),
    ("nemo-rl", "grpo"),
)
OF_SCRIPTS = ("trl",)  # those with which users' training scripts train

# {package: the files that state the release of a copy of it in a repository, the most reliable first}; the first one is
# in the folder that Python imports.
PACKAGES = {"trl": ("trl/__init__.py", "VERSION"), "ms-swift": ("swift/version.py",),
            "verl": ("verl/version/version",), "easyr1": ("verl/__init__.py",),
            "nemo-rl": ("nemo_rl/package_info.py",), "slime": ("slime/__init__.py",),
            "openrlhf": ("openrlhf/__init__.py", "version.txt")}  # fmt: skip

# How packages are written where a repository pins them or gives a range of their releases.
PINNED = r"(trl|verl|ms[-_.]+swift|openrlhf|nemo[-_.]rl|transformers|vllm|liger[-_.]+kernel)"
RANGED = r"(trl|ms[-_.]swift|transformers)"

# The repositories of the frameworks themselves, in lower case; any other one by their names is a fork.
OFFICIAL = frozenset(("huggingface/trl", "modelscope/ms-swift", "modelscope/swift", "volcengine/verl", "verl-project/verl",
                      "hiyouga/easyr1", "nvidia-nemo/rl", "openrlhf/openrlhf"))  # fmt: skip

# Frameworks that are copied and modified: the version that such a copy states says less than a release.
CHANGED_COPIES = ("version.py", "version/version", "verl/__init__.py")


# {a package that is judged by what stands there, where what is installed is no release of it: (the framework whose catalogue knows its
# releases, whether one that is not known there is judged so as well, the packages whose copies go by its name)}
INSTALLED_COPIES = {
    "verl": ("verl", True, ("verl", "easyr1")),
    "trl": ("trl", False, ("trl",)),
    "ms-swift": ("swift", False, ("ms-swift",)),
    "nemo-rl": ("nemo-rl", False, ("nemo-rl",)),
    "openrlhf": ("openrlhf", False, ("openrlhf",)),
    "slime": ("slime", False, ("slime",)),
}


def imported_as(package: str) -> str:
    """The folder of a package, by which Python imports it: `swift` of ms-swift."""
    return PACKAGES[package][0].partition("/")[0]


def framework(name: str, entry: "EntryPoint | None" = None) -> "Framework":
    """The Framework of a name out of NAMES, as its usual program has it, or another one of its `entry_points`."""
    found: Framework = (
        _module(name, "framework").FRAMEWORK if entry is None else _module(name, "entry_points").entered_by(entry)
    )
    return found


def commands() -> "list[Commands]":
    """The Commands of all frameworks."""
    return [_module(name, "command_spec").COMMANDS for name in ROOTS]


def catalogue_module(name: str) -> "ModuleType":
    """The generated module with the fields of a framework by release."""
    return _module(name, "catalogue")


def kind_of_schema(name: str) -> "type[SchemaKind]":
    """How a schema says what the loader of a framework accepts."""
    found: type[SchemaKind] = _module(name, "schema").KIND
    return found


def places(name: str) -> "Mapping[str, str]":
    """{rule and first release of a row: where the source of a framework holds its check}; for rule pages alone. None is known of a
    framework whose source nobody has looked through."""
    try:
        found: Mapping[str, str] = _module(name, "places").PLACES
    except ModuleNotFoundError:
        return {}
    return found


def meanings(name: str) -> "ModuleType":
    """The module with what the fields of a framework mean."""
    return _module(name, "meanings")


def run_template(name: str) -> "RunTemplate":
    """The RunTemplate of a framework."""
    found: RunTemplate = _module(name, "run_template").TEMPLATE
    return found


def recognise(names: "AbstractSet[str]", value: "Lookup") -> "tuple[str | None, Message]":
    """(name of a framework, why) for a file with these top-level keys, or (None, why not); `value(name)` reads a
    key."""
    if names >= recognition.SAVED_KEYS:
        return None, Message("the arguments of a run, as ms-swift saves them")
    for name in reversed(ROOTS):
        if name in BEGIN_WITH and names.isdisjoint(BEGIN_WITH[name]):
            continue
        why = _module(name, "recognition").detect(names, value)
        if why:
            return fork_of(name, None, value), why
    return None, Message("no config of GRPO-family training")


def fork_of(name: str, stated: "str | None", value: "Lookup") -> str:
    """The fork of a framework that somebody states, or whose settings are given; the framework itself where there is none."""
    for fork, (base, section, marks) in FORKS.items():
        if base == name and stated in (None, fork):
            inner = value(section)
            for mark in marks:
                first = mark.partition(".")[0]
                if stated or value(f"{section}.{mark}") is not None or (type(inner) is dict and first in inner):
                    return fork
    return name


def trained_by_scripts(names: "AbstractSet[str]") -> "str | None":
    """The name of the framework with which the script of a command may train, where flags and keys alone do not decide;
    None for none."""
    return next((name for name in OF_SCRIPTS if _module(name, "recognition").may_train(names)), None)


def trained_by_sure_scripts(names: "AbstractSet[str]") -> "str | None":
    """The name of the framework with which a script that only trains may train, with any of its keys; None for none."""
    return next((name for name in OF_SCRIPTS if _module(name, "recognition").may_be_trained_with(names)), None)


def serves_scripts(name: str) -> bool:
    """Whether users' training scripts train with a framework."""
    return name in OF_SCRIPTS


def script_looks() -> "ScriptLooks":
    """What the framework with which users' training scripts train sees of one before it is parsed."""
    found: ScriptLooks = _module(OF_SCRIPTS[0], "names")
    return found


def script_reader() -> "ScriptReader":
    """What is known of users' training scripts by the framework with which they train."""
    found: ScriptReader = _module(OF_SCRIPTS[0], "training_scripts")
    return found


def _module(name: str, part: str) -> "ModuleType":
    return __import__(f"grpo_lint.frameworks.{FOLDERS[name]}.{part}", fromlist=[part])
