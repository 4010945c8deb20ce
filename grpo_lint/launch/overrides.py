"""The arguments of a program that Hydra configures: overrides of its settings, and options of Hydra itself. Beside them those of
one that merges plain assignments with OmegaConf."""

from ..frameworks.registry import commands
from ..source.entry import COMPOSED, Flag
from ..source.overrides import Override, is_key, read_assignment, read_override, together
from ..source.shell.words import Word
from ..source.yaml.reader import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .commands import Invocation

# Options with a value; the long ones may be written with an equals sign.
_NAMED = {"-cp": "--config-path", "-cn": "--config-name", "-cd": "--config-dir", "-p": "--package"}
_WITH_VALUE = frozenset(("--config-path", "--config-name", "--config-dir", "--package", "--experimental-rerun"))
OTHER_PRIMARIES = frozenset(name for own in commands() for name in own.other_primaries)
USUAL_FOLDER = "config"  # in which the programs look that no command tells another one
_SWEEPS = frozenset(("-m", "--multirun"))
MOST_PROBLEMS = 20  # of the words of one command that are told


def read_overrides(invocation: "Invocation", words: "Sequence[Word]") -> None:
    """Take the words behind the program: its overrides by path, the last one where a path stands twice."""
    options: dict[str, Word] = {}
    sweeps, at = False, 0
    while at < len(words):
        word = words[at]
        at += 1
        flag, given = word.partition("=")
        name = _NAMED.get(flag.value or "", flag.value or "")
        if name in _SWEEPS:
            sweeps = True
        elif name in _WITH_VALUE:
            if given is None and at < len(words):
                given = words[at]
                at += 1
            if given is not None:
                options[name] = given
        elif given is None and word.value is None and word.many:
            invocation.passes_on = word
        elif not name.startswith("-"):
            _take(invocation, word, read_override(word))
    if sweeps:
        invocation.problems = [problem for problem in invocation.problems if not problem.is_a_sweep]
    _name_primary(invocation, options)


def read_assignments(invocation: "Invocation", words: "Sequence[Word]") -> None:
    """Take the words behind the program: `config=FILE`, and assignments by path."""
    for word in words:
        left, right = word.partition("=")
        if right is None:
            if word.value is None and word.many:
                invocation.passes_on = word
        elif left.value == "config":
            invocation.config = right
        else:
            _take(invocation, word, read_assignment(word))


def _take(invocation: "Invocation", word: Word, override: "Override | None") -> None:
    if override is None or (override.problem and not is_key(override.path)):
        if word.value is None:
            invocation.passes_on = word
        return
    if override.problem and len(invocation.problems) < MOST_PROBLEMS:
        invocation.problems.append(override)
    if override.sets_nothing:
        return
    earlier = invocation.flags.get(override.path)
    if earlier is not None:
        invocation.repeated.append((earlier, override))
        if isinstance(earlier, Override):
            override = together(earlier, override)
    invocation.flags[override.path] = override


def _name_primary(invocation: "Invocation", options: dict[str, Word]) -> None:
    """The file from which Hydra starts: one of the framework's own, or `NAME.yaml` in a folder that the command names."""
    word, beside = options.get("--config-name"), options.get("--config-dir")
    if beside is not None and beside.value:
        invocation.folders = (beside.value,)
    if word is None:
        return
    own = invocation.own
    name = (word.value or "").removesuffix(".yaml")
    if not own and name in OTHER_PRIMARIES:
        return
    if own and name in own.primaries:
        start, end = word.origin or (word.start, word.end)
        node = Scalar(start, end, name, style='"', tag=None if word.origin else COMPOSED)
        key = Scalar(start, start, "--config-name", style='"', tag=COMPOSED)
        invocation.flags["--config-name"] = Flag(key, node, (word,))
        return
    folder = options.get("--config-path") or options.get("--config-dir")
    invocation.config_levels = name.count("/")
    file = [*word.pieces, *([] if (word.value or "").endswith(".yaml") else [_text(word, ".yaml")])]
    near = [*folder.pieces, _text(folder, "/"), *file] if folder is not None else file
    invocation.config = Word(word.start, word.end, near)
    program = _folder_of(invocation.program.value or "")
    if program and "--config-dir" not in options and not (folder and (folder.value or "/").startswith(("/", "pkg:"))):
        # a relative path counts from the program
        pieces = folder.pieces if folder is not None else [_text(word, USUAL_FOLDER)]
        pieces = [_text(word, f"{program}/"), *pieces, _text(word, "/"), *file]
        invocation.config_of_program = Word(word.start, word.end, pieces)


def _folder_of(program: str) -> str:
    """The folder of a module or of a file of Python; empty where it is not known."""
    if program.endswith(".py"):
        return program.rpartition("/")[0]
    return program.rpartition(".")[0].replace(".", "/")


def _text(word: Word, text: str) -> "Piece":
    from ..source.shell.tree import Piece

    return Piece(text, word.start, word.end)


if TYPE_CHECKING:
    from ..source.shell.tree import Piece
