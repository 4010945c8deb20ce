"""Programs that start another one in a container, on another machine, in a terminal or for each line of their input: which
words are the command that they start, and what of its environment they say."""

import re
from itertools import dropwhile

from ...record import Record
from ..patterns import pattern
from .tree import Piece
from .words import Word, unknown, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Options: TypeAlias = "list[tuple[str, Word]]"  # (option, its value)

# What may stand before such a program in its command.
_BEFORE = frozenset("sudo doas nohup time exec setsid nice timeout stdbuf sshpass env command srun".split())
_STAND_INS = pattern(r"\{[0-9]{0,3}[./#%+]{0,3}\}")  # of parallel
_WORDS = ("script", "parallel", "screen", "su")  # that may as well be the name of a job
_KEYS = frozenset(
    "Enter C-m C-j KPEnter Escape C-c C-d C-l".split()
)  # that tmux types, and that are no part of a command
_GROUPS = ("container", "compose")  # of the verbs of docker
_SEPARATORS = (":::", "::::", ":::+", "::::+")


class Other(Record):
    """How a program names what it starts."""

    verbs: tuple[str, ...] = ()  # the words behind its name of which it needs one for that
    switches: frozenset[str] = frozenset()  # its options without a value; all others have one
    operands: int = 0  # the words before the command: an image, a host
    dashes: bool = False  # whether the command stands behind `--`
    is_line: "bool | str" = (
        False  # whether its words make a line that a shell reads again; "alone": where it is a single word
    )
    variables: tuple[str, ...] = ()  # its options that set a variable
    folder: tuple[str, ...] = ()  # those that say in which folder it runs
    entry: tuple[str, ...] = ()  # those that name the program itself
    script: tuple[str, ...] = ()  # those whose value is a script, where there is no other command
    is_far: bool = False  # whether the command has an environment and files of its own


_DOCKER = Other(
    verbs=("run", "exec", "create"),
    switches=frozenset(
        "-d --detach -i --interactive -t --tty --rm --privileged --init --read-only -P --publish-all --no-healthcheck "
        "--oom-kill-disable --sig-proxy -q --quiet --replace --no-deps --build --service-ports --use-aliases --remove-orphans -T "
        "--no-TTY --tls-verify --no-hosts --no-hostname --rmi --all -a".split()
    ),
    operands=1,
    variables=("-e", "--env"),
    folder=("-w", "--workdir"),
    entry=("--entrypoint",),
    is_far=True,
)
_COMPOSE = Other(verbs=("run", "exec"), switches=_DOCKER.switches, operands=1, variables=_DOCKER.variables, is_far=True)
_KUBECTL = Other(verbs=("exec", "run", "debug"), dashes=True, variables=("--env",), is_far=True)
_SSH = Other(
    switches=frozenset("-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y".split()),
    operands=1,
    is_line=True,
    is_far=True,
)
MANY = 1000
_OF_COMMAND = Other(operands=MANY, script=("-c", "--command"))
_OTHERS = {
    "docker": [_DOCKER],
    "podman": [_DOCKER],
    "nerdctl": [_DOCKER],
    "docker-compose": [_COMPOSE],
    "kubectl": [_KUBECTL],
    "oc": [_KUBECTL],
    "ssh": [_SSH],
    "pdsh": [Other(switches=frozenset("-S -k -q -h -b -d".split()), is_line=True, is_far=True)],
    "gcloud": [
        Other(verbs=("compute ssh", "compute tpus tpu-vm ssh"), operands=MANY, script=("--command",), is_far=True)
    ],
    "sbatch": [Other(operands=MANY, script=("--wrap",))],
    "su": [_OF_COMMAND],
    "runuser": [_OF_COMMAND],
    "script": [_OF_COMMAND],
    "tmux": [
        Other(
            verbs=("new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp"),
            switches=frozenset("-A -d -D -E -P -X -a -b -k -S -h -v -f -Z -I".split()),
            is_line="alone",
            variables=("-e",),
            folder=("-c",),
        ),
        Other(verbs=("send-keys", "send"), switches=frozenset("-F -H -K -l -M -R -X".split()), is_line=True),
    ],
    "screen": [Other(switches=frozenset("-d -m -dm -D -R -L -U -A -a -q -O".split()))],
    "xargs": [
        Other(
            switches=frozenset(
                "-0 --null -r --no-run-if-empty -t --verbose -p --interactive -x --exit -o --open-tty".split()
            )
        )
    ],
    "parallel": [
        Other(
            switches=frozenset(
                "-k --keep-order --bar --progress --eta --dry-run --line-buffer --lb --ungroup -u --verbose --will-cite "
                "-0 --null -X -m --no-notice --group -t".split()
            ),
            is_line=True,
        )
    ],
}

