"""The frameworks. A dialect is imported when a file is of it: the catalogues are the largest modules."""

from importlib import import_module

NAMES = ("trl", "swift", "megatron")


def dialect(name):
    """The dialect of a name out of NAMES."""
    return import_module(f"{__name__}.{name}").DIALECT
