"""What `grpo-lint init` finds in a repository as a whole, and the text of the settings file that it proposes."""

import json
import os
from collections import Counter

from ..launch.pins import pins_for
from ..report.printable import clean
from ..source.quoting import plural
from ..unknown import UNKNOWN
from .console import with_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Framework, Iterator, Report, Settings
    from .run import Run

MOST_TOLD = 3  # folders, keys, pins in one comment


class Survey:
    """baseline   {path: Counter of entries} of the findings that fail, `failing` their number
    pins          [Pin as 'trl 1.16.0 (requirements.txt:3)']
    without_processes   {folder: number of files} whose runs do not say on how many processes, `kinds` their endings
    unread        {key: number of files} that no release knows: those of the team's own scripts, most likely
    frameworks    {Framework: number of launches}, `files` {name of one: [path]} of those that do not state their release
    """

    def __init__(self) -> None:
        self.baseline: dict[str, Counter[tuple[str, str, str]]] = {}
        self.failing = 0
        self.baseline_text = ""
        self.pins: Counter[tuple[str, str, str, int]] = Counter()
        self.without_processes: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self.frameworks: Counter[Framework] = Counter()
        self.files: dict[str, list[str]] = {}


def survey(run: "Run", governing: "Settings") -> "Survey":
    """Check all files of a Run, which is to write a baseline for the files that the Settings `governing` are for."""
    from ..checker.baseline import as_text

    seen = Survey()
    for file in with_progress(run.files(), run.name, run.arguments):
        report = run.guarded(file, lambda file: run.lint(file, fixes=False))
        if report is not None and report.skipped is None:
            if run.settings(report.path) is governing:  # what lies below other settings has another baseline, or none
                run.tally(report)
            _note(seen, report)
    ((_, tally),) = run.tallies.items()
    seen.baseline = tally.renewed()
    seen.failing = sum(entries.total() for entries in seen.baseline.values())
    seen.baseline_text = as_text(seen.baseline)
    return seen


def _note(seen: "Survey", report: "Report") -> None:
    folder = os.path.dirname(os.path.abspath(report.path))
    for launch in report.launches:
        seen.frameworks[launch.framework] += 1
    for name in {each.framework.name for each in report.launches if each.version_source != "comment"}:
        seen.files.setdefault(name, []).append(os.path.abspath(report.path))
    if any(launch.world_size is UNKNOWN for launch in report.launches):
        seen.without_processes[folder] += 1
        seen.kinds[os.path.splitext(report.path)[1]] += 1
    for package, pin in pins_for(report.path).items() if report.launches else ():
        seen.pins[package, pin.version, pin.path, pin.line] += 1
    keys = [name for finding in report.findings if finding.rule.name == "keys-are-read" and finding.at
            for name in (finding.at.name, *(name for name, *_ in finding.related))]  # fmt: skip
    seen.unread.update(set(keys))


# --- the settings file ----------------------------------------------------------------------------------------------


def settings_text(seen: "Survey", root: str, baseline: "str | None") -> str:
    """The text of a settings file: `baseline` is named in it, everything else stands in comments."""
    return "".join(f"{line}\n" for line in _lines(seen, root, baseline))


