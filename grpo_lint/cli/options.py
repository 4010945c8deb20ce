"""The commands, the options of each, and how they are read. Help and shell completion are made from the same tables.

The command line is read by a small table-driven parser: it starts faster than argparse, and its messages say more.
"""

from ..files import disk
from ..launch.facts import (
    BORROWED_NAMES,
    COUNTS,
    FACTS,
    VERSION,
    BadFact,
    Fact,
    canonical_name,
    option_name,
    parse_fact,
)
from ..message import Message, Telling, series, told_by
from ..report.language import LANGUAGES
from ..report.totals import THRESHOLDS
from ..source.quoting import did_you_mean, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import Any


FORMATS = {  # each with the printer in report/ that makes it
    "full": "text.TextPrinter",
    "concise": "concise.ConcisePrinter",
    "json": "json.JsonPrinter",
    "sarif": "sarif.SarifPrinter",
    "github": "github.GithubPrinter",
    "gitlab": "gitlab.GitlabPrinter",
    "junit": "junit.JunitPrinter",
    "markdown": "markdown.MarkdownPrinter",
}
STATISTICS = {
    "full": "statistics.StatisticsPrinter",
    "concise": "statistics.StatisticsPrinter",
    "json": "statistics.JsonStatisticsPrinter",
}
FOR_PEOPLE = ("full", "concise")
COLOURS = ("auto", "always", "never")
SHELLS = ("bash", "zsh", "fish")


class Usage(Telling):
    """A command line that cannot be run; the message is meant for the user."""


def existing_file(path: str) -> str:
    """A path, where it is that of a file; raises Usage."""
    if not disk.is_file(path):
        raise Usage(Message("there is no file {path}", {"path": shown(path)}))
    return path


class Option:
    """One option of a command: its spellings, what it takes (`metavar`, "" for a switch), how a value is read."""

    def __init__(
        self,
        name: str,
        help: str,
        metavar: str = "",
        short: str = "",
        choices: "Collection[str]" = (),
        many: bool = False,
        fact: "str | None" = None,
    ) -> None:
        self.name = name
        self.short = short
        self.metavar: str = metavar or "|".join(choices)
        self.help = help
        self.choices = choices
        self.many = many
        self.fact = fact

    def read(self, text: str) -> object:
        """The value of the option written as `text`; raises Usage when it cannot be one."""
        if self.fact:
            try:
                return Fact(parse_fact(self.fact, text), Message("command line"))
            except BadFact as bad:
                raise Usage(Message("{option}: {problem}", {"option": self.name, "problem": told_by(bad)})) from None
        if self.choices and text not in self.choices:
            hint = did_you_mean(text, self.choices)
            told = {"option": self.name, "names": series(list(self.choices)), "name": shown(text), "hint": hint}
            raise Usage(Message("{option} is one of {names}, not {name}{hint}", told))
        return text


def option_of_fact(name: str) -> "Option":
    spec = FACTS[name]
    flag = "--framework-version" if name == "version" else f"--{option_name(name)}"
    metavar = "" if spec.choices else "VERSION" if spec.kind == VERSION else "N,N..." if spec.kind == COUNTS else "N"
    return Option(flag, spec.help, metavar=metavar, fact=name, choices=spec.choices)


HELP = Option("--help", "show this help and exit", short="-h")
COLOUR = Option("--color", "colours in the output (default: on a terminal)", choices=COLOURS)
EXCLUDE = Option("--exclude", "leave out matching files and folders, such as 'vendor' or 'old/*.yaml'; may be repeated",
                  metavar="PATTERN", many=True)  # fmt: skip
LANGUAGE = Option(
    "--lang",
    "the language of what people read (default: that of the terminal, where it is one of these)",
    choices=LANGUAGES,
)
STDIN = Option("--stdin-filename", "what to call the text that is read from `-`", metavar="PATH")
RULES = Option(
    "--rules", "a Python file with rules of your own, which is run; may be repeated", metavar="FILE", many=True
)
LINE = Option(
    "--line", "of several runs in the file, the one that begins in this line (default: the first)", metavar="LINE"
)
VERBOSE = Option(
    "--verbose",
    "show all details of each finding, how each file was recognised, and why others were skipped",
    short="-v",
)


