"""What was read of a script: the commands it would run, the files it writes, its options for Slurm, and its
problems."""

from types import MappingProxyType

from ...record import Record, derived
from .variables import changed, visible
from .words import place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Lost, Mapping, Sequence, Text, Word
    from ..text import Problem
    from .tree import Place
    from .variables import History, Variable


class Script:
    """What a script runs (`commands`) and writes (`heredocs`), its options for Slurm (`headers`), and what is wrong
    with it (`problems`, `lost`).

    `refusals`: (offset, problem) of the errors at which bash stops; commands that begin before the offset have run by
    then. `steps`: how many steps it took to follow the script. `loops`: (start, end, problem) of the loops over known words
    whose rounds are too many to be followed one by one. `allocated`: the GPUs that the document around it gives it. `is_listed`:
    whether it is a list of words in another language; `is_given_words`: whether its caller is known to pass arguments.
    """

    def __init__(self, text: "Text") -> None:
        self.text = text
        self.commands: list[Command] = []
        self.heredocs: list[Heredoc] = []
        self.headers: list[Header] = []
        self.problems: list[Problem] = []
        self.refusals: list[tuple[int, Problem]] = []
        self.lost: list[Lost] = []
        self.steps = 0
        self.loops: list[tuple[int, int, Problem]] = []
        self.allocated: Allocated | None = None
        self.is_listed = False
        self.is_given_words = False


class Allocated(Record):
    """The GPUs that a document gives to a script in it: on how many nodes, on each, in all, and the key and the value that say so."""

    nodes: int
    gpus: int
    total: int
    key: str
    value: str
    start: int
    end: int


class Given(Record):
    """What the caller of a script passes to it: its arguments (None: nobody knows), and the variables of its environment.
    `written`: those that the file around the script sets for it, with their places."""

    arguments: "Sequence[str] | None" = None
    environment: "Mapping[str, str]" = MappingProxyType({})
    written: "Mapping[str, Word]" = MappingProxyType({})


class Command(Record):
    """A program that the script starts.

    `assignments`: the words before it (`A=1 program`), by name. `redirections`: (operator, target word). `folder`:
    where it runs, (base, path) or None. `conditional`: whether some runs of the script may not start it. `call`: the
    call of the function that contains it. `is_far`: whether it runs in a container or on another machine.
    """

    start: int
    end: int
    words: "list[Word]"
    assignments: "dict[str, Word]"
    redirections: "list[tuple[str, Word]]"
    folder: "Place | None"
    conditional: bool
    background: bool
    call: "tuple[int, int] | None"
    is_far: bool
    history: "History"  # of the variables of the script, which the command saw at a `time` and with those `since` another one
    time: int
    since: int

    @derived
    def environment(self) -> "Mapping[str, Word]":
        """{name: word} of the variables that the script exports to the program, with the program's own assignments.
        Variables that the script does not set are included only where they are known."""
        found = {}
        for name in self.history.entries:
            variable = self.variable(name) if name[0] != " " else None
            if variable is not None and variable.exported is not False:
                found[name] = variable.word if variable.exported else changed(variable).word
        found.update(self.assignments)
        return found

    def variable(self, name: str) -> "Variable | None":
        """The variable of the script when the command started, exported or not; None when the script had not set it."""
        return visible(self.history.at(name, self.time), self.since)

    def path(self, word: "Word") -> "Place | None":
        """(base, path) of the file that a word names, or None."""
        return place_of(word, self.folder)

    def __repr__(self) -> str:
        return f"Command({' '.join(word.shown() for word in self.words)!r})"


class Heredoc(Record):
    """A here-document that writes a file. `word`: its text, made of pieces of the script; `path`: the word that names
    the file.

    `expanded`: whether variables are replaced in it; an unknown one makes the text unknown. `append`: whether the text
    is appended to the file.
    """

    path: "Word"
    word: "Word"
    expanded: bool
    append: bool
    command: "Command | None" = None


class Header(Record):
    """An option in a `#SBATCH` line. `value` is None for a switch; `start`, `end` are the place of the value or,
    without one, of the option."""

    option: str
    value: "str | None"
    start: int
    end: int
