"""Which settings the Python of a repository hands to TRL's config classes by their names."""

import ast

from ...source.python.reader import Unparsed, dotted, parsed
from .names import CONFIGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Sequence

MOST_TEXT = 1 << 20  # characters of Python that are parsed
# what hands on settings whose names do not stand there
_UNNAMED = ("HfArgumentParser", "TrlParser", "setattr(", "dataclasses", "instantiate(")


def handed_to_configs(texts: "Sequence[str]") -> "frozenset[str] | None":
    """The settings that the calls of config classes in some files of Python are given; None where there is no call, or one may be given
    others."""
    telling = [text for text in texts if any(name in text for name in CONFIGS)]
    if not telling or sum(map(len, telling)) > MOST_TEXT or any(word in text for text in telling for word in _UNNAMED):
        return None
    found: set[str] = set()
    for text in telling:
        try:
            names = _handed_in(parsed(text))
        except (SyntaxError, Unparsed):
            return None
        if names is None:
            return None
        found |= names
    return frozenset(found) or None


def _handed_in(tree: ast.Module) -> "set[str] | None":
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(map(_is_config, node.bases)):
            return None  # who makes one of it is not looked for
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        if isinstance(node, ast.Call) and _is_config(node.func):
            names = [keyword.arg for keyword in node.keywords]
            if node.args or None in names:
                return None
            found.update(name for name in names if name)
    return found


def _is_config(node: ast.expr) -> bool:
    return dotted(node).rpartition(".")[2] in CONFIGS
