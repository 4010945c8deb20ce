"""The text of a converted run. Keys replace keys, so that comments are kept; a command replaces a command."""

import json
import re

from ..fixes.edits import apply, written
from ..frameworks.beginnings import LAUNCHERS, STARTS_OF_FLAGS
from ..launch.facts import option_name
from ..source.entry import Flag
from ..source.shell_words import printable_or_escaped, shell_word
from ..source.text import Edit
from ..source.yaml.reader import Mapping, Scalar, Sequence
from ..source.yaml.scalars import plain_value
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from ..checker.findings import Report
    from ..frameworks.base import Framework
    from ..launch.launch import Launch

    Dropped = Many[tuple[str, str]]  # (name, value as it is shown)

_DIRECTIVE = re.compile(r"^[ \t]*#.*\bgrpo-lint:.*$", re.MULTILINE)
_PLAIN = re.compile(r"[\w./@+~-][\w./@+~#:=-]*\Z")
_A_VARIABLE = re.compile(r"(\"?)\$(?:\w+|\{\w+\})\1\Z")


class Line:
    """One setting of the result: its name and value, the setting that it comes from (empty for none), whether the value
    is unchanged, and why it is written where the source does not set it."""

    __slots__ = ("name", "value", "source", "same", "why")
    name: str
    value: object
    source: str
    same: bool
    why: str

    def __init__(self, name: str, value: object, source: str, same: bool = False, why: str = "") -> None:
        self.name = name
        self.value = value
        self.source = source
        self.same = same
        self.why = why


# --- values ---------------------------------------------------------------------------------------------------------


def in_yaml(value: object) -> str:
    """A value as YAML writes it, on one line."""
    if type(value) is str:
        plain = _PLAIN.match(value) and plain_value(value) == value and not value.endswith(":")
        return value if plain else _printable(json.dumps(value, ensure_ascii=False))
    if type(value) is list:
        return f"[{', '.join(map(in_yaml, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{in_yaml(str(key))}: {in_yaml(each)}" for key, each in value.items()) + "}"
    return written(value)


def in_words(value: object) -> str:
    """A value as the words that follow a flag."""
    if type(value) is list:
        return " ".join(map(in_words, value))
    if type(value) is dict:
        return shell_word(_printable(json.dumps(value, ensure_ascii=False)))
    return shell_word(value if type(value) is str else written(value))


def in_override(name: str, value: object) -> str:
    """A value as an override of Hydra."""
    return shell_word(f"{name}={in_yaml(value) if type(value) in (list, dict, str) else written(value)}")


def _printable(quoted: str) -> str:
    """A text in double quotes, with escapes for what steers a terminal or turns the reading direction."""
    return quoted if quoted.isprintable() else "".join(map(printable_or_escaped, quoted))


# --- a file ---------------------------------------------------------------------------------------------------------


def is_flat(report: "Report", launch: "Launch") -> bool:
    """Whether the settings are top-level keys of the file, each written where it is in force, so that they can be
    renamed in place."""
    if (
        report.document is None
        or launch.framework.reader.configs.nested
        or (launch.origin is not None and launch.origin.script is None)
    ):
        return False
    text = report.text.text if report.text else ""
    return len(launch.own) == len(launch.entries) and all(
        not entry.merged
        and type(entry.value) in (Scalar, Mapping, Sequence)
        and getattr(entry.value, "anchor", None) is None
        and (entry.key.start == 0 or text[entry.key.start - 1] == "\n")
        for entry in launch.entries.values()
    )


def in_place_of_keys(
    report: "Report",
    launch: "Launch",
    target: "Framework",
    version: str,
    lines: "Many[Line]",
    processes: str,
    dropped: "Dropped",
) -> str:
    """The file with its keys renamed; settings without a counterpart are commented out in place."""
    text, edits = report.text, []
    assert text is not None
    by_source = {line.source: line for line in lines if line.source}
    gone = dict(dropped)
    for name, entry in launch.entries.items():
        line = by_source.get(name)
        start, end = entry.key.start, max(entry.value.end, entry.key.end)
        if line is None:
            note = f"no counterpart in {target.title}: " if name in gone else "not needed here: "
            edits.append(Edit(start, end, _commented(text.text[start:end], note)))
        elif line.same:
            edits.append(Edit(start, entry.key.end, line.name))
        else:
            edits.append(Edit(start, end, f"{line.name}: {in_yaml(line.value)}"))
    changed = apply(text, edits).text
    more = [f"{line.name}: {in_yaml(line.value)}" for line in lines if not line.source and line.value is not UNKNOWN]
    if more:
        changed = changed.rstrip("\n") + f"\n\n# What {target.title} is told besides\n" + "\n".join(more) + "\n"
    return _with_directive(changed, target, version, processes)


def whole_file(target: "Framework", version: str, lines: "Many[Line]", processes: str, dropped: "Dropped") -> str:
    """A new file with the converted settings."""
    body = [f"{line.name}: {in_yaml(line.value)}" for line in lines if line.value is not UNKNOWN]
    return _with_directive("\n".join([*body, *_left_out(target, dropped)]) + "\n", target, version, processes)


def _commented(text: str, note: str) -> str:
    first, *rest = text.splitlines() or [""]  # at all the breaks that a parser of YAML knows
    return "\n".join([f"# {note}{first}", *(f"# {each}" if each.strip() else each for each in rest)])


