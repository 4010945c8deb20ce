"""The frameworks. One is imported when a file is of it: the catalogues are the largest modules."""

FOLDERS = {
    "trl": "trl",
    "swift": "ms_swift.swift",
    "megatron": "ms_swift.megatron",
}  # {name of a framework: where it lives below this folder}
NAMES = tuple(FOLDERS)


def framework(name):
    """The Framework of a name out of NAMES."""
    return _module(name, "framework").FRAMEWORK


def catalogue_module(name):
    """The generated module with the fields of a framework by release."""
    return _module(name, "catalogue")


def _module(name, part):
    return __import__(f"grpo_lint.frameworks.{FOLDERS[name]}.{part}", fromlist=[part])
