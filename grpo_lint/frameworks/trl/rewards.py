"""How TRL's trainers call the reward functions that a program hands them: by name, with prompts, completions and the columns."""

import ast

from ...message import Message
from ...source.python.reader import dotted
from ..shared.reward_files import (
    NOTHING,
    NUMBER,
    Function,
    Mismatch,
    called_by_name,
    columns_of,
    function_in,
    never_gives,
    rows_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterable, Iterator, NamedFiles

MOST_REWARDS = 20  # of one call that are looked at
_TRAINERS = ("GRPOTrainer", "RLOOTrainer")
_PASSED = ("prompts", "completions")  # in every release
# What later releases pass besides.
_MORE = frozenset("completion_ids completions_ids trainer_state log_extra log_metric environments".split())
_WANTED = {"accuracy_reward": "solution", "reasoning_accuracy_reward": "solution"}  # of TRL's own
_CHANGES = (
    "map",
    "rename_column",
    "rename_columns",
    "remove_columns",
    "select_columns",
    "add_column",
    "from_list",
    "from_dict",
)


def in_program(
    tree: ast.Module, calls: "Iterable[ast.Call]", name: str, files: "NamedFiles | None"
) -> "Iterator[tuple[Mismatch, int]]":
    """(what a reward and its trainer disagree about, the line of it) of the trainers that a program makes. `name`: of its file."""
    if any(isinstance(node, ast.ClassDef) and node.name in _TRAINERS for node in tree.body):
        return  # of its own
    told: set[str] = set()
    columns, data = _columns(tree, calls, files) if files is not None else (frozenset[str](), "")
    for call in calls:
        for reward in _rewards(call):
            if reward in told or len(told) == MOST_REWARDS:
                continue
            told.add(reward)
            function = function_in(tree, reward)
            if function is not None:
                yield from ((each, function.line) for each in _of_a_function(function, reward, name, columns, data))
            column = _WANTED.get(reward) if function is None else None
            if column and columns and column not in columns:
                yield (
                    Mismatch("reward-finds-its-columns", {"function": reward, "columns": [column], "file": data}, ""),
                    call.lineno,
                )


def _rewards(call: ast.Call) -> "list[str]":
    """The names of the functions that a call of a trainer is handed."""
    if not isinstance(call.func, ast.Name) or call.func.id not in _TRAINERS:
        return []
    given = next((each.value for each in call.keywords if each.arg == "reward_funcs"), None)
    parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
    return [each.id for each in parts[:MOST_REWARDS] if isinstance(each, ast.Name)]


def _of_a_function(
    function: Function, reward: str, name: str, columns: "frozenset[str]", data: str
) -> "Iterator[Mismatch]":
    about = {"function": reward, "file": name}
    refused, needed = called_by_name(function, _PASSED, _MORE)
    if refused:
        yield Mismatch("reward-takes-what-it-is-passed", {**about, "refused": refused, "lacking": []}, "")
    lacking = [each for each in needed if each not in columns]
    if columns and lacking:
        yield Mismatch("reward-finds-its-columns", {"function": reward, "columns": lacking, "file": data}, "")
    if never_gives(function, (NUMBER, NOTHING)):
        yield Mismatch("reward-returns-what-is-read", {**about, "wanted": Message("a list of numbers")}, "")


def _columns(tree: ast.Module, calls: "Iterable[ast.Call]", files: "NamedFiles") -> "tuple[frozenset[str], str]":
    """(columns, file) of the one file of JSON that a program loads and does not change; none otherwise."""
    names, loads = [], 0
    for call in calls:
        called = dotted(call.func).rpartition(".")[2]
        if called in _CHANGES:
            return frozenset(), ""
        if called == "load_dataset":
            loads += 1
            given = next((each.value for each in call.keywords if each.arg == "data_files"), None)
            if isinstance(given, ast.Constant) and type(given.value) is str:
                names.append(given.value)
    return (columns_of(rows_of(names[0], files)), names[0]) if loads == len(names) == 1 else (frozenset(), "")
