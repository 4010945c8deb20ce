"""The text of a converted run. Keys replace keys, so that comments are kept; a command replaces a command."""

import re

from ..fixes.edits import apply
from ..frameworks.registry import run_template
from ..frameworks.shared.left_behind import IMPLIED, LOST, NO_EFFECT
from ..frameworks.versions import version_key
from ..launch.facts import option_name
from ..message import NOTHING, Message
from ..record import Record, derived
from ..source.entry import Flag
from ..source.text import Edit
from ..source.yaml.reader import Mapping, Scalar, Sequence
from ..unknown import UNKNOWN
from .starts import filled, in_override, in_words, in_yaml, without_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Framework, Iterable, Launch, Report


_DIRECTIVE = re.compile(r"^[ \t]*#.*\bgrpo-lint:.*$", re.MULTILINE)
_RESTATED = re.compile(r"(?<!\s)\s+(?:dialect|version|loader)\s*=\s*\S+")
_NOTES = {
    LOST: "no counterpart in {}, and lost",
    IMPLIED: "no counterpart in {}, which does so anyway",
    NO_EFFECT: "no counterpart in {}, and no effect on the training",
}
_COMPUTED_THERE = re.compile(r"(\"?)\$(?:\w+|\{[^{}\"'\s]+\}|\([^\"'\n]+\))\1\Z")  # $X, ${X:-1}, $((2 * X)), $(cat x)


class Line(Record):
    """One setting of the result: its name and value, the setting that it comes from (empty for none), whether the value
    is unchanged, and why it is written where the source does not set it."""

    name: str
    value: object
    source: str = ""
    same: bool = False
    why: Message = NOTHING


class Dropped(Record):
    """A setting without a counterpart: its name, its value as it is shown, and why; an empty text where the framework
    just lacks it. `fate`: whether the training changes without it."""

    name: str
    value: Message
    why: Message = NOTHING
    fate: str = LOST


# --- the text -------------------------------------------------------------------------------------------------------


