"""Programs of a cluster, or of somebody's own, that are handed a command as a text: `submit -c "..."`, `COMMAND="..." sbatch job.sh`."""

from .others import Other, Started, all_options, base_of, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator
    from .variables import Variable
    from .words import Word

_OF_SUBMITTING = Other(script=("-c", "--cmd", "--command", "--commands"), is_far=True)
_OF_TEXTS = frozenset(
    "echo printf cat grep egrep fgrep rg sed awk gawk git curl wget psql mysql sqlite3 jq perl ruby node vim test [ export".split()
)
_READS_CODE = frozenset("bash sh zsh dash ksh python python3".split())


def submitted_by(words: "list[Word]") -> "Started | None":
    """What a program of somebody's own is handed as the text of a command; None for any other."""
    name = base_of(words[0])
    at = 0 if name not in _READS_CODE else 1
    if len(words) < at + 3 or name in _OF_TEXTS or (at and not base_of(words[1]).endswith((".py", ".sh"))):
        return None
    script = value_of(all_options(words[at:], _OF_SUBMITTING), _OF_SUBMITTING.script)
    script = words[-1] if name == "bsub" else script
    return Started([], script, _OF_SUBMITTING, []) if script is not None and _is_command(script) else None


def handed_in(variables: "dict[str, Variable]") -> "Iterator[Started]":
    """What a script that is started is handed as the text of a command in a variable with such a name."""
    for variable in variables.values():
        if _is_command(variable.word):
            yield Started([], variable.word, _OF_SUBMITTING, [])


def _is_command(word: "Word") -> bool:
    return any(" " in (piece.text or "") for piece in word.pieces)
