"""slime reads no files of settings: it is recognised by the flags of its commands (`command_spec`)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...message import Message
    from ...shared_types import AbstractSet, Lookup


def detect(names: "AbstractSet[str]", value: "Lookup") -> "Message | None":
    """Why a file with these top-level keys is one of slime: none is."""
    return None