class Target(Record):
    """A run as it is to be written for another framework.

    report, launch      the file of the run that is converted, and the run
    framework, version  what is to train
    lines               the settings of the result, those of its batch among them
    dropped             settings without a counterpart
    apart               whether it is written apart from the file that is converted
    reads_layers        whether a script reads the framework's own file that says the layers of the model: what that says is not known here
    """

    report: "Report"
    launch: "Launch"
    framework: "Framework"
    version: str
    lines: "list[Line]"
    dropped: "list[Dropped]"
    apart: bool = False
    reads_layers: bool = False

    @derived
    def is_nested(self) -> bool:
        return self.framework.reader.configs.nested

    @derived
    def _is_in_a_command(self) -> bool:
        """Whether the run is stated by flags or overrides, and not by a file that a script of another file names."""
        return self.launch.origin is not None and self.launch.origin.script is None

    @derived
    def replaces_a_command(self) -> bool:
        """Whether the result takes the place of a command in its script."""
        is_script = self._is_in_a_command and self.report.document is None and self.report.code is None
        return is_script and not self.apart and not self._reads_arrays

    @derived
    def _reads_arrays(self) -> bool:
        """Whether settings stand in arrays of the script before the command, which would go on being passed."""
        assert self.launch.origin is not None
        start = self.launch.origin.invocation.command.start
        return any(entry.key.start < start for entry in self.launch.entries_in_this_file.values())

    @derived
    def replaces_keys(self) -> bool:
        """Whether the result takes the place of the keys in their file: each is at the top level and written where it is in force."""
        report, launch = self.report, self.launch
        if self.is_command or report.document is None or launch.framework.reader.configs.nested:
            return False
        text = report.text.text if report.text else ""
        return len(launch.entries_in_this_file) == len(launch.entries) and all(
            not entry.merged
            and type(entry.value) in (Scalar, Mapping, Sequence)
            and getattr(entry.value, "anchor", None) is None
            and (entry.key.start == 0 or text[entry.key.start - 1] == "\n")
            for entry in launch.entries.values()
        )

    @derived
    def is_command(self) -> bool:
        """Whether the result is a command; else it is a config file."""
        since = self.framework.reader.files.reads_yaml_since
        return self._is_in_a_command or self.is_nested or (since is not None and version_key(self.version) < since)

    @derived
    def written_lines(self) -> "list[Line]":
        """The settings that can be written: a missing flag means null, and no flag can state null."""
        keeps_null = self.is_nested or not self.is_command
        return [line for line in self.lines if keeps_null or line.value is not None]

    @derived
    def processes(self) -> str:
        """How many processes train, as a directive states it; an empty text where nobody knows."""
        world_size = self.launch.facts.get("world_size")
        return str(world_size.value) if world_size else ""

    def text(self) -> str:
        """The whole text of the result."""
        if self.replaces_a_command:
            return self._in_place_of_the_command()
        if self.is_command:
            head = ["#!/bin/bash", f"# grpo-lint: version={self.version}", *self._left_out(), *self._of_layers]
            arguments = [self._argument(line) for line in self.written_lines if line.value is not UNKNOWN]
            return "\n".join([*head, _joined(self._start() + self._layers, arguments)]) + "\n"
        if self.replaces_keys:
            return self._with_directive(self._in_place_of_the_keys())
        settings = [self._key(line) for line in self.written_lines if line.value is not UNKNOWN]
        return self._with_directive("\n".join([*settings, *self._left_out()]) + "\n")

    @derived
    def _of_layers(self) -> "list[str]":
        """The lines of a script that read the layers of the model, where the settings do not say them."""
        template, written = run_template(self.framework.name), {line.name: line.value for line in self.lines}
        if not self.reads_layers or not self.is_command or template.layers in written:
            return []
        return template.reads_layers(str(written.get(self.framework.reader.programs.model_key)))

    @derived
    def _layers(self) -> str:
        """What a command takes of these lines."""
        return f" {run_template(self.framework.name).of_model[1]}" if self._of_layers else ""

    @property
    def unwritten(self) -> "list[Line]":
        """The settings whose values are not known here, and which the result cannot take from the script."""
        if self.replaces_keys:
            return []
        script = self.report.text.text if self.replaces_a_command and self.report.text else ""
        unknown = [line for line in self.written_lines if line.value is UNKNOWN]
        return [line for line in unknown if not script or self._variable(script, line) is None]

    def _left_out(self) -> "list[str]":
        title = self.framework.title
        return [
            f"# {_NOTES[each.fate].format(title)}: {_one_line(each.name)}: {_one_line(each.value)}"
            for each in self.dropped
        ]

    # --- a file -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _key(line: Line) -> str:
        return f"{line.name}: {in_yaml(line.value)}"

    def _in_place_of_the_keys(self) -> str:
        """The file with its keys renamed; settings without a counterpart are commented out in place."""
        text, edits, title = self.report.text, [], self.framework.title
        assert text is not None
        by_source = {line.source: line for line in self.written_lines if line.source}
        dropped = {each.name: f"{_NOTES[each.fate].format(title)}: " for each in self.dropped}
        for name, entry in self.launch.entries.items():
            line = by_source.get(name)
            start, end = entry.key.start, max(entry.value.end, entry.key.end)
            if line is None:
                note = dropped.get(name, "not needed here: ")
                edits.append(Edit(start, end, _commented(text.text[start:end], note)))
            elif line.same:
                edits.append(Edit(start, entry.key.end, line.name))
            else:
                edits.append(Edit(start, end, self._key(line)))
        changed = apply(text, edits).text
        more = [self._key(line) for line in self.written_lines if not line.source and line.value is not UNKNOWN]
        if more:
            changed = (
                changed.rstrip("\n") + f"\n\n# Defaults of {title} that differ, written out\n" + "\n".join(more) + "\n"
            )
        return changed

    def _with_directive(self, text: str) -> str:
        """The text with a directive that states its framework."""
        facts, option = f"dialect={self.framework.name} version={self.version}", option_name("world_size")
        processes = f" {option}={self.processes}" if self.processes else ""
        return _restated(text, facts, option, processes) or f"# grpo-lint: {facts}{processes}\n{text}"

    # --- a command --------------------------------------------------------------------------------------------------

    def _in_place_of_the_command(self) -> str:
        """The script with the command that starts the run replaced by another one."""
        assert self.report.text is not None
        return with_version(apply(self.report.text, self.edits).text, self.version)

    @derived
    def edits(self) -> "list[Edit]":
        """What replaces the command in its script, and the notes above it."""
        text, origin = self.report.text, self.launch.origin
        assert text is not None and origin is not None
        command, script = origin.invocation.command, text.text
        arguments = [*self._arguments_in(script), *filter(self._is_handed_on, self._open_words)]
        end = max(_with_quotes(script, word.start, word.end)[1] for word in command.words)
        start = self._start_in_place()
        line_start = script.rfind("\n", 0, command.start) + 1
        notes = "".join(f"{each}\n" for each in (*self._left_out(), *self._of_layers))
        is_at_the_margin = not script[line_start : command.start].strip()
        if not notes or not is_at_the_margin or script[line_start - 2 : line_start - 1] == "\\":
            return [Edit(origin.invocation.start, end, _joined(start, arguments))]
        edit = Edit(origin.invocation.start, end, _joined(start + self._layers, arguments))
        if line_start < edit.start:
            return [Edit(line_start, line_start, notes), edit]
        return [Edit(edit.start, end, notes + edit.new)]

    @derived
    def _open_words(self) -> "list[str]":
        """The words of the command that are further arguments nobody knows, such as `"$@"`."""
        origin, text = self.launch.origin, self.report.text
        if origin is None or origin.script is not None or text is None:
            return []
        spans = [_with_quotes(text.text, word.start, word.end) for word in origin.invocation.open_words]
        return [text.text[start:end] for start, end in spans]

    def _is_handed_on(self, word: str) -> bool:
        """Whether the result takes the same further arguments: those of a user, or those of a variable where the framework is the same."""
        bare = word.strip('"{}').replace("{", "")
        return self.framework is self.launch.framework or bare in ("$@", "$*")

    @property
    def left_unread(self) -> "list[str]":
        """The variables whose arguments the result lacks, since they are of the other framework; the layers of the model are its own."""
        of_layers = run_template(self.launch.framework.name).of_model[1].strip('"')
        known = [word for word in self._open_words if word.strip('"') != of_layers]
        return [word for word in known if not (self.replaces_a_command and self._is_handed_on(word))]

    def _arguments_in(self, script: str) -> "Iterable[str]":
        """The settings as arguments; what a variable of the script says is taken from it."""
        for line in self.written_lines:
            variable = self._variable(script, line)
            if variable is not None:
                yield f"{line.name}={variable}" if self.is_nested else self._words(line, variable)
            elif line.value is not UNKNOWN:
                yield self._argument(line)

    def _variable(self, script: str, line: Line) -> "str | None":
        """What a value is taken from in the script, a variable or a command, where the result may use it as well; None for none."""
        entry = self.launch.entries_in_this_file.get(line.source)
        if not line.same or not isinstance(entry, Flag) or len(entry.words) != 1:
            return None
        word = entry.words[0]
        raw = script[word.start : word.end]
        if self.launch.framework.reader.configs.nested:
            raw = raw.partition("=")[2]
        return raw if _COMPUTED_THERE.match(raw) else None

    def _argument(self, line: Line) -> str:
        return in_override(line.name, line.value) if self.is_nested else self._words(line, in_words(line.value))

    def _words(self, line: Line, told: str) -> str:
        return self.framework.reader.flags.written(line.name, told, line.value is True)

    def _start_in_place(self) -> str:
        """What stands before the arguments in the script; its environment goes on saying what it says of processes."""
        assert self.launch.origin is not None
        invocation = self.launch.origin.invocation
        command, own = invocation.command, invocation.own
        counts = own is not None and own.counted_by_environment and not invocation.unread_counts
        start = self._start(counts and not command.environment.keys().isdisjoint(("NPROC_PER_NODE", "NNODES")))
        assert self.report.text is not None
        kept = self.report.text.text[command.words[0].start : invocation.start].split() if command.words else []
        words = start.split()
        if kept and kept == words[: len(kept)]:  # `uv run` stays where it is
            return " ".join(words[len(kept) :])
        return f"env {start}" if kept and start[:2] == "NN" else start

    def _start(self, is_counted: bool = False) -> str:
        """The command that starts the processes, without a config; `is_counted`: variables of the script hold their
        number."""
        processes = int(self.processes.partition("|")[0] or 0)
        template = run_template(self.framework.name)
        start = without_config(template.launcher_of_flags or template.launcher)
        program, older, since = template.older_program
        if since and version_key(self.version) < since:
            start = start.replace(program, older)
        if is_counted or not processes:
            start = start.replace("NNODES={nodes} NPROC_PER_NODE={per_node} ", "")
        if not processes:
            start = start.replace("--num_processes {processes} ", "")
        return filled(start, processes)


