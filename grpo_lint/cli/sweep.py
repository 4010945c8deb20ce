"""`grpo-lint sweep`: which runs of a grid hold."""

import sys

from ..checker.contexts import Around
from ..engine import CannotRead, is_script, lint, lint_path, read
from ..files.discovery import PYTHON, has_suffix
from ..launch.files import LARGEST_FILE
from ..message import Message, told_by
from ..planning.grid_survey import CannotSweep, survey
from ..planning.grids import Grid, grid_in, loops_in, take_varying
from ..source.entry import Flag, loaded
from ..source.overrides import Override, swept_values
from ..source.text import NotText, Text
from .console import CLEAN, FOUND, language_for, note, show, uses_colour
from .options import Usage, existing_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Arguments, Launch, Report

MOST_TRIED = 64  # values of a program's choice, or tasks of an array
MOST_SAMPLED = 8  # of more values
_NO_GRID = Message("there is no grid in it: neither parameters nor a search space, a list of values for each setting")
_NO_BASE = Message("it does not say which config it varies: --config BASE.yaml names it")


def sweep(arguments: "Arguments") -> int:
    """Print how many runs of a grid are accepted, and which combinations fail. The exit status is 1 where some fail."""
    from ..report import sweeping
    from ..report.text import terminal_width

    if len(arguments.operands) != 1:
        raise Usage(
            Message(
                "sweep takes one file: grpo-lint sweep FILE, with --config BASE where the file does not name what it varies"
            )
        )
    path = arguments.operands[0]
    try:
        grid, report = _read(path, arguments)
        found = survey(grid, report)
    except CannotSweep as why:
        note(Message("{path}: {problem}", {"path": path, "problem": told_by(why)}))
        return FOUND
    if arguments.get("--output-format") == "json":
        sys.stdout.write(sweeping.document(found))
    else:
        colour, language = uses_colour(arguments, sys.stdout), language_for(arguments, sys.stdout)
        verbose = bool(arguments.get("--verbose"))
        show(sweeping.told(found, path, colour, terminal_width(sys.stdout), verbose, language))
    return CLEAN if found.refused == 0 else FOUND


def _read(path: str, arguments: "Arguments") -> "tuple[Grid, Report]":
    """The grid in a file, and the report of the first run of it."""
    text, base = _text(path), arguments.get("--config")
    around = Around(dict(arguments.facts), asked=filter(None, (path, base)))
    if is_script(text):
        return _in_script(text, around)
    if has_suffix(text.path, PYTHON):
        return _in_program(text, around, base)
    grid = grid_in(text)
    if not (grid.axes or grid.left_out):
        raise CannotSweep(_NO_GRID)
    if base:
        return grid, lint_path(existing_file(base), around.of(base), fixes=False)
    if grid.script:
        report = lint(Text(grid.script, f"{path}.sh"), around.of(path), fixes=False)
        if not report.launches:
            raise CannotSweep(
                Message("nothing says which framework its program trains with: --dialect does, or --config BASE.yaml")
            )
        return grid, report
    report = lint(text, around.of(path), fixes=False)
    if not report.launches:
        raise CannotSweep(_NO_BASE)
    return grid, report


def _text(path: str) -> Text:
    try:
        data = read(path)
        if data is None or len(data) > LARGEST_FILE:
            raise Usage(Message("{path} is larger than {size} KB", {"path": path, "size": LARGEST_FILE >> 10}))
        return Text.from_bytes(data, path)
    except CannotRead as why:
        raise Usage(Message("{path} {problem}", {"path": path, "problem": told_by(why)})) from None
    except NotText as why:
        raise Usage(Message("{path} is not text: {why}", {"path": path, "why": told_by(why)})) from None


def _in_script(text: Text, around: Around) -> "tuple[Grid, Report]":
    """The grid of a script: its loops over words and the overrides of a multirun, as far as its first run uses them."""
    grid = loops_in(text.text)
    if "--array" in text.text or "SLURM_ARRAY" in text.text:
        _as_tasks(text, grid, around)
    report = lint(Text(grid.script, text.path), around.of(text.path), fixes=False)
    launch = next((each for each in report.launches if each.candidates), None)
    if launch is None:
        raise CannotSweep(report.skipped or Message("there is no run in it"))
    for name, entry in launch.entries.items():
        if isinstance(entry, Override) and (entry.is_a_sweep or _is_called(entry)):
            _take_override(grid, name, entry)
        else:
            _take_loop(grid, name, _raw(grid.script, launch, name))
    _take_processes(grid, launch)
    for variable in grid.loops:
        grid.left_out.append((variable, Message("no setting takes the values of this loop")))
    return grid, report


