"""Formulas with numbers and labels: '7 per micro step x 4 ranks' is '微步补全数 7 x rank 数 4'."""

import re
from functools import cache

from ...plan.quantities import LABELS, QUANTITIES, label
from .phrases import PHRASES

_TIE = "\xa0"  # between a number and what it counts
_ALONE = {
    "processes": "进程数",
    "ranks": "rank 数",
    "epochs": "epoch 数",
    "rollouts": "rollout 次数",
}  # units elsewhere
_WORDS = (
    (r"(?<=[\u4e00-\u9fff]), (?=at|more|less|not)", ""),
    (r", (?=at|more|less|not)", "，"),
    (r"(?<=[，\u4e00-\u9fff])at least ", "至少为 "),
    (r"(?<=[，\u4e00-\u9fff])at most ", "至多为 "),
    (r"(?<=[，\u4e00-\u9fff])more than ", "大于 "),
    (r"(?<=[，\u4e00-\u9fff])less than ", "小于 "),
    (r"(?<=[，\u4e00-\u9fff])not ", "不为 "),
    (r" and (?=[\u4e00-\u9fff])", "，且"),
    (r" and ", "，且 "),
    (r" or ", " 或 "),
    (r"; ", "；"),
    (r"rounded up ?(?=\()", "向上取整"),
    (r"rounded down ?(?=\()", "向下取整"),
    (r"(?<=\w)\xa0unset\b", f"{_TIE}未设置"),
)


def arithmetic(english: str) -> str:
    """A formula, or a comparison of two, with Chinese labels before its numbers."""
    told = _labels()[0].sub(_labelled, english)
    for pattern, chinese in _WORDS:
        told = re.sub(pattern, chinese, told)
    return told


def in_chinese(english: str) -> str:
    """The label of a quantity."""
    return _ALONE.get(english) or PHRASES.get(english, english)


@cache
def _labels() -> "tuple[re.Pattern[str], dict[str, str]]":
    """(a number with a label or a label alone, {each form of a label: Chinese})."""
    forms: dict[str, str] = {}
    for name in (*QUANTITIES, *LABELS):
        english = label(name)
        chinese = in_chinese(english)
        things, per, whole = english.partition(" per ")
        one = "process" if things == "processes" else re.sub("(?<=ch)es$|s$", "", things)
        for form in (english, f"{one}{per}{whole}", english.removeprefix("completions ")):
            forms.setdefault(form, chinese)
    longest_first = "|".join(re.escape(form).replace(r"\ ", "[ \xa0]") for form in sorted(forms, key=len, reverse=True))
    number = r"-?[\d,.]*\d(?: \| -?[\d,.]*\d)*"
    # a number that follows another one was tried with it
    return re.compile(rf"(?<![\w.])(?:(?<!,)(?<!\d \| )({number})[ {_TIE}])?({longest_first})(?![\w.])"), forms


def _labelled(found: "re.Match[str]") -> str:
    number, words = found[1], found[2].replace(_TIE, " ")
    chinese = _labels()[1][words].replace(" ", _TIE)
    return f"{chinese}{_TIE}{number}" if number else chinese
