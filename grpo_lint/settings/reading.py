"""Reads a settings file: its table, and what is wrong with it."""

import os
from itertools import islice

from ..files import disk
from ..files.patterns import Globs
from ..launch.facts import BORROWED_NAMES, BY_OPTION, BadFact, Fact, canonical_name, parse_fact
from ..message import NOTHING, Message, joined, series, told_by
from ..source.quoting import did_you_mean, shown
from .files import PYTHON_RULES, Problem, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Callable, Collection, Mapping, Policy, Rule, Severity
    from .files import Facts, Table

SEVERITIES: "tuple[Severity, ...]" = ("error", "warning", "info")
LARGEST_FILE = 1 << 20  # a settings file that is larger is not one
_NO_CODE = Message(
    "python-rules would run code that comes with the repository, and is not read here: name the files with --rules, or in your own "
    "settings, grpo-lint/config.toml below $XDG_CONFIG_HOME or ~/.config"
)
MOST_RULES = 100  # of a team's own, in one table
MOST_PROBLEMS = 20  # of one file: whoever made so many will look at the rest anyway


def load(path: str, folder: str, dedicated: bool) -> Settings | None:
    settings = Settings(folder, path)
    try:
        data = disk.read(path, LARGEST_FILE)
    except OSError as error:
        if not dedicated:
            return None  # nobody knows whether our table is in it
        if isinstance(error, disk.LeadsOutside):
            settings.problems.append(
                Problem(path, None, None, Message("is not read: {reason}", {"reason": error.strerror}), fails=False)
            )
            return settings
        settings.problems.append(
            Problem(path, None, None, Message("cannot be read: {reason}", {"reason": error.strerror}))
        )
        return settings
    if not dedicated and b"tool.grpo-lint" not in data:
        return None
    if len(data) > LARGEST_FILE:
        settings.problems.append(
            Problem(path, None, None, Message("is larger than {size} MB; not read", {"size": LARGEST_FILE >> 20}))
        )
        return settings
    text, document = _parse(path, data, settings.problems)
    table = _our_table(document, dedicated)
    if isinstance(table, dict):
        settings.text = text
        _Reader(path, settings).read(table)
    elif table is not None:
        settings.problems.append(Problem(path, None, "tool.grpo-lint", Message("tool.grpo-lint must be a table")))
    elif not settings.problems:
        return None  # our name stood in a comment or in a text
    return settings


def _parse(path: str, data: bytes, problems: list[Problem]) -> "tuple[str, Table | None]":
    """The text and its top table; ("", None) and one problem when the file is not TOML."""
    try:
        text = data.decode("utf-8-sig")
        if _has_endless_keys(text):
            raise RecursionError
        return text, loads_toml(text)
    except UnicodeDecodeError as error:
        problem = Problem(path, data.count(b"\n", 0, error.start) + 1, None, Message("is not TOML: not UTF-8"))
    except (RecursionError, MemoryError):
        problem = Problem(path, None, None, Message("is not TOML that can be read: nested too deeply"))
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        line, reason = no_toml(error, data)
        problem = Problem(path, line, None, Message("is not TOML{reason}", {"reason": reason}))
    problems.append(problem)
    return "", None


def loads_toml(text: str) -> "Table":
    """The top table of a text of TOML; raises ValueError or RecursionError."""
    try:
        import tomllib  # type: ignore[import-not-found, unused-ignore]
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib  # type: ignore[import-not-found, no-redef, unused-ignore]
    table: Table = tomllib.loads(text)
    return table


def no_toml(error: ValueError, data: bytes) -> "tuple[int | None, Message]":
    """(line, what is wrong there) of an error of Python's reader of TOML. Only its place is taken: its words change."""
    import re

    words = str(error)
    where = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", words)
    if where is None:
        return None, NOTHING
    if where[1] is None:
        return data.count(b"\n") + (not data.endswith(b"\n")) or None, Message(": it ends too early")
    is_twice = words.startswith(("Cannot ", "Duplicate "))
    place = Message(" from column {column} on", {"column": where[2]})
    return int(where[1]), Message(": a key or table is written twice") if is_twice else place


MOST_PARTS = 50  # of a dotted key; the memory that a key takes grows with the square of their number


