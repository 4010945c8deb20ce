"""Programs that start another one in a container, on another machine, in a terminal or for each line of their input: which
words are the command that they start, and what of its environment they say."""

import re

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


class Other:
    """How a program names what it starts.

    verbs      the words behind its name that it needs for that, each alternative as a tuple
    switches   its options without a value; all others have one
    operands   the words before the command: an image, a host
    dashes     whether the command stands behind `--`
    is_line    whether its words make a line that a shell reads again; "alone": where it is a single word
    variables  its options that set a variable; folder: those that say in which folder it runs; entry: those that name the
               program itself; script: those whose value is a script, where there is no other command
    is_far     whether the command has an environment and files of its own
    """

    __slots__ = (
        "verbs",
        "switches",
        "operands",
        "dashes",
        "is_line",
        "variables",
        "folder",
        "entry",
        "script",
        "is_far",
    )

    def __init__(
        self,
        verbs: "tuple[str, ...]" = ("",),
        switches: str = "",
        operands: int = 0,
        dashes: bool = False,
        is_line: "bool | str" = False,
        variables: str = "",
        folder: str = "",
        entry: str = "",
        script: str = "",
        is_far: bool = False,
    ) -> None:
        self.verbs = [tuple(each.split()) for each in verbs]
        self.switches = frozenset(switches.split())
        self.operands = operands
        self.dashes = dashes
        self.is_line = is_line
        self.variables = frozenset(variables.split())
        self.folder = frozenset(folder.split())
        self.entry = frozenset(entry.split())
        self.script = frozenset(script.split())
        self.is_far = is_far


_DOCKER = Other(
    ("run", "exec", "create"),
    "-d --detach -i --interactive -t --tty --rm --privileged --init --read-only -P --publish-all --no-healthcheck "
    "--oom-kill-disable --sig-proxy -q --quiet --replace --no-deps --build --service-ports --use-aliases --remove-orphans -T "
    "--no-TTY --tls-verify --no-hosts --no-hostname --rmi --all -a",
    operands=1,
    variables="-e --env",
    folder="-w --workdir",
    entry="--entrypoint",
    is_far=True,
)
_KUBECTL = Other(("exec", "run", "debug"), dashes=True, variables="--env", is_far=True)
_SSH = Other(
    switches="-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
    operands=1,
    is_line=True,
    is_far=True,
)
MANY = 1000
_OTHERS = {
    "docker": [_DOCKER],
    "podman": [_DOCKER],
    "nerdctl": [_DOCKER],
    "docker-compose": [Other(("run", "exec"), " ".join(_DOCKER.switches), 1, variables="-e --env", is_far=True)],
    "kubectl": [_KUBECTL],
    "oc": [_KUBECTL],
    "ssh": [_SSH],
    "pdsh": [Other(switches="-S -k -q -h -b -d", is_line=True, is_far=True)],
    "gcloud": [Other(("compute ssh", "compute tpus tpu-vm ssh"), operands=MANY, script="--command", is_far=True)],
    "sbatch": [Other(operands=MANY, script="--wrap")],
    "su": [Other(operands=MANY, script="-c --command")],
    "runuser": [Other(operands=MANY, script="-c --command")],
    "script": [Other(operands=MANY, script="-c --command")],
    "tmux": [
        Other(
            ("new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp"),
            "-A -d -D -E -P -X -a -b -k -S -h -v -f -Z -I",
            is_line="alone",
            variables="-e",
            folder="-c",
        ),
        Other(("send-keys", "send"), "-F -H -K -l -M -R -X", is_line=True),
    ],
    "screen": [Other(switches="-d -m -dm -D -R -L -U -A -a -q -O", is_line=False)],
    "xargs": [Other(switches="-0 --null -r --no-run-if-empty -t --verbose -p --interactive -x --exit -o --open-tty")],
    "parallel": [
        Other(
            switches="-k --keep-order --bar --progress --eta --dry-run --line-buffer --lb --ungroup -u --verbose --will-cite "
            "-0 --null -X -m --no-notice --group -t",
            is_line=True,
        )
    ],
}


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
    name = _base(words[at])
    found = []
    for part in _parts(words[at:], name):
        for other in _OTHERS[name]:
            started = _started(part, name, other)
            if started is not None:
                found.append(started)
                break
    return found


def _base(word: "Word") -> str:
    return (word.value or "").rpartition("/")[2]


def _place(words: "list[Word]") -> "int | None":
    """Where the program stands: first, or behind what only hands on."""
    if _base(words[0]) in _OTHERS:
        return 0
    if _base(words[0]) not in _BEFORE:
        return None
    names = enumerate(map(_base, words))
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
    options, rest = _options(words[1:], other) if other.verbs == [()] else _behind_verb(words, other)
    if rest is None:
        return None
    script = next((value for option, value in options if option in other.script), None)
    if other.script:
        return None if script is None else Started([], script, other, options)
    if name in ("xargs", "parallel"):
        rest = _with_stand_ins(rest, options, name)
    entry = next((value for option, value in options if option in other.entry), None)
    if entry is not None:
        rest = [entry, *rest]
    if not rest:
        return None
    if name == "tmux" and other.is_line is True:
        rest = [word for word in rest if word.value not in _KEYS]
    if rest and (other.is_line is True or (other.is_line and len(rest) == 1)):
        started = Started([], _line(rest), other, options)
        started.is_elsewhere = started.is_elsewhere or name == "tmux"
        return started
    return Started(rest, None, other, options) if rest else None


def _behind_verb(words: "list[Word]", other: Other) -> "tuple[Options, list[Word] | None]":
    """(options, the words of the command) behind the verb that starts something; None for the words of another verb."""
    for at in range(1, min(len(words), 12)):
        value, before = words[at].value or "", words[at - 1].value or ""
        for verb in other.verbs:
            if tuple(word.value for word in words[at : at + len(verb)]) == verb:
                return _options(words[at + len(verb) :], other)
        if value not in _GROUPS and value[:1] != "-" and (at == 1 or before[:1] != "-"):
            break
    return [], None


def _options(words: "list[Word]", other: Other) -> "tuple[Options, list[Word] | None]":
    """(options, the words of the command) of the words behind a program and its verb."""
    options: Options = []
    if other.dashes:
        place = next((at for at, word in enumerate(words) if word.value == "--"), None)
        return (options, None) if place is None else (_all_options(words[:place], other), words[place + 1 :])
    left, at, is_sure = other.operands, 0, True
    while at < len(words):
        word, value = words[at], words[at].value
        if value == "--":
            at += 1
            break
        if value is None or value[:1] != "-" or value == "-":
            name = word.partition("=")[0].value if value is None else None
            if name is None or name[:2] != "--":
                if not left:
                    break
                is_sure = is_sure and not (value is None and word.many)
                left -= 1
                at += 1
                continue
        at += _take_option(words, at, other, options)
    rest = words[at:]
    while not is_sure and rest and rest[0].value is None:  # among the unknown words is the image
        rest = rest[1:]
    return options, rest


def _all_options(words: "list[Word]", other: Other) -> "Options":
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
        given = next((value for option, value in options if option in ("-I", "-i", "--replace")), None)
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
