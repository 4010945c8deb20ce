"""`grpo-lint upgrade FILE... --to trl@1.16`: what has to change for another release, and what would train otherwise
there."""

import os
import sys

from .. import engine
from ..frameworks.recognition import is_foreign
from ..frameworks.registry import NAMES, framework as framework_named
from ..frameworks.versions import BadVersion, resolve_version, version_key
from ..launch.facts import BadFact, Fact, parse_fact
from ..message import Message, series, told_by
from ..source.quoting import did_you_mean, plural, shown
from .console import CLEAN, FAILED, FOUND, language_for, note, note_not_written, show, uses_colour
from .options import Usage
from .run import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.contexts import Around
    from ..shared_types import Arguments, Context, File, Pinned, Upgrade

SOURCE = Message("command line")


def release(option: str, text: str) -> "tuple[str, str]":
    """The (framework, release) of `trl@1.16`. Raises Usage for an unknown one."""
    name, _, version = text.partition("@")
    if name not in NAMES:
        raise Usage(
            Message(
                "{option}: the framework is one of {names}, not {name}{hint}",
                {
                    "option": option,
                    "names": series(list(NAMES)),
                    "name": shown(name),
                    "hint": did_you_mean(name, NAMES),
                },
            )
        )
    catalogue = framework_named(name).catalogue
    try:
        found = resolve_version(str(parse_fact("version", version or "latest")), catalogue.releases)
        index = catalogue.release_index(version_key(found))
    except (BadFact, BadVersion) as bad:
        raise Usage(Message("{option}: {problem}", {"option": option, "problem": told_by(bad)})) from None
    if index < 0 or catalogue.is_newer_than_all(version_key(found)):
        raise Usage(
            Message(
                "{option}: {name} {version} is not known: {first} to {last} are",
                {
                    "option": option,
                    "name": name,
                    "version": found,
                    "first": catalogue.releases[0],
                    "last": catalogue.releases[-1],
                },
            )
        )
    return name, found


class _Upgrading(Run):
    """The files of a command line, each on its present and on the new release."""

    def __init__(self, arguments: "Arguments") -> None:
        from ..checker.contexts import Around

        if not arguments.get("--to"):
            raise Usage(Message("upgrade needs to know the release: grpo-lint upgrade FILE --to trl@1.16"))
        self.framework, target = release("--to", arguments.get("--to"))
        now = dict(arguments.facts)
        if arguments.get("--from"):
            name, before = release("--from", arguments.get("--from"))
            if name != self.framework:
                raise Usage(
                    Message("--from and --to are releases of one framework; another one is a matter of translation")
                )
            now["version"] = Fact(before, SOURCE)
        super().__init__(arguments)
        self.target = target
        self.upgraded_from: dict[tuple[str, str], str] = {}  # (folder, release before): one of its files
        self._now = Around(now, asked=self._named)
        self._then = Around({**arguments.facts, "version": Fact(target, SOURCE)}, asked=self._named)

    def upgraded(self, file: "File") -> "tuple[bytes, Upgrade] | None":
        """(the bytes of a file, what they become); None for a file that starts no run of the framework."""
        from ..changes.upgrade import upgrade

        name = self.name(file)
        if not isinstance(file, str) or file == "-":
            note(Message("{path}: cannot be read", {"path": name}) if file != "-" else Message("upgrade takes files"))
            return None
        try:
            data = engine.read(file, None if self.was_named(file) else is_foreign)
        except engine.CannotRead as problem:
            note(Message("{path}: {problem}", {"path": name, "problem": told_by(problem)}))
            self.status = FAILED
            return None
        if data is None:
            return None
        plain = engine.lint_bytes(data, name, self._context(self._around, name), fixes=False)
        if not any(launch.framework.name == self.framework for launch in plain.launches):
            return None
        then = self._context(self._then, name)
        then.pins = {}  # they go with the release
        done = upgrade(data, name, self._context(self._now, name), then, self.arguments.get("--pin-defaults", False))
        for run in done.runs:
            self.upgraded_from.setdefault((os.path.dirname(name), run.before.candidates[0].text), name)
        return data, done

    def pins(self) -> "list[Pinned]":
        """The files that pin a release on which an upgraded file runs now, each once."""
        from ..changes.pinned import pinned

        package = framework_named(self.framework).releases.package
        found: dict[str, Pinned] = {}
        for (_, release), name in self.upgraded_from.items():
            if release != self.target:
                for each in pinned(name, package, release, self.target):
                    found.setdefault(each.path, each)
        return list(found.values())

    def _context(self, around: "Around", name: str) -> "Context":
        context = around.of(name)
        context.policy = context.baseline = (
            None  # every requirement of the release counts, also those whose rules a team has switched off
        )
        return context


