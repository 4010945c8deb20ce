"""How ms-swift accepts values, as a JSON Schema says it."""

from ..schema import Flags

KIND = Flags