_SELECTION = (
    Option("--select", "the rules that are wanted, by code, beginning of a code, or name (default: all)",
           metavar="RULES", many=True),
    Option("--extend-select", "rules that are wanted besides", metavar="RULES", many=True),
    Option("--ignore", "rules that are not wanted; of two words about a rule the more exact one counts",
           metavar="RULES", many=True),
)  # fmt: skip


def check_options() -> "list[Option]":
    return [
        Option("--fix", "apply the fixes that leave the training as it is, and report what is left"),
        Option("--unsafe-fixes", "with --fix or --diff: also the preferred fixes that change the run"),
        Option("--diff", "show what --fix would change and write nothing"),
        Option("--output-format", "how findings are printed (default: full)", choices=FORMATS),
        Option("--output-file", "write them to a file, and nothing to standard output", metavar="FILE"),
        Option(
            "--error",
            "leave the findings that explain a crash: a log or traceback, `-` for standard input",
            metavar="FILE",
        ),
        Option("--statistics", "count the findings of each rule instead of listing them (full, concise, json)"),
        *_SELECTION,
        RULES,
        Option("--baseline", "findings that are known and pass", metavar="FILE"),
        Option("--write-baseline", "write what fails now to the baseline, and take out what is gone"),
        Option("--fail-on", "the least severity that makes the exit status 1 (default: warning)", choices=THRESHOLDS),
        Option("--strict", "infos fail as well, and what is a warning only because something is assumed is an error"),
        Option("--exit-zero", "exit with 0 whatever is found"),
        Option(
            "--files-from",
            "check what a list names (`-`: standard input): one name a line, or each ended by NUL",
            metavar="FILE",
        ),
        EXCLUDE,
        STDIN,
        COLOUR,
        LANGUAGE,
        VERBOSE,
        Option("--show-settings", "print the settings for each PATH and where each comes from, and check nothing"),
        Option("--quiet", "print errors and warnings, and infos that fail, but no remarks and no summary", short="-q"),
        HELP,
        *map(option_of_fact, FACTS),
    ]


RETIRED = {  # accepted for one version more, and listed nowhere: {command: options whose help says why they have no effect}
    "check": [
        Option("--no-cache", "nothing is cached any more"),
        Option("--cache-dir", "nothing is cached any more", metavar="FOLDER"),
    ],
}


class Command:
    """One command: the function that runs it, its options, its operands (in words), and what it is for; also whether
    the operands are another program's command line, with options of its own."""

    def __init__(
        self,
        function: str,
        options: str,
        takes: str,
        purpose: str,
        takes_command: bool = False,
    ) -> None:
        self.takes_command = takes_command
        self.function = function
        self._options = options
        self.takes = takes
        self.purpose = purpose

    def options(self) -> "list[Option]":
        """Its options. Those of `check` alone are at hand: the others are loaded when they are asked for."""
        if self._options == "check_options":
            return check_options()
        from . import more_options

        found: list[Option] = getattr(more_options, self._options)()
        return found


COMMANDS = {
    "check": Command("check.check", "check_options", "[PATH...] | -- COMMAND...", "Check files and folders (default: the current folder; `-`: standard input), or what a command would start."),
    "run": Command("starting.run", "run_options", "[--] COMMAND...", "Check what a command is about to start, and start it unless there are errors.", takes_command=True),
    "explain": Command("subcommands.explain", "explain_options", "FILE...", "Explain the run that a file describes: what an update, a rollout and an epoch are, and which checks hold."),
    "rule": Command("subcommands.rule", "rule_options", "[CODE|NAME|TEXT|-]", "Show the page of a rule: by code, name, key, the framework's error or a traceback (-). Without one, list all rules."),
    "upgrade": Command("upgrade.upgrade", "upgrade_options", "PATH... --to DIALECT@VERSION", "Move files to another release: which keys it wants otherwise, and what it would train otherwise."),
    "diff": Command("diff.diff", "diff_options", "BASE [HEAD]", "Say what a change does to training: two files, folders or revisions of git (without HEAD: the files as they are)."),
    "plan": Command("plan.plan", "plan_options", "", "Propose batches for so many GPUs, or the same training on others: --from FILE --gpus 32."),
    "convert": Command("convert.convert", "convert_options", "FILE", "Write the same training for another framework: --to megatron; what has no counterpart is listed."),
    "sweep": Command("sweep.sweep", "sweep_options", "FILE", "Say which runs of a grid hold: a sweep of W&B, a search space as YAML, a multirun or the loops of a script."),
    "confirm": Command("confirm.confirm", "confirm_options", "[LOG] FILE", "Compare what a run wrote with its plan: steps, hours that are left, and what its metrics mean."),
    "schema": Command("subcommands.schema", "schema_options", "DIALECT[@VERSION]", f"Write the JSON Schema of a framework's config files ({', '.join(FACTS['dialect'].choices)})."),
    "server": Command("subcommands.server", "server_options", "", "Serve an editor: the Language Server Protocol on standard input and output."),
    "mcp": Command("subcommands.mcp", "mcp_options", "", "Serve an agent that writes configs: the Model Context Protocol on standard input and output."),
    "init": Command("init.init", "init_options", "", "Set up a repository: settings, the pre-commit hook, and a baseline of what fails today."),
    "completion": Command("subcommands.completion", "completion_options", "|".join(SHELLS), "Write the script that teaches a shell to complete our commands, options and rules."),
}  # fmt: skip


