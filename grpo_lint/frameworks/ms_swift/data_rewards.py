"""How ms-swift calls reward functions, and which columns of the data they want."""

import ast
import json

from ...message import Message
from ...source.python.reader import dotted
from ..shared.reward_files import (
    NOTHING,
    NUMBER,
    Mismatch,
    columns_of,
    given,
    method_in,
    never_gives,
    rows_of,
    texts_in,
    tree_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator, NamedFiles, Run

MOST_REWARDS = 20  # that are looked at
_WANTED = {"accuracy": "solution", "cosine": "solution"}  # of its own rewards
# What it adds to each row, or makes of columns of other names.
_ADDED = frozenset(
    """trainer_state trajectory_inputs messages prompt_id request_id finish_reason is_truncated rollout_infos response_token_ids images
    videos audios tools objects completion prompt add_eos channel rejected_response label margin query response system
    rollout_logprobs teacher_prompt""".split()
)
_PASSED = ("messages",)  # in every release, with the columns
_OTHERWISE = ("columns", "custom_register_path", "streaming")  # with which rows may become others


def mismatches(launch: "Run", files: "NamedFiles", release: "tuple[int, ...]") -> "Iterator[Mismatch]":
    """What the reward functions and the data of a run disagree about."""
    rewards = texts_in(given(launch, "reward_funcs"))[:MOST_REWARDS]
    name, columns = _columns(launch, files)
    for reward in rewards:
        column = _WANTED.get(reward)
        if column and columns and column not in columns:
            yield Mismatch(
                "reward-finds-its-columns", {"function": reward, "columns": [column], "file": name}, "dataset"
            )
    for path in texts_in(given(launch, "external_plugins"))[:MOST_REWARDS]:
        tree = tree_of(path, files)
        own = _registered(tree) if tree is not None else {}
        for reward in rewards:
            if reward in own and tree is not None:
                yield from _of_a_class(tree, own[reward], path, name, columns)


def _of_a_class(tree: ast.Module, own: str, path: str, name: str, columns: "frozenset[str]") -> "Iterator[Mismatch]":
    function = method_in(tree, own)
    if function is None:
        return
    about = {"function": f"{own}.__call__", "file": path}
    if function.takes is not None:
        refused = [each for each in _PASSED if each not in function.takes]
        if refused:
            yield Mismatch(
                "reward-takes-what-it-is-passed", {**about, "refused": refused, "lacking": []}, "external_plugins"
            )
    lacking = [each for each in function.needs[1:] if each not in columns and each not in _ADDED]
    if columns and lacking:
        yield Mismatch(
            "reward-finds-its-columns", {"function": f"{own} in {path}", "columns": lacking, "file": name}, "dataset"
        )
    if never_gives(function, (NUMBER, NOTHING)):
        yield Mismatch(
            "reward-returns-what-is-read", {**about, "wanted": Message("a list of numbers")}, "external_plugins"
        )


def _registered(tree: ast.Module) -> "dict[str, str]":
    """{name of a reward: the class that `orms[name] = Class` gives it}."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Name):
            target = node.targets[0]
            if (
                isinstance(target, ast.Subscript)
                and isinstance(target.slice, ast.Constant)
                and dotted(target.value).rpartition(".")[2] == "orms"
            ):
                found[str(target.slice.value)] = node.value.id
    return found


def _columns(launch: "Run", files: "NamedFiles") -> "tuple[str, frozenset[str]]":
    """(the one file of data that is here, its columns); no columns where rows may come from elsewhere too, or are changed."""
    names = texts_in(given(launch, "dataset"))
    if len(names) != 1 or any(given(launch, key) not in (None, False) for key in _OTHERWISE):
        return "", frozenset()
    name = names[0].partition("#")[0]
    if not name.endswith((".json", ".jsonl")):
        name = _described(launch, files, name)
    return name, columns_of(rows_of(name, files))


def _described(launch: "Run", files: "NamedFiles", name: str) -> str:
    """The file of a data set of this name in a `dataset_info.json`, where its columns keep their names."""
    for path in texts_in(given(launch, "custom_dataset_info")):
        file = files.find(path)
        try:
            told = json.loads(file.text) if file is not None else []
        except (ValueError, RecursionError):
            return ""
        for each in told if isinstance(told, list) else ():
            if isinstance(each, dict) and each.get("dataset_name") == name and not each.get("columns"):
                return str(each.get("dataset_path", ""))
    return ""
