"""What calls of Python mean to frameworks: the classes whose calls are configs, the functions that are given a command. The module
imports nothing but names."""

from ..record import Record
from .ms_swift import names as of_ms_swift
from .trl import names as of_trl

TYPE_CHECKING = False
if TYPE_CHECKING:
    # (framework, algorithm, packages it comes from, (key, value) that a call has to give, whether it has fields that no
    # catalogue knows)
    Row = tuple[str, str | None, tuple[str, ...], tuple[str, str] | None, bool]


class ConfigClass(Record):
    """A class of a framework whose call is a config.

    framework, algorithm   that the class chooses; None where the algorithm is left open
    packages               the packages that it is imported from
    chosen_by              (key, value) without which a call is for another trainer, None for none
    is_open                whether it has fields that no catalogue knows
    """

    name: str
    framework: str
    algorithm: "str | None"
    packages: "tuple[str, ...]"
    chosen_by: "tuple[str, str] | None"
    is_open: bool

    def comes_from(self, module: str) -> bool:
        """Whether a module is one of its packages, or in one."""
        return module.partition(".")[0] in self.packages


_ROWS: "dict[str, Row]" = {**of_trl.CLASSES, **of_ms_swift.CLASSES}
CLASSES = {
    name: ConfigClass(name=name, framework=row[0], algorithm=row[1], packages=row[2], chosen_by=row[3], is_open=row[4])
    for name, row in _ROWS.items()
}
# {(package, function): the words of the command that it does the work of}
ENTRY_FUNCTIONS = {(of_ms_swift.PACKAGE, name): words for name, words in of_ms_swift.ENTRY_FUNCTIONS.items()}


class Patcher(Record):
    """A package that replaces the classes of a framework when it is imported.

    changes   the settings that its constructors change where the sizes do not fit
    adds      how those begin that it adds
    marks     how those of them begin that nothing else has
    """

    package: str
    changes: "frozenset[str]"
    adds: "tuple[str, ...]"
    marks: "tuple[str, ...]"


FIRST_ARGUMENT = "output_dir"  # what the classes of transformers take without a name
GROUP = "num_generations"  # what the RLOOConfig of another trainer, before TRL 0.22, has not
DERIVED = ("generation_batch_size", "steps_per_generation")  # a class computes the first, and refuses both together
PACKAGES = (of_trl.PACKAGE, of_ms_swift.PACKAGE)  # whose other config classes are for other training
PATCHERS = (
    Patcher(
        package=of_trl.PATCHER,
        changes=of_trl.PATCHED,
        adds=of_trl.ADDED_BY_PATCHER,
        marks=of_trl.MARKS_OF_PATCHER,
    ),
)


def tried_out(module: str, name: str) -> bool:
    """Whether a module in which a framework keeps what it tries out has a trainer that goes by the usual name."""
    return module.startswith(of_trl.EXPERIMENTS) and name in of_trl.TRAINERS
