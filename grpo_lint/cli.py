"""The command line of `grpo-lint`: finds the command, runs it, and ends the process with its status.

What only one command needs is imported when that command runs.
"""

import os
import sys

from .console import CLEAN, FAILED, KILLED_BY_KEYBOARD, KILLED_BY_PIPE, TERMINATED, note, own_failure
from .facts import did_you_mean, shown
from .options import COMMANDS, Usage, read_arguments


def console():
    """Run the command line of this process and end it; quietly when its reader has gone or its user has lost patience."""
    import gc

    gc.disable()  # a run is short and makes no garbage to speak of
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # no character of a config may break a terminal of another encoding
            stream.reconfigure(errors="backslashreplace")
    if "server" not in sys.argv[1:2]:
        from .source import libyaml

        libyaml.install()
    if "--fix" in sys.argv:
        _clean_up_when_terminated()
    try:
        status = _flushed(main(sys.argv[1:]))
    except BrokenPipeError:
        status = KILLED_BY_PIPE
    except Terminated:
        status = TERMINATED
    except KeyboardInterrupt:
        status = KILLED_BY_KEYBOARD
    _leave(status)


def _open_what_is_closed():
    """Python has no stream for what the caller has closed (`>&-`); what is written there is for nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))


def _flushed(status):
    """The status of a run whose output has arrived."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        note(f"standard output cannot be written: {error.strerror or error}")
        status = FAILED
    sys.stderr.flush()
    return status


def _not_done(error):
    """Something around us broke: the output has no room, the working directory is gone."""
    note(f"cannot go on: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
    return FAILED


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP: somebody ends the process, and what it has begun to write beside a file is to be removed."""


def _clean_up_when_terminated():
    import signal

    def terminate(number, frame):
        raise Terminated

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), terminate)


def _leave(status):
    """End the process at once: everything is written, and what the interpreter tidies up takes as long as ten files."""
    os._exit(status)


def main(words):
    """The exit status of a command line."""
    try:
        return _obey(words)
    except Usage as problem:
        note(problem)
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        return _not_done(error)
    except Exception as error:
        return own_failure(error, "")


def _obey(words):
    name, words = _command(words)
    if name == "check" and words == ["--version"]:
        return _version()
    command = COMMANDS[name]
    options = command.options()
    arguments = read_arguments(words, options)
    if arguments.get("--help"):
        return _help(name, options)
    if name == "check":
        _refuse_misspelt_command(arguments.operands)
    module, _, function = command.function.partition(".")
    return getattr(__import__(f"grpo_lint.{module}", fromlist=[function]), function)(arguments)


def _command(words):
    """(name of the command, its words); `check` need not be named."""
    if words and words[0] in COMMANDS:
        return words[0], words[1:]
    return "check", words


def _version():
    from . import __version__
    from .dialects import NAMES, dialect

    lines = [f"grpo-lint {__version__}"]
    for each in map(dialect, NAMES):
        releases = each.catalogue.releases
        lines.append(f"  {each.title} {releases[0]} to {releases[-1]} ({len(releases)} releases)")
    print("\n".join(lines))
    return CLEAN


def _help(command, options):
    from .help import help_of

    print(help_of(command, options), end="")
    return CLEAN


def _refuse_misspelt_command(operands):
    """`grpo-lint rules`: a word that is no file, looks like none, and resembles a command."""
    word = operands[0] if operands else ""
    if word.isalpha() and not os.path.exists(word):
        hint = did_you_mean(word, COMMANDS)
        if hint:
            raise Usage(f"no file or command {shown(word)}{hint}")
