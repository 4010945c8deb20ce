"""Rules that a team declares in its settings, without code: limits of settings and of quantities of the plan.

    [tool.grpo-lint.rules.team-updates-of-512]
    on = "completions_per_update"
    multiple-of = 512
    why = "Our learning rates are tuned for updates of this size."

A limit is a number, or the name of another setting or quantity. What is declared becomes a condition of our own making:
names that are known, and literals; nothing of the user's is evaluated.
"""

import re
from keyword import iskeyword

from ..frameworks.registry import NAMES, framework as framework_named
from ..launch.facts import IN_PLAN
from ..message import Message, all_of, series, verbatim
from ..plan.formula import VOCABULARY
from ..rules.base import SEVERITIES, Rule
from ..source.quoting import did_you_mean, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Callable, Catalogue, Iterable, Mapping, Severity

    Limits = dict[str, Any]  # {one of LIMITS: number, name or list}, as a document holds them
    OwnKey = Callable[[str], bool]  # whether a name is a key of the team's own scripts

PREFIX = "team-"  # begins the names of all rules of a team; their codes begin with TEAM
NAME = r"team(-[a-z0-9]+)+"
LARGEST = 10**15
MOST_CHOICES = 100
LONGEST_TEXT = 1000
_OPERATORS = {"max": ">", "min": "<"}
_WORDS = {"max": "at most {limit}", "min": "at least {limit}", "multiple-of": "a multiple of {limit}"}
LIMITS = (*_WORDS, "one-of")
KEYS = ("on", *LIMITS, "severity", "why")


class BadRule(ValueError):
    """A declaration that is none; the message is meant for the user, `key` is the key of the declaration that is
    wrong, "" for all of it."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class Limit(Rule):
    """A rule about one setting or quantity.

    on         its name
    limits     {one of LIMITS: number, name or list}
    declared   the table as it stands in the settings
    """

    told = Message("{quantity} is {shown}{shown.how}, and must be {limits}")

    def __init__(
        self,
        name: str,
        on: str,
        limits: "Limits",
        severity: "Severity",
        why: str = "",
        declared: "dict[str, Any] | None" = None,
    ) -> None:
        wanted = all_of([_in_words(key, limit) for key, limit in limits.items()])
        super().__init__(
            name.upper(),
            name,
            Message("{quantity} is {limits}", {"quantity": on, "limits": wanted}),
            " or ".join(_broken(on, key, limit) for key, limit in limits.items()),
            message=self.told,
            why=verbatim(why) if why else Message("The settings of this repository say so."),
            harm=severity,
        )
        self.on: str = on
        self.limits = limits
        self.declared: dict[str, Any] = declared or {}

    def values(self, shown: "Callable[[str], object]") -> "dict[str, object]":
        """What its message names; `shown`: a quantity with its number."""
        limits = [_in_words(key, limit, shown) for key, limit in self.limits.items()]
        return {"quantity": self.on, "shown": shown(self.on), "limits": all_of(limits)}

    @property
    def sizes(self) -> list[int]:  # type: ignore[override]  # of a limit nobody sets them
        """The whole numbers whose divisors may be of use in a fix."""
        numbers = (number for limit in self.limits.values() for number in (limit if type(limit) is list else [limit]))
        return [number for number in numbers if type(number) is int and number > 0]

    def cures(self, value: object) -> list[object]:
        """Values that make the rule hold, as far as the rule itself says them; `value` is the one that breaks it."""
        found: list[object] = [
            limit for key, limit in self.limits.items() if key in _OPERATORS and type(limit) is not str
        ] + self.limits.get("one-of", [])
        step = self.limits.get("multiple-of")
        if type(step) is int and type(value) is int:
            found += [value // step * step, -(-value // step) * step]
        return found


def _broken(on: str, key: str, limit: "Any") -> str:
    """The condition under which a limit is broken."""
    if key == "one-of":
        return f"{on} not in {tuple(limit)!r}"
    return f"{on} % {limit} != 0" if key == "multiple-of" else f"{on} {_OPERATORS[key]} {limit}"


def _in_words(key: str, limit: "Any", shown: "Callable[[str], object] | None" = None) -> Message:
    """A limit; with `shown` another quantity is told with its number."""
    if key == "one-of" and len(limit) == 1:
        return verbatim(limit[0])
    if key == "one-of":
        return Message("one of {values}", {"values": series(list(map(str, limit)))})
    if type(limit) is str and shown is not None:
        limit = Message("{quantity} {number}{number.how}", {"quantity": limit, "number": shown(limit)})
    return Message(_WORDS[key], {"limit": limit})


# --- reading --------------------------------------------------------------------------------------------------------


def read_limit(name: str, table: object, own_key: "OwnKey" = lambda key: False) -> Limit:
    """The Limit that a table of the settings declares; raises BadRule. `own_key`: whether a name is a key of the
    team's own scripts."""
    if not re.fullmatch(NAME, name) or len(name) > 80:
        raise BadRule(
            "",
            Message(
                "a rule of your own has a name such as {prefix}updates-of-512, not {name}",
                {"prefix": PREFIX, "name": shown(name)},
            ),
        )
    if type(table) is not dict:
        raise BadRule("", Message('must be a table such as { on = "completions_per_update", multiple-of = 512 }'))
    for key in table:
        if key not in KEYS:
            raise BadRule(
                key, Message("unknown key {key}{hint}", {"key": shown(key), "hint": did_you_mean(key, KEYS, table)})
            )
    if "on" not in table:
        raise BadRule("", Message('needs the name of a setting or quantity: on = "completions_per_update"'))
    on = known_name("on", table["on"], own_key)
    limits = _limits(on, table, own_key)
    severity = table.get("severity", "warning")
    if severity not in SEVERITIES:
        raise BadRule(
            "severity",
            Message(
                "severity is one of {severities}, not {severity}{hint}",
                {
                    "severities": series(list(SEVERITIES)),
                    "severity": shown(severity),
                    "hint": did_you_mean(severity, SEVERITIES),
                },
            ),
        )
    why = table.get("why", "")
    if type(why) is not str or not _is_text(" ".join(why.split())):
        raise BadRule("why", Message("why is a text of {most} characters at most", {"most": LONGEST_TEXT}))
    return Limit(name, on, limits, severity, " ".join(why.split()), table)


