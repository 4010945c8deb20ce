"""Files of JSON that a setting names, such as the DeepSpeed configuration of a run: whether they are there and can be read."""

from ...message import Message, series, verbatim
from ..base import Attached
from .json_kinds import JsonFile
from .values import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Mapping, NamedFiles, Run


MOST_OF_A_PATH = 200  # characters; a text that is longer holds the configuration itself


class Unusable(Attached):
    """What is wrong with the file that a setting names, which cannot be read; an empty text where it is not there."""

    __slots__ = ()
    is_unusable = True


def attached(
    name: str,
    kind: JsonFile,
    value: object,
    files: "NamedFiles | None",
    may_be_elsewhere: "Callable[[str], bool]",
) -> "dict[str, Attached]":
    """{operand: Attached} where the file that a value names is not there, or cannot be read; empty where all is well, or nobody
    can tell. `may_be_elsewhere`: whether a path may be there although `files` finds none."""
    if type(value) is not str or not value.strip() or value in kind.presets or files is None:
        return {}
    if len(value) > MOST_OF_A_PATH or value.lstrip()[:1] in "{/~" or is_placeholder(value) or "\\" in value:
        return {}
    file = files.find(value)
    if file is None:
        return {} if may_be_elsewhere(value) else {f"{name}_file": Unusable(name, "", "")}
    problem, line = _problem(file.text, kind)
    return (
        {
            f"{name}_file": Unusable(
                name, problem, Message("{source}, line {line}", {"source": file.path, "line": line}), file
            )
        }
        if problem
        else {}
    )


# {what JSON holds in the place of a mapping: in words}
_HELD: "dict[type, Message]" = {
    list: Message("a list"),
    str: Message("a text"),
    bool: Message("true or false"),
    type(None): verbatim("null"),
}
_FILLED_IN = ("{{", "{%", "${", "<%")  # the marks of templates


def _problem(text: str, kind: JsonFile) -> tuple[str, int]:
    """(what is wrong with the text of a file of JSON, "" for nothing; its line)."""
    import json  # only runs with such a file pay for it

    try:
        settings = json.loads(text)
    except json.JSONDecodeError as error:
        if any(mark in text for mark in _FILLED_IN):
            return "", 1
        return no_json(text, error.pos)
    except (ValueError, RecursionError):  # digits or brackets without end: nobody knows
        return "", 1
    if not isinstance(settings, dict):
        held = _HELD.get(type(settings), Message("a number"))
        return Message("holds {what} where a mapping belongs", {"what": held}), 1
    if kind.needs and kind.needs not in settings:
        return Message("has no {key}", {"key": kind.needs}), 1
    known = kind.keys or ()
    unknown = next((key for key in settings if known and key not in known), None)
    return (
        (
            Message(
                "holds the unknown key {key}: it may hold {known}", {"key": unknown, "known": series(sorted(known))}
            ),
            1,
        )
        if unknown
        else ("", 1)
    )


_SHOWN = 20  # characters of what stands where no JSON can go on
_WHOLE_TEXT = r'"(?:[^"\\\x00-\x1f]|\\.)*"'


def no_json(text: str, place: int) -> tuple[str, int]:
    """(what is wrong with a text, its line), for the place at which Python's reader of JSON stopped. The words of this reader are
    not taken, and some Pythons stop behind a comma that others stop at."""
    import re

    before = text[:place].rstrip()
    if before.endswith(",") and text[place : place + 1] in ("}", "]"):
        place = len(before) - 1
    rest = text[place:]
    if not rest.strip():
        place = len(text.rstrip())
        problem = Message("it ends too early")
    elif rest[0].isspace():  # elsewhere the reader has passed over blanks
        problem = Message("a text has a line break in it")
    elif rest[0] == "," and rest[1:].lstrip()[:1] in ("}", "]"):
        problem = Message("no comma belongs before {bracket}", {"bracket": rest[1:].lstrip()[0]})
    elif rest[0] == '"' and not re.match(_WHOLE_TEXT, rest):
        problem = Message("the text that begins here has no end")
    else:
        word = re.match(r"\w+|.", rest)
        problem = Message("{word} is not expected", {"word": word[0][:_SHOWN] if word else ""})
    row, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return Message(
        "is no JSON: {problem} in line {line}, column {column}", {"problem": problem, "line": row, "column": column}
    ), row


def is_opened(kind: JsonFile, launch: "Run") -> bool:
    """Whether the run opens the file of a setting, as far as the settings beside it tell."""
    given = launch.setting(kind.beside) if kind.beside else None
    return not kind.beside or (given is not None and given.value not in (None, False, "", [], "None", "False"))


def meant(value: str, kinds: "Mapping[str, JsonFile]", name: str) -> "str | None":
    """The preset that a text is most likely meant for."""
    squeezed = value.replace("-", "").replace("_", "") if "offload" not in value else value.replace("-", "_")
    choices = [*kinds[name].presets]
    if "/" in value or "." in value:
        return None
    from .meant import likely  # few presets are misspelt

    return squeezed if squeezed in choices else likely(value, choices)
