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
_NO_VALUE = Message("an empty text is no value of it")


def about_slips(launch: "Launch", text: str) -> "Iterator[Finding]":
    """One finding for each slip, of which the rest of the run is judged as it is meant."""
    for slip in launch.origin.invocation.slips if launch.origin is not None else ():
        severity, stage, consequence = _what_follows(launch, slip)
        word = slip.word
        written = (word.value or "").partition("=")[0]  # what stands behind it may be a secret
        rest = unless_secret(_name(slip.flag), slip.rest)
        values: dict[str, object] = {
            "slip": slip.flag,
            "mended": Message("write `{text}`", {"text": f"{slip.flag}={rest}" if slip.rest else slip.flag}),
            "word": written,
            "flag": slip.flag,
            "rest": rest,
            "consequence": consequence,
        }
        start, end = word.origin or (word.start, word.end)
        if word.origin is not None and not slip.rest:
            values["replacement"] = Edit(start, end, slip.flag + "".join((word.value or "").partition("=")[1:]))
        if slip.gap is not None and _GAP.fullmatch(text[slip.gap[0] : slip.gap[1]]):
            values["replacement"] = Edit(*slip.gap, "")
        message = None if slip.rest else _DASH
        yield Finding("flags-are-whole", severity, stage, span=Span(start, end), values=values, message=message)


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
