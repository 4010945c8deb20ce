"""The rooms of the package and their order: each knows only rooms that stand above it in `ROOMS`, and the name of no
framework but where it belongs."""

import ast
import re
from pathlib import Path

import pytest

import grpo_lint
from conftest import imports_at_run_time
from grpo_lint.frameworks.registry import FOLDERS, NAMES, framework
from grpo_lint.plan.quantities import QUANTITIES

PACKAGE = Path(grpo_lint.__file__).parent
# {room: the rooms that its modules may import}, lowest first; docs/architecture.md says what each is for.
ROOMS = {
    "unknown": "",
    "record": "",
    "message": "",
    "shipped": "",
    "files": "message",
    "source": "unknown record message",
    "plan": "unknown record message shipped",
    "rules": "unknown record message plan",
    "frameworks": "unknown record message source plan rules",
    "launch": "unknown record message files source plan frameworks",
    "settings": "unknown record message files source plan rules frameworks launch",
    "checker": "unknown record message files source plan rules frameworks launch settings",
    "fixes": "unknown record message files source plan frameworks launch checker",
    "engine": "unknown record message files source plan rules frameworks launch settings checker fixes",
}
_UP_TO_ENGINE = f"{ROOMS['engine']} engine"
ROOMS |= dict.fromkeys(("planning", "changes", "logs"), _UP_TO_ENGINE)
ROOMS |= {"report": f"{_UP_TO_ENGINE} planning changes logs"}
_UP_TO_REPORT = f"{ROOMS['report']} report"
ROOMS |= {"lsp": _UP_TO_REPORT, "mcp": _UP_TO_REPORT, "cli": f"{_UP_TO_REPORT} lsp mcp shipped"}

# {type: the module that defines it}, of the list that annotations import from
HOMES = {
    alias.name: ("grpo_lint", *node.module.split("."))
    for node in ast.walk(ast.parse((PACKAGE / "shared_types.py").read_text(encoding="utf-8")))
    if isinstance(node, ast.ImportFrom) and node.level
    for alias in node.names
}

# What the guard of names does not look at: {module: why}.
PROSE = {
    "grpo_lint.cli": "the help gives examples of command lines",
    "grpo_lint.rules": "the texts of a rule say which frameworks it is about",
    "grpo_lint.checker.named_files": "whose name a preset is, in the message about a file that is not there",
}
NO_SETTINGS = {  # words that only look like settings of some framework: {module: (word, ...)}
    "grpo_lint.checker.judge": {"class_name"},  # of a message
    "grpo_lint.launch.adopted": {"config_path"},  # of Hydra's decorator
    "grpo_lint.source.quoting": {"hub_token"},  # one of many names of secrets
    "grpo_lint.logs.reading": {"max_steps"},  # of the state that transformers saves
    "grpo_lint.launch.accelerate": None,  # what accelerate's own files and flags are called
    "grpo_lint.launch.commands": None,
}
# The modules of `frameworks` outside of the folders of frameworks that name some: {module: why}.
OF_ALL = {
    "registry": "the list of names",
    "rule_sets": "whose rules a framework shares",
    "companions": "packages that stand beside a framework",
    "commits": "generated: repositories and packages",
    "requirements": "generated: packages and what they require",
    "recognition": "words that stand in files",
    "not_judged": "words that stand in files",
    "python_calls": "gathers the `names` of the folders that have some",
    "shared.counterparts": "one column for each framework",
    "shared.more_counterparts": "three more columns, and what such a framework needs besides",
    "shared.parallel_names": "one column for each framework",
    "shared.memory": "of Megatron-Core, with which several of them train",
    "shared.megatron_rules": "of Megatron-Core, with which several of them train",
    "shared.two_engines": "one of its engines is Megatron-Core",
}
# Megatron-LM is also an engine of accelerate, which has flags for it.
_FRAMEWORK = re.compile(r"(?i)(?<![a-z])(trl|swift|megatron(?![-_]?lm)|verl|easy[-_]?r1)(?![a-z])")


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield path, parts[:-1] if parts[-1] == "__init__" else parts, path.name == "__init__.py"