def _has_endless_keys(text: str) -> bool:
    """Whether keys such as `a.b.c` nest deeper than anybody's; dots in texts and comments do not count."""
    import re

    bare = re.sub(_TEXTS_OF_TOML, "_", text)
    return bool(re.search(rf"(?<![\w.-])(?:[\w-]+[ \t]*\.[ \t]*){{{MOST_PARTS}}}", bare))


_TEXTS_OF_TOML = (  # each closed, or open to the end of its line or of the file
    r"""\"\"\"(?:[^"\\]+|\\[\s\S]|"(?!""))*(?:\"\"\")?"""
    r"|'''(?:[^']+|'(?!''))*(?:''')?"
    r"""|"(?:[^"\\\n]+|\\.)*"?|'[^'\n]*'?|#[^\n]*"""
)


def _our_table(table: "Table | None", dedicated: bool) -> "Table | None":
    """Our part of a parsed file; a dedicated file may hold it plainly, or under the name that pyproject.toml needs."""
    tool = table.get("tool") if table is not None else None
    ours = tool.get("grpo-lint") if isinstance(tool, dict) else None
    return table if dedicated and ours is None else ours


_RULES = (list, Message('a list of rules, such as ["GRPO203", "GRPO6", "key-is-known"]'))
_KEYS = (list, Message('a list of keys, such as ["team_name"]'))
# {key of the settings: (its type, what it must be)}; `policy.Policy` has an attribute for each
POLICY: "dict[str, tuple[type[Any], Message]]" = {
    "select": _RULES,
    "extend-select": _RULES,
    "ignore": _RULES,
    "severity": (dict, Message('a table of rules, such as { GRPO104 = "error" }')),
    "known-keys": _KEYS,
    "required-keys": _KEYS,
    "rules": (dict, Message("tables of rules, such as rules.team-updates-of-512")),
    "strict": (bool, Message("true or false")),
}
_OF_RULES = ("select", "extend-select", "ignore", "severity")  # those whose items are words for rules


