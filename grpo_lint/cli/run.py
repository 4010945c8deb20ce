"""What all files of one command line share: facts, settings, baselines; and the report of each file."""

import os
from itertools import islice

from .. import engine
from ..files import disk
from ..files.discovery import SUFFIXES, YAML, NotLookedAt, Unreadable, find_files, has_suffix, walk
from ..frameworks.recognition import is_for_accelerate, is_foreign
from ..launch.files import LARGEST_FILE
from ..message import Message, told_by
from ..report.totals import fails
from .console import CLEAN, FAILED, note, own_failure, show
from .options import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ..checker.baseline import Tally
    from ..files.discovery import Seen
    from ..report.crash import Crash
    from ..shared_types import (
        Arguments,
        Baseline,
        Callable,
        Context,
        Iterable,
        Iterator,
        Policy,
        Report,
        Rule,
        Settings,
    )
    from .repairing import Repairs

    File = str | Unreadable  # a path, "-", or what could not be had
    Result = TypeVar("Result")

LARGEST_LIST = 64 << 20  # of --files-from: half a million paths
MOST_BELOW = 2000  # files that are looked at because of changed requirements
_RULE_OPTIONS = ("select", "extend-select", "ignore")


def _policy(arguments: "Arguments") -> "Policy | None":
    """What the command line says about rules; None when it says nothing."""
    given = {name: arguments.get(f"--{name}") for name in _RULE_OPTIONS if arguments.get(f"--{name}") is not None}
    strict, rules = arguments.get("--strict"), rules_of(arguments)
    if not given and not strict and not rules:
        return None
    from ..settings.policy import Policy, wrong_word

    policy = Policy(strict=strict, rules=rules)
    for name, values in given.items():
        words = [word for value in values for word in value.replace(",", " ").split()]
        for problem in filter(None, map(wrong_word, words)):
            raise Usage(Message("{option}: {problem}", {"option": f"--{name}", "problem": problem}))
        setattr(policy, name.replace("-", "_"), words)
    return policy


def rules_of(arguments: "Arguments") -> "dict[str, Rule] | None":
    """The rules {name: Rule} in the files of Python that the command line or the user's own settings name; None when
    there are none."""
    from ..settings.files import user_settings

    named = arguments.get("--rules", ())
    if not named and not user_settings():
        return None
    from ..settings.python_files import BadRules, rules_for

    try:
        return rules_for(named) or None
    except BadRules as bad:
        raise Usage(told_by(bad)) from None


def _listed(source: str) -> "list[str]":
    """The folders and files that a list names, one on each line, or each ended by NUL as in `git ls-files -z`."""
    try:
        data = disk.standard_input(LARGEST_LIST) if source == "-" else _bytes_of(source)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Usage(
            Message("--files-from: {path} cannot be read: {reason}", {"path": source, "reason": disk.why(error)})
        ) from None
    if len(data) > LARGEST_LIST:
        raise Usage(
            Message("--files-from: {path} is larger than {size} MB", {"path": source, "size": LARGEST_LIST >> 20})
        )
    names = data.split(b"\0") if b"\0" in data else data.splitlines()
    paths = [os.path.join(os.curdir, path) if path == "-" else path for path in map(os.fsdecode, names)]
    return [path for path in paths if has_suffix(path) or (path and disk.is_folder(path))]


def _bytes_of(path: str) -> bytes:
    try:
        return disk.read(path, LARGEST_LIST)
    except disk.Special:  # `--files-from <(git ls-files -z)`
        return disk.read_special(path, LARGEST_LIST)


def _repairs(run: "Run", arguments: "Arguments") -> "Repairs | None":
    """What makes the fixes of a run; None where it asks for none."""
    if not (arguments.get("--fix") or arguments.get("--diff")):
        return None
    from .repairing import Repairs

    return Repairs(run, arguments.get("--diff", False), arguments.get("--unsafe-fixes", False))


