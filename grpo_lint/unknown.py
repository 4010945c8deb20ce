"""What every room knows: a value that is not known, and where whole numbers end."""


class _UnknownValue:
    """The value of a setting that is written down but cannot be known by reading."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = _UnknownValue()


# Whole numbers beyond this are not reckoned with, whoever says them: no field of a tensor, a sampler or a file format
# holds a larger one, and
# products of what is smaller stay numbers that can be printed.
LARGEST_NUMBER = 2**63 - 1


def is_beyond(value: object) -> bool:
    """Whether a value is a whole number that is too large to be reckoned with."""
    return type(value) is int and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER
