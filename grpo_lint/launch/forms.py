"""How a launch says its settings: as flags or overrides of a command, as keywords of a call, or as keys of a file."""

from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Launch


def written_as(launch: "Launch", name: str, value: str, is_on: bool = False) -> str:
    """A setting and its value as they stand in what starts the launch: `--num-rollout 9`, `trainer.nnodes=2`, `beta=0.1` or `beta: 0.1`."""
    if launch.places:
        return f"{name}={value}"
    if not _is_a_command(launch):
        return f"{name}: {value}"
    return f"{name}={value}" if _takes_overrides(launch) else launch.framework.reader.flags.written(name, value, is_on)


def added(launch: "Launch", name: str) -> Message:
    """What to do where a setting is missing."""
    if launch.places:
        return Message("Add the keyword {name}.", {"name": name})
    if not _is_a_command(launch):
        return Message("Add the key {name}.", {"name": name})
    if _takes_overrides(launch):
        return Message("Add the override {name}=...", {"name": name})
    return Message("Add the flag {name}.", {"name": launch.framework.reader.flags.written(name)})


def _is_a_command(launch: "Launch") -> bool:
    """Whether the judged file holds the command that starts the launch, and no config with its settings."""
    return launch.origin is not None and launch.origin.script is None


def _takes_overrides(launch: "Launch") -> bool:
    own = launch.origin.invocation.own if launch.origin is not None else None
    return own is not None and own.style == "hydra"
