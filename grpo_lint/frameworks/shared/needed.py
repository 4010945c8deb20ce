"""What each run reads and has no default for, where a config may be whole by itself. Loaded for such a config alone."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rules.base import Stage
    from ...shared_types import Key, Mapping, Run

    Needed = Mapping[str, tuple[tuple[Key, Key, Stage], ...]]


def first_lacking(
    needed: "Needed", launch: "Run", key: "Key", only_with: "Mapping[str, tuple[str, str]]"
) -> "tuple[str, Stage] | None":
    """The first setting that a config lacks and a release reads, and when that is noticed; a section before what is in it.

    needed      {path: (first release, the first one without it, stage)}
    only_with   {beginning of paths: (setting, what it has to be so that they are read)}
    """
    sections = _sections(launch)
    for name, spans in sorted(needed.items(), key=lambda each: each[0].count(".")):
        stage = next((stage for since, until, stage in spans if since <= key[:2] < until), None)
        if stage is None or name in launch.entries or name in sections or name in launch.defaults:
            continue
        above = name.rpartition(".")[0]
        if (not above or above in sections) and _is_read(name, launch, only_with):
            return name, stage
    return None


def _sections(launch: "Run") -> "set[str]":
    """The sections in which something is set."""
    found: set[str] = set()
    for name in launch.entries:
        while (name := name.rpartition(".")[0]) and name not in found:
            found.add(name)
    return found


def _is_read(name: str, launch: "Run", only_with: "Mapping[str, tuple[str, str]]") -> bool:
    """Whether nothing around a setting is switched off, nor surely something else."""
    parts = name.split(".")
    switches = [".".join([*parts[:end], "enabled"]) for end in range(1, len(parts))]
    if any(switch != name and _value(launch, switch) is not True for switch in switches if switch in launch.entries):
        return False
    conditions = [each for begin, each in only_with.items() if name.startswith(begin) and name != each[0]]
    return all(_value(launch, other) == value for other, value in conditions)


def _value(launch: "Run", name: str) -> object:
    from ...source.entry import loaded

    return loaded(launch.entries[name].value) if name in launch.entries else None
