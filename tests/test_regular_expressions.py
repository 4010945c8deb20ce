"""No regular expression of ours takes more than a little longer than its text: texts come from strangers.

Every pattern that `re` compiles while the tests below run is tried on texts that are made to be slow for it: the pieces
that it can
match, in long rows, with an end that it cannot match. What counts is how the time grows: a pattern that backtracks
takes four times
as long for twice the text, or worse.
"""

import ast
import re
import time
from pathlib import Path

import pytest
from processor_time import unit

import grpo_lint
from grpo_lint.launch.commands import STARTS

pytestmark = pytest.mark.slow

PACKAGE = Path(grpo_lint.__file__).parent
FUNCTIONS = ("compile", "match", "fullmatch", "search", "sub", "finditer", "findall", "split")
TAILS = ("", "\0", "\n", "!", '"', "x", "]", "}", ":", "=", "\n\0")
LENGTHS = (2_000, 4_000, 8_000)


SOURCES = {
    path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")) if path.name != "catalogue.py"
}
LOOKING = {"search", "sub", "finditer", "findall", "split"}  # what tries every place of a text; the others try one


def patterns():
    """{place: (pattern, whether it is looked for in a text)} of all calls of `re`; None where a pattern is made of a
    text of a user."""
    found = {}
    for path, source in SOURCES.items():
        tree = ast.parse(source)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "pattern"
                and node.args
            ):
                looks = bool(_uses(parents[node], path) & LOOKING)  # one of source/patterns: compiled when it is used
                found[f"{path.relative_to(PACKAGE)}:{node.lineno}"] = _value(node.args[0], path), looks
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
            ):
                if node.func.attr in FUNCTIONS:
                    uses = {node.func.attr} if node.func.attr != "compile" else _uses(parents[node], path)
                    found[f"{path.relative_to(PACKAGE)}:{node.lineno}"] = (
                        _value(node.args[0], path),
                        bool(uses & LOOKING),
                    )
    return found


def _uses(parent, path):
    """The methods of a compiled pattern that are called: at once, or by the name it is given."""
    if isinstance(parent, ast.Attribute):
        return {parent.attr}
    name = parent.targets[0].id if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) else None
    if name is None:
        return LOOKING
    users = [SOURCES[path]] if name.startswith("_") else SOURCES.values()
    return set(re.findall(rf"\b{name}\.(\w+)\(", "".join(users)))


def _value(node, path):
    """The text of a pattern: names are those of its module; None for one that is made from the text of a user."""
    module = __import__("grpo_lint." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts), fromlist=["x"])
    try:
        return eval(compile(ast.Expression(node), str(path), "eval"), dict(vars(module)))
    except NameError:
        return None


def pieces(pattern):
    """Characters and words that stand in a pattern, to make texts of that it has a hard time with."""
    bare = re.sub(r"\(\?[a-zA-Z<>!=:P]*|\\[bBAZ]", "", pattern if isinstance(pattern, str) else pattern.pattern)
    words = re.findall(r"[A-Za-z_-]{2,}", re.sub(r"\\.|\[[^\]]*\]", " ", bare))
    signs = list(re.findall(r"[^\w\s\\]", bare))
    return list(
        dict.fromkeys(
            [
                " ",
                "a",
                "1",
                "\t",
                "\n",
                "\\",
                *signs,
                *words,
                *(f"{word} " for word in words),
                *(f"{sign}a" for sign in signs),
                *(f"{sign} " for sign in signs),
                "a ",
                " a",
                "\\a",
            ]
        )
    )[:60]


def seconds(compiled, text, is_looked_for):
    began = time.process_time()
    if is_looked_for:
        for _ in compiled.finditer(text):
            pass
    else:
        compiled.match(text)
        compiled.fullmatch(text)
    return time.process_time() - began


# Two patterns of source/embedded.py are handed in: they are these.
HANDED_IN = {"source/embedded.py": (STARTS, True)}
ALL = {**patterns(), **HANDED_IN}


def test_patterns_are_found():
    assert len(ALL) > 80
    unknown = [place for place, (pattern, _) in ALL.items() if pattern is None]
    assert len([place for place in unknown if place.partition(":")[0] not in HANDED_IN]) <= 24, unknown


@pytest.mark.parametrize("place", [place for place, (pattern, _) in ALL.items() if pattern is not None])
def test_twice_the_text_takes_not_four_times_as_long(place):
    pattern, is_looked_for = ALL[place]
    compiled = re.compile(pattern, re.MULTILINE | re.IGNORECASE) if isinstance(pattern, str) else pattern
    for piece in pieces(pattern):
        for tail in TAILS:
            times = []
            for length in LENGTHS:
                text = piece * (length // len(piece)) + tail
                times.append(min(seconds(compiled, text, is_looked_for) for _ in range(2)))
                if times[-1] < unit() / 100:
                    break
            # what takes milliseconds for kilobytes has to grow with them: a square would make it four times, and
            # sixteen times
            if len(times) == 3 and times[2] > unit() / 10:
                assert times[2] < 3.2 * times[1] or times[2] < 10 * times[0], (compiled.pattern, piece, tail, times)
