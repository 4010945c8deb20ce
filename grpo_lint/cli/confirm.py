"""`grpo-lint confirm`: a log beside the run that was planned."""

import sys

from ..checker.contexts import Around
from ..engine import lint_path
from ..files import disk
from ..logs.comparison import confirm as confirmed
from ..logs.reading import Log, NoLog, read_log, seconds_in
from ..message import Message, told_by
from ..planning.select_run import NoRun, chosen
from ..source.quoting import shown
from .console import CLEAN, FOUND, language_for, note, show, uses_colour
from .options import Usage, existing_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Arguments

LARGEST_LOG = 64 << 20  # bytes; of a longer one that has lines the end is read


def confirm(arguments: "Arguments") -> int:
    """Print what a log says of a run. The exit status is 1 where it is not the run that was planned."""
    from ..report import confirming
    from ..report.text import terminal_width

    log_path, path = _operands(arguments)
    seconds = _seconds(arguments)
    try:
        log = read_log(_text(log_path)) if log_path else Log(form="", rows=(), done=0)
    except NoLog as why:
        raise Usage(Message("{path}: {problem}", {"path": log_path, "problem": told_by(why)})) from None
    report = lint_path(path, Around(dict(arguments.facts), asked=[path]).of(path), fixes=False)
    try:
        run = chosen(report, arguments.get("--line", ""))
    except NoRun as why:
        note(Message("{path}: {problem}", {"path": path, "problem": told_by(why)}))
        return FOUND
    found = confirmed(log, run.launch, seconds)
    if arguments.get("--output-format") == "json":
        sys.stdout.write(confirming.document(found, log_path, path))
    else:
        colour, language = uses_colour(arguments, sys.stdout), language_for(arguments, sys.stdout)
        show(confirming.told(found, log_path, path, colour, terminal_width(sys.stdout), language))
    return CLEAN if found.agrees else FOUND


def _operands(arguments: "Arguments") -> "tuple[str, str]":
    """(the log, the file of the run); the log is empty where a time is stated in its place."""
    given = arguments.operands
    if len(given) == 2:
        return existing_file(given[0]), existing_file(given[1])
    if len(given) == 1 and arguments.get("--step-time"):
        return "", existing_file(given[0])
    raise Usage(
        Message("confirm takes a log and the file of its run: grpo-lint confirm outputs/trainer_state.json train.sh")
    )


def _seconds(arguments: "Arguments") -> "float | None":
    stated = arguments.get("--step-time")
    if stated is None:
        return None
    seconds = seconds_in(stated)
    if not seconds:
        raise Usage(Message("--step-time is a time such as 68s or 1m 8s, not {value}", {"value": shown(stated)}))
    return seconds


def _text(path: str) -> str:
    try:
        data = disk.read(path, LARGEST_LOG + 1)
        if len(data) > LARGEST_LOG:
            data = b"".join(_end_of(path))
    except OSError as error:
        raise Usage(Message("{path} cannot be read: {reason}", {"path": path, "reason": disk.why(error)})) from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # as PowerShell writes what a program prints
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def _end_of(path: str) -> "list[bytes]":
    """The last pieces of a log, LARGEST_LOG at most."""
    kept: list[bytes] = []
    for piece in disk.pieces(path, LARGEST_LOG // 8, 0):
        kept = [*kept[-7:], piece]
    return kept
