"""The arguments of a program that Hydra configures: overrides of its settings, and options of Hydra itself. Beside them those of
one that merges plain assignments with OmegaConf."""

from ..frameworks.registry import commands
from ..source.entry import COMPOSED, Flag
from ..source.overrides import DASHES, NO_OPTION, Override, is_key, read_assignment, read_override, together
from ..source.shell.tree import Piece
from ..source.shell.words import Word
from ..source.yaml.reader import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Invocation, Sequence


# Options with a value; the long ones may be written with an equals sign.
_NAMED = {
    "-cp": "--config-path",
    "-cn": "--config-name",
    "-cd": "--config-dir",
    "-p": "--package",
    "-c": "--cfg",
    "-i": "--info",
}
_OPTIONS = ("--help", "--hydra-help", "--version", "--resolve", "--run", "--shell-completion", "--multirun")
_WITH_VALUE = frozenset(
    ("--config-path", "--config-name", "--config-dir", "--package", "--experimental-rerun", "--cfg", "--info")
)
OTHER_PRIMARIES = frozenset(name for own in commands() for entry in own.entry_points for name in entry.primaries)
USUAL_FOLDER = "config"  # in which the programs look that no command tells another one
_SWEEPS = frozenset(("-m", "--multirun"))
MOST_PROBLEMS = 20  # of the words of one command that are told
_TO_BE_FILLED = frozenset(("YOU", "YOUR", "YOURSELF", "FILLED"))  # in a text that stands for another one
_BEGINS_TO_BE_FILLED = ("your ", "path to your ")  # a folder of a path


def read_overrides(invocation: "Invocation", words: "Sequence[Word]") -> None:
    """Take the words behind the program: its overrides by path, the last one where a path stands twice."""
    options: dict[str, Word] = {}
    sweeps, with_value = False, {*_WITH_VALUE, _config_option(invocation)} - {""}
    rest = iter(words)
    for word in rest:
        flag, given = word.partition("=")
        name = flag.value or ""
        name = _in_full(name)
        sweeps |= name in _SWEEPS
        if name in with_value:
            value = given or next(rest, None)
            options.update({name: value} if value else {})
        elif given is None and _stands_for_several(word):
            invocation.open_words.append(word)
        else:
            _take_or_refuse(invocation, word)
    invocation.problems = _told_once([each for each in invocation.problems if not each.is_a_sweep or not sweeps], words)
    _look_behind_options(invocation, words, options)
    _name_primary(invocation, options)


def _look_behind_options(invocation: "Invocation", words: "Sequence[Word]", options: "dict[str, Word]") -> None:
    if options and invocation.own is not None and not invocation.own.config_option:
        from .slips import behind_an_option  # few commands have options

        invocation.problems += behind_an_option(words)


def _config_option(invocation: "Invocation") -> str:
    own = invocation.own or invocation.alike
    return own.config_option if own is not None else ""


def _take_or_refuse(invocation: "Invocation", word: Word) -> None:
    """Take an override, or what is refused for its dashes. Of a program that nobody knows such a word may be an option."""
    override = read_override(word)
    if not (word.value or "").startswith("-"):
        _take(invocation, word, override)
    elif invocation.own is not None and override is not None and _is_no_option(override.path):
        override.path, override.problem = override.path[2:], DASHES if _config_option(invocation) else NO_OPTION
        _note(invocation, override)


def _is_no_option(name: str) -> bool:
    """Whether Hydra refuses a word with two dashes."""
    return name[:2] == "--" and is_key(name[2:]) and _in_full(name) not in _OPTIONS


def _in_full(option: str) -> str:
    """The option of Hydra that is meant, which may be a short one, or cut short where it is still one alone."""
    if option[:2] != "--" or option in _WITH_VALUE:
        return _NAMED.get(option, option)
    meant = [each for each in (*_OPTIONS, *_WITH_VALUE) if each.startswith(option)]
    return meant[0] if len(meant) == 1 else option


def _stands_for_several(word: Word) -> bool:
    """Whether nobody knows what a word is, nor how many of them."""
    return word.value is None and word.many


def _told_once(problems: "list[Override]", words: "Sequence[Word]") -> "list[Override]":
    """Of words without a value that follow one another only the first, for they are one mistake; nothing of a text that
    somebody still has to fill in, nor the value of an option that is refused."""
    places = {id(word): place for place, word in enumerate(words)}
    found, last = [], -2
    for problem in problems:
        place = places[id(problem.words[0])]
        if not problem.sets_nothing:
            found += [] if _is_to_be_filled(problem.words[0].value or "") else [problem]
            last = place if problem.problem in (DASHES, NO_OPTION) else last
            continue
        if _is_meant(problem, words) and place != last + 1:
            found.append(problem)
        last = place
    return found


def _is_meant(problem: Override, words: "Sequence[Word]") -> bool:
    """Whether a word without a value is no part of a text that somebody still has to fill in; says of it whether it is a part."""
    # the words of a value that falls apart stand at one place in the script
    parts = [word.value or "" for word in words if (word.start, word.end) == (problem.start, problem.end)]
    problem.is_apart = len(parts) > 1
    return not (problem.is_apart and _is_to_be_filled(" ".join(parts)))


