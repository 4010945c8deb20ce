"""Rewards against data, as far as the checkout shows both: what a framework's own module finds, as warnings."""

import os
from importlib import import_module

from ..message import Message, both
from ..source.text import Span
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..frameworks.shared.reward_files import Mismatch
    from ..shared_types import Attached, Context, Iterator, Launch
    from ..source.python.scopes import Scopes

_OF_THE_FILE = Message("assuming that the run loads this file as it is here")
_OF_THE_ROWS = Message("assuming that the other rows are like the first ones")
_BY_ROWS = frozenset(("reward-finds-its-columns", "data-has-its-columns", "data-source-has-a-score"))


def about_rewards(launch: "Launch", beside: "Attached") -> "Iterator[Finding]":
    """What the rewards of a launch and its data disagree about, of the newest release that may run it."""
    if launch.framework.copies.folder:
        return  # whose code may call it in another way
    module = import_module(launch.framework.reader.files.rewards)
    newest = launch.candidates[0]
    for found in module.mismatches(launch, beside.value, newest.key):
        yield Finding(
            found.rule,
            "warning",
            "run",
            candidate=newest,
            at=launch.setting(found.key),
            values=_in_words(found, launch.framework.title),
            note=_OF_THE_ROWS if found.rule in _BY_ROWS else _OF_THE_FILE,
        )


def about_rewards_in(launch: "Launch", scopes: "Scopes", context: "Context") -> "Iterator[Finding]":
    """The same of the functions that a program hands to its trainers."""
    path = "" if launch.framework.copies.folder else launch.framework.reader.files.rewards
    look = getattr(import_module(path), "in_program", None) if path else None
    source = scopes.source
    name = os.path.basename(source.code.text.path)
    for found, line in look(source.tree, scopes.calls, name, context.files) if look else ():
        text = source.code.text
        start, end = (source.code.raw(text.offset(line - 1, place)) for place in (0, len(text.line_text(line - 1))))
        yield Finding(
            found.rule,
            "warning",
            "run",
            candidate=launch.candidates[0],
            span=Span(start, end),
            values=_in_words(found, launch.framework.title),
            note=_OF_THE_ROWS
            if found.rule in _BY_ROWS
            else Message("assuming that the trainer is handed this function"),
        )


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