class Run:
    """What all files of one command line share: facts, exclusions, the repository around them, and the problems of
    settings that were printed already."""

    reports_own_failures = True  # as findings of the files on which grpo-lint breaks

    def __init__(self, arguments: "Arguments", named: "list[str] | None" = None) -> None:
        """`named`: the paths to look at, where they are not what the command line names."""
        from ..checker.contexts import Around
        from ..files.patterns import Globs

        self.arguments = arguments
        self.status: int = CLEAN
        self._strict = arguments.get("--strict", False)
        source = arguments.get("--files-from")
        self._named = (arguments.operands or ([os.curdir] if source is None else [])) if named is None else named
        self._listed = _listed(source) if source is not None else []
        self._files_named = set(self._named)
        self.companions: list[str] = []
        self._operands = arguments.operands
        self.tallies: dict[str, Tally] = {}
        self.repairs: Repairs | None = _repairs(self, arguments)
        self.crash: Crash | None = None
        if "--error" in arguments.values:
            from .crash_log import crash_of

            self.crash = crash_of(arguments)
        baseline = self._baseline()
        self._tally_of(baseline)
        self._around = Around(
            arguments.facts,
            baseline=baseline,
            writes=arguments.get("--write-baseline", False),
            policy=_policy(arguments),
            asked=[*self._named, *self._listed],
        )
        self._complained: set[int] = set()
        self._asked: Seen = set()  # the files that were asked for, as paths without links
        self._exclude = Globs(arguments.get("--exclude", ()), os.getcwd())

    def _baseline(self) -> "Baseline | None":
        path = self.arguments.get("--baseline")
        if path is None:
            return None
        from ..checker.baseline import BadBaseline, Baseline, read_baseline

        if self.arguments.get("--write-baseline") and not disk.exists(path):
            return Baseline(path)
        try:
            return read_baseline(path)
        except BadBaseline as bad:
            raise Usage(told_by(bad)) from None

    def fail_on(self, path: str) -> str:
        """The least severity that fails the run, for a file."""
        asked = self.arguments.get("--fail-on") or ("info" if self._strict else None)
        if asked:
            return asked
        settings = self.settings(path)
        policy = settings.policy_for(path)
        return settings.fail_on or ("info" if policy and policy.strict else "warning")

    def is_asked_about(self, file: "File") -> bool:
        """Whether this very file was asked for: not the folder around it, and not a companion of other files."""
        return file in self._operands and file not in self.companions

    def show_settings(self) -> None:
        """Print the settings for each path that was asked for."""
        from ..report.settings import shown

        asked = {name: self.arguments.get(f"--{name}") for name in ("fail-on", "exclude", "baseline", *_RULE_OPTIONS)}
        asked = {name: value for name, value in asked.items() if value is not None}
        if self._strict:
            asked.setdefault("fail-on", "info")
        for path in self._named:
            inside = os.path.join(path, "*") if disk.is_folder(path) else path
            show(shown(path, self.settings(inside), self._around.of(inside), asked))

    def tally(self, report: "Report") -> None:
        """Count the findings of a report that the baseline of its file knows."""
        tally = self._tally_of(self._around.baseline_of(report.path))
        if tally:
            tally.add(report, lambda finding: fails(finding, self.fail_on(report.path)))

    def _tally_of(self, baseline: "Baseline | None") -> "Tally | None":
        if baseline is None:
            return None
        if baseline.path not in self.tallies:
            from ..checker.baseline import Tally

            folders = (
                os.path.join(os.path.abspath(path), "")
                for path in (*self._named, *self._listed)
                if disk.is_folder(path)
            )
            self.tallies[baseline.path] = Tally(baseline, tuple(folders))
        return self.tallies[baseline.path]

    def stale(self) -> "Iterator[Report]":
        """The reports about entries of baselines that no finding matches any more."""
        for tally in self.tallies.values():
            report = tally.report()
            report.path = _as_seen(report.path)
            policy = self._around.of(report.path).policy
            report.findings = policy.apply(report.findings) if policy else report.findings
            if report.findings:
                yield report

    def write_baselines(self) -> None:
        """Write the baselines anew, and say what has changed."""
        from ..checker.baseline import as_text, told

        if not self.tallies:
            raise Usage(Message("--write-baseline needs to know which: --baseline FILE, or `baseline` in the settings"))
        for path, tally in self.tallies.items():
            write("--write-baseline", path, as_text(tally.renewed()))
            if not self.arguments.get("--quiet"):
                changes = told(tally.baseline.paths, tally.renewed())
                note(Message("{path}: {problem}", {"path": _as_seen(path), "problem": changes}))

    def files(self, others: "tuple[str, ...]" = ()) -> "Iterator[File]":
        """The files that were asked for, in order; what cannot be had comes as `discovery.Unreadable`. `others`: suffixes of further ones."""
        listed = [path for path in self._listed if not self._excluded(path)]
        seen = set() if others else self._asked
        return find_files([*self._named, *listed], self._excluding, others or SUFFIXES, seen=seen)

    def _is_companion(self, file: str) -> bool:
        """Whether a file may bear on runs although it holds none: a config of accelerate, or a list of requirements."""
        name = os.path.basename(file).lower()
        if name.startswith("requirements") and name.endswith(".txt"):
            return True
        if not name.endswith(YAML):
            return False
        try:
            return is_for_accelerate(disk.read(file, LARGEST_FILE))
        except (OSError, ValueError):
            return False

    def around_companion(self, file: str) -> "Iterator[str]":
        """The files whose runs a companion may bear on: the scripts that name a config of accelerate, or everything
        below a list of requirements."""
        if file.lower().endswith(YAML):
            yield from self._around.repository.naming(file)
            return
        for _, path in islice(walk(os.path.dirname(file) or os.curdir, SUFFIXES, self._excluding), MOST_BELOW):
            if isinstance(path, str):
                yield path

    def was_named(self, file: "File") -> bool:
        """Whether a file was named itself, and not found in a folder or a list."""
        return file in self._files_named

    def was_asked_for(self, path: str) -> bool:
        """Whether a file is among those that were asked for; links are followed."""
        return disk.real(path) in self._asked

    def _excluded(self, path: str) -> bool:
        return self._exclude.match(path) or self._around.settings(path).excludes(path)

    def _excluding(self, folder: str) -> "Callable[[str], bool] | None":
        """The function that leaves out paths in a folder; None where nobody wants that."""
        return (
            self._excluded
            if self._exclude.patterns or self._around.settings(os.path.join(folder, "file")).exclude.patterns
            else None
        )

    def settings(self, path: str) -> "Settings":
        """The settings for a file. Their problems are printed once."""
        settings = self._around.settings(path)
        if settings.problems and id(settings) not in self._complained:
            self._complained.add(id(settings))
            if any(problem.fails for problem in settings.problems):
                self.status = FAILED
            for problem in settings.problems:
                note(problem.told)
        return settings

    def name(self, file: "File") -> str:
        """The name of a file in everything that is printed."""
        if file == "-":
            called: str = self.arguments.get("--stdin-filename", "<stdin>")
            return called
        return file if isinstance(file, str) else file.path

    def lint(self, file: "File", fixes: bool) -> "Report":
        """The report of one file; with --fix or --diff that of the text that results."""
        kept = self.repairs.report_of(self._key(file)) if self.repairs is not None else None
        if kept is not None:
            return kept
        opened = self._open(file)
        return opened if not isinstance(opened, tuple) else engine.lint_bytes(*opened, fixes)

    def repair(self, file: "File") -> None:
        """Make the fixes of one file that --fix or --diff asks for."""
        self.guarded(file, self._repair, instead=lambda report: self._keep(file, report))

    def _repair(self, file: "File") -> None:
        opened = self._open(file)
        if self.repairs is None or not isinstance(file, str):
            return
        if isinstance(opened, tuple):
            data, name, context = opened
            self.repairs.of(file, data, name, context)
        elif file == "-":
            self.repairs.keep(file, opened)

    def _keep(self, file: "File", report: "Report") -> None:
        if self.repairs is not None:
            self.repairs.keep(self._key(file), report)

    def changed(self, paths: "Iterable[str]") -> None:
        """Some files are not what they were."""
        for path in paths:
            self._around.repository.changed(os.path.abspath(path))

    @staticmethod
    def _key(file: "File") -> str:
        return file if isinstance(file, str) else f"\0{file.path}"

    def _open(self, file: "File") -> "Report | tuple[bytes, str, Context]":
        """(bytes, name, Context) of a file that is looked at, the report of any other."""
        name = self.name(file)
        if type(file) is NotLookedAt:
            return engine.not_looked_at(name, file.reason)
        if isinstance(file, Unreadable):
            return engine.unreadable(name, Message("cannot be read: {reason}", {"reason": file.reason}), file.severity)
        self.settings(name)  # says what is wrong with them
        is_named = self.was_named(file) or self._around.forces_framework(name)
        tells = is_named and self._around.tells_framework(name)
        unless = engine.foreign_test(file)
        if tells and unless is is_foreign:
            unless = None
        if is_named and file not in self.companions and self._is_companion(file):
            self.companions.append(file)
        try:
            data = _standard_input(engine.largest(name)) if file == "-" else engine.read(file, unless)
        except engine.CannotRead as problem:
            return engine.unreadable(
                name, told_by(problem), problem.severity if self.was_named(file) else problem.if_met
            )
        if data is None:  # most files of most repositories
            return engine.foreign(name)
        context = self._around.of(name)
        context.is_met = not is_named
        return data, name, context

    def guarded(
        self,
        file: "File",
        work: "Callable[[File], Result]",
        instead: "Callable[[Report], Result | None]" = lambda report: None,
    ) -> "Result | None":
        """work(file). When grpo-lint breaks on the file, that is told in one line on standard error, and the result is
        `instead` of the report that says so, so that the other files still count."""
        try:
            return work(file)
        except BrokenPipeError:
            raise
        except Exception as error:
            self.status = own_failure(error, f" in {self.name(file)}")
            if not self.reports_own_failures:
                return None
            report = engine.failed(self.name(file), error)
        try:
            return instead(report)
        except Exception:  # told already
            return None


def _standard_input(limit: int) -> bytes:
    try:
        return disk.standard_input(limit)
    except OSError as error:  # it is closed, or a folder
        raise engine.CannotRead(Message("cannot be read: {reason}", {"reason": disk.why(error)})) from None


def _as_seen(path: str) -> str:
    """A path as seen from here, as those of all other files are told; another drive is seen from nowhere."""
    try:
        return min(os.path.relpath(path), path, key=len)
    except ValueError:
        return path


def write(option: str, path: str, text: str) -> None:
    """Write the file that an option names."""
    from ..files.writing import NotWritten, put

    try:
        put(path, text.encode("utf-8", "backslashreplace"))
    except NotWritten as reason:
        raise Usage(
            Message(
                "{option}: {path} cannot be written: {reason}",
                {"option": option, "path": path, "reason": told_by(reason)},
            )
        ) from None
