"""The cases of a rule: configs that break it and configs that do not, with what is reported of each.

They stand in files of YAML in the folder `cases/` beside the module that declares the rule, one for each rule; only rule
pages and tests read them. A team's own rule shows the example in its declaration.
"""

import os
from textwrap import dedent

from ..frameworks.registry import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Policy, Rule

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# ms_swift.megatron has rules of its own, and some that it shares with ms_swift.swift
_OF_FRAMEWORKS = {part for folder in FOLDERS.values() for part in (folder, folder.partition(".")[0])}
_FOLDERS = ("rules", *("frameworks/" + folder.replace(".", "/") for folder in ("shared", *sorted(_OF_FRAMEWORKS))))
NOTHING = "nothing"


class Case:
    """A config, or a script if it begins with `#!`.

    reported   the severity of the rule's finding, or "nothing"
    lines      those that cure it
    fixed      the same config without the mistake, None where the file of cases does not tell it
    beside     {name: text} of the files that it names
    """

    def __init__(self, config: str, reported: str, lines: str = "", beside: "dict[str, str] | None" = None) -> None:
        self.config = config
        self.reported = reported
        self.beside: dict[str, str] = beside or {}
        self.lines = lines
        self.fixed: str | None = with_lines(config, lines) if lines else None

    def written(self, config: str) -> "Case":
        """This case with its config replaced."""
        return Case(config, self.reported, self.lines, self.beside)

    @property
    def is_script(self) -> bool:
        """Whether the config is a launch script."""
        return self.config.startswith("#!")

    @property
    def path(self) -> str:
        """The name under which the config is linted."""
        return "example.sh" if self.is_script else "example.yaml"

    def context(self, policy: "Policy | None" = None) -> "Context":
        """What the config is linted with: files beside it that stand on no disk."""
        from ..checker.contexts import of_text
        from ..launch.files import Files

        beside = Files(self.path, lambda path: self.beside.get(os.path.normpath(path))) if self.beside else None
        return of_text(policy=policy, files=beside)


def cases_of(rule: "Rule") -> "list[Case]":
    """The cases of a rule; the first breaks it and is the one that its page shows. None for what no text can show."""
    from yaml import safe_load

    if rule.example:
        lines = "".join(f"{name}: {_written(value)}\n" for name, value in (rule.cure or {}).items())
        return [Case(dedent(rule.example), rule.harm or NOTHING, lines)]
    for folder in _FOLDERS:
        path = os.path.join(PACKAGE, folder, "cases", f"{rule.code}.yaml")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return [
                    Case(case["config"], case["reported"], case.get("fixed", ""), case.get("beside"))
                    for case in safe_load(file)
                ]
    return []


def with_lines(config: str, lines: str) -> str:
    """A config in which each of the lines replaces the line of its key, or is added at the end."""
    found = config.splitlines()
    for new in lines.splitlines():
        key = new.partition(":")[0]
        place = next((number for number, line in enumerate(found) if line.partition(":")[0] == key), len(found))
        found[place : place + 1] = [new]
    return "".join(line + "\n" for line in found)


def _written(value: object) -> str:
    """A value as one line of YAML."""
    from yaml import safe_dump

    written: str = safe_dump(value, default_flow_style=True, width=1_000_000)
    return written.removesuffix("\n...\n").strip()