def upgrade(arguments: "Arguments") -> int:
    """`grpo-lint upgrade`: print what changes, print a patch, or write the files."""
    if arguments.get("--fix") and arguments.get("--diff"):
        raise Usage(Message("--diff writes nothing: it goes without --fix"))
    run = _Upgrading(arguments)
    objects: list[object] = []
    status = CLEAN
    unchanged = upgraded = 0
    for file in run.files():
        found = run.guarded(file, run.upgraded)
        if found is None:
            continue
        done = _show_or_write(arguments, run, run.name(file), *found, objects)
        status, upgraded = max(status, done), upgraded + 1
        unchanged += done == CLEAN
    pins = run.pins()
    status = max(status, _pins_told(arguments, run, pins))
    if arguments.get("--output-format") == "json":
        import json

        from ..report.changes import pins_object

        document = {"version": 1, "files": objects, "pins": [pins_object(each, run.target) for each in pins]}
        sys.stdout.write(json.dumps(document, indent=2) + "\n")
    elif unchanged == upgraded and not (pins or run.status):
        note(_nothing_done(upgraded, framework_named(run.framework).title, run.target))
    return run.status or status


def _nothing_done(files: int, framework: str, target: str) -> Message:
    """Why an upgrade prints nothing."""
    told = {"framework": framework, "release": target, "files": plural(files, "file")}
    if not files:
        return Message("no run of {framework} was found to upgrade", told)
    return Message("nothing has to change for {framework} {release}: {files} checked", told)


def _pins_told(arguments: "Arguments", run: _Upgrading, pins: "list[Pinned]") -> int:
    """Print, or write, the new pins. The exit status is 1 where something is left to be done by hand."""
    from ..report.changes import pins_text
    from ..report.patch import difference

    is_text = arguments.get("--output-format") != "json"
    if not arguments.get("--pins"):
        still = next((each.path for each in pins if each.changed), None)
        if still and is_text:
            note(Message("{path} still pins the old release; --pins changes exact pins", {"path": still}))
        return CLEAN
    status = CLEAN
    for each in pins:
        if is_text and arguments.get("--diff"):
            sys.stdout.write(difference(each.path, each.before, each.after) if each.changed else "")
        elif is_text:
            show(pins_text(each, run.target, uses_colour(arguments, sys.stdout), language_for(arguments, sys.stdout)))
        if each.changed and not (arguments.get("--fix") and _is_written(each.path, each.before, each.after)):
            status = max(status, FAILED if arguments.get("--fix") else FOUND)
    return status


def _show_or_write(
    arguments: "Arguments", run: _Upgrading, name: str, data: bytes, done: "Upgrade", objects: "list[object]"
) -> int:
    """Print, or write, the upgrade of one file. The exit status is 1 where something is left to be done by hand."""
    from ..report.changes import upgrade_object, upgrade_text

    is_changed = done.data != data
    if arguments.get("--output-format") == "json":
        objects.append(upgrade_object(name, done))
    elif arguments.get("--diff"):
        from ..report.patch import difference

        sys.stdout.write(difference(name, data, done.data) if is_changed else "")
    else:
        colour = uses_colour(arguments, sys.stdout)
        show(upgrade_text(name, done, colour, arguments.get("--verbose", False), language_for(arguments, sys.stdout)))
    if is_changed and arguments.get("--fix") and not _is_written(name, data, done.data):
        return FAILED
    is_refused = any(finding.severity == "error" for finding in done.refusals)
    return FOUND if is_refused or (is_changed and not arguments.get("--fix")) else CLEAN


def _is_written(path: str, before: bytes, after: bytes) -> bool:
    """Write a file unless it was changed since it was read; whether that succeeded."""
    from ..files.writing import NotWritten, replace

    try:
        replace(path, before, after)
    except NotWritten as reason:
        note_not_written(path, reason)
        return False
    return True
