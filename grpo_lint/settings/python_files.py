"""Rules of a team's own in files of Python.

    from grpo_lint.frameworks.all_rules import Rule

    RULES = [Rule("TEAM001", "team-even-groups", "Groups are even", "group_size % 2 != 0", message="...", why="...")]

To load such a file is to run it. So nobody asks for it but the command line (`--rules FILE`) and the settings of the
user, which stand outside of every repository: `python-rules = ["rules.py"]` in `grpo-lint/config.toml` below
$XDG_CONFIG_HOME or ~/.config.
"""

import os

from ..files import disk
from ..frameworks.all_rules import find_rule
from ..message import Message, Telling, series, told_by
from ..rules.base import SEVERITIES, Rule
from ..rules.functions import failure_of
from ..source.quoting import did_you_mean, shown
from .files import PYTHON_RULES, user_settings
from .limits import NAME, BadRule, all_names, is_known
from .reading import loads_toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

LARGEST_FILE = 1 << 20
CODE = r"TEAM[A-Z0-9-]{0,60}"


class BadRules(Telling):
    """A file that gives no rules; the message is meant for the user."""


def rules_for(named: "Iterable[str]") -> dict[str, Rule]:
    """{name: Rule} of the files that a command line names, and of those in the settings of the user; raises BadRules."""
    found: dict[str, Rule] = {}
    for path in [*_named_by_the_user(), *named]:
        for rule in load(path):
            if rule.name in found and found[rule.name].source != path:
                raise BadRules(
                    Message(
                        "{path}: {name} is also in {source}",
                        {"path": path, "name": rule.name, "source": found[rule.name].source},
                    )
                )
            found[rule.name] = rule
    return found


# --- the settings of the user ---------------------------------------------------------------------------------------


def _named_by_the_user() -> list[str]:
    """The paths in the settings of the user."""
    path = user_settings()
    if path is None:
        return []
    repository = disk.root_of(os.path.join(os.getcwd(), "file"))
    if repository and disk.real(path).startswith(os.path.join(disk.real(repository), "")):
        raise BadRules(
            Message(
                "{path} lies inside of the repository, whose branches may bring their own: it is not read; name files with --rules",
                {"path": path},
            )
        )
    table = _toml(path)
    for key in table:
        if key != PYTHON_RULES:
            raise BadRules(
                Message(
                    "{path}: unknown key {key}{hint}; all other settings belong in the settings of a repository",
                    {"path": path, "key": shown(key), "hint": did_you_mean(key, [PYTHON_RULES])},
                )
            )
    paths = table.get(PYTHON_RULES, [])
    if type(paths) is not list or not all(type(each) is str and each for each in paths):
        raise BadRules(
            Message(
                '{path}: {key} must be a list of files, such as ["rules.py"]',
                {"path": path, "key": PYTHON_RULES},
            )
        )
    return [os.path.join(os.path.dirname(path), disk.expanded(each)) for each in paths]


def _toml(path: str) -> "dict[str, Any]":
    try:
        return loads_toml(_read(path))
    except (ValueError, RecursionError):
        raise BadRules(Message("{path} is not TOML", {"path": path})) from None


def _read(path: str) -> str:
    try:
        data = disk.read(path, LARGEST_FILE)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise BadRules(Message("{path} cannot be read: {why}", {"path": path, "why": disk.why(error)})) from None
    if len(data) > LARGEST_FILE:
        raise BadRules(Message("{path} is larger than {size} MB", {"path": path, "size": LARGEST_FILE >> 20}))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRules(Message("{path} is not UTF-8", {"path": path})) from None


# --- a file of rules ------------------------------------------------------------------------------------------------


