"""Small changes of the core, one at a time: does a test of the fast set notice?

    python -m mutation --mutants 20 --seed 1
    python -m mutation --mutants 20 --seed 1 --rooms lsp,cli

A mutant is one changed place of a module of the package, or of some of its rooms: a comparison, a whole number, `and` and `or`, a condition turned
round, a guard taken out. The fast set runs once in a copy of the repository, and says which tests run which line. Then each
mutant is tried there with `CHOSEN` tests that run its line, or with the whole fast set where no test does by itself (a line
that runs when a module is imported). Each is printed with its place and whether it was caught; the exit status is 1 when
fewer than nine of ten are caught. The same seed makes the same mutants, whatever is changed elsewhere.
"""

import argparse
import ast
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import chain, zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[1]
GENERATED = ("catalogue.py", "descriptions.py", "model_table.py", "__init__.py")
FAST = ("-m", "not slow", "-n", "2")
CHOSEN = 1000  # tests of as many modules as possible
HANGS = 600  # seconds of the processor, of one process; a mutant that needs more is caught
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
            ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip


def changes(tree):
    """[(node, what is done, function that does it)] of a module; each function changes the tree that it was made from."""
    return [(node, *change) for node in ast.walk(tree) for change in _changes_of(node)]


def _changes_of(node):
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return  # it imports what only mypy reads
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED and not _is_with_a_minor(node):
        other = COMPARED[type(node.ops[0])]
        yield f"{type(node.ops[0]).__name__} becomes {other.__name__}", lambda: node.ops.__setitem__(0, other())
    if isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{type(node.op).__name__} becomes {other.__name__}", lambda: setattr(node, "op", other())
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} becomes {node.value + 1}", lambda: setattr(node, "value", node.value + 1)
    if isinstance(node, (ast.If, ast.IfExp)):
        turned = ast.UnaryOp(ast.Not(), node.test)
        yield "the condition is turned round", lambda: setattr(node, "test", turned)
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], (ast.Return, ast.Continue)):
        yield "the guard is taken out", lambda: setattr(node, "test", ast.Constant(False))


def _is_with_a_minor(node):
    """Whether releases are compared with two numbers: a release has three, so that none is equal to a minor."""
    return any(isinstance(part, ast.Tuple) and len(part.elts) == 2 for part in (node.left, node.comparators[0]))


def mutants(count, seed, rooms=()):
    """[(path in the package, line, what is done, text of the changed module)], the same for the same seed.

    The places are drawn by what stands there, so that a change of other lines draws the same ones again.
    """
    package = ROOT / "grpo_lint"
    folders = [package / room for room in rooms] or [package]
    paths = {path for folder in folders for path in folder.rglob("*.py") if path.name not in GENERATED}
    drawn = sorted(place for path in paths for place in _places(path, path.relative_to(package).as_posix(), seed))
    for _, path, number in drawn[:count]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        node, what, change = changes(tree)[number]
        change()
        yield path.relative_to(package), node.lineno, what, ast.unparse(ast.fix_missing_locations(tree))


def _places(path, name, seed):
    """(lot, path, number of the change) of each place of a module."""
    seen = Counter()
    for number, (node, what, _) in enumerate(changes(ast.parse(path.read_text(encoding="utf-8")))):
        text = f"{seed} {name} {what} {ast.unparse(node.test if isinstance(node, ast.If) else node)}"
        seen[text] += 1
        yield hashlib.sha256(f"{text} {seen[text]}".encode()).digest(), path, number


def tests_by_line(copy):
    """A function (path in the package, line) -> the tests of the fast set that run it, of many modules first."""
    from coverage import CoverageData

    if not passes(copy, *FAST, "--cov", "--cov-context=test", "--cov-report="):
        sys.exit("the fast set fails without a mutant")
    data = CoverageData(copy / ".coverage")
    data.read()

    def running(path, line):
        contexts = data.contexts_by_lineno(str(copy / "grpo_lint" / path)).get(line, ())
        modules = {}
        for test in sorted({context.rpartition("|")[0] for context in contexts} - {""}):
            modules.setdefault(test.partition("::")[0], []).append(test)
        return [test for test in chain(*zip_longest(*modules.values())) if test][:CHOSEN]

    return running


def passes(copy, *words):
    """Whether tests pass in a copy of the repository."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *words]
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (HANGS, HANGS))  # noqa: E731
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, preexec_fn=limit).returncode == 0


def survivors(copy, tried, running):
    """The mutants that no test notices; each is written into the copy, tried, told, and taken back."""
    for path, line, what, text in tried:
        place = copy / "grpo_lint" / path
        whole = place.read_text(encoding="utf-8")
        place.write_text(text, encoding="utf-8")
        caught = not passes(copy, *(running(path, line) or FAST))
        place.write_text(whole, encoding="utf-8")
        print(f"{'caught  ' if caught else 'SURVIVED'} grpo_lint/{path.as_posix()}:{line}: {what}", flush=True)
        if not caught:
            yield path, line, what


def main():
    reader = argparse.ArgumentParser(prog="python -m mutation", description=__doc__.splitlines()[0])
    reader.add_argument("--mutants", type=int, default=20)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--rooms", default="", help="folders of the package, such as lsp,cli (default: all of it)")
    asked = reader.parse_args()
    rooms = [room for room in asked.rooms.split(",") if room]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "grpo-lint").resolve()
        left_out = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, copy, ignore=left_out)
        (copy / ".git").mkdir()  # the root of a repository, to which grpo-lint looks up
        left = len(list(survivors(copy, mutants(asked.mutants, asked.seed, rooms), tests_by_line(copy))))
    print(f"{asked.mutants - left} of {asked.mutants} mutants caught")
    sys.exit(left * 10 > asked.mutants)


if __name__ == "__main__":
    main()