def _left_out(target: "Framework", dropped: "Dropped") -> "list[str]":
    return [f"# no counterpart in {target.title}: {_one_line(name)}: {_one_line(value)}" for name, value in dropped]


def _one_line(text: str) -> str:
    """A text in a comment: nothing in it ends the line, steers a terminal or is a command to a log."""
    shown = " ".join(text.split())[:200].replace("##", "# #")
    return "".join([each if each.isprintable() else "?" for each in shown])


def _with_directive(text: str, target: "Framework", version: str, processes: str) -> str:
    """The text with a directive that states its framework. An existing directive is changed and keeps its other
    facts."""
    found = _DIRECTIVE.search(text)
    facts = f"dialect={target.name} version={version}" + (f" world-size={processes}" if processes else "")
    if found is None:
        return f"# grpo-lint: {facts}\n{text}"
    line = re.sub(r"(?<!\s)\s+(?:dialect|version|loader)\s*=\s*\S+", "", found[0])
    line = re.sub(r"(grpo-lint:)", rf"\1 dialect={target.name} version={version}", line)
    if processes and option_name("world_size") not in line:
        line += f" {option_name('world_size')}={processes}"
    return text[: found.start()] + line + text[found.end() :]


# --- a command ------------------------------------------------------------------------------------------------------


def whole_command(target: "Framework", version: str, lines: "Many[Line]", processes: int, dropped: "Dropped") -> str:
    """A script that starts the run."""
    command = _joined(
        start_of(target, processes), [_argument(target, line) for line in lines if line.value is not UNKNOWN]
    )
    head = ["#!/bin/bash", f"# grpo-lint: version={version}", *_left_out(target, dropped)]
    return "\n".join([*head, command]) + "\n"


def in_place_of_a_command(
    report: "Report",
    launch: "Launch",
    target: "Framework",
    version: str,
    lines: "Many[Line]",
    processes: int,
    dropped: "Dropped",
) -> str:
    """The script with the command that starts the run replaced by another one."""
    text, origin = report.text, launch.origin
    assert text is not None and origin is not None
    command = origin.invocation.command
    end = max(word.end for word in command.words)
    arguments = []
    for line in lines:
        raw = _variable(text.text, launch, line)
        if raw is not None:
            arguments.append(f"{line.name}={raw}" if target.reader.configs.nested else f"--{line.name} {raw}")
        elif line.value is not UNKNOWN:
            arguments.append(_argument(target, line))
    if origin.invocation.passes_on is not None:
        word = origin.invocation.passes_on
        arguments.append(text.text[word.start : word.end])
    environment, own = command.environment, origin.invocation.own
    counts = own is not None and own.counted_by_environment and not origin.invocation.unread_counts
    start = start_of(target, processes, counts and not environment.keys().isdisjoint(("NPROC_PER_NODE", "NNODES")))
    if start[:2] == "NN" and command.words and origin.invocation.start > command.words[0].start:
        start = f"env {start}"
    changed = apply(text, [Edit(origin.invocation.start, end, _joined(start, arguments))]).text
    line_start = changed.rfind("\n", 0, command.start) + 1
    notes = "".join(f"{each}\n" for each in _left_out(target, dropped))
    if notes and not changed[line_start : command.start].strip() and changed[line_start - 2 : line_start - 1] != "\\":
        changed = changed[:line_start] + notes + changed[line_start:]
    return _with_version(changed, version)


def start_of(target: "Framework", processes: int, is_counted: bool = False) -> str:
    """The command that starts so many processes, without a config; `is_counted`: variables of the script hold their
    number."""
    per_node = next((count for count in range(min(processes, 8), 0, -1) if processes % count == 0), 1)
    told = STARTS_OF_FLAGS.get(target.name) or LAUNCHERS[target.name]
    told = told.removesuffix(" config.yaml").removesuffix(" --config")
    if is_counted or not processes:
        told = told.replace("NNODES={nodes} NPROC_PER_NODE={per_node} ", "")
    if not processes:
        told = told.replace("--num_processes {processes} ", "")
    return told.format(processes=processes, per_node=per_node, nodes=max(processes // per_node, 1))


def _argument(target: "Framework", line: Line) -> str:
    return (
        in_override(line.name, line.value) if target.reader.configs.nested else f"--{line.name} {in_words(line.value)}"
    )


def _variable(text: str, launch: "Launch", line: Line) -> "str | None":
    """The variable of the script that a value is taken from, where the result may use it as well; None for none."""
    entry = launch.own.get(line.source)
    if not line.same or not isinstance(entry, Flag) or len(entry.words) != 1:
        return None
    word = entry.words[0]
    raw = text[word.start : word.end]
    if launch.framework.reader.configs.nested:
        raw = raw.partition("=")[2]
    return raw if _A_VARIABLE.match(raw) else None


def _joined(start: str, arguments: "Many[str]") -> str:
    return " \\\n    ".join([start, *arguments])


def _with_version(text: str, version: str) -> str:
    found = _DIRECTIVE.search(text)
    if found is not None:
        line = re.sub(r"(?<!\s)\s+(?:dialect|version|loader)\s*=\s*\S+", "", found[0])
        line = re.sub(r"(grpo-lint:)", rf"\1 version={version}", line)
        return text[: found.start()] + line + text[found.end() :]
    head, newline, rest = text.partition("\n")
    if head.startswith("#!"):
        return f"{head}{newline}# grpo-lint: version={version}\n{rest}"
    return f"# grpo-lint: version={version}\n{text}"
