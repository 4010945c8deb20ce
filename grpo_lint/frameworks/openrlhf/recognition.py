"""OpenRLHF reads no config file: only its commands are recognised."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...message import Message
    from ...shared_types import AbstractSet, Lookup


def detect(names: "AbstractSet[str]", value: "Lookup") -> "Message | None":
    """No file with settings is one of OpenRLHF."""
    return None