def load(path: str) -> "Sequence[Rule]":
    """The Rules of a file of Python, which is run; raises BadRules."""
    import sys
    from types import ModuleType

    module = ModuleType(f"grpo_lint_rules_{len(sys.modules)}")
    module.__file__ = path
    try:
        code = compile(_read(path), path, "exec")
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
    except BadRules:
        raise
    except (Exception, SystemExit) as error:
        raise BadRules(Message("the rules cannot be loaded: {error}", {"error": failure_of(error, path)})) from None
    found: Any = getattr(module, "RULES", None)
    if type(found) not in (list, tuple):
        raise BadRules(Message("{path} has no RULES: it needs a list of Rule(...)", {"path": path}))
    rules: Sequence[Rule] = found
    for place, rule in enumerate(rules):
        try:
            _check(rule, rules[:place])
        except BadRule as bad:
            raise BadRules(
                Message(
                    "{path}: {rule}: {problem}",
                    {"path": path, "rule": getattr(rule, "code", f"RULES[{place}]"), "problem": told_by(bad)},
                )
            ) from None
        rule.source = path
        rule.harm = rule.harm or "warning"
        rule.cure = rule.cure or {}
    return rules


def _check(rule: object, earlier: "Sequence[Rule]") -> None:
    """Raise BadRule for what is no rule, or none of a team."""
    from re import fullmatch

    if not isinstance(rule, Rule):
        raise BadRule("", Message("not a Rule but {rule}", {"rule": shown(rule)}))
    if type(rule.code) is not str or not fullmatch(CODE, rule.code):
        raise BadRule(
            "code",
            Message(
                "the codes of your own rules begin with TEAM, as in TEAM001: {code} does not",
                {"code": shown(rule.code)},
            ),
        )
    if type(rule.name) is not str or not fullmatch(NAME, rule.name):
        raise BadRule(
            "name",
            Message("the names of your own rules are such as team-even-groups, not {name}", {"name": shown(rule.name)}),
        )
    if find_rule(rule.code, {other.name: other for other in earlier}) or rule.name in {other.name for other in earlier}:
        raise BadRule("code", Message("the code or the name is used twice"))
    if rule.harm not in (None, *SEVERITIES):
        raise BadRule(
            "harm",
            Message(
                "harm is one of {severities}, not {harm}{hint}",
                {
                    "severities": series(list(SEVERITIES)),
                    "harm": shown(rule.harm),
                    "hint": did_you_mean(rule.harm, SEVERITIES),
                },
            ),
        )
    _check_fields(rule)
    _check_condition(rule)


def _check_fields(rule: Rule) -> None:
    """Raise BadRule for a text that is none, or a cure that is no mapping."""
    for field in ("summary", "message", "why", "instead", "example"):
        if type(getattr(rule, field)) is not str:
            raise BadRule(
                field,
                Message("{field} is a text, not {value}", {"field": field, "value": shown(getattr(rule, field))}),
            )
    if rule.cure is not None and (type(rule.cure) is not dict or not all(type(name) is str for name in rule.cure)):
        raise BadRule(
            "cure",
            Message('cure is a mapping such as {{"num_generations": 8}}, not {cure}', {"cure": shown(rule.cure)}),
        )


def _check_condition(rule: Rule) -> None:
    """Raise BadRule for a rule without a condition, or about a name that nobody knows."""
    if rule.broken is None:
        raise BadRule("broken", Message('it has no condition; write one such as "group_size % 2 != 0", or a function'))
    try:
        names = rule.broken.names
    except (SyntaxError, ValueError):
        raise BadRule("broken", Message("{text} is no condition", {"text": shown(rule.broken.text)})) from None
    for name in (*names, *_names_in(rule.message), *rule.at):
        if not is_known(name):
            raise BadRule(
                "broken",
                Message(
                    "there is no setting or quantity {name}{hint}",
                    {"name": shown(name), "hint": did_you_mean(name, all_names())},
                ),
            )


def _names_in(message: str) -> "Iterator[str]":
    """The names that a message puts in; raises BadRule for anything else between braces."""
    from string import Formatter

    try:
        fields = [field for _, field, _, _ in Formatter().parse(message) if field is not None]
    except ValueError:
        raise BadRule("message", Message("the message is no template: a brace in it has no other half")) from None
    for field in fields:
        name, _, attribute = field.partition(".")
        if attribute not in ("", "how"):
            raise BadRule("message", Message("{{{field}}} is neither {{name}} nor {{name.how}}", {"field": field}))
        yield name
