"""The `#SBATCH` lines of a script: the options for Slurm, and the variables that Slurm sets in the job accordingly."""

import re

from ..patterns import pattern
from .script import Header
from .tree import Piece
from .variables import Variable
from .words import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .reader import _Reader
    from .tree import Source

# The variables that Slurm sets in a job, by the options that decide them. The command line of `sbatch` may override
# these.
TOLD_BY_SLURM = {
    **dict.fromkeys(("--nodes", "-N"), ("SLURM_NNODES", "SLURM_JOB_NUM_NODES")),
    **dict.fromkeys(("--ntasks", "-n"), ("SLURM_NTASKS", "SLURM_NPROCS")),
    "--ntasks-per-node": ("SLURM_NTASKS_PER_NODE",),
    "--gpus-per-node": ("SLURM_GPUS_PER_NODE", "SLURM_GPUS_ON_NODE"),
    "--gres": ("SLURM_GPUS_ON_NODE",),
    **dict.fromkeys(("--gpus", "-G"), ("SLURM_GPUS",)),
}
_HEADER = pattern(r"^#SBATCH[ \t]+([^\n]*)", re.MULTILINE)
_HEADER_OPTION = pattern(
    r"""(--[\w-]+|-[A-Za-z])(?:(?:=|[ \t]+|(?<=-[A-Za-z])(?=[^\s=-]))("[^"\n]*"|'[^'\n]*'|[^\s#"'-][^\s]*))?"""
)
_NUMBER = pattern(r"(?:gpu:)?(?:[A-Za-z_][\w.-]*:)?([0-9]{1,6})", re.ASCII)  # `8`, `gpu:8`, `gpu:a100:8`


def note_headers(shell: "_Reader", source: "Source") -> None:
    """Note the `#SBATCH` lines above the first command."""
    text = source.text
    if "#SBATCH" not in text:
        return
    first = re.compile(r"^[ \t]*[^#\s]", re.MULTILINE).search(text)
    for line in _HEADER.finditer(text, 0, first.start() if first else len(text)):
        comment = re.compile(r"[ \t]#").search(text, *line.span(1))
        for option in _HEADER_OPTION.finditer(text, line.start(1), comment.start() if comment else line.end(1)):
            start, end = option.span(2 if option[2] else 1)
            value = option[2]
            if value and value[0] in "\"'":
                start, end, value = start + 1, end - 1, value[1:-1]
            start, end = source.span(start, end)
            shell.script.headers.append(Header(option=option[1], value=value, start=start, end=end))
    shell.read_headers = shell.read_headers or bool(shell.script.headers)
    _set_what_slurm_tells(shell)


def _set_what_slurm_tells(shell: "_Reader") -> None:
    """Set the variables that the headers decide."""
    said: dict[str, int] = {}
    for header in shell.script.headers:
        value = _NUMBER.fullmatch(header.value or "")
        if value is None:
            continue
        piece = Piece(value[1], header.end - len(value[1]), header.end, exact=True, overridable=True)
        for name in TOLD_BY_SLURM.get(header.option, ()):
            said[name] = int(value[1])
            shell.write(name, Variable(Word(piece.start, piece.end, [piece])))
    nodes, of_each = said.get("SLURM_NNODES", 1), said.get("SLURM_NTASKS_PER_NODE")
    if of_each is not None and "SLURM_NTASKS" not in said:
        header = next(each for each in shell.script.headers if each.option == "--ntasks-per-node")
        piece = Piece(str(nodes * of_each), header.start, header.end, overridable=True)
        for name in TOLD_BY_SLURM["--ntasks"]:
            shell.write(name, Variable(Word(piece.start, piece.end, [piece])))
