"""`grpo-lint init`: what a repository needs to begin with: settings, the entry of the pre-commit hook, a baseline of
today's findings.

Everything is planned and shown before anything is written. What is there stays: the hook is added to a config of
pre-commit, other files are only created.
"""

import os
import sys

from ..files import disk, writing
from ..message import Message, told_by
from ..record import Record
from ..report.patch import difference
from ..report.printable import clean
from ..settings.files import settings_for_folder
from ..source.quoting import plural
from .console import CLEAN, FAILED, note_not_written, show, spoken_on
from .hook_entry import NotAdded, Origin, as_text, origin, with_hook
from .options import Arguments, Usage
from .run import Run

BASELINE = ".grpo-lint-baseline.json"
SETTINGS = ".grpo-lint.toml"
HOOKS = ".pre-commit-config.yaml"
LARGEST_CONFIG = 1 << 20  # of pre-commit
WHY_THE_HOOK = Message("runs grpo-lint before each commit")


class Step(Record):
    """A file to write. `before`: its bytes now, None where there is none; `why`: what it is for, in a few words."""

    path: str
    before: "bytes | None" = None
    after: bytes
    why: Message


def init(arguments: "Arguments") -> int:
    """`grpo-lint init`: show what is to be written, ask, and write it."""
    if arguments.operands:
        raise Usage(Message("init takes no files: it sets up the repository around the current folder"))
    root = disk.root_of(os.path.join(os.getcwd(), HOOKS)) or os.getcwd()
    steps, remarks = _plan(root)
    _show(root, steps, remarks)
    if not steps or arguments.get("--dry-run"):
        return CLEAN
    if not arguments.get("--yes") and not _is_agreed():
        _say(Message("Nothing was written."))
        return CLEAN
    return _carry_out(root, steps)


# --- the plan -------------------------------------------------------------------------------------------------------


def _plan(root: str) -> "tuple[list[Step], list[Message]]":
    """([Step], what is left for the user to do, in sentences)."""
    from .survey import settings_text, survey

    settings = settings_for_folder(root)
    if settings.problems:
        raise Usage(Message("{problem}; correct that first", {"problem": settings.problems[0]}))
    baseline = settings.baseline or os.path.join(root, BASELINE)
    known = disk.exists(baseline)
    run = Run(_whole(root, baseline))
    seen = survey(run, settings)
    if run.status:
        raise Usage(Message("not all findings could be recorded, so nothing was written"))
    steps: list[Step] = []
    remarks: list[Message] = []
    if not seen.frameworks:
        remarks.append(Message("No config or script of GRPO-family training was found here."))
    if settings.source is None:
        text = settings_text(seen, root, BASELINE if known or seen.failing else None)
        why = Message("settings; what is commented out shows how it is written")
        steps.append(Step(path=os.path.join(root, SETTINGS), after=text.encode(), why=why))
    elif settings.baseline is None and seen.failing:
        remarks.append(_how_to_name_a_baseline(seen.failing, os.path.relpath(settings.source, root)))
    if not known and seen.failing and (settings.source is None or settings.baseline):
        counted = {"findings": plural(seen.failing, "finding"), "files": plural(len(seen.baseline), "file")}
        why = Message("{findings} in {files}: these pass from now on, new ones fail", counted)
        steps.append(Step(path=baseline, after=seen.baseline_text.encode(), why=why))
    hook, more_remarks = _hook(root, origin())
    return steps + hook, remarks + more_remarks


def _how_to_name_a_baseline(failing: int, settings: str) -> Message:
    return Message(
        'To let what fails now pass ({findings}), put baseline = "{baseline}" into {settings} and run grpo-lint --write-baseline.',
        {"findings": plural(failing, "finding"), "baseline": BASELINE, "settings": settings},
    )


def _whole(root: str, baseline: str) -> "Arguments":
    """The command line that checks a whole repository, for a baseline."""
    arguments = Arguments()
    arguments.operands.append(os.path.relpath(root))
    arguments.values.update({"--baseline": baseline, "--write-baseline": True})
    return arguments


