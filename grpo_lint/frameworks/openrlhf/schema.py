"""OpenRLHF reads no config file, so that there is none to describe."""

from ...message import Message
from ..schema import NoSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import SchemaRelease


class NoFiles:
    """What is asked of all frameworks."""

    def __init__(self, release: "SchemaRelease") -> None:
        raise NoSchema(Message("{title} reads no config file", {"title": release.framework.title}))


KIND = NoFiles
