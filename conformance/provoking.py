"""Reads in a framework's installed source which settings its refusals read together, and what they compare them with.

A refusal is a `raise` or an `assert`. It depends on the conditions around it, and on earlier ones that leave the
function. The settings in all of these belong together. The constants that a condition compares a setting with, and
their neighbours, are the values that matter. Random cases rarely combine them on their own: see `cases.py`, which draws
from these groups.
"""

import ast
from functools import cache
from pathlib import Path

# where each dialect's settings are checked, in the releases that have the file
SOURCES = {
    "trl": ("transformers/training_args.py", "trl/trainer/*config*.py", "trl/trainer/grpo_trainer.py", "trl/trainer/rloo_trainer.py",
            "trl/generation/vllm_generation.py", "trl/scripts/utils.py"),
    "swift": ("transformers/training_args.py", "swift/arguments/base_args/*.py", "swift/arguments/*_args.py",
              "swift/llm/argument/base_args/*.py", "swift/llm/argument/*_args.py", "swift/trainers/*arguments.py",
              "swift/rlhf_trainers/*arg*.py", "swift/rlhf_trainers/grpo_trainer.py", "swift/rlhf_trainers/*rollout_mixin.py",
              "swift/trainers/rlhf_trainer/grpo_trainer.py", "swift/trainers/rlhf_trainer/*rollout_mixin.py"),
    "megatron": ("swift/megatron/arguments/*.py", "swift/megatron/argument/*.py", "swift/megatron/trainers/grpo_trainer.py",
                 "swift/megatron/trainers/*rollout_mixin.py", "swift/rlhf_trainers/*arg*.py", "swift/arguments/base_args/*.py",
                 "swift/llm/argument/base_args/*.py", "swift/megatron/utils/megatron_lm_utils.py", "megatron/core/parallel_state.py"),
}  # fmt: skip


def groups(dialect, site_packages, names):
    """[{setting: values that its conditions compare it with}] of every refusal in the installed source; the values may
    be empty."""
    found = []
    for pattern in SOURCES[dialect]:
        for path in sorted(Path(site_packages).glob(pattern)):
            for group in _of_file(path):
                mine = {name: list(values) for name, values in group if name in names}
                if mine and mine not in found:
                    found.append(mine)
    return found


@cache
def _of_file(path):
    functions = (
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)
    )
    return [
        tuple(_operands(conditions).items()) for function in functions for conditions in _refusals(function.body, [])
    ]


def _refusals(statements, conditions):
    """The conditions that lead to each refusal below some statements."""
    conditions = list(conditions)
    for statement in statements:
        if isinstance(statement, ast.Raise):
            yield list(conditions)
        elif isinstance(statement, ast.Assert):
            yield [*conditions, statement.test]
        elif isinstance(statement, ast.If):
            yield from _refusals(statement.body, [*conditions, statement.test])
            yield from _refusals(statement.orelse, [*conditions, statement.test])
            if any(isinstance(inner, ast.Return) for inner in statement.body):
                conditions.append(statement.test)
        elif isinstance(statement, ast.Assign):
            conditions.append(statement)  # for the names that later conditions use; it matters only where they do
        else:
            for part in ("body", "orelse", "handlers", "finalbody"):
                inner = [getattr(item, "body", item) for item in getattr(statement, part, ())]
                yield from _refusals(
                    [item for items in inner for item in (items if isinstance(items, list) else [items])], conditions
                )


def _operands(conditions):
    """{name: values} of all names in conditions, and in the assignments to the local names in them."""
    assigned = {
        target.id: step.value
        for step in conditions
        if isinstance(step, ast.Assign)
        for target in step.targets
        if isinstance(target, ast.Name)
    }
    found, pending, seen = {}, [step for step in conditions if not isinstance(step, ast.Assign)], set()
    while pending:
        for node in ast.walk(pending.pop()):
            if isinstance(node, ast.Compare):
                _compared(node, assigned, found)
            name = _name(node)
            if name:
                found.setdefault(name, [])
            if name in assigned and name not in seen:
                seen.add(name)
                pending.append(assigned[name])
    return found


def _compared(node, assigned, found):
    sides = [node.left, *node.comparators]
    constants = [value for side in sides for value in _constants(assigned.get(_name(side), side))]
    for name in filter(None, map(_name, sides)):
        values = found.setdefault(name, [])
        values += [value for value in constants if value not in values]


def _constants(node):
    if isinstance(node, ast.Attribute) and node.attr.isupper():
        yield node.attr.lower()  # a member of an enumeration, such as IntervalStrategy.STEPS
        return
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return
    for item in value if isinstance(value, (list, tuple, set, dict)) else [value]:
        yield item
        if type(item) in (int, float):
            yield from (item - 1, item + 1, item + 0.5)


def _name(node):
    """The setting that an expression names: `self.beta`, `args.beta`, `beta`, getattr(self, 'beta', None)."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if (
        isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "getattr"
        and isinstance(node.args[1], ast.Constant)
    ):
        return node.args[1].value
    return None
