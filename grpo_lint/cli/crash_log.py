"""The log that `check --error` reads."""

from ..files import disk
from ..launch.facts import Fact
from ..message import Message
from ..report.crash import MOST_OF_A_LOG, Crash
from .options import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Arguments


def crash_of(arguments: "Arguments") -> "Crash":
    """The crash whose log `--error` names, which the findings are to explain. What the log says of the machine is known of the runs."""
    path = arguments.get("--error")
    try:
        log = disk.standard_input(MOST_OF_A_LOG) if path == "-" else disk.read(path, MOST_OF_A_LOG)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Usage(
            Message("--error: {path} cannot be read: {reason}", {"path": path, "reason": disk.why(error)})
        ) from None
    found = Crash(log.decode("utf-8", "replace"))
    if found.gpu_memory:
        arguments.facts.setdefault("gpu_memory", Fact(found.gpu_memory, Message("the log")))
    return found
