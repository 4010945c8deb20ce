"""Settings in sections of a file, named by their paths."""

from ..source.yaml.reader import Mapping, target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from ..source.yaml.reader import Entry

MOST_SETTINGS = 5000  # of one file
MOST_LEVELS = 20  # of sections


def by_path(entries: "dict[str, Entry]", whole: "AbstractSet[str]" = frozenset()) -> "dict[str, Entry]":
    """{path: entry} of the settings in some entries, including those in sections as far as the limits allow. `whole`:
    paths of mappings that are one setting."""
    found: dict[str, Entry] = {}
    pending = list(entries.items())
    for path, entry in pending:
        node = target(entry.value)
        is_deeper = path not in whole and len(pending) < MOST_SETTINGS and path.count(".") < MOST_LEVELS
        if type(node) is Mapping and is_deeper:
            pending += [(f"{path}.{name}", inner) for name, inner in node.items()]
        else:
            found[path] = entry
    return found
