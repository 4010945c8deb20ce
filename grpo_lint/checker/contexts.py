"""What stands around files and bears on them: settings, pins, scripts and the files that they name.

Every Context is made here, for the command line, the hook, the editor, the agent and a program alike, so that one tree is
judged alike by all of them."""

import os

from ..files import disk
from ..files.budget import LARGEST_PINS, PINS, Budget
from ..launch.context import Context, Remembered
from ..launch.files import Files, read_text
from ..launch.pins import Pins, pin_of, pins_for
from ..launch.repository import Repository
from ..message import Message, told_by
from ..settings.files import settings_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..launch.pins import Pin
    from ..shared_types import AbstractSet, Baseline, Callable, Fact, Iterable, Mapping, Policy, Settings


def ask_for(paths: "Iterable[str]") -> None:
    """Note the files and folders that the user asked for: what stands around them may be looked at. They are noted before any
    is judged, so that their order says nothing."""
    for path in paths:
        disk.path_is_asked_for(path)


def of_text(
    outside: "dict[str, Fact] | None" = None,
    settings: "dict[str, Fact] | None" = None,
    policy: "Policy | None" = None,
    files: "Files | None" = None,
    pins: "Mapping[str, Pin] | None" = None,
) -> "Context":
    """The Context of a text that stands in no file, with nothing around it but the `files` that are given, and the copies of frameworks
    that `pins` name."""
    return Context(outside, settings, pins, files, Repository() if pins else None, policy=policy)


class Around:
    """Finds the Context of files; what holds for a whole folder is looked for once.

    `asked`: the files and folders that the user asked for; `outside`: facts that win over everything the files say; `read` gives the text of a path, None when there is none;
    `baseline` wins over those that settings name; `writes`: baselines are to be written, and need not be there;
    `policy` goes over that of settings; `installed`: {package: Pin} of the environment in which runs are started, which count more than
    what a repository pins, but for a copy that it holds.
    """

    def __init__(
        self,
        outside: "dict[str, Fact] | None" = None,
        read: "Callable[[str], str | None]" = read_text,
        baseline: "Baseline | None" = None,
        writes: bool = False,
        policy: "Policy | None" = None,
        asked: "Iterable[str]" = (),
        installed: "Mapping[str, Pin] | None" = None,
    ) -> None:
        ask_for(asked)
        self.outside: dict[str, Fact] = outside or {}
        self.baseline = baseline
        self.writes = writes
        self.policy = policy
        self.installed: Mapping[str, Pin] = installed or {}
        self.repository: Repository = Repository(read)
        self._read = read
        self._folders: dict[str, tuple[Settings, Baseline | None, bool]] = {}
        self._pins: dict[str, Pins] = {}
        self._baselines: dict[str, Baseline | None] = {}
        self._remembered: Remembered = Remembered()

    def of(self, path: str) -> "Context":
        """The Context of a file."""
        settings, baseline, _ = self._folder(path)
        policy = settings.policy_for(path)
        if self.policy:
            policy = self.policy.over(policy) if policy else self.policy
        budget, pins = Budget(), self._pins_for(path)
        if pins.cut:
            budget.cut(
                PINS,
                Message(
                    "{size} MB of the files that may pin a release are read: {cut} and what comes after it are not",
                    {"size": LARGEST_PINS >> 20, "cut": pins.cut},
                ),
            )
        files = Files(path, self._read, budget, self.repository)
        found = Context(
            self.outside,
            settings.facts_for(path),
            with_installed(pins, self.installed) if self.installed else pins,
            files,
            self.repository,
            baseline,
            policy,
            budget,
            self._remembered,
        )
        found.around = self
        return found

    def seeing(self, texts: "Mapping[str, str]") -> "Around":
        """What surrounds the files where some of them, by their paths without links, hold other texts."""
        from copy import copy  # for the proof of a fix

        read = self._read

        def read_edited(path: str) -> "str | None":
            text = texts.get(disk.real(path))
            return read(path) if text is None else text

        found = copy(self)
        found._read = read_edited
        found.repository = self.repository.seeing(read_edited, texts)
        return found

    def started_by(self, scripts: "AbstractSet[str]") -> "Around":
        """What surrounds the files where only the commands of these scripts, by their paths without links, start a run of a config."""
        from copy import copy

        found = copy(self)
        found.repository = self.repository.started_by(scripts)
        return found

    def text_of(self, path: str) -> "str | None":
        """The text of a file; None when there is none."""
        return self._read(path)

    def settings(self, path: str) -> "Settings":
        """The Settings that govern a file."""
        return self._folder(path)[0]

    def tells_framework(self, path: str) -> bool:
        """Whether somebody may say which framework reads a file, whatever is in it."""
        return self._folder(path)[2]

    def forces_framework(self, path: str) -> bool:
        """Whether the settings say which framework reads this very file."""
        settings = self._folder(path)[0]
        return bool(settings.overrides) and settings.force_framework(path)

    def baseline_of(self, path: str) -> "Baseline | None":
        """The Baseline that holds for a file, or None."""
        return self._folder(path)[1]

    def _pins_for(self, path: str) -> "Pins":
        folder = _folder_of(path)
        found = self._pins.get(folder)
        if found is None:  # most folders have no file that asks
            found = self._pins[folder] = pins_for(path)
        return found

    def _folder(self, path: str) -> "tuple[Settings, Baseline | None, bool]":
        folder = _folder_of(path)
        found = self._folders.get(folder)
        if found is None:
            settings = settings_for(path)
            tells_framework = "dialect" in self.outside or settings.tell_framework
            found = self._folders[folder] = settings, self.baseline or self._named_baseline(settings), tells_framework
        return found

    def _named_baseline(self, settings: "Settings") -> "Baseline | None":
        """The Baseline that settings name, None when they name none or it cannot be used, which is a problem of
        theirs."""
        if settings.baseline is None:
            return None
        if settings.baseline not in self._baselines:
            from .baseline import BadBaseline, Baseline, read_baseline

            found = None
            try:
                missing = self.writes and not disk.exists(settings.baseline)
                found = Baseline(settings.baseline) if missing else read_baseline(settings.baseline)
            except BadBaseline as bad:
                settings.problem("baseline", told_by(bad))
            self._baselines[settings.baseline] = found
        return self._baselines[settings.baseline]


def with_installed(pins: "Mapping[str, Pin]", installed: "Mapping[str, Pin]") -> "Pins":
    """What holds for a file, where it is known what is installed: a copy in the repository counts more, and what it pins less."""
    found = Pins(pins)
    found.ranges = pins.ranges if isinstance(pins, Pins) else {}
    for package, pin in installed.items():
        own = pin_of(pins, package)
        if own is None or own.copied_to is None:
            found[package] = pin
    return found


def _folder_of(path: str) -> str:
    return path[: path.rfind("/") + 1] if os.sep == "/" else os.path.dirname(path)
