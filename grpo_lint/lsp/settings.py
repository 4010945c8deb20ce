"""Settings that come from the editor."""

import re

from ..launch.facts import BY_OPTION, BadFact, Fact, parse_fact
from ..message import Message, series, told_by
from ..source.quoting import did_you_mean, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILES_FIRST, EDITOR_FIRST, EDITOR_ONLY = "filesystemFirst", "editorFirst", "editorOnly"
PRECEDENCES = (FILES_FIRST, EDITOR_FIRST, EDITOR_ONLY)
SECTION = "grpo-lint"
# Settings of the editor's own side that may be in the same section.
_OF_THE_CLIENT = ("enable", "path", "python", "trace", "server", "command", "interpreter")


class ClientSettings:
    """The settings that an editor sends.

    facts        {fact: Fact}, as in a settings file
    precedence   whether a settings file overrides them (the default, so that the editor agrees with continuous
                 integration), they override it, or the file is ignored
    inlay_hints  whether derived numbers are shown behind the batch keys
    code_lens    whether a line about each launch is shown above it
    workspace_diagnostics   whether files that are not open are checked as well
    problems     what could not be read, for the user
    """

    def __init__(self) -> None:
        self.facts: dict[str, Fact] = {}
        self.precedence: str = FILES_FIRST
        self.inlay_hints = True
        self.code_lens = True
        self.workspace_diagnostics = False
        self.problems: list[Message] = []

    def merged(self, of_files: "Mapping[str, Fact]") -> "dict[str, Fact]":
        """The facts in force for a file, where a settings file states `of_files`."""
        if self.precedence == EDITOR_ONLY:
            return self.facts
        return {**self.facts, **of_files} if self.precedence == FILES_FIRST else {**of_files, **self.facts}


def read_settings(value: "Any") -> "ClientSettings":
    """The ClientSettings in what a client sent. Names may be written worldSize, world-size or world_size; null means
    not set."""
    settings = ClientSettings()
    value = _our_section(value)
    for key, given in value.items() if isinstance(value, dict) else ():
        name = re.sub(r"(?<=[a-z])[A-Z]", lambda match: "-" + match[0], key).replace("_", "-").lower()
        if given is None or given == "" or name in _OF_THE_CLIENT:
            continue
        if name in BY_OPTION:
            _take_fact(settings, name, given)
        elif name in ("inlay-hints", "code-lens", "workspace-diagnostics"):
            given = given.get("enable", True) if isinstance(given, dict) else given
            setattr(settings, name.replace("-", "_"), bool(given))
        elif name == "settings-precedence":
            if given in PRECEDENCES:
                settings.precedence = given
            else:
                told = {
                    "key": key,
                    "names": series(PRECEDENCES),
                    "name": shown(given),
                    "hint": did_you_mean(given, PRECEDENCES),
                }
                settings.problems.append(Message("{key} is one of {names}, not {name}{hint}", told))
        else:
            known = [*BY_OPTION, "inlayHints", "codeLens", "workspaceDiagnostics", "settingsPrecedence"]
            hint = did_you_mean(key, known) or did_you_mean(name, known)
            settings.problems.append(Message("unknown setting {key}{hint}", {"key": shown(key), "hint": hint}))
    return settings


def says_nothing(value: "Any") -> bool:
    """Whether a client sent no setting at all."""
    return not _our_section(value)


def _our_section(value: "Any") -> "Any":
    """The settings in what a client sent: all of it, or the section with the name grpo-lint."""
    for name in (SECTION, "grpo_lint", "grpoLint", "settings"):
        if isinstance(value, dict) and isinstance(value.get(name), dict):
            value = value[name]
    return value


def _take_fact(settings: "ClientSettings", name: str, given: object) -> None:
    try:
        settings.facts[BY_OPTION[name]] = Fact(parse_fact(name, given), Message("editor"))
    except BadFact as bad:
        settings.problems.append(told_by(bad))