class _Reader:
    """Turns our table into Settings: what it understands it keeps, everything else becomes a problem."""

    def __init__(self, path: str, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self.keys: dict[str, Callable[[object], None]] = {
            "exclude": self.exclude,
            "fail-on": self.fail_on,
            "baseline": self.baseline,
            "overrides": self.overrides,
        }

    def read(self, table: "Table") -> None:
        self.settings.facts = self.facts_in(table, self.keys, "")
        self.settings.policy = self.policy_in(table, "")
        for key, value in table.items():
            if key in self.keys:
                self.keys[key](value)

    def exclude(self, value: object) -> None:
        self.settings.exclude = self.globs("exclude", value)

    def fail_on(self, value: object) -> None:
        if value in SEVERITIES:
            self.settings.fail_on = value
        else:
            hint = did_you_mean(value, SEVERITIES)
            self.settings.problem(
                "fail-on",
                Message(
                    "fail-on is one of {severities}, not {value}{hint}",
                    {"severities": series(list(SEVERITIES)), "value": shown(value), "hint": hint},
                ),
            )

    def baseline(self, value: object) -> None:
        """A settings file may come from a stranger's branch: nothing outside of the repository is read for it."""
        if not isinstance(value, str) or not value or "\0" in value:
            return self.settings.problem("baseline", Message("baseline must be the path of a file"))
        path = os.path.join(self.settings.root, value)
        inside = os.path.join(disk.real(disk.root_of(self.path) or self.settings.root), "")
        if os.path.isabs(value) or not disk.real(path).startswith(inside):
            return self.settings.problem(
                "baseline", Message("baseline {value} must lie inside of the repository", {"value": shown(value)})
            )
        self.settings.baseline = os.path.normpath(path)

    def overrides(self, value: object) -> None:
        if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
            return self.settings.problem(
                "overrides", Message("overrides must be tables: write [[tool.grpo-lint.overrides]]")
            )
        for number, table in enumerate(value, 1):
            place = f"overrides[{number}]."
            facts, policy = self.facts_in(table, ("paths",), place), self.policy_in(table, place)
            if "paths" not in table:
                self.settings.problem(
                    place[:-1], Message("{place} has no paths: it would apply to nothing", {"place": place[:-1]})
                )
            else:
                self.settings.overrides.append((self.globs(place + "paths", table["paths"]), facts, policy))

    def facts_in(self, table: "Table", other_keys: "Collection[str]", place: str) -> "Facts":
        facts: Facts = {}
        for key, value in table.items():
            name = canonical_name(key)
            if len(self.settings.problems) >= MOST_PROBLEMS:
                break
            if key in other_keys or key in POLICY:
                continue
            if key == PYTHON_RULES:
                self.settings.problem(place + key, _NO_CODE)
                continue
            fact = BY_OPTION.get(name)
            if fact is None:
                hint = did_you_mean(BORROWED_NAMES.get(name, name), [*BY_OPTION, *other_keys, *POLICY], table)
                self.settings.problem(
                    place + key, Message("unknown key {place}{hint}", {"place": shown(place + key), "hint": hint})
                )
                continue
            try:
                facts[fact] = Fact(parse_fact(name, value), Message("settings"), (self.path, None, None))
            except BadFact as bad:
                self.settings.problem(place + key, joined((place, told_by(bad))))
        return facts

    def policy_in(self, table: "Table", place: str) -> "Policy | None":
        """The Policy in a table, None when it says nothing."""
        given = {key: value for key, value in table.items() if key in POLICY}
        if not given:
            return None
        from .policy import Policy

        policy = Policy()
        for key, value in given.items():
            wrong = _what_is_wrong(key, value)
            for message in wrong:
                self.settings.problem(place + key, joined((place, key, message)))
            if not wrong:
                setattr(policy, key.replace("-", "_"), value)
        if policy.rules:
            everywhere = self.settings.policy.known_keys if self.settings.policy else None
            policy.rules = self.limits_in(
                policy.rules, f"{place}rules.", Policy(known_keys=[*(everywhere or ()), *(policy.known_keys or ())])
            )
        return policy

    def limits_in(self, tables: "Mapping[str, object]", place: str, keys: "Policy") -> "dict[str, Rule]":
        """{name: Limit} of the rules that are declared; `keys`: a Policy that knows the keys of the team's own
        scripts."""
        from .limits import BadRule, read_limit

        rules: dict[str, Rule] = {}
        if len(tables) > MOST_RULES:
            self.settings.problem(
                place[:-1],
                Message(
                    "{place} holds {most} rules at most, not {count}",
                    {"place": place[:-1], "most": MOST_RULES, "count": len(tables)},
                ),
            )
            return rules
        for name, table in tables.items():
            if len(self.settings.problems) >= MOST_PROBLEMS:
                break
            try:
                rules[name] = read_limit(name, table, keys.knows)
            except BadRule as bad:
                self.settings.problem(
                    f"{place}{name}.{bad.key}".rstrip("."),
                    Message("{place}{name}: {problem}", {"place": place, "name": name, "problem": told_by(bad)}),
                )
        return rules

    def globs(self, key: str, value: object) -> Globs:
        if isinstance(value, list) and all(isinstance(pattern, str) for pattern in value):
            return Globs(value, self.settings.root)
        self.settings.problem(
            key, Message('{key} must be a list of patterns, such as ["configs/*.yaml"]', {"key": key})
        )
        return Globs((), self.settings.root)


def _what_is_wrong(key: str, value: "Any") -> "list[Message]":
    """What is wrong with the value of a key of POLICY, as the ends of sentences that begin with the key."""
    from .policy import wrong_word

    kind, what = POLICY[key]
    if not isinstance(value, kind) or (kind is list and not all(isinstance(item, str) and item for item in value)):
        return [Message(" must be {what}", {"what": what})]
    wrong = list(islice(filter(None, map(wrong_word, value)), MOST_PROBLEMS)) if key in _OF_RULES else []
    if key == "severity":
        unknown = [(word, given) for word, given in value.items() if given not in SEVERITIES][:MOST_PROBLEMS]
        names = series(SEVERITIES)
        wrong += [
            Message(
                "{option} is one of {names}, not {name}{hint}",
                {
                    "option": shown(word)[1:-1],
                    "names": names,
                    "name": shown(given),
                    "hint": did_you_mean(given, SEVERITIES),
                },
            )
            for word, given in unknown
        ]
    return [Message(": {problem}", {"problem": each}) for each in wrong]