def _lines(seen: "Survey", root: str, baseline: "str | None") -> "Iterator[str]":
    yield "# Settings of grpo-lint. What is commented out shows how it is written."
    yield "# `grpo-lint --show-settings FILE` shows the settings for a file, and where each comes from."
    if baseline:
        yield from (
            "",
            "# The known findings, which pass; `grpo-lint --write-baseline` records them again.",
            f"baseline = {_toml(baseline)}",
        )
    yield from (
        "",
        "# --- What files cannot say. The command line, launch scripts and comments (`# grpo-lint: world-size=8`) override this.",
        "",
    )
    yield from _about_versions(seen, root)
    yield from ("", "# The number of processes of every run.", "# world-size = 8", "")
    yield from ("# --- What fails, and what is checked.", "")
    yield from (
        '# The lowest severity that fails: "error", "warning" (without this line) or "info".',
        '# fail-on = "error"',
        "",
    )
    yield from ("# Fail also where something is left open or assumed, as with --strict.", "# strict = true", "")
    yield from (
        "# Rules to leave out: codes, beginnings of codes, or names. There are also select and extend-select.",
        '# ignore = ["GRPO6"]',
        "",
    )
    yield from ("# Severities of your own.", '# severity = { GRPO104 = "error" }', "")
    yield from _about_keys(seen)
    yield from ("", "# Keys that every config must set.", '# required-keys = ["seed"]', "")
    yield from ("# Files and folders to skip.", '# exclude = ["vendor", "*_old.yaml"]', "")
    yield from ("# --- For some files only.", "")
    yield from _versions_of_several(seen, root)
    yield from _about_folders(seen, root)


def _about_versions(seen: "Survey", root: str) -> "Iterator[str]":
    pins = [
        f"{package} {version} ({os.path.relpath(path, root)}:{line})"
        for (package, version, path, line), _ in seen.pins.most_common(MOST_TOLD)
    ]
    if pins:
        yield f"# The release of the framework. Pinned, and taken from there: {_comment(', '.join(pins))}."
    elif seen.frameworks and not seen.files:
        yield "# The release of the framework, for files that do not state it; each that was found here does."
    else:
        yield "# The release of the framework. Nothing here pins it exactly, so the keys of each file decide."
    if len(seen.files) > 1:
        yield "# Several frameworks are used here: each has its release below, for its own files."
        return
    release = next((framework.catalogue.releases[-1] for framework, _ in seen.frameworks.most_common(1)), "1.16.0")
    yield f"# version = {_toml(release)}"


def _versions_of_several(seen: "Survey", root: str) -> "Iterator[str]":
    """The release of each framework, for its own files: one number cannot hold for several."""
    frameworks = {framework.name: framework for framework in seen.frameworks}
    for name, files in seen.files.items() if len(seen.files) > 1 else ():
        others = {os.path.dirname(path) for other in seen.files if other != name for path in seen.files[other]}
        shared = [path for path in files if os.path.dirname(path) in others]
        alone = Counter(os.path.dirname(path) for path in files if path not in shared)
        found = [*(os.path.join(folder, "*") for folder, _ in alone.most_common()), *shared]
        paths = [os.path.relpath(path, root).replace(os.sep, "/") for path in found[:MOST_TOLD]]
        yield from (f"# [[overrides]]  # {frameworks[name].title}", f"# paths = {_toml(paths)}")
        yield from (f"# version = {_toml(frameworks[name].catalogue.releases[-1])}", "")


def _about_keys(seen: "Survey") -> "Iterator[str]":
    keys = [key for key, _ in seen.unread.most_common(MOST_TOLD)]
    yield "# Keys that your own training scripts read." + (" No release knows these:" if keys else "")
    yield f"# known-keys = {_toml(keys or ['team_*'])}"


def _about_folders(seen: "Survey", root: str) -> "Iterator[str]":
    folders = [
        (os.path.relpath(folder, root).replace(os.sep, "/"), number)
        for folder, number in seen.without_processes.most_common(MOST_TOLD)
    ]
    if folders:
        names = ", ".join(f"{folder} ({plural(number, 'file')})" for folder, number in folders)
        yield f"# Nothing says how many processes run the configs of {_comment(names)}."
    first = next((folder for folder, _ in folders if folder != "."), None)
    yield "# [[overrides]]"
    kind = next((kind for kind, _ in seen.kinds.most_common(1) if kind), ".yaml")
    yield f"# paths = {_toml([f'{first}/**' if first else f'*{kind}'])}"
    yield "# world-size = 8"


def _comment(text: str) -> str:
    """A text made safe for a comment of TOML."""
    return clean(text).encode(errors="replace").decode()


def _toml(value: object) -> str:
    return _comment(json.dumps(value, ensure_ascii=False))
