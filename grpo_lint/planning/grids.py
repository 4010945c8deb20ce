"""Grids of settings: sweeps of W&B, search spaces of Optuna, Ray Tune and Hydra as YAML, overrides of a multirun, loops
of a script. Nothing is run: computed or continuous values are reported and not enumerated."""

from math import prod

from ..message import NOTHING, Message
from ..record import Record
from ..source.entry import loaded
from ..source.overrides import swept_values
from ..source.yaml.reader import read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterable, Mapping, Text


MOST_VALUES = 10_000  # of one axis
MOST_LOOPS = 20
_SECTIONS = ("parameters", "params", "search_space", "param_space", "space", "grid", "hyperparameters")
_LISTS = ("values", "choices", "grid_search", "choice", "categorical")
_LOWS, _HIGHS, _STEPS = ("min", "low", "lower", "start"), ("max", "high", "upper", "stop"), ("q", "step")
_NUMBERS = (int, float)
# The words of a command that W&B replaces, and their replacements.
_OF_COMMANDS = {"${env}": "", "${interpreter}": "python"}
_ARGUMENTS = {
    "${args}": "--{name}={value}",
    "${args_no_hyphens}": "{name}={value}",
    "${args_no_boolean_flags}": "--{name}={value}",
}


class Axis(Record):
    """A setting that varies: its name and its values."""

    name: str
    values: "list[object]"


class Grid:
    """The settings that vary, with their values.

    axes       the settings that vary, with their values
    loops      {variable of a script: values} of loops not yet known to vary a setting
    left_out   [(setting, why its values are not enumerated)]
    script     the text of a script that starts the first run of the grid, empty where the base is named otherwise
    plain      the settings whose values are no more than a list, which may be one value
    """

    def __init__(self) -> None:
        self.axes: list[Axis] = []
        self.loops: dict[str, list[object]] = {}
        self.left_out: list[tuple[str, Message]] = []
        self.script = ""
        self.plain: set[str] = set()

    def add(self, name: str, spec: object) -> None:
        """Add a setting with its values in the notation of the file."""
        values, why = values_of(spec)
        if why:
            self.left_out.append((name, why))
        else:
            self.vary(name, values)

    def vary(self, name: str, values: "list[object]") -> None:
        """Add a setting with its values."""
        self.axes.append(Axis(name=name, values=values))


def grid_in(text: "Text") -> Grid:
    """The Grid of a YAML file; one without axes where the file holds no grid."""
    documents = read_yaml(text).documents
    root = loaded(documents[0]) if documents and documents[0] is not None else None
    grid = Grid()
    if type(root) is not dict:
        return grid
    for name, spec in _flat(_space(root)).items():
        grid.add(name, spec)
        if spec is root.get(name) and type(spec) is list:
            grid.plain.add(name)
    if (grid.axes and "program" in root) or "command" in root:
        grid.script = _command(root, grid)
    return grid


def _space(root: "Mapping[object, object]") -> "Mapping[object, object]":
    """The mapping from settings to their values."""
    hydra = root.get("hydra")
    sweeper = hydra.get("sweeper") if type(hydra) is dict else None
    if type(sweeper) is dict and type(sweeper.get("params")) is dict:
        params: dict[object, object] = sweeper["params"]
        return params
    for name in _SECTIONS:
        section = root.get(name)
        if type(section) is dict:
            return section
    return {name: spec for name, spec in root.items() if (type(spec) is dict and _is_spec(spec)) or type(spec) is list}


def _is_spec(spec: "Mapping[object, object]") -> bool:
    return any(name in spec for name in (*_LISTS, *_LOWS, "value", "distribution"))


def _flat(space: "Mapping[object, object]", above: str = "") -> "dict[str, object]":
    """{setting: spec} without sections. A mapping that holds `parameters` or further mappings is a section."""
    found: dict[str, object] = {}
    pending = [(above, space)]
    while pending:
        prefix, section = pending.pop(0)
        for name, spec in section.items():
            path = f"{prefix}{name}"
            inner = spec.get("parameters", spec) if type(spec) is dict else None
            if type(inner) is dict and type(spec) is dict and not _is_spec(spec) and path.count(".") < 10:
                pending.append((f"{path}.", inner))
            else:
                found[path] = spec
    return found


def values_of(spec: object) -> "tuple[list[object], Message]":
    """(values, why they are not enumerated or an empty text) for what is written as the values of a setting."""
    if type(spec) is list:
        return spec[:MOST_VALUES], NOTHING if spec else Message("no value is given")
    if type(spec) is str:
        values = None if "${" in spec else swept_values(spec)
        return (
            (values, NOTHING) if values is not None else ([], Message("{values} is not enumerated", {"values": spec}))
        )
    if type(spec) is not dict:
        return [spec], NOTHING
    for name in _LISTS:
        values = spec.get(name)
        if type(values) is list and values:
            return values[:MOST_VALUES], NOTHING
    if "value" in spec:
        return [spec["value"]], NOTHING
    return _range_of(spec)


