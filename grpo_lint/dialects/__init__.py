"""The frameworks. A dialect is imported when a file is of it: the catalogues are the largest modules."""

NAMES = ("trl", "swift", "megatron")


def dialect(name):
    """The dialect of a name out of NAMES."""
    return __import__(f"{__name__}.{name}", fromlist=["DIALECT"]).DIALECT