def _in_program(text: Text, around: Around, base: "str | None") -> "tuple[Grid, Report]":
    """The grid that a program of Python searches; what each choice varies is seen by trying its values."""
    from ..planning.python_grids import choices_in, with_values

    grid, choices = Grid(), choices_in(text)
    if not choices:
        raise CannotSweep(_NO_GRID)

    def tried(number: int, value: int) -> "Report":
        return lint(
            Text(with_values(text.text, choices, {number: value}), text.path), around.of(text.path), fixes=False
        )

    report = lint_path(existing_file(base), around.of(base), fixes=False) if base else tried(0, 0)
    if not report.launches:
        raise CannotSweep(_NO_BASE)
    for number, choice in enumerate(choices):
        values = choice.values
        if not values:
            grid.left_out.append((choice.name, choice.why))
        elif base:
            grid.vary(choice.name, values)
        elif len(values) > MOST_TRIED:
            _take_many(grid, choice.name, values, [_settings_of(tried(number, each)) for each in range(MOST_SAMPLED)])
        else:
            runs = [_settings_of(tried(number, each)) for each in range(len(values))]
            is_setting = any(
                each.candidates and each.fields(each.candidates[0])[choice.name] for each in report.launches
            )
            if not take_varying(grid, runs, choice.name if is_setting else "", values):
                grid.left_out.append((choice.name, Message("nothing that is read of the program takes it")))
    return grid, report


def _take_many(grid: Grid, name: str, values: "list[object]", runs: "list[dict[str, object]]") -> None:
    """Take more values than are tried, where the first of them are seen to be those of one setting as they are."""
    sample = values[: len(runs)]
    varying = [
        each
        for each in dict.fromkeys(key for run in runs for key in run)
        if any(run.get(each) != runs[0].get(each) for run in runs)
    ]
    if len(varying) == 1 and [run.get(varying[0]) for run in runs] == sample:
        grid.vary(varying[0], values)
    else:
        told = Message("more than {most} values, with which the program computes", {"most": MOST_TRIED})
        grid.left_out.append((name, told))


def _as_tasks(text: Text, grid: Grid, around: Around) -> None:
    """Take what varies over the tasks of a Slurm array."""
    from ..planning.slurm_arrays import as_task, tasks_of

    tasks = tasks_of(text.text)[:MOST_TRIED]
    made = [lint(Text(as_task(grid.script, each), text.path), around.of(text.path), fixes=False) for each in tasks]
    take_varying(grid, [_settings_of(each) for each in made], "", [])
    if tasks:
        grid.script = as_task(grid.script, tasks[0])


def _settings_of(report: "Report") -> "dict[str, object]":
    """{name: value} of the settings of the first run of a report, with its number of processes."""
    launch = next((each for each in report.launches if each.candidates), None)
    if launch is None:
        return {}
    found = {name: loaded(entry.value) for name, entry in launch.entries.items()}
    return {**found, "world_size": launch.world_size} if launch.world_size else found


def _take_override(grid: Grid, name: str, entry: Override) -> None:
    written = entry.words[0].value or ""
    values = swept_values(written.partition("=")[2])
    if values:
        grid.vary(name, values)


def _is_called(entry: Override) -> bool:
    """Whether the values are given by a function of Hydra's sweeper, such as `choice(...)`."""
    return (entry.words[0].value or "").partition("=")[2].startswith(("choice(", "range("))


def _take_loop(grid: Grid, name: str, raw: str) -> None:
    variable = raw.strip("\"'").lstrip("$").strip("{}")
    if raw.strip("\"'").startswith("$") and variable in grid.loops:
        grid.vary(name, grid.loops.pop(variable))


def _take_processes(grid: Grid, launch: "Launch") -> None:
    """Take a loop over numbers of processes, which a variable of the environment or an option of the launcher passes
    on."""
    fact = launch.facts.get("world_size")
    for variable, values in list(grid.loops.items()):
        if fact is not None and fact.where and fact.where[0] is None and str(fact.value) == values[0]:
            numbers = [int(str(value)) for value in values if str(value).isdecimal() and len(str(value)) < 7]
            if len(numbers) == len(values):
                grid.vary("world_size", list(numbers))
                del grid.loops[variable]


def _raw(text: str, launch: "Launch", name: str) -> str:
    """The text in the script for the value of a flag."""
    entry = launch.entries_in_this_file.get(name)
    if not isinstance(entry, Flag) or len(entry.words) != 1:
        return ""
    word = entry.words[0]
    raw = text[word.start : word.end]
    return raw.partition("=")[2] if "=" in raw and not raw.startswith(("$", '"$')) else raw
