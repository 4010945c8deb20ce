"""The releases that a notebook or a script of Python installs for itself: `!pip install trl==0.19.1`, the image of its cloud
(`image.pip_install("trl==0.19.1")`), and the `dependencies` of the block of metadata at its top."""

import re

from .pin_formats import pinned
from .pins import Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Code, Text

# A line, and those that a backslash joins to it; or the rest of a list of words, which may go over several lines.
_INSTALLS = (
    r"(?m)^.*\bpip3?[\"' ,]+install\b"
    r"(?:(?<=[\"']install)[\"'][^()]{0,2000}|(?:[^\n\\]|\\(?!\r?\n))*(?:\\\r?\n(?:[^\n\\]|\\(?!\r?\n))*)*)"
)
_IMAGES = r"\.(?:uv_)?pip_install\(([^()]{1,2000})"
_METADATA = r"(?m)^# /// script[ \t]*\n((?:#[^\n]*\n){1,200})"


def pins_of(code: "Code", file: "Text") -> "dict[str, Pin]":
    """{package: Pin} of the exact releases that the Python of a file installs, with the commands among it; none for a
    package with several."""
    found: dict[str, Pin | None] = {}
    text = code.shown.text
    parts = [(match.start(), match[0], "dockerfile") for match in re.finditer(_INSTALLS, text)]
    parts += [(match.start(1), match[1], "quoted") for match in re.finditer(_IMAGES, text)]
    for match in re.finditer(_METADATA, text):
        parts.append((match.start(1), re.sub(r"(?m)^#", " ", match[1]), "quoted"))
    for start, part, reader in parts:
        for package, version, offset in pinned(f" {part}", reader):
            known = found.get(package)
            if version is None or (known is not None and known.version != version):
                found[package] = None
            elif package not in found:
                found[package] = Pin(version, file.path, file.position(code.raw(start + offset - 1))[0] + 1)
    return {package: pin for package, pin in found.items() if pin is not None}
