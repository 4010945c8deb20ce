"""The process `grpo-lint`: runs the command line, and ends with its status."""

import os
import sys

from .. import shipped
from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

FAILED = 2
MUCH_GARBAGE = 100_000  # objects: those of some fifty files with mistakes
KILLED_BY_PIPE, KILLED_BY_KEYBOARD, TERMINATED = (
    141,
    130,
    143,
)  # what a shell reports for a program that these signals end


def console() -> "NoReturn":
    """Run the command line of this process and end it. It ends quietly when its reader is gone or the user interrupts
    it."""
    words = sys.argv[1:]
    shipped.use()
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # no character of a config may break a terminal of another encoding
            stream.reconfigure(errors="backslashreplace")
    if "--fix" in words:
        _clean_up_when_terminated()
    try:
        status = obey(words)
    except BrokenPipeError:
        status = KILLED_BY_PIPE
    except Terminated:
        status = TERMINATED
    except KeyboardInterrupt:
        status = KILLED_BY_KEYBOARD
    _leave(status)


def _open_what_is_closed() -> None:
    """Give Python a stream in the place of one that the caller has closed (`<&-`, `>&-`): what is written there is lost,
    and what asks for a text there is told so."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            from ..files import disk

            disk.no_standard_input |= name == "stdin"
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP. It is an exception so that files that are half written are removed."""


def _clean_up_when_terminated() -> None:
    import signal

    def terminate(number: int, frame: "FrameType | None") -> "NoReturn":
        raise Terminated

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), terminate)


def _leave(status: int) -> "NoReturn":
    """End the process at once. The output is flushed by now, and the tidying of the interpreter takes as long as ten
    files."""
    os._exit(status)


def obey(words: "list[str]") -> int:
    """The exit status of a command line."""
    import gc

    # Most runs make none to speak of; of a file with many launches it is as much as a machine may have.
    gc.set_threshold(MUCH_GARBAGE)
    from ..files import disk

    if words[:1] not in (["server"], ["mcp"]):
        from ..source.yaml import libyaml

        libyaml.is_wanted = True
        disk.remember(True)
    from .main import main

    try:
        return _flushed(lambda: main(words))
    finally:
        disk.remember(False)


def _flushed(work: "Callable[[], int]") -> int:
    """The status that `work` returns, once its output is flushed."""
    try:
        status = work()
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        from ..files.disk import why
        from .console import note

        note(Message("standard output cannot be written: {reason}", {"reason": why(error)}))
        status = FAILED
    sys.stderr.flush()
    return status
