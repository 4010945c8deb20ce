"""A run of each framework to plan with: a minimal config, or a command where the framework is usually given flags."""

import json
import os
import re

from ..checker.contexts import of_text
from ..engine import lint
from ..fixes.edits import written
from ..frameworks.registry import framework as framework_named, run_template
from ..frameworks.run_template import NO_SAVER, Saver
from ..frameworks.shared.parallel_names import PARALLEL
from ..frameworks.versions import resolve_version, version_key
from ..launch.facts import Fact, parse_fact
from ..message import Message
from ..source.shell_words import printable_or_escaped, shell_word
from ..source.text import Text
from ..source.yaml.scalars import plain_value
from .named_model import files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..plan.shape import Shape
    from ..shared_types import Report


NO_FACTS: "Mapping[str, object]" = {}
UNNAMED = "your/model"  # nothing is known of it


class Start:
    """The text of a run, and how settings are written into it; `epochs`: whether the length of the run depends on the
    data."""

    def __init__(
        self, framework: str, version: str, model: str = "", epochs: "int | None" = None, saver: Saver = NO_SAVER
    ) -> None:
        self.framework = framework_named(framework)
        self.version = version
        self.template = run_template(framework)
        self.saver = saver
        self._model, self._files = model, files_of(model)
        self.is_command = bool(self.template.command)
        text = self.template.command or self._of_its_time(
            _unspread(_filled_in(self.template.config, version), framework)
        )
        program, older, since = self.template.older_program
        if since and self.key < since:
            text = text.replace(program, older)
        self._text = self._with_model(text, model) if model else text
        if epochs:
            self._text = self._with_epochs(epochs)

    def _with_model(self, text: str, model: str) -> str:
        """The text with this model in the place of what it proposes."""
        reader = self.framework.reader
        if self.is_command and not reader.configs.nested:
            proposed = re.search(rf"{re.escape(reader.flags.written(reader.programs.model_key))} \S*/(\S+)", text)
            if proposed:  # a checkpoint that is named after the model
                text = text.replace(f" {proposed[1]}_", f" {shell_word(os.path.basename(model.rstrip('/')))}_")
            return _with_flag(text, reader.flags.written(reader.programs.model_key), shell_word(model))
        return _with_model(text, model)

    def _of_its_time(self, text: str) -> str:
        """A minimal config, written for the newest release, in the names of this one. Settings that this release lacks
        are left out."""
        catalogue, releases = self.framework.catalogue, self.framework.releases
        fields = catalogue.fields(
            self.framework.reader.trainer.groups("grpo", "script"), catalogue.release_index(self.key)
        )
        lines = []
        for line in text.splitlines():
            name, colon, value = line.partition(":")
            if line.startswith("#") or fields[name]:
                lines.append(line)
            elif heir := self.framework.reader.renames.successor(name, fields)[0]:
                lines.append(f"{heir}{colon}{value}")
        for line, (has, lacks) in self.template.older_lines.items():
            lines += [line] if releases.has(has, self.key) and not releases.has(lacks, self.key) else []
        return "\n".join(lines) + "\n"

    @property
    def key(self) -> "tuple[int, ...]":
        """The release as numbers."""
        return version_key(resolve_version(self.version, self.framework.catalogue.releases))

    def _with_epochs(self, epochs: int) -> str:
        steps, names = self.template.steps, self.template.epochs
        lines = self._text.splitlines(keepends=True)
        beginnings = (f"{steps}:", f"{self.framework.reader.flags.written(steps)} ")
        text = "".join(line for line in lines if not (steps and line.lstrip().startswith(beginnings)))
        known = [name for name in names if self.framework.releases.has(name, self.key)]
        return self._with_setting(text, known[0], epochs) if known else self._text

    @property
    def reads_files(self) -> bool:
        """Whether the release reads a config from a file."""
        since = self.framework.reader.files.reads_yaml_since
        return not self.is_command and (since is None or self.key >= since)

    @property
    def path(self) -> str:
        """A file name for the text of `written`."""
        return "config.yaml" if self.reads_files else "run.sh"

    def written(self, settings: "dict[str, object]", processes: int) -> str:
        """A config with these settings; the command that starts it where the release reads no config files."""
        return self.config(settings, processes) if self.reads_files else self.command(settings, processes)

    def command(self, settings: "dict[str, object]", processes: int) -> str:
        """The command that starts a run with these settings, as flags."""
        text = self.config(settings, processes)
        if self.is_command:
            return text
        start, flag = without_config(self.launcher(processes)), self.framework.reader.flags.written
        words = [flag(name, _words(value), value == "true") for name, value in _lines_of(text)]
        return " \\\n    ".join([start, *words]) + "\n"

    def in_full(self, text: str) -> str:
        """A command with the file that says the layers of its model; what that file says is not looked at here."""
        lines, start = self.template.reads_layers(self._model), self.template.launcher_of_flags
        if not lines:
            return text
        return "\n".join([*lines, text.replace(start, f"{start} {self.template.of_model[1]}", 1)])

    def config(self, settings: "dict[str, object]", processes: int) -> str:
        """The text with these settings. A setting that is already written changes in its place."""
        text = re.sub(r"world-size=\S+", f"world-size={processes}", self._text)
        for name, value in settings.items():
            text = self._with_setting(text, name, value)
        return text

    def _with_setting(self, text: str, name: str, value: object) -> str:
        if self.is_command and self.framework.reader.configs.nested:
            if name.startswith("--"):  # options come before all overrides
                return text.replace(" \\\n", f" \\\n    {name}={value} \\\n", 1)
            there = re.compile(rf"^( +{re.escape(name)}=)\S+", re.MULTILINE)
            if there.search(text):
                return there.sub(lambda at: f"{at[1]}{value}", text)
            return f"{text.rstrip()} \\\n    {name}={value}\n"
        if self.is_command:
            return _with_flag(text, self.framework.reader.flags.written(name), value)
        line = re.compile(rf"^{re.escape(name)}:.*$", re.MULTILINE)
        if line.search(text):
            return line.sub(f"{name}: {value}", text)
        return f"{text.rstrip()}\n{name}: {value}\n"

    def settings_of(self, shape: "Shape") -> "dict[str, object] | None":
        """The settings that make a shape, with those that follow them; None where the release cannot have it."""
        return self.framework.arithmetic.settings_of(shape, self.key, self._proposed)

    def _proposed(self, name: str) -> object:
        """A switch or a whole number of the text, None for another one."""
        value = next((value for each, value in _lines_of(self._text) if each == name), "")
        return value == "true" or (int(value) if value.isdecimal() else None)

    def report(
        self, settings: "dict[str, object]", processes: int, more: "Mapping[str, object]" = NO_FACTS
    ) -> "Report":
        """The report of the text with these settings; `more`: facts that the wish states."""
        facts = {"version": self.version, "dialect": self.framework.name, "world_size": processes, **more}
        if "{per_node}" in self.template.launcher:
            facts["processes_per_node"] = usual_per_node(processes)
        stated = {name: Fact(parse_fact(name, str(value)), Message("the plan")) for name, value in facts.items()}
        text = Text(self.written(settings, processes), self.path)
        return lint(text, of_text(stated, files=self._files), fixes=False)

    def launcher(self, processes: int) -> str:
        """The command that starts so many processes with the text; empty where the text is that command."""
        return self.saver.started(filled(self.template.launcher, processes))

    def saved(self, saver: "Saver") -> "dict[str, object]":
        """The settings of a way to hold less that the release has."""
        has = self.framework.releases.has
        return {name: value for name, value in saver.settings.items() if has(name, self.key)}


