"""The releases that a notebook or a script of Python installs for itself: `!pip install trl==0.19.1`, and the
`dependencies` of the block of metadata at its top."""

import re

from ..source.text import Text
from .pin_formats import pinned
from .pins import Pin

_INSTALLS = r"(?m)^.*\bpip3?[\"' ,]+install\b.*$"
_METADATA = r"(?m)^# /// script[ \t]*\n((?:#[^\n]*\n){1,200})"


def pins_of(text: Text) -> "dict[str, Pin]":
    """{package: Pin} of the exact releases that a file installs; none for a package with several."""
    found: dict[str, Pin | None] = {}
    parts = [(match.start(), match[0], "dockerfile") for match in re.finditer(_INSTALLS, text.text)]
    for match in re.finditer(_METADATA, text.text):
        parts.append((match.start(1), re.sub(r"(?m)^#", " ", match[1]), "quoted"))
    for start, part, reader in parts:
        for package, version, offset in pinned(f" {part}", reader):
            line = text.position(start + offset - 1)[0] + 1
            known = found.get(package)
            if version is None or (known is not None and known.version != version):
                found[package] = None
            elif package not in found:
                found[package] = Pin(version, text.path, line)
    return {package: pin for package, pin in found.items() if pin is not None}
