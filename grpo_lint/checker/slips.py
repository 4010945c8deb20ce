"""What is told of slips of the hand in a command, by their names: a long dash where -- belongs, a blank behind `=`."""

from ..message import Message
from ..source.credentials import unless_secret
from ..source.patterns import pattern
from ..source.text import Edit, Span
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..launch.slips import Slip
    from ..shared_types import Iterator, Launch, Severity, Stage

_DASH = Message("{word} begins with a long dash, which makes no flag: {flag} is meant; {consequence}")
# blanks and lines that go on, or what stands between two texts of a list
_GAP = pattern(r"(?:[ \t]|\\\r?\n)+|\"[ \t]*,[ \t]*\"|'[ \t]*,[ \t]*'")
_BLANK = Message(
    "{flag} begins with a space: a backslash in front of a space makes the space part of the next word; {consequence}"
)
_QUOTED = Message("{flag} begins with a space inside its quotes; {consequence}")
_JOINED = Message(
    "{flag} begins with a space: `>` joins the lines of this text, so a space follows each backslash; {consequence}"
)
_HEADER = pattern(r"[:-][ \t]+(>)[-+0-9]{0,2}[ \t]*\r?\n")  # of a text whose lines YAML joins
_BROKEN = pattern(r"\\[ \t]*\r?\n[ \t]*\Z")  # a backslash, and the end of its line
_BLANKS = pattern(r"(?<=[\"'])[ \t]+\Z")
_BACKSLASH = pattern(r"\\[ \t]+\Z")
_NEAR = 500  # characters before a word
_NO_VALUE = Message("an empty text is no value of it")


def about_slips(launch: "Launch", text: str) -> "Iterator[Finding]":
    """One finding for each slip, of which the rest of the run is judged as it is meant; one for all that YAML makes by joining lines."""
    is_joined = False
    for slip in launch.origin.invocation.slips if launch.origin is not None else ():
        if slip.blanks and _BROKEN.search(text, max(0, slip.word.start - _NEAR), slip.word.start):
            if not is_joined:
                yield _finding(slip, launch, _JOINED, *_as_lines(slip, text))
            is_joined = True
        elif slip.blanks:
            yield _finding(slip, launch, *_without_blanks(slip, text))
        else:
            meant = Message("write `{text}`", {"text": f"{slip.flag}={_rest(slip)}" if slip.rest else slip.flag})
            yield _finding(slip, launch, None if slip.rest else _DASH, meant, _as_meant(slip, text))


def _finding(
    slip: "Slip", launch: "Launch", message: "Message | None", mended: Message, edit: "Edit | None"
) -> Finding:
    severity, stage, consequence = _what_follows(launch, slip)
    values: dict[str, object] = {
        "slip": slip.flag,
        "mended": mended,
        "word": (slip.word.value or "").partition("=")[0],  # what stands behind it may be a secret
        "flag": slip.flag,
        "rest": _rest(slip),
        "consequence": consequence,
    }
    if edit is not None:
        values["replacement"] = edit
    start, end = slip.word.origin or (slip.word.start, slip.word.end)
    return Finding("flags-are-whole", severity, stage, span=Span(start, end), values=values, message=message)


def _rest(slip: "Slip") -> str:
    return unless_secret(_name(slip.flag), slip.rest)


def _as_meant(slip: "Slip", text: str) -> "Edit | None":
    """What mends a dash, or a blank behind `=`, where it stands."""
    word = slip.word
    if slip.gap is not None and _GAP.fullmatch(text[slip.gap[0] : slip.gap[1]]):
        return Edit(*slip.gap, "")
    if word.origin is not None and not slip.rest:
        return Edit(*word.origin, slip.flag + "".join((word.value or "").partition("=")[1:]))
    return None


def _as_lines(slip: "Slip", text: str) -> "tuple[Message, Edit | None]":
    """What keeps the lines of a text of YAML apart."""
    headers = [*_HEADER.finditer(text, 0, slip.word.start)]
    edit = Edit(*headers[-1].span(1), "|") if headers else None
    return Message("write `|` instead of `>`, which joins the lines"), edit


def _without_blanks(slip: "Slip", text: str) -> "tuple[Message, Message, Edit | None]":
    """(message, what mends it, edit) of a word with blanks at its start."""
    near, end = max(0, slip.word.start - _NEAR), slip.word.start
    before = _BACKSLASH.search(text, near, end)
    if before is not None:
        edit = Edit(before.start(), before.start() + 1, "")
        return _BLANK, Message("remove the backslash in front of the space"), edit
    blanks = _BLANKS.search(text, near, end)
    return _QUOTED, Message("remove the space"), Edit(*blanks.span(), "") if blanks is not None else None


def _what_follows(launch: "Launch", slip: "Slip") -> "tuple[Severity, Stage, Message]":
    """(severity, stage, what becomes of the words) of a slip."""
    invocation = launch.origin.invocation  # type: ignore[union-attr]  # it has slips
    if any(word is invocation.program for word in invocation.command.words[slip.at :]):
        return "error", "read", Message("{starter} takes it for the program", {"starter": invocation.starter})
    if invocation.own is not None and invocation.own.style == "hydra":
        return "error", "read", Message("Hydra refuses the word")
    if not launch.candidates:
        return "warning", "never", _NO_VALUE
    newest = launch.candidates[0]
    field = launch.fields(newest)[_name(slip.flag if slip.rest else slip.behind)]
    kind = field.type.rstrip("?") if field is not None else ""
    if slip.rest and kind in ("int", "float"):
        return "error", "read", _NO_VALUE
    if not slip.rest and kind in ("list", "list[str]"):
        return "warning", "never", Message("{flag} takes it for one more value", {"flag": slip.behind})
    fate = launch.framework.reader.keys.unknown_key(newest.key, launch, True)
    return "error" if fate.severity == "error" else "warning", fate.stage, fate.consequence


def _name(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")