def filled(launcher: str, processes: int) -> str:
    """The command of a launcher for so many processes, as many of them on one node as divide them and are usual."""
    per_node = usual_per_node(processes)
    return launcher.format(processes=processes, per_node=per_node, nodes=max(processes // per_node, 1))


def usual_per_node(processes: int) -> int:
    """As many processes of a node as divide them, 8 at most."""
    return next((count for count in range(min(processes, 8), 0, -1) if processes % count == 0), 1)


def _with_flag(text: str, flag: str, value: object) -> str:
    """A command with a flag, where it stands already in its place."""
    found, count = re.subn(rf"^( +{re.escape(flag)}) \S+", lambda at: f"{at[1]} {value}", text, count=1, flags=re.M)
    return found if count else f"{text.rstrip()} \\\n    {flag} {value}\n"


def without_config(launcher: str) -> str:
    """The command of a launcher without the config that it names."""
    return launcher.removesuffix(" config.yaml").removesuffix(" --config")


def _lines_of(text: str) -> "Iterator[list[str]]":
    """(name, value in YAML) of each setting of a config."""
    return (line.split(": ", 1) for line in text.splitlines() if ": " in line and not line.startswith("#"))


def _words(value: str) -> str:
    """A value in YAML as the words that follow a flag."""
    items = value[1:-1].split(", ") if value.startswith("[") else [value]
    return " ".join([shell_word(json.loads(item) if item.startswith('"') else item) for item in items])


def _unspread(config: str, framework: str) -> str:
    """A minimal config without the sizes over which it spreads a model: those of a shape are written, and else there are none."""
    names = tuple(f"{name}:" for table in PARALLEL.values() for name in table.get(framework, ()))
    return "".join(line for line in config.splitlines(keepends=True) if not line.startswith(names))


def _filled_in(config: str, version: str) -> str:
    """A minimal config with what it proposes to replace."""
    return re.sub(r"<([^<>]*)>", r"\1", config.format(version=version))


def _with_model(text: str, model: str) -> str:
    return re.sub(
        r"^((?:[\w.]*\.)?(?:model|model_name_or_path): ).*$|((?<!\S)[\w.]*(?:model\.(?:model_)?path|\.model_name)=)\S+",
        lambda at: f"{at[1]}{in_yaml(model)}" if at[1] else in_override(at[2].rstrip("="), model),
        text,
        flags=re.M,
    )


# --- written values -----------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[\w./+~-][\w./@+~#:=-]*\Z")  # no `@` first, which YAML keeps for itself


def in_yaml(value: object) -> str:
    """A value as YAML writes it, on one line."""
    if type(value) is str:
        return value if _is_plain(value) else _in_json(value)
    if type(value) is list:
        return f"[{', '.join(map(in_yaml, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{in_yaml(str(key))}: {in_yaml(each)}" for key, each in value.items()) + "}"
    return written(value)


def _is_plain(value: str) -> bool:
    """Whether a text stands without quotes, also in a list: there `-` alone is no text, and `---` begins a document."""
    return (
        _PLAIN.match(value) is not None
        and value.isprintable()
        and value.strip("-") != ""
        and value[-1] != ":"
        and plain_value(value) == value
    )


def in_words(value: object) -> str:
    """A value as the words that follow a flag."""
    if type(value) is list:
        return " ".join(map(in_words, value))
    if type(value) is dict:
        return shell_word(_in_json(value))
    return shell_word(value if type(value) is str else written(value))


def in_override(name: str, value: object) -> str:
    """A value as an override of Hydra."""
    return shell_word(f"{name}={in_yaml(value) if type(value) in (list, dict, str) else written(value)}")


def _in_json(value: object) -> str:
    """A value in JSON, with escapes for what steers a terminal or turns the reading direction."""
    return "".join(map(printable_or_escaped, json.dumps(value, ensure_ascii=False)))
