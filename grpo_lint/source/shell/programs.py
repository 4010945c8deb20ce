"""Starting a program: the command is recorded, and a script that is passed to it is read as well."""

from ..patterns import pattern
from .expansion import expand, stored
from .others import STARTS_ANOTHER, base_of, started_by
from .script import Command, Heredoc
from .state import ARGUMENTS, DEPTH, FOLDER
from .syntax import Parser
from .tree import Source
from .variables import Variable
from .words import Word, joined, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .others import Started
    from .reader import _Reader
    from .tree import Chain, Piece, Place, RawWord, Simple

_SHELLS = frozenset("bash sh zsh dash ksh".split())
_READERS = _SHELLS | {"sbatch"}
_PRINT = ("echo", "printf")
_OPTIONS_WITH_VALUES = ("-u", "--unset", "-C", "--chdir")  # of env
_SCRIPT_OPTION = pattern(r"-[a-z]*c[a-z]*")
_HOLDS_COMMAND = pattern(r"(?i:\w*(?:command|cmd))")  # the name of a variable


def start(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> None:
    """Start a program, and what it starts itself in a container, on another machine or in a terminal."""
    if not _may_start_another(words):
        record(reader, node, words, overlay)
        return
    overlay = {**overlay, **_set_by_words(words)}
    others = started_by(words)
    for each in others:
        reader.isolated(_start_other, reader, node, each, overlay)
    if not others:
        record(reader, node, words, overlay)
        is_nested = run_nested(reader, node, words, overlay)
        if not is_nested and len(words) > 2 and any(" " in (word.value or "") for word in words):
            from .submitted import submitted_by  # few commands hold another one

            submitted = submitted_by(words)
            if submitted is not None:
                reader.isolated(_start_other, reader, node, submitted, overlay)
    commands = _commands_for(reader, words, overlay)
    if commands:
        from .submitted import handed_in  # as above

        for each in handed_in(commands):
            reader.isolated(_start_other, reader, node, each, {})


def _commands_for(reader: "_Reader", words: "list[Word]", overlay: "dict[str, Variable]") -> "dict[str, Variable]":
    """The variables with the text of a command that a program gets: those before it, and for a job those that are exported."""
    found = {name: variable for name, variable in overlay.items() if _HOLDS_COMMAND.fullmatch(name)}
    if words[0].value == "sbatch":
        for name in [each for each in reader.table if _HOLDS_COMMAND.fullmatch(each)]:
            variable = reader.lookup(name)
            if variable is not None and variable.exported is not False:
                found.setdefault(name, variable)
    return found


def _may_start_another(words: "list[Word]") -> bool:
    """Whether a program may start another one, by its name or by what it is given; what is printed is not started."""
    name = base_of(words[0])
    if name in _PRINT or name in STARTS_ANOTHER or name in _READERS:
        return name not in _PRINT
    for word in words:
        value = word.value
        if value and (value[-2:] == "sh" or value[-3:] == "env" or " " in value):
            return True
    return False


def _start_other(reader: "_Reader", node: "Simple", other: "Started", overlay: "dict[str, Variable]") -> None:
    """Start what another program starts, with the variables and the folder that this one says."""
    given = {} if other.is_far else {**overlay}
    given.update((name, Variable(word, None, True)) for name, word in other.variables.items())
    handed_on = {name: overlay.get(name) or reader.lookup(name) for name in other.handed_on}
    given.update((name, variable) for name, variable in handed_on.items() if variable and variable.exported)
    if other.is_far:
        for name in [name for name, entry in reader.table.items() if type(entry) is Variable]:
            reader.write(name, None)
        reader.is_far = True
    if other.folder is not None or other.is_elsewhere:
        reader.write(FOLDER, _folder_of(other, reader.folder))
    if other.line is not None:
        _run_child(reader, other.line, [], given)
    else:
        given.update(_set_by_words(other.words))
        record(reader, node, other.words, given)
        run_nested(reader, node, other.words, given)


def _set_by_words(words: "list[Word]") -> "dict[str, Variable]":
    """The variables that the words of a command set for the program that it starts."""
    found = _set_by_env(words)
    if len(words) > 3 and base_of(words[0]) == "ray":
        from .ray_jobs import set_for_job  # few commands are of Ray

        found.update(set_for_job(words))
    return found


def _set_by_env(words: "list[Word]") -> "dict[str, Variable]":
    """The variables that `env A=1 program` sets in a command, also behind other programs."""
    ends = (number for number, word in enumerate(words) if word.value and word.value[-3:] == "env")
    place = next((number for number in ends if base_of(words[number]) == "env"), None)
    if place is None:
        return {}
    found: dict[str, Variable] = {}
    is_value = False  # of the option before
    for word in words[place + 1 :]:
        name, value = word.partition("=")
        if value is not None and name.value and name.value.isidentifier():
            found[name.value] = Variable(value, None, True)
        elif not is_value and not (word.value or "").startswith("-"):
            break
        is_value = word.value in _OPTIONS_WITH_VALUES
    return found


def _folder_of(other: "Started", folder: "Place | None") -> "Place | None":
    """The folder in which another program runs its command, as it says itself."""
    path = other.folder and other.folder.value
    return joined(None if other.is_elsewhere else folder, path) if path else None


def record(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> None:
    """Record a command, and the files that its here-documents write."""
    body, expands = None, False
    redirections = []
    for redirection in node.redirections:
        if redirection.body is not None:
            body, expands = redirection.body, redirection.expands
        elif redirection.target is not None:
            targets, written = expand(reader, redirection.target), redirection.target
            target = targets[0] if len(targets) == 1 else Word(written.start, written.end, [unknown(0, 0)])
            redirections.append((redirection.operator, target))
    if reader.silent:
        return
    command = Command(
        start=node.start,
        end=node.end,
        words=words,
        assignments={name: variable.word for name, variable in overlay.items()},
        redirections=redirections,
        folder=reader.folder,
        conditional=reader.conditional > 0,
        background=reader.background,
        call=reader.call,
        is_far=reader.is_far,
        history=reader.history,
        time=reader.time,
        since=reader.since,
    )
    reader.script.commands.append(command)
    if body is not None:
        _note_heredoc(reader, command, body, expands)


def _note_heredoc(reader: "_Reader", command: "Command", body: "RawWord", expands: bool) -> None:
    name = command.words[0].value
    if name == "cat" and len(command.words) == 1:
        for operator, target in command.redirections:
            if operator in (">", ">>", ">|"):
                reader.script.heredocs.append(
                    Heredoc(
                        path=target,
                        word=stored(reader, body),
                        expanded=expands,
                        append=operator == ">>",
                        command=command,
                    )
                )
    elif name == "tee" or (name == "sudo" and len(command.words) > 1 and command.words[1].value == "tee"):
        words = [word.value for word in command.words]
        append = "-a" in words or "--append" in words
        for word in command.words[1 + (name == "sudo") :]:
            if word.value is None or word.value[:1] != "-":
                reader.script.heredocs.append(
                    Heredoc(path=word, word=stored(reader, body), expanded=expands, append=append, command=command)
                )


def run_nested(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> bool:
    """Read the script of `bash -c "..."`, or the one that a here-document passes to a shell or to sbatch. Whether it is
    `bash -c`."""
    at = _place_of_script(words)
    if at is not None:
        _run_child(reader, words[at], words[at + 2 :], overlay)
    elif _reads_its_input(words):
        for redirection in node.redirections:
            if redirection.body is not None:
                body = stored(reader, redirection.body)
                if words[0].value == "sbatch" and not reader.silent:
                    from .headers import note_headers  # of jobs alone

                    note_headers(reader, Source(body.pieces))
                _run_child(reader, body, [], overlay)
    return at is not None


def _place_of_script(words: "list[Word]") -> "int | None":
    """The index of the word after `bash -c`, or None."""
    values = [word.value for word in words]
    names = (index for index, value in enumerate(values) if value and value[-2:] == "sh")  # as those of all shells end
    shell = next((index for index in names if base_of(words[index]) in _SHELLS), len(words))
    for index in range(shell + 1, len(words) - 1):
        option = values[index]
        if option is None or option[:1] != "-" or option == "--":
            break
        if _SCRIPT_OPTION.fullmatch(option):
            return index + 1
    return None


def _reads_its_input(words: "list[Word]") -> bool:
    """Whether a program runs the script on its standard input: a shell or sbatch with options only."""
    reads = words[0].value in _READERS or (words[0].value == "srun" and words[-1].value in _SHELLS)
    return reads and all((word.value or "x")[:1] == "-" for word in words[1:] if word.value not in _SHELLS)


def _run_child(reader: "_Reader", word: "Word", arguments: "list[Word]", overlay: "dict[str, Variable]") -> None:
    def run() -> None:
        for name, variable in overlay.items():
            reader.write(name, variable)
        reader.since = reader.time
        reader.main = False
        reader.call = reader.call or (word.start, word.end)
        reader.write(ARGUMENTS, arguments)
        for name, variable in overlay.items():
            reader.write(name, variable)
        reader.run_list(parse(reader, word.pieces))

    reader.isolated(run)


def parse(reader: "_Reader", pieces: "list[Piece]") -> "list[Chain]":
    """The chains of a text that is itself a script."""
    reader.spend(sum(len(piece.text or "") for piece in pieces))
    if reader.depth >= DEPTH - 5 or reader.budget < 0:
        return []
    # A text that runs twice has the same problems and lost flags each time.
    problems = [] if reader.silent else reader.script.problems
    lost = [] if reader.silent else reader.script.lost
    return Parser(Source(pieces), problems, lost, min(reader.depth, 25)).script()