def _is_to_be_filled(text: str) -> bool:
    """Whether an override stands for another one: `path=YOUR FOLDER`, `path=checkpoints/your folder`, `path={model}`."""
    words = "".join(letter if letter.isalpha() else " " for letter in text).split()
    before, _, rest = text.partition("{")
    field = rest.partition("}")[0]
    if field.isidentifier() and field.islower() and before[-1:] != "$":  # of a text that Python formats
        return True
    folders = text.partition("=")[2].lower().split("/")
    return not _TO_BE_FILLED.isdisjoint(words) or any(folder.startswith(_BEGINS_TO_BE_FILLED) for folder in folders)


def read_assignments(invocation: "Invocation", words: "Sequence[Word]") -> None:
    """Take the words behind the program: `config=FILE`, and assignments by path."""
    for word in words:
        left, right = word.partition("=")
        if right is None:
            if _stands_for_several(word):
                invocation.open_words.append(word)
        elif left.value == "config":
            invocation.config = right
        else:
            _take(invocation, word, read_assignment(word))


def _take(invocation: "Invocation", word: Word, override: "Override | None") -> None:
    if override is None or (override.problem and not is_key(override.path)):
        if word.value is None:
            invocation.open_words.append(word)
        return
    if override.problem:
        _note(invocation, override)
    if override.sets_nothing:
        return
    earlier = invocation.flags.get(override.path)
    if earlier is not None:
        invocation.note_repeated(earlier, override)
        if isinstance(earlier, Override):
            override = together(earlier, override)
    invocation.flags[override.path] = override


def _note(invocation: "Invocation", override: Override) -> None:
    """Note what Hydra refuses; what stands in front of all settings may be for what runs the program: `coverage run FILE ...`."""
    is_for_another = override.sets_nothing and invocation.own is None and not invocation.flags
    if not is_for_another and len(invocation.problems) < MOST_PROBLEMS:
        invocation.problems.append(override)


def _name_primary(invocation: "Invocation", options: dict[str, Word]) -> None:
    """The file from which Hydra starts: one of the framework's own, or `NAME.yaml` in a folder that the command names."""
    word, beside = options.get("--config-name"), options.get("--config-dir")
    if beside is not None and beside.value:
        invocation.folders = (beside.value,)
    invocation.names_its_folder = options.get("--config-path")
    if _config_option(invocation):
        _name_config(invocation, options.get(_config_option(invocation)))
        return
    entry = invocation.entry
    if word is None:
        if entry is not None:
            _find_own_file(invocation, options, _text(invocation.program, f"{next(iter(entry.primaries))}.yaml"))
        return
    _take_name(invocation, options, word)


def _take_name(invocation: "Invocation", options: dict[str, Word], word: Word) -> None:
    """Take the file that `--config-name` names."""
    own, entry = invocation.own, invocation.entry
    written = word.value or ""
    name = invocation.named_file = written.removesuffix(".yaml")
    file = [*word.pieces] if written != name else [*word.pieces, _text(word, ".yaml")]
    if own is None:
        if name not in OTHER_PRIMARIES:
            _take_named_file(invocation, options, word, file)
    elif name not in (entry.primaries if entry else own.primaries):
        _take_named_file(invocation, options, word, file)
    else:
        invocation.flags["--config-name"] = _chosen(word, name)
        if entry is not None:
            _find_own_file(invocation, options, *file)


def _name_config(invocation: "Invocation", word: "Word | None") -> None:
    """The config of a program with an option for it; one of the framework's own, which need not be here, is one from which it starts."""
    own = invocation.own or invocation.alike
    invocation.config, invocation.config_by_flag = word, word is not None
    primaries = own.primaries if own is not None else ()
    name = (word.value or "").rpartition("/")[2].removesuffix(".yaml") if word is not None else primaries[0]
    if name in primaries:
        invocation.flags["--config-name"] = _chosen(word or invocation.program, name)


def _chosen(word: Word, name: str) -> Flag:
    """The choice of a file of the framework, as a flag."""
    start, end = word.origin or (word.start, word.end)
    node = Scalar(start, end, name, style='"', tag=None if word.origin else COMPOSED)
    return Flag(Scalar(start, start, "--config-name", style='"', tag=COMPOSED), node, (word,))


def _take_named_file(invocation: "Invocation", options: dict[str, Word], word: Word, file: "Sequence[Piece]") -> None:
    """Take a file of somebody's own that a word names: in the folder that an option names, or beside the program."""
    folder = options.get("--config-path") or options.get("--config-dir")
    invocation.config_levels = invocation.named_file.count("/")
    near = [*folder.pieces, _text(folder, "/"), *file] if folder is not None else [*file]
    invocation.config = Word(word.start, word.end, near)
    if "--config-dir" not in options:
        _find_own_file(invocation, options, *file)


def _find_own_file(invocation: "Invocation", options: dict[str, Word], *file: "Piece") -> None:
    """Where the file lies for its program: a relative folder counts from there."""
    folder, program = options.get("--config-path"), _folder_of(invocation.program.value or "")
    if program and not (folder and (folder.value or "/").startswith(("/", "pkg:"))):
        word = invocation.program
        pieces = folder.pieces if folder is not None else [_text(word, USUAL_FOLDER)]
        pieces = [_text(word, f"{program}/"), *pieces, _text(word, "/"), *file]
        invocation.config_of_program = Word(word.start, word.end, pieces)


def _folder_of(program: str) -> str:
    """The folder of a module or of a file of Python; empty where it is not known."""
    if program.endswith(".py"):
        return program.rpartition("/")[0]
    return program.rpartition(".")[0].replace(".", "/")


def _text(word: Word, text: str) -> "Piece":
    return Piece(text, word.start, word.end)


if TYPE_CHECKING:
    from ..shared_types import Piece