def imported_by(path, parts, is_package):
    """(line, module) of each import of ours, those inside of functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, tuple(alias.name.split(".")))
                for alias in node.names
                if alias.name.split(".")[0] == "grpo_lint"
            )
        elif isinstance(node, ast.ImportFrom):
            base = parts if is_package else parts[:-1]
            module = (
                (*base[: len(base) - node.level + 1], *(node.module or "").split("."))
                if node.level
                else tuple(node.module.split("."))
            )
            module = tuple(filter(None, module))
            if module == ("grpo_lint", "shared_types"):
                yield from ((node.lineno, HOMES[alias.name]) for alias in node.names if alias.name in HOMES)
            elif module == ("grpo_lint",):
                yield from ((node.lineno, (*module, alias.name)) for alias in node.names)
            elif module[0] == "grpo_lint":
                yield node.lineno, module


def room_of(module):
    return module[1] if len(module) > 1 and module[1] in ROOMS else None


def test_every_module_stands_in_a_room():
    homeless = ["/".join(parts) for _, parts, _ in modules() if room_of(parts) is None]
    assert homeless == ["grpo_lint", "grpo_lint/__main__", "grpo_lint/_api", "grpo_lint/shared_types"]


def test_the_list_of_types_is_for_annotations():
    """It imports all rooms, and takes no part in their order: a type is known where its module may be."""
    importing = [
        str(path)
        for path, _, _ in modules()
        for node in imports_at_run_time(path)
        if isinstance(node, ast.ImportFrom) and node.level and node.module == "shared_types"
    ]
    assert importing == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_rooms_below_it(room):
    allowed = {room, None, *ROOMS[room].split()}  # None: the package itself, which holds the version
    wrong = [
        f"{'.'.join(parts)}:{line} imports {'.'.join(module)}"
        for path, parts, is_package in modules()
        if room_of(parts) == room
        for line, module in imported_by(path, parts, is_package)
        if room_of(module) not in allowed
    ]
    assert wrong == []


def test_the_rooms_are_in_order():
    order = list(ROOMS)
    assert all(order.index(other) < order.index(room) for room, others in ROOMS.items() for other in others.split())


def test_the_frameworks_are_empty_packages():
    """A file that is none of ours is told by a look at its words: that look must not load a framework."""
    for path in (PACKAGE / "frameworks").rglob("__init__.py"):
        assert path.read_text(encoding="utf-8").strip() == "", path
    assert not imports_at_run_time(PACKAGE / "frameworks" / "recognition.py")


def names_in(path):
    """(line, kind, name) of all that code names: identifiers, attributes, arguments, functions, modules, and its texts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    docstrings = {id(node.body[0].value) for node in documented if ast.get_docstring(node)}
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield getattr(node, "lineno", 0), field, name
        if isinstance(node, ast.Constant) and type(node.value) is str and id(node) not in docstrings:
            yield node.lineno, "text", node.value


def outside_of_frameworks():
    """(module, line, kind, name) of all that code of the other rooms names, without what is prose."""
    for path, parts, _ in modules():
        module = ".".join(parts)
        if room_of(parts) != "frameworks":
            is_prose = module.startswith(tuple(PROSE))
            yield from ((module, *named) for named in names_in(path) if not (is_prose and named[1] == "text"))


def names_a_framework(name):
    return _FRAMEWORK.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)) is not None


def test_frameworks_are_named_in_their_folders():
    assert [named for named in outside_of_frameworks() if names_a_framework(named[3])] == []


def test_what_frameworks_share_names_none_of_them():
    folders = {folder.partition(".")[0] for folder in FOLDERS.values()}
    shared = [(path, ".".join(parts[2:])) for path, parts, _ in modules() if room_of(parts) == "frameworks"]
    naming = {
        module
        for path, module in shared
        if module.partition(".")[0] not in folders and any(names_a_framework(name) for _, _, name in names_in(path))
    }
    assert naming == OF_ALL.keys()


@pytest.mark.parametrize("name", ["TrlParser", "is_of_verl", "swift", "the parser of TRL", "ms_swift", "EasyR1Keys"])
def test_a_name_of_a_framework_is_seen_in_any_form(name):
    assert names_a_framework(name)


def settings():
    """The settings of all frameworks with names that nothing else has: of several words, and no quantities."""
    known = {name for each in NAMES for name in framework(each).catalogue.names()}
    return {name for name in known if "_" in name or "." in name} - QUANTITIES.keys()


def test_settings_are_named_by_frameworks_and_rules():
    """Also in a list of words; not in a sentence, and not where a plan reads the quantity of this name."""
    known, found = settings(), []
    for module, line, kind, text in outside_of_frameworks():
        words = known.intersection(text.split()) if kind == "text" and module not in PROSE else ()
        if words and (len(words) == len(text.split()) or len(words) > 2) and room_of(module.split(".")) != "rules":
            allowed = NO_SETTINGS.get(module, set())
            found += [] if allowed is None or words <= allowed else [(module, line, words)]
    assert found == []


def test_the_architecture_names_each_room():
    page = (PACKAGE.parent / "docs/architecture.md").read_text(encoding="utf-8")
    assert [room for room in ROOMS if f"`{room}/`" not in page and f"`{room}.py`" not in page] == []