STARTS_ANOTHER = _BEFORE | _OTHERS.keys() | {"ray"}  # of the names of programs


class Started:
    """What another program starts. `words`: the command; `line`: the pieces of a line that a shell reads, in its place;
    `variables`: {name: word} that are set for it; `handed_on`: the names of those that it gets with the values they have here;
    `folder`: the Word of the folder in which it runs; `is_far`: whether it has
    an environment and files of its own, and `is_elsewhere`: whether nobody knows in which folder it runs."""

    __slots__ = ("words", "line", "variables", "handed_on", "folder", "is_far", "is_elsewhere")

    def __init__(self, words: "list[Word]", line: "Word | None", other: Other, options: "Options") -> None:
        self.words = words
        self.line = line
        self.variables: dict[str, Word] = {}
        self.handed_on: list[str] = []
        self.folder: Word | None = None
        self.is_far = other.is_far
        self.is_elsewhere = other.is_far
        for option, value in options:
            if option in other.variables:
                name, given = value.partition("=")
                if name.value and given is not None:
                    self.variables[name.value] = given
                elif value.value:
                    self.handed_on.append(value.value)
            elif option in other.folder:
                self.folder = value


def started_by(words: "list[Word]") -> "list[Started]":
    """What the program of a command starts, one for each of several commands of tmux; nothing for any other program."""
    at = _place(words)
    if at is None:
        return []
    name = base_of(words[at])
    parts = _parts(words[at:], name)
    found = [next(filter(None, (_started(part, name, other) for other in _OTHERS[name])), None) for part in parts]
    return [started for started in found if started is not None]


def base_of(word: "Word") -> str:
    return (word.value or "").rpartition("/")[2]


def _place(words: "list[Word]") -> "int | None":
    """Where the program stands: first, or behind what only hands on."""
    if base_of(words[0]) in _OTHERS:
        return 0
    if base_of(words[0]) not in _BEFORE:
        return None
    names = enumerate(map(base_of, words))
    return next((at for at, name in names if at and name in _OTHERS and (at == 1 or name not in _WORDS)), None)


def _parts(words: "list[Word]", name: str) -> "list[list[Word]]":
    """The commands of tmux in one command of a shell; else the words as they are."""
    if name != "tmux":
        return [words]
    parts = [[words[0]]]
    for word in words[1:]:
        if word.value == ";":
            parts.append([words[0]])
        else:
            parts[-1].append(word)
    return parts


def _started(words: "list[Word]", name: str, other: Other) -> "Started | None":
    options, rest = _behind_verb(words, other) if other.verbs else _options(words[1:], other)
    if rest is None:
        return None
    if other.script:
        script = value_of(options, other.script)
        return None if script is None else Started([], script, other, options)
    rest = _command(rest, options, name, other)
    if not rest:
        return None
    if other.is_line is not True and not (other.is_line and len(rest) == 1):
        return Started(rest, None, other, options)
    started = Started([], _line(rest), other, options)
    started.is_elsewhere = started.is_elsewhere or name == "tmux"
    return started


def value_of(options: "Options", names: "tuple[str, ...]") -> "Word | None":
    """The value of the first option that has one of some names."""
    return next((value for option, value in options if option in names), None)


def _command(words: "list[Word]", options: "Options", name: str, other: Other) -> "list[Word]":
    """The words of a command as they are started."""
    if name in ("xargs", "parallel"):
        words = _with_stand_ins(words, options, name)
    if name == "tmux" and other.is_line is True:
        words = [word for word in words if word.value not in _KEYS]
    entry = value_of(options, other.entry)
    return words if entry is None else [entry, *words]