def _hook(root: str, comes_from: Origin) -> "tuple[list[Step], list[Message]]":
    """The step that adds the hook, and what is left for the user to do about it."""
    steps: list[Step] = []
    remarks = []
    try:
        steps = _hook_step(root, comes_from)
    except NotAdded as reason:
        remarks.append(
            Message(
                "{path} was left alone ({why}). The entry of the hook is:\n\n{entry}",
                {"path": HOOKS, "why": told_by(reason), "entry": as_text(comes_from).rstrip()},
            )
        )
    if (steps or remarks) and not comes_from.is_certain:
        remarks.append(
            Message(
                "The installed commit of grpo-lint is not recorded. If {revision} does not exist, write a commit in its place: "
                "git ls-remote {repository} HEAD prints the newest.",
                {"revision": comes_from.revision, "repository": comes_from.repository},
            )
        )
    return steps, remarks


def _hook_step(root: str, comes_from: Origin) -> "list[Step]":
    """The step that adds the hook; none where the hook is there, or where there is no git to run it."""
    path = os.path.join(root, HOOKS)
    if not disk.exists(os.path.join(root, ".git")):
        return []
    if not os.path.lexists(path):
        return [Step(path=path, after=with_hook("", comes_from).encode(), why=WHY_THE_HOOK)]
    inside = os.path.join(os.path.realpath(root), "")
    if not os.path.realpath(path).startswith(inside):
        raise NotAdded(Message("it is a link that leads out of the repository"))
    try:
        before = disk.read(path, LARGEST_CONFIG)
        source = before.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise NotAdded(disk.why(error) if isinstance(error, OSError) else Message("not UTF-8")) from None
    if len(before) > LARGEST_CONFIG:
        raise NotAdded(Message("it is too large"))
    after = with_hook(source, comes_from).encode()
    return [] if after == before else [Step(path=path, before=before, after=after, why=WHY_THE_HOOK)]


# --- showing, asking, writing ---------------------------------------------------------------------------------------


def _show(root: str, steps: "list[Step]", remarks: "list[Message]") -> None:
    say = spoken_on(sys.stdout).text
    out = [f"{clean(root)}\n"]
    names = [os.path.relpath(step.path, root) for step in steps]
    room = max(map(len, names), default=0)
    for name, step in zip(names, steps, strict=True):
        verb = Message("create") if step.before is None else Message("change")
        out.append(f"  {say(verb)}  {clean(name):{room}}  {say(step.why)}\n")
    for name, step in zip(names, steps, strict=True):
        if not name.endswith(".json"):
            lines = difference(name, step.before or b"", step.after).splitlines()
            out += ["\n", *(f"{clean(line)}\n" for line in lines)]
    for remark in remarks:
        out += ["\n", *(f"{clean(line)}\n" for line in say(remark).splitlines())]
    if not steps:
        out.append(f"  {say(Message('nothing to do'))}\n")
    show("".join(out) + "\n")


def _say(told: Message) -> None:
    print(clean(spoken_on(sys.stdout).text(told)))


def _is_agreed() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage(
            Message("nothing was written: no terminal to ask on; --yes writes without asking, --dry-run only shows")
        )
    try:
        return input(f"{spoken_on(sys.stdout).text(Message('Write this? [y/N]'))} ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def _carry_out(root: str, steps: "list[Step]") -> int:
    status = CLEAN
    for step in steps:
        name = os.path.relpath(step.path, root)
        try:
            if step.before is None:
                writing.create(step.path, step.after)
            else:
                writing.replace(step.path, step.before, step.after)
            _say(Message("wrote {path}", {"path": name}))
        except writing.NotWritten as reason:
            note_not_written(name, reason)
            status = FAILED
    if any(step.path.endswith(HOOKS) for step in steps) and status == CLEAN:
        _say(Message("Commit these files, and run pre-commit install where that was not done yet."))
    return status
