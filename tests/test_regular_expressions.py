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
from itertools import product

import pytest
from expressions import FILES, PACKAGE, Place, Unknown, calls, parents, values
from processor_time import unit

from grpo_lint.checker.passed_on import values_of
from grpo_lint.files.gitignore import _expression as _name, _tokens
from grpo_lint.frameworks.registry import framework
from grpo_lint.launch.patches import LONGEST_LINE as LONGEST_OF_SCRIPTS, _Code, _Lines
from grpo_lint.launch.registrations import _calls, _renamed
from grpo_lint.plan.formula import LONGEST_LAYOUT
from grpo_lint.report.rule_search import LONGEST_LINE, pattern_of, wordings
from grpo_lint.settings.lines import _HEADER, _KEY
from grpo_lint.source.shell.parameters import LONGEST_VALUE, _expression
from grpo_lint.source.yaml.recovery import _WORD

pytestmark = pytest.mark.slow

METHODS = ("pattern", "compile", "match", "fullmatch", "search", "sub", "finditer", "findall", "split")
TAILS = ("", "\0", "\n", "!", '"', "x", "]", "}", ":", "=", "\n\0")
LENGTH = 8_000
LONGEST = {  # where no longer text is searched
    "plan/formula.py": LONGEST_LAYOUT,
    "launch/patches.py": LONGEST_OF_SCRIPTS,
    "report/rule_search.py": LONGEST_LINE,
    "source/shell/parameters.py": LONGEST_VALUE,
}
LOOKING = {"search", "sub", "finditer", "findall", "split"}  # what tries every place of a text; the others try one


def patterns():
    """{place: (its patterns, whether they are looked for in a text)} of all calls of `re`, and of `source.patterns`,
    which compiles late; no patterns where they are made of a text of a user."""
    found = {}
    for path, method in product(FILES, METHODS):
        for node in calls(path).get(method, ()):
            if node.args and ast.unparse(node.func) in (f"re.{method}", "pattern"):
                uses = {method} if method not in ("compile", "pattern") else _uses(parents(path)[node], path)
                where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
                found[where] = _patterns(node.args[0], path), bool(uses & LOOKING)
    return found


def _patterns(node, path):
    try:
        return list(dict.fromkeys(values(node, Place(node, path))))
    except Unknown:
        return []


def _uses(parent, path):
    """The methods of a compiled pattern that are called: at once, or by the name it is given."""
    if isinstance(parent, ast.Attribute):
        return {parent.attr}
    name = parent.targets[0].id if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) else None
    if name is None:
        return LOOKING
    users = [path] if name.startswith("_") else FILES
    return set(re.findall(rf"\b{name}\.(\w+)\(", "".join(each.read_text(encoding="utf-8") for each in users)))


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


def handed_in():
    """{file: (patterns as it makes them of texts that are not its own, whether they are looked for in a text)}."""
    escaped = re.escape("a-b.c")
    of_code, of_lines = _Code("verl"), _Lines("verl")
    words = [words for _, words in framework("verl").refusals.registrations.values()]
    return {
        "files/gitignore.py": ([_name(_tokens(text)) for text in ("*a*a*b", "a?*[!b]*c", "*.[ab]*")], False),
        "launch/registrations.py": ([pattern(each) for pattern in (_calls, _renamed) for each in words], True),
        "checker/passed_on.py": ([values_of("sizes")], True),
        "launch/patches.py": (
            [
                *(each for held in (of_code, of_lines) for each in vars(held).values() if isinstance(each, re.Pattern)),
                r"\$\{?name\b",
            ],
            True,
        ),
        "report/rule_search.py": ([pattern_of(text) for text in {wording.text: 0 for wording in wordings()}], True),
        "settings/lines.py": ([_HEADER.format(escaped), _KEY.format(escaped)], True),
        "source/shell/parameters.py": ([_expression([(character, False) for character in "a*b?c*d"])], True),
        "source/yaml/recovery.py": ([f"^    {_WORD}"], True),
    }


FOUND = patterns()
HANDED_IN = handed_in()
TRIED = [
    (place, pattern, is_looked_for)
    for place, (found, is_looked_for) in {**FOUND, **HANDED_IN}.items()
    for pattern in found
]


def test_patterns_are_found():
    """All but what `source.patterns` compiles: that is found where it is handed in."""
    assert len(TRIED) > 300
    unknown = [place for place, (found, _) in FOUND.items() if not found and place.partition(":")[0] not in HANDED_IN]
    assert [place.partition(":")[0] for place in unknown] == ["source/patterns.py"], unknown


@pytest.mark.parametrize(("place", "pattern", "is_looked_for"), TRIED)
def test_twice_the_text_takes_not_four_times_as_long(place, pattern, is_looked_for):
    pattern = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    compiled = re.compile(pattern, re.MULTILINE | re.IGNORECASE) if isinstance(pattern, str) else pattern
    longest = LONGEST.get(place.partition(":")[0], LENGTH)
    for piece in pieces(pattern):
        for tail in TAILS:
            times = []
            for length in (longest // 4, longest // 2, longest):
                text = piece * (length // len(piece)) + tail
                times.append(min(seconds(compiled, text, is_looked_for) for _ in range(2)))
                if times[-1] < unit() / 100:
                    break
            # what takes milliseconds for kilobytes has to grow with them: a square would make it four times, and
            # sixteen times
            if len(times) == 3 and times[2] > unit() / 10:
                assert times[2] < 3.2 * times[1] or times[2] < 10 * times[0], (compiled.pattern, piece, tail, times)