def _range_of(spec: "Mapping[object, object]") -> "tuple[list[object], Message]":
    """(values, why they are not enumerated or an empty text) of a lowest and a highest value, with the step where one is written."""
    low, high, step = (_first(spec, names) for names in (_LOWS, _HIGHS, _STEPS))
    kind = str(spec.get("distribution", spec.get("type", "")))
    if type(low) not in _NUMBERS or type(high) not in _NUMBERS:
        return [], Message("its values are drawn from a distribution") if kind else Message("it is no list of values")
    is_whole = type(low) is int and type(high) is int and not _is_of_fractions(kind)
    step = 1 if step is None and is_whole else step
    if type(step) not in _NUMBERS:
        every = Message("every number from {low} to {high} may be taken", {"low": low, "high": high})
        return [], Message("its step is no number") if is_whole else every
    assert isinstance(low, _NUMBERS) and isinstance(high, _NUMBERS) and isinstance(step, _NUMBERS)
    return _steps(low, high, step)


def _steps(low: float, high: float, step: float) -> "tuple[list[object], Message]":
    if step <= 0 or high < low:
        return [], Message("its range holds nothing")
    if (high - low) / step > MOST_VALUES:
        return [], Message("it has more than {most} values", {"most": f"{MOST_VALUES:,}"})
    return [low + number * step for number in range(int((high - low) / step + 1e-9) + 1)], NOTHING


def _first(spec: "Mapping[object, object]", names: "Iterable[str]") -> object:
    """The value of the first of some names that a mapping has; None where it has none."""
    return next((spec[name] for name in names if name in spec), None)


def _is_of_fractions(kind: str) -> bool:
    """Whether a distribution takes more than whole numbers."""
    return kind == "uniform" or "float" in kind or "normal" in kind


# --- what a sweep starts --------------------------------------------------------------------------------------------


def _command(root: "Mapping[object, object]", grid: Grid) -> str:
    """The command that W&B starts for the first run of a sweep, as a script."""
    program = str(root.get("program", ""))
    words = root.get("command")
    form = list(map(str, words)) if type(words) is list else ["${env}", "${interpreter}", "${program}", "${args}"]
    parts: list[str] = []
    for word in form[:1000]:
        if word in _ARGUMENTS:
            parts += [_argument(_ARGUMENTS[word], axis) for axis in grid.axes if not _is_unwritten(axis.values[0])]
        elif word == "${program}":
            parts.append(program)
        elif (word := _OF_COMMANDS.get(word, word)) and not word.startswith("${args"):
            parts.append(word)
    return "#!/bin/bash\n" + " ".join(parts) + "\n"


def _is_unwritten(value: object) -> bool:
    return value is None or type(value) in (list, dict)


def _argument(form: str, axis: Axis) -> str:
    from ..source.shell_words import shell_word

    value = axis.values[0]
    shown = str(value).lower() if type(value) is bool else str(value)
    return shell_word(form.format(name=axis.name, value=shown))


def loops_in(text: str) -> Grid:
    """The Grid of a script: its `for` loops over words written in it. In `script` each loop is reduced to its first
    word."""
    from ..source.shell.loops import loops_of

    grid, parts, end = Grid(), [], 0
    for loop in loops_of(text):
        places = loop.words or []
        words = [text[word.start : word.end] for word in places]
        if not loop.name or loop.name in grid.loops or len(grid.loops) == MOST_LOOPS or not _are_written(words):
            continue
        grid.loops[loop.name] = [word.strip("\"'") for word in words[:MOST_VALUES]]
        parts += [text[end : places[0].end]]
        end = places[-1].end
    grid.script = "".join([*parts, text[end:]])
    return grid


def _are_written(words: "list[str]") -> bool:
    """Whether the words of a loop are their own values, quotes aside."""
    return not any(set("$*?`{}[]()\\") & set(word) for word in words)


def take_varying(grid: Grid, runs: "list[dict[str, object]]", name: str, values: "list[object]") -> bool:
    """Take what differs between runs as axes: alone, or each value with each other one. `name`, `values`: taken where nothing does.
    Whether anything was."""
    names = list(dict.fromkeys(each for run in runs for each in run))
    kinds = {each: _distinct([run.get(each) for run in runs]) for each in names}
    varying = {each: found for each, found in kinds.items() if len(found) > 1}
    if not varying:
        if name:
            grid.vary(name, values)
        return bool(name)
    together = _distinct([[run.get(each) for each in varying] for run in runs])
    if prod(map(len, varying.values())) == len(together):
        for each, found in varying.items():
            grid.vary(each, found)
        return True
    for each in varying:
        grid.left_out.append((each, Message("it varies together with other settings, which are no axes of their own")))
    return True


def _distinct(values: "list[object]") -> "list[object]":
    found: list[object] = []
    for each in values:
        if not any(type(each) is type(other) and each == other for other in found):
            found.append(each)
    return found
