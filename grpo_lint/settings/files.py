"""Settings of a repository: `[tool.grpo-lint]` in pyproject.toml, or `.grpo-lint.toml` / `grpo-lint.toml`; docs/settings.md has an example.

The nearest file wins, alone: looked for in the folder of the config and upwards, as far as the repository root (the
folder with `.git`). In one folder `.grpo-lint.toml` goes before `grpo-lint.toml` before pyproject.toml, and a
pyproject.toml without our table is passed over. A settings file is data: nothing in it is executed, and its patterns
are only ever compared with paths, never walked. They are relative to the folder of the settings file; one without `/`
matches a name at any depth, and what matches a folder matches everything below it.
"""

import os

from ..files import disk
from ..files.patterns import Globs
from ..launch.facts import Fact
from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Iterator, Policy, Rule, Severity

    Table = dict[str, Any]  # of TOML
    Facts = dict[str, Fact]

DEDICATED_FILES = (".grpo-lint.toml", "grpo-lint.toml")
PYTHON_RULES = "python-rules"  # a key of the settings of the user


class Problem:
    """Something wrong in a settings file; `line`, from 1, and `key` are None when they cannot be told.

    `fails`: whether it is wrong usage, because nobody knows what was meant.
    """

    def __init__(self, path: str, line: "int | None", key: "str | None", message: Message, fails: bool = True) -> None:
        self.path = path
        self.line = line
        self.key = key
        self.message = message
        self.fails = fails

    @property
    def told(self) -> Message:
        """The problem with its place."""
        position = f"{self.path}:{self.line}" if self.line else self.path
        return Message("{path}: {problem}", {"path": position, "problem": self.message})

    def __str__(self) -> str:
        return self.told

    __repr__ = __str__


class Settings:
    """What one settings file says; all files it governs share one object, so its problems are reported once."""

    def __init__(self, root: str, source: "str | None" = None) -> None:
        self.root = root
        self.source = source
        self.text = ""
        self.facts: Facts = {}
        self.policy: Policy | None = None  # a `policy.Policy`
        self.exclude: Globs = Globs((), root)
        self.fail_on: Severity | None = None
        self.baseline: str | None = None  # an absolute path
        # (Globs, facts, policy), in the order of the file
        self.overrides: list[tuple[Globs, Facts, Policy | None]] = []
        self.problems: list[Problem] = []

    def layers(self, path: str) -> "Iterator[tuple[str, Facts, Policy | None]]":
        """(place, facts, policy) of each table that is about a file, the weakest first; the place of an override is
        'overrides[1].'."""
        yield "", self.facts, self.policy
        for number, (globs, facts, policy) in enumerate(self.overrides, 1):
            if globs.match(path):
                yield f"overrides[{number}].", facts, policy

    @property
    def tell_framework(self) -> bool:
        """Whether they may say which framework reads a file."""
        return any("dialect" in facts for facts in (self.facts, *(facts for _, facts, _ in self.overrides)))

    def force_framework(self, path: str) -> bool:
        """Whether one of their tables for single paths says which framework reads a file."""
        return any("dialect" in facts for place, facts, _ in self.layers(path) if place)

    def facts_for(self, path: str) -> "Facts":
        """The facts for one file, overrides applied (a later one wins); the result is not to be changed."""
        found = self.facts
        for _, facts, _ in self.layers(path) if self.overrides else ():
            found = {**found, **facts}
        return found

    def policy_for(self, path: str) -> "Policy | None":
        """The Policy for one file, None when nothing is said."""
        found: Policy | None = None
        for _, _, policy in self.layers(path):
            if policy:
                found = policy.over(found) if found else policy
        return found

    def rules(self) -> "dict[str, Rule]":
        """{name: Rule} of the team's own rules, those of single paths as well."""
        policies = [*(policy for _, _, policy in self.overrides), self.policy]
        return {name: rule for policy in policies if policy and policy.rules for name, rule in policy.rules.items()}

    def line_of(self, key: str) -> int | None:
        """The line that sets `key`, or that of the table it stands in, as far as exactly one can."""
        from .lines import line_of

        return line_of(self.text, key)

    def problem(self, key: str, message: Message) -> None:
        """Add what is wrong with the value of a key."""
        self.problems.append(Problem(self.source or self.root, self.line_of(key), key, message))

    def excludes(self, path: str) -> bool:
        """Whether a file or folder is to be left out when folders are walked."""
        return self.exclude.match(path)


# --- finding --------------------------------------------------------------------------------------------------------

_by_folder: "dict[str, Settings]" = {}


def settings_for(path: str) -> Settings:
    """The settings that govern the file at `path` (which need not exist; `-` is a file of the working directory)."""
    return settings_for_folder(os.path.dirname(os.path.abspath(path)))


def settings_for_folder(folder: str) -> Settings:
    """The settings that govern the files in `folder`, an absolute path; one look-up for each folder and process."""
    visited: list[str] = []
    found = None
    for each in disk.folders_up_to_root(folder):
        found = _by_folder.get(each)
        if found is None:
            visited.append(each)
            found = _settings_in(each)
        if found is not None:
            break
    if found is None:
        found = Settings(visited[-1])
    for folder in visited:
        _by_folder[folder] = found
    return found


def forget() -> None:
    """Drop everything remembered: for an editor's server, and for tests."""
    _by_folder.clear()


def _settings_in(folder: str) -> Settings | None:
    """The settings that `folder` itself holds, or None."""
    for name in DEDICATED_FILES:
        path = os.path.join(folder, name)
        if disk.is_file(path):  # a FIFO of that name would never end
            return _loaded(path, folder, dedicated=True)
    path = os.path.join(folder, "pyproject.toml")
    if disk.is_file(path):
        return _loaded(path, folder, dedicated=False)
    return None


def _loaded(path: str, folder: str, dedicated: bool) -> Settings | None:
    from .reading import load  # most folders have none

    return load(path, folder, dedicated)


def user_settings() -> str | None:
    """The path of the settings of the user, which are for what no repository may ask for; None when there are none."""
    home = disk.environment("XDG_CONFIG_HOME") or ""
    if not os.path.isabs(home):
        home = os.path.join(disk.environment("HOME") or disk.expanded("~"), ".config")
    path = os.path.join(home, "grpo-lint", "config.toml")
    return path if disk.is_file(path) else None
