"""The classes whose calls are configs in Python files, for all frameworks. The module imports nothing else."""

from .ms_swift.programs import CLASSES as OF_MS_SWIFT
from .trl.programs import CLASSES as OF_TRL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # (framework, algorithm, packages it comes from, (key, value) that a call has to give, whether it has fields that no
    # catalogue knows)
    Row: TypeAlias = tuple[str, str | None, tuple[str, ...], tuple[str, str] | None, bool]


class ConfigClass:
    """A class of a framework whose call is a config.

    framework, algorithm   that the class chooses; None where the algorithm is left open
    packages               the packages that it is imported from
    chosen_by              (key, value) without which a call is for another trainer, None for none
    is_open                whether it has fields that no catalogue knows
    """

    __slots__ = ("name", "framework", "algorithm", "packages", "chosen_by", "is_open")
    name: str
    framework: str
    algorithm: "str | None"
    packages: "tuple[str, ...]"
    chosen_by: "tuple[str, str] | None"
    is_open: bool

    def __init__(self, name: str, row: "Row") -> None:
        self.name = name
        self.framework, self.algorithm, self.packages, self.chosen_by, self.is_open = row

    def comes_from(self, module: str) -> bool:
        """Whether a module is one of its packages, or in one."""
        return module.partition(".")[0] in self.packages


CLASSES = {name: ConfigClass(name, row) for name, row in {**OF_TRL, **OF_MS_SWIFT}.items()}
