"""Files in which somebody describes a run for a reader of his own, by keys of which some have the names of a framework's."""

from ..frameworks.registry import FOLDERS
from ..message import Message
from .keys import strange_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Framework, Launch

# keys that say to which framework the reader hands the others
_NAMING = ("framework", "library")


def is_of_another_format(launch: "Launch") -> bool:
    """Whether the keys of a file are those of a format of somebody's own."""
    strange = strange_keys(launch)
    return 2 * len(strange) > len(launch.entries) or any(key in strange for key in _NAMING)


def is_for_another(framework: "Framework", value: "Callable[[str], object]") -> "Message | None":
    """Why a file that looks like one of a framework is for another one; None where no key says so."""
    for key in _NAMING:
        named = value(key)
        word = named.lower().replace("-", "_") if type(named) is str else ""
        meant = {each for each, folder in FOLDERS.items() if word in (each.replace("-", "_"), *folder.split("."))}
        if meant and framework.name not in meant:
            return Message("{key} says that it is for {named}", {"key": key, "named": named})
    return None
