"""Rewards against data, as far as the checkout shows both: what a framework's own module finds, as warnings."""

import os

from ..message import Message, both
from ..source.text import Span
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ..frameworks.shared.reward_files import Mismatch
    from ..shared_types import Attached, Context, Iterator, Launch, Setting
    from ..source.python.scopes import Scopes

_OF_THE_FILE = Message("assuming that the run loads this file as it is here")
_OF_THE_CALL = Message("assuming that the trainer is handed this function")
_OF_THE_ROWS = Message("assuming that the other rows are like the first ones")
_BY_ROWS = frozenset(("reward-finds-its-columns", "data-has-its-columns", "data-source-has-a-score"))


def about_rewards(launch: "Launch", beside: "Attached") -> "Iterator[Finding]":
    """What the rewards of a launch and its data disagree about, of the newest release that may run it."""
    if launch.framework.copies.folder:
        return  # whose code may call it in another way
    module = _module(launch.framework.reader.programs.rewards)
    for found in module.mismatches(launch, beside.value, launch.candidates[0].key):
        yield _warning(launch, found, _OF_THE_FILE, at=launch.setting(found.key))


def about_rewards_in(launch: "Launch", scopes: "Scopes", context: "Context") -> "Iterator[Finding]":
    """Where the functions of rewards that a program hands to its trainers, and the data, do not fit together."""
    path = "" if launch.framework.copies.folder else launch.framework.reader.programs.rewards
    look = getattr(_module(path), "in_program", None) if path else None
    source = scopes.source
    name = os.path.basename(source.code.text.path)
    for found, line in look(source.tree, scopes.calls, name, context.files) if look else ():
        text = source.code.text
        start, end = (source.code.raw(text.offset(line - 1, place)) for place in (0, len(text.line_text(line - 1))))
        yield _warning(launch, found, _OF_THE_CALL, span=Span(start, end))


def _warning(
    launch: "Launch", found: "Mismatch", note: Message, at: "Setting | None" = None, span: "Span | None" = None
) -> Finding:
    """The finding at a setting or a place of the text. `note`: what it takes for granted where it is not about rows."""
    values, newest = _in_words(found, launch.framework.title), launch.candidates[0]
    note = _OF_THE_ROWS if found.rule in _BY_ROWS else note
    return Finding(found.rule, "warning", "run", candidate=newest, at=at, span=span, values=values, note=note)


def _module(path: str) -> "ModuleType":
    """The module of a framework that knows rewards."""
    return __import__(path, fromlist=["mismatches"])


def _in_words(found: "Mismatch", title: str) -> "dict[str, object]":
    """The values of a message, lists among them in words."""
    values = {name: both(value) if isinstance(value, list) and value else value for name, value in found.values.items()}
    if "refused" in found.values:
        refused, lacking = found.values["refused"], found.values["lacking"]
        told = {"title": title, "refused": values["refused"], "lacking": values["lacking"]}
        if refused and lacking:
            values["problem"] = Message(
                "does not take {refused}, which {title} passes, and needs {lacking}, which it does not", told
            )
        elif refused:
            values["problem"] = Message("does not take {refused}, which {title} passes", told)
        else:
            values["problem"] = Message("needs {lacking}, which {title} does not pass", told)
    return {**values, "title": title}