class Arguments:
    """A parsed command line: `values` by option (a list for one that may be repeated), `facts`, `operands`, and those
    operands that stand behind `--` again in `behind_dashes`."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.facts: dict[str, Fact] = {}
        self.operands: list[str] = []
        self.behind_dashes: list[str] = []

    def get(self, name: str, default: object = None) -> "Any":
        return self.values.get(name, default)

    def take(self, option: "Option", value: "Any") -> None:
        if option.fact:
            self.facts[option.fact] = value
        elif option.many:
            self.values.setdefault(option.name, []).append(value)
        else:
            self.values[option.name] = value


def read_arguments(words: "list[str]", options: "Iterable[Option]", stops: bool = False) -> "Arguments":
    """The Arguments in a list of words. Raises Usage for an unknown option, a missing value, or a wrong one.

    `stops`: whether options end at the first operand.
    """
    by_name = {spelling: option for option in options for spelling in (option.name, option.short) if spelling}
    arguments = Arguments()
    rest = iter(words)
    for word in rest:
        if word == "--":
            arguments.behind_dashes = list(rest)
            arguments.operands += arguments.behind_dashes
        elif word[:1] != "-" or word == "-":
            arguments.operands.append(word)
            if stops:
                arguments.operands += rest
        else:
            _take_option(arguments, word, rest, by_name)
    return arguments


def _take_option(arguments: "Arguments", word: str, rest: "Iterator[str]", by_name: "Mapping[str, Option]") -> None:
    """Take an option that a word begins; its value may be the next word."""
    name, equals, value = word.partition("=")
    option = by_name.get("--" + canonical_name(name[2:]) if name[:2] == "--" else name)
    if option is None:
        switches = _switches(word, by_name)
        if not switches:
            raise Usage(_unknown_option(name, by_name))
        for switch in switches:
            arguments.take(switch, True)
    elif not option.metavar:
        if equals:
            raise Usage(Message("{option} takes no value", {"option": option.name}))
        arguments.take(option, True)
    else:
        given = value if equals else next(rest, None)
        if given is None:
            told = {"option": option.name, "example": f"{option.name} {option.metavar}"}
            raise Usage(Message("{option} needs a value: {example}", told))
        arguments.take(option, option.read(given))


def _switches(word: str, by_name: "Mapping[str, Option]") -> "list[Option]":
    """The options of combined switches such as `-qv`; none when the word is something else."""
    found = [by_name.get(f"-{letter}") for letter in word[1:]] if len(word) > 2 else []
    switches = [option for option in found if option is not None and not option.metavar]
    return switches if len(switches) == len(found) else []


def _unknown_option(name: str, by_name: "Mapping[str, Option]") -> Message:
    if name == "--version":
        return Message(
            "--version shows the version of grpo-lint, and takes no other words; did you mean '--framework-version'?"
        )
    borrowed = BORROWED_NAMES.get(canonical_name(name.lstrip("-")))
    if borrowed and f"--{borrowed}" in by_name:
        return Message("unknown option {name}; did you mean '--{meant}'?", {"name": shown(name), "meant": borrowed})
    hint = did_you_mean(name, [spelling for spelling in by_name if spelling[:2] == "--"])
    return Message("unknown option {name}{hint}", {"name": shown(name), "hint": hint or Message("; --help lists them")})
