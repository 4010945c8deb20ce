"""The command line of `grpo-lint`: finds the command and runs it.

What only one command needs is imported when that command runs.
"""

import sys

from ..files import disk
from ..frameworks.registry import NAMES, framework
from ..message import Message, told_by
from ..report.language import LANGUAGES
from ..source.quoting import did_you_mean, shown
from .console import CLEAN, FAILED, note, own_failure, speak, spoken_on
from .options import COMMANDS, RETIRED, Usage, read_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Option, Sequence


def _not_done(error: OSError) -> int:
    """Print that the environment failed: no room for the output, or no working directory."""
    note(
        Message("cannot go on: {reason}: {path}", {"reason": disk.why(error), "path": error.filename})
        if error.filename
        else Message("cannot go on: {reason}", {"reason": disk.why(error)})
    )
    return FAILED


def main(words: "list[str]") -> int:
    """The exit status of a command line."""
    try:
        return _obey(words)
    except Usage as problem:
        note(told_by(problem))
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        return _not_done(error)
    except Exception as error:
        return own_failure(error, "")
    finally:
        disk.forget_what_was_asked_for()


def _obey(words: "list[str]") -> int:
    name, words = _command(words)
    if name == "check" and words == ["--version"]:
        return _version()
    command = COMMANDS[name]
    options = command.options()
    speak(_language_in(words))
    retired = RETIRED.get(name, ())
    arguments = read_arguments(words, [*options, *retired], command.takes_command)
    if arguments.get("--help"):
        return _help(name, options)
    for option in retired:
        if arguments.get(option.name):
            note(Message("{option} has no effect: {reason}", {"option": option.name, "reason": option.help}))
    if name == "check" and not arguments.behind_dashes:
        _refuse_misspelt_command(arguments.operands)
    module, _, function = command.function.partition(".")
    status: int = getattr(__import__(f"grpo_lint.cli.{module}", fromlist=[function]), function)(arguments)
    return status


def _language_in(words: "list[str]") -> str:
    """The language that a command line asks for, also where it cannot be read to its end; an empty text for none that is known."""
    given = [
        word.partition("=")[2] or after
        for word, after in zip(words, [*words[1:], ""])
        if word.partition("=")[0] == "--lang"
    ]
    return given[-1] if given and given[-1] in LANGUAGES else ""


def _command(words: "list[str]") -> "tuple[str, list[str]]":
    """(name of the command, its words); `check` need not be named, and `--lang` may stand before the name."""
    first = words[0] if words else ""
    before = 2 if first == "--lang" else 1 if first.startswith("--lang=") else 0
    name = words[before] if len(words) > before else ""
    return (name, words[:before] + words[before + 1 :]) if name in COMMANDS else ("check", words)


def _version() -> int:
    from .. import __version__

    lines = [f"grpo-lint {__version__}"]
    for each in map(framework, NAMES):
        releases = each.catalogue.releases
        lines.append(f"  {each.title} {releases[0]} to {releases[-1]} ({len(releases)} releases)")
    print("\n".join(lines))
    return CLEAN


def _help(command: str, options: "Sequence[Option]") -> int:
    from .help import help_of

    print(help_of(command, options, spoken_on(sys.stdout)), end="")
    return CLEAN


def _refuse_misspelt_command(operands: "list[str]") -> None:
    """`grpo-lint rules`: a word that is no file, looks like none, and resembles a command."""
    word = operands[0] if operands else ""
    if word in COMMANDS and not disk.exists(word):
        raise Usage(Message("{command} is a command: write it first, grpo-lint {command} ...", {"command": word}))
    if word.isalpha() and not disk.exists(word):
        hint = did_you_mean(word, COMMANDS)
        if hint:
            raise Usage(Message("no file or command {word}{hint}", {"word": shown(word), "hint": hint}))
