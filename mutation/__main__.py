"""Small changes of the core, one at a time: does a test of the fast set notice?

    python -m mutation --mutants 20 --seed 1

A mutant is one changed place of a module in `MODULES`: a comparison, a whole number, `and` and `or`, a condition turned
round, a guard taken out. It is tried in a copy of the repository with the tests of `TESTS`, until one fails. Each is printed
with its place and whether it was caught; the exit status is 1 when fewer than nine of ten are caught. The same seed makes the same mutants.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = ("checker/*.py", "plan/*.py", "fixes/*.py", "frameworks/**/*.py")
GENERATED = ("catalogue.py", "descriptions.py", "__init__.py")
FIRST = "tests/test_seeds.py tests/test_examples.py tests/test_swift_options.py tests/test_trl_values.py tests/test_scripts.py"
TESTS = {  # {folder: the tests that are to notice}, cheapest first
    "checker": f"{FIRST} tests/test_processes.py tests/test_versions.py tests/test_suppressions.py tests/test_baseline.py tests/test_expectations.py tests/test_recognition.py tests/test_repository.py tests/test_votes.py",
    "plan": f"{FIRST} tests/test_processes.py tests/test_expectations.py tests/test_team_rules.py",
    "fixes": f"{FIRST} tests/test_fixes.py tests/test_repair.py tests/test_search.py tests/test_clusters.py",
    "frameworks": f"{FIRST} tests/test_versions.py tests/test_deepspeed.py tests/test_trl_flags.py tests/test_schemas.py tests/test_rule_pages.py tests/test_verl.py tests/test_enforcement.py",
}
SECONDS = 300  # of the clock for one mutant; one that hangs is caught
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
            ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip


def changes(tree):
    """[(line, what is done, function that does it)] of a module; each function changes the tree that it was made from."""
    return [(node.lineno, *change) for node in ast.walk(tree) for change in _changes_of(node)]


def _changes_of(node):
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
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


def mutants(count, seed):
    """[(path in the package, line, what is done, text of the changed module)], the same for the same seed."""
    package = ROOT / "grpo_lint"
    paths = sorted({path for pattern in MODULES for path in package.glob(pattern) if path.name not in GENERATED})
    places = [
        (path, number) for path in paths for number in range(len(changes(ast.parse(path.read_text(encoding="utf-8")))))
    ]
    for path, number in random.Random(seed).sample(places, count):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        line, what, change = changes(tree)[number]
        change()
        yield path.relative_to(package), line, what, ast.unparse(ast.fix_missing_locations(tree))


def noticed(copy, folder):
    """Whether a test fails in a copy of the repository."""
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        *TESTS[folder].split(),
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(words, cwd=copy, env=environment, capture_output=True, timeout=SECONDS).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def survivors(copy, tried):
    """The mutants that no test notices; each is written into the copy, tried, told, and taken back."""
    for path, line, what, text in tried:
        place = copy / "grpo_lint" / path
        whole = place.read_text(encoding="utf-8")
        place.write_text(text, encoding="utf-8")
        caught = noticed(copy, path.parts[0])
        place.write_text(whole, encoding="utf-8")
        print(f"{'caught  ' if caught else 'SURVIVED'} grpo_lint/{path.as_posix()}:{line}: {what}", flush=True)
        if not caught:
            yield path, line, what


def main():
    reader = argparse.ArgumentParser(prog="python -m mutation", description=__doc__.splitlines()[0])
    reader.add_argument("--mutants", type=int, default=20)
    reader.add_argument("--seed", type=int, default=1)
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "grpo-lint")
        left_out = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, copy, ignore=left_out)
        (copy / ".git").mkdir()  # the root of a repository, to which grpo-lint looks up
        tried = list(mutants(asked.mutants, asked.seed))
        for room in sorted({path.parts[0] for path, *_ in tried}):
            if noticed(copy, room):
                sys.exit(f"the tests of {room} fail without a mutant")
        left = len(list(survivors(copy, tried)))
    print(f"{asked.mutants - left} of {asked.mutants} mutants caught")
    sys.exit(left * 10 > asked.mutants)


if __name__ == "__main__":
    main()