def _limits(on: str, table: "Mapping[str, object]", own_key: "OwnKey") -> "Limits":
    limits: Limits = {key: _limit(key, table[key], own_key) for key in LIMITS if key in table}
    if not limits:
        raise BadRule(
            "", Message("says nothing about {on}: it needs one of {limits}", {"on": on, "limits": series(list(LIMITS))})
        )
    low, high = limits.get("min"), limits.get("max")
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
        raise BadRule("min", Message("min {low} is above max {high}", {"low": low, "high": high}))
    return limits


def _limit(key: str, value: object, own_key: "OwnKey") -> object:
    if key == "one-of":
        if type(value) is list and 0 < len(value) <= MOST_CHOICES and all(map(is_choice, value)):
            return value
        raise BadRule(
            key,
            Message(
                "one-of is a list of numbers, texts, true or false, at most {most} of them, not {value}",
                {"most": MOST_CHOICES, "value": shown(value)},
            ),
        )
    if type(value) is str:
        return known_name(key, value, own_key)
    if key == "multiple-of":
        if type(value) is int and 0 < value <= LARGEST:
            return value
        raise BadRule(
            key,
            Message(
                "multiple-of is a whole number greater than 0, or the name of a setting or quantity, not {value}",
                {"value": shown(value)},
            ),
        )
    if _is_number(value):
        return value
    raise BadRule(
        key,
        Message(
            "{key} is a number, or the name of a setting or quantity, not {value}", {"key": key, "value": shown(value)}
        ),
    )


def _is_number(value: object) -> bool:
    # in a range that no infinity is in, nor what is no number
    return (type(value) is int or type(value) is float) and -LARGEST <= value <= LARGEST


def is_choice(value: object) -> bool:
    """Whether a value is one that a setting may be compared with."""
    return type(value) is bool or _is_number(value) or (type(value) is str and _is_text(value))


def _is_text(value: str) -> bool:
    return len(value) <= LONGEST_TEXT and value.isprintable()


# --- names ----------------------------------------------------------------------------------------------------------


def known_name(key: str, word: object, own_key: "OwnKey" = lambda key: False) -> str:
    """The name of a setting, quantity or fact, written with _ or -; raises BadRule with a hint when there is none of
    that name."""
    if type(word) is not str:
        raise BadRule(
            key, Message("{key} is the name of a setting or quantity, not {word}", {"key": key, "word": shown(word)})
        )
    name = word.replace("-", "_")
    if name.isidentifier() and not iskeyword(name) and name not in VOCABULARY and (is_known(name) or own_key(name)):
        return name
    raise BadRule(
        key,
        Message(
            "there is no setting or quantity {word}{hint}",
            {"word": shown(word), "hint": did_you_mean(name, all_names())},
        ),
    )


def is_known(name: str) -> bool:
    """Whether some release of some framework has a setting of this name, or it is a quantity of a plan or a fact about
    a run."""
    from ..plan.quantities import QUANTITIES

    return name in QUANTITIES or name in IN_PLAN or any(catalogue.knows(name) for catalogue in _catalogues())


def all_names() -> list[str]:
    """Everything that a rule can be about."""
    from ..plan.quantities import QUANTITIES

    return [
        *QUANTITIES,
        *sorted(IN_PLAN),
        *dict.fromkeys(name for catalogue in _catalogues() for name in catalogue.names()),
    ]


def _catalogues() -> "Iterable[Catalogue]":
    return (framework_named(name).catalogue for name in NAMES)