def _behind_verb(words: "list[Word]", other: Other) -> "tuple[Options, list[Word] | None]":
    """(options, the words of the command) behind the verb that starts something; None for the words of another verb."""
    values = [word.value or "" for word in words]
    for at in range(1, min(len(words), 12)):
        for verb in map(str.split, other.verbs):
            if values[at : at + len(verb)] == verb:
                return _options(words[at + len(verb) :], other)
        if values[at] not in _GROUPS and values[at][:1] != "-" and (at == 1 or values[at - 1][:1] != "-"):
            break
    return [], None


def _options(words: "list[Word]", other: Other) -> "tuple[Options, list[Word] | None]":
    """(options, the words of the command) of the words behind a program and its verb."""
    if other.dashes:
        place = next((at for at, word in enumerate(words) if word.value == "--"), None)
        return ([], None) if place is None else (all_options(words[:place], other), words[place + 1 :])
    options: Options = []
    operands: list[Word] = []
    at = 0
    while at < len(words) and words[at].value != "--":
        if _is_option(words[at]):
            at += _take_option(words, at, other, options)
        elif len(operands) < other.operands:
            operands.append(words[at])
            at += 1
        else:
            break
    rest = words[at:]
    if rest and rest[0].value == "--":
        del rest[0]
    if any(word.value is None and word.many for word in operands):
        rest = [*dropwhile(lambda word: word.value is None, rest)]  # among the unknown words is the image
    return options, rest


def _is_option(word: "Word") -> bool:
    if word.value is None:
        return (word.partition("=")[0].value or "")[:2] == "--"
    return word.value[:1] == "-" and word.value != "-"


def all_options(words: "list[Word]", other: Other) -> "Options":
    """The options among words that are not all known by their meaning."""
    options: Options = []
    for at in range(len(words)):
        if words[at].shown()[:1] == "-":
            _take_option(words, at, other, options)
    return options


def _take_option(words: "list[Word]", at: int, other: Other, options: "Options") -> int:
    """Take the option at a place; how many words it has."""
    word, (flag, given) = words[at], words[at].partition("=")
    name = flag.value or ""
    if name[1:2] != "-":
        letters = 1
        while f"-{name[letters : letters + 1]}" in other.switches:
            letters += 1
        if letters >= len(name):
            return 1
        if letters < len(name) - 1:  # its value stands in the same word
            value = word.partition(name[: letters + 1])[1]
            if value is not None:
                options.append((f"-{name[letters]}", value))
            return 1
        name, given = f"-{name[letters]}", None
    if given is not None:
        options.append((name, given))
    elif name not in other.switches and at + 1 < len(words) and words[at + 1].shown()[:1] != "-":
        options.append((name, words[at + 1]))
        return 2
    return 1


def _with_stand_ins(words: "list[Word]", options: "Options", name: str) -> "list[Word]":
    """The command of xargs or parallel, with something unknown where a line of the input is put in."""
    end = next((at for at, word in enumerate(words) if word.value in _SEPARATORS), len(words))
    words = words[:end]
    if not words:
        return words
    if name == "parallel":
        sign = _STAND_INS
    else:
        given = value_of(options, ("-I", "-i", "--replace"))
        if given is None:
            return [*words, unknown_word(words[-1].end, words[-1].end, many=True)]
        sign = re.compile(re.escape(given.value or "{}"))
    return [
        Word(word.start, word.end, [part for piece in word.pieces for part in _replaced(piece, sign)]) for word in words
    ]


def _replaced(piece: "Piece", sign: "re.Pattern[str]") -> "list[Piece]":
    """The parts of a piece around what stands for a line of the input."""
    text, found, at = piece.text or "", [], 0
    for match in sign.finditer(text):
        if match.start() > at:
            found.append(piece.cut(at, match.start()))
        found.append(unknown(piece.start, piece.end))
        at = match.end()
    if not found:
        return [piece]
    return [*found, piece.cut(at, len(text))] if at < len(text) else found


def _line(words: "list[Word]") -> "Word":
    """Several words as one line, with a blank between them."""
    pieces: list[Piece] = []
    for word in words:
        if pieces:
            pieces.append(Piece(" ", word.start, word.start))
        pieces += word.pieces
    return Word(words[0].start, words[-1].end, pieces)