def _with_quotes(script: str, start: int, end: int) -> "tuple[int, int]":
    """The place of a word with the quotes around it."""
    is_quoted = start > 0 and script[start - 1] in "\"'" and script[end : end + 1] == script[start - 1]
    return (start - 1, end + 1) if is_quoted else (start, end)


def with_version(script: str, version: str) -> str:
    """A script with a directive that states the release."""
    facts = f"version={version}"
    restated = _restated(script, facts)
    if restated is not None:
        return restated
    head, newline, rest = script.partition("\n")
    if head.startswith("#!"):
        return f"{head}{newline}# grpo-lint: {facts}\n{rest}"
    return f"# grpo-lint: {facts}\n{script}"


def _commented(text: str, note: str) -> str:
    first, *rest = text.splitlines() or [""]  # at all the breaks that a parser of YAML knows
    return "\n".join([f"# {note}{first}", *(f"# {each}" if each.strip() else each for each in rest)])


def _one_line(text: str) -> str:
    """A text in a comment: nothing in it ends the line, steers a terminal or is a command to a log."""
    shown = " ".join(text.split())[:200].replace("##", "# #")
    return "".join([each if each.isprintable() else "?" for each in shown])


def _joined(start: str, arguments: "Iterable[str]") -> str:
    """`arguments` behind the start of a command, options before overrides."""
    return " \\\n    ".join([start, *sorted(arguments, key=lambda argument: not argument.startswith("--"))])


def _restated(text: str, facts: str, option: str = "", further: str = "") -> "str | None":
    """The text whose directive states these facts in place of its own of the same names, and `further` where it does not
    say `option`; None where it has no directive."""
    found = _DIRECTIVE.search(text)
    if found is None:
        return None
    line = re.sub(r"(grpo-lint:)", rf"\1 {facts}", _RESTATED.sub("", found[0]))
    if option not in line:
        line += further
    return text[: found.start()] + line + text[found.end() :]
