"""Programs of the repository outside of the package use names of it that are there: playground, benchmarks, conformance, fuzz, mutation,
translation, documentation and tests, also in the code that they hand to another interpreter."""

import ast
import importlib
import os
import re
from pathlib import Path
from types import ModuleType

import pytest

import grpo_lint

ROOT = Path(__file__).parents[1]
PACKAGE = "grpo_lint"
NOT_OURS = {
    ".git",
    ".venv",
    ".browser",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "node_modules",
    "site",
    "dist",
    "build",
    "venv",
}
# Programs that look into the package by their nature, as the tests do. Others keep to names without an underscore.
MAY_LOOK_INSIDE = ("tests", "mutation", "fuzz")


def files():
    """All files of the repository that may be ours, but those of the package and what installers bring."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - NOT_OURS - ({PACKAGE} if Path(folder) == ROOT else set()))
        yield from (
            path for path in (Path(folder, name) for name in sorted(names)) if path.is_file() and not path.is_symlink()
        )


def is_python(path):
    if path.suffix:
        return path.suffix == ".py"
    with path.open("rb") as file:
        return re.match(rb"#!.*\bpython", file.readline(200)) is not None


PROGRAMS = {
    path.relative_to(ROOT).as_posix(): path
    for path in files()
    if is_python(path) and PACKAGE.encode() in path.read_bytes()
}


def trees(source):
    """The syntax tree of a program, and those of the texts in it that are programs, too."""
    tree = ast.parse(source)
    yield tree
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search(rf"import .*\b{PACKAGE}\b|from {PACKAGE}\b", node.value)
        ):
            try:
                yield ast.parse(node.value.strip("\n"))
            except SyntaxError:  # a sentence, or the output of something
                continue


def used(tree):
    """{dotted name of ours: the line that uses it}."""
    found, modules, bound = {}, {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == PACKAGE:
                    found.setdefault(alias.name, node.lineno)
                    modules[alias.asname or PACKAGE] = alias.name if alias.asname else PACKAGE
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == PACKAGE:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.setdefault(name, node.lineno)
                modules[alias.asname or alias.name] = name
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    for node in ast.walk(tree):
        chain = dotted(node) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) else None
        if chain and chain[0] in modules and chain[0] not in bound:
            found.setdefault(".".join((modules[chain[0]], *chain[1:])), node.lineno)
    return found


def dotted(node):
    """["a", "b", "c"] for a.b.c, None for what begins otherwise."""
    if isinstance(node, ast.Name):
        return [node.id]
    before = dotted(node.value) if isinstance(node, ast.Attribute) else None
    return [*before, node.attr] if before else None


def missing(name):
    """The part of a dotted name that is not there, None where all of it is; of what a module holds one name is looked up."""
    here, path = grpo_lint, PACKAGE
    for part in name.split(".")[1:]:
        path += f".{part}"
        try:
            inner = getattr(here, part, None) or importlib.import_module(path)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != PACKAGE:
                return None  # an extra that is not installed here
            return None if hasattr(here, part) else path
        if not isinstance(inner, ModuleType):
            return None  # a class or a value: what it holds is its own business
        here = inner
    return None


def test_all_programs_are_found():
    """Those that have broken, or could: a folder that is forgotten here guards nothing."""
    assert {"playground/engine.py", "playground/build.py", "benchmarks/counted.py", "conformance/compare.py",
            "conformance/repositories", "fuzz/targets.py", "mutation/__main__.py", "translation/__main__.py", "tests/conftest.py"} <= set(PROGRAMS)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_names_of_the_package_are_there(program):
    source = PROGRAMS[program].read_text(encoding="utf-8")
    names = {name: line for tree in trees(source) for name, line in used(tree).items()}
    assert {f"line {line}: {name}" for name, line in names.items() if missing(name)} == set()
    private = {name for name in names if re.search(r"\._(?!_)", name)}
    if not program.startswith(tuple(f"{folder}/" for folder in MAY_LOOK_INSIDE)):
        assert private == set()


STARTED = re.compile(rf"""-m["',\s]+({PACKAGE}(?:\.\w+)*)""")
IMPORTED = re.compile(rf"\bfrom ({PACKAGE}(?:\.\w+)*) import (\w+)")
TEXTS = (".md", ".yml", ".yaml", ".toml", ".ts", ".js", ".mjs", ".json", ".py", ".lua", ".el", ".vim", ".sh", "")


def test_modules_and_names_in_texts_of_any_language_are_there():
    """`python -m` with a module of ours, and imports: in pages, workflows, and what editors hand to Python."""
    texts = {path: path.read_bytes().decode(errors="replace") for path in files() if path.suffix in TEXTS}
    found = {name: path.name for path, text in texts.items() for name in STARTED.findall(text)}
    found |= {".".join(name): path.name for path, text in texts.items() for name in IMPORTED.findall(text)}
    assert {PACKAGE, f"{PACKAGE}.report.rule_page", f"{PACKAGE}.cli.start.console", f"{PACKAGE}.rules.Rule"} <= set(
        found
    )
    assert {name: where for name, where in found.items() if missing(name)} == {}


def test_a_name_that_is_gone_is_seen():
    lines = (
        "import PACKAGE",
        "from PACKAGE import engine as e",
        "from PACKAGE._api import _gone",
        "PACKAGE.engine.no_such",
        "e.lint",
        "e.gone",
    )
    names = used(ast.parse("\n".join(lines).replace("PACKAGE", PACKAGE)))
    assert {name.partition(".")[2] for name in names if missing(name)} == {
        "_api._gone",
        "engine.no_such",
        "engine.gone",
    }
