"""The training script that a command starts, read without running it: its trainer, and the arguments that it declares itself."""

import ast
import os
from warnings import catch_warnings, simplefilter

from .. import disk

MOST_FILES = 30
_TRAINERS_OF_TRL = frozenset(("GRPOTrainer", "RLOOTrainer"))


class Program:
    """trainer      the trainer class of its own that the script trains with, None when it is one of TRL's or cannot be told
    declares     the names of the arguments that its own dataclasses add
    """

    __slots__ = ("trainer", "declares")

    def __init__(self, trainer, declares):
        self.trainer = trainer
        self.declares = declares


UNREAD = Program(None, frozenset())


def program_of(invocation, files):
    """The Program that a command starts: a file, or a module of the repository."""
    word = invocation.program
    found = files.named_by(invocation.command, word)
    if found is None and word.value and "/" not in word.value:
        module = word.value.replace(".", "/")
        found = files.find(f"{module}.py") or files.find(f"src/{module}.py")
    return UNREAD if found is None else read_program(found.path, files.read)


def read_program(path, read):
    """The Program of a Python file and of the modules of its repository that it imports; `read` gives the text of a path."""
    bases, declares, used = {}, set(), set()
    waiting, seen = [path], {path}
    while waiting and len(seen) <= MOST_FILES:
        each = waiting.pop(0)
        tree = _parsed(read(each))
        if tree is None:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, [_name(base) for base in node.bases])
                if _holds_arguments(node):
                    declares.update(item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                waiting += [file for file in _imported(node, each, read) if not (file in seen or seen.add(file))]
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id.endswith("Trainer"):
                used.add(node.id)
    return Program(_own_trainer(used, bases), frozenset(declares))


def _parsed(text):
    if text is None:
        return None
    with catch_warnings():  # a stranger's `"\d"` is none of our warnings
        simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _name(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _holds_arguments(node):
    decorators = [_name(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list]
    return "dataclass" in decorators or any(_name(base).endswith(("Arguments", "Config")) for base in node.bases)


def _own_trainer(used, bases):
    """A trainer class of the repository that descends from no trainer of TRL, when all that are used do so."""
    own = None
    for name in sorted(used):
        lineage, known = {name}, True
        pending = [name]
        while pending:
            each = pending.pop()
            if each not in bases:
                known = known and (each in _TRAINERS_OF_TRL or each == "Trainer")
                continue
            new = [base for base in bases[each] if base not in lineage]
            lineage.update(new)
            pending += new
        if lineage & _TRAINERS_OF_TRL or not known:
            return None
        if name in bases:
            own = name
    return own


def _imported(node, path, read):
    """The files of the repository that an import statement may read."""
    folder = os.path.dirname(path)
    if isinstance(node, ast.Import):
        modules, folders = [alias.name for alias in node.names], _above(folder)
    elif node.level:
        for _ in range(node.level - 1):
            folder = os.path.join(folder, os.pardir)
        modules, folders = [node.module] if node.module else [alias.name for alias in node.names], [folder]
    else:
        modules, folders = [node.module or ""], _above(folder)
    for module in modules:
        place = module.replace(".", "/")
        for base in folders:
            for file in (f"{place}.py", f"{place}/__init__.py"):
                file = os.path.normpath(os.path.join(base, file))
                if read(file) is not None:
                    yield file


def _above(folder):
    """A folder, those above it up to the root of the repository, and their `src`."""
    found, real = [], os.path.abspath(folder)
    while True:
        found += [folder, os.path.join(folder, "src")]
        parent = os.path.dirname(real)
        if parent == real or disk.exists(os.path.join(real, ".git")) or len(found) > 16:
            return found
        real, folder = parent, os.path.join(folder, os.pardir)
