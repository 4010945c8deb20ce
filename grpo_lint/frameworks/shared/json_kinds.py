"""Settings that name a file of JSON: what a framework says of them. What such a file holds is read by `json_files`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Collection

PRESETS = ("zero0", "zero1", "zero2", "zero3", "zero2_offload", "zero3_offload")


class JsonFile:
    """A setting that names a file of JSON.

    presets   the texts that the framework has files of its own for
    keys      those that the file may hold, None where nobody says
    needs     the key without which it is refused, "" for none
    beside    the setting beside which alone the file is opened, "" for none
    """

    def __init__(
        self,
        presets: "tuple[str, ...]" = (),
        keys: "Collection[str] | None" = None,
        needs: str = "",
        beside: str = "",
    ) -> None:
        self.presets = presets
        self.keys = keys
        self.needs = needs
        self.beside = beside
