"""Flags that a script may pass on in a variable. Loaded where a command passes on what nobody sees."""

import re

from ..message import Message, ands
from .verdict import inputs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Launch, Origin


def values_of(variable: str) -> str:
    """The pattern of what a script writes into a variable."""
    return rf'\b{variable}\+?=("[^"]*"|\([^()]*\)|\S*)'


def hold_what_may_be_passed_on(launch: "Launch", origin: "Origin", finding: "Finding") -> None:
    """Hold back a refusal of what a command does not set where its script writes such a flag into the variable that it passes on:
    `sizes="--engines 2"` in one branch, `--engines 4` in another."""
    text = (origin.script.text if origin.script else origin.files.own_text) or ""
    word = origin.invocation.passes_on
    variable = (
        re.fullmatch(r'"?\$\{?(\w{1,80})(?:\[@\])?\}?"?', text[word.start : word.end]) if word is not None else None
    )
    if variable is None or finding.candidate is None:
        return
    passed = re.findall(values_of(variable[1]), text)
    unset = inputs_of(finding.rule, finding.candidate.regime) - launch.entries.keys()
    names = sorted(name for name in unset if any(f"--{name} " in each or f"--{name}=" in each for each in passed))
    if names:
        filled = next(each for each in re.finditer(values_of(variable[1]), text) if f"--{names[0]}" in each[1])
        told = {"variable": variable[1], "line": text.count("\n", 0, filled.start()) + 1, "names": ands(names)}
        finding.held_by = Message("{variable}, filled in line {line}, may set {names}", told)
