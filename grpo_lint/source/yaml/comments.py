"""Every comment of a YAML file: what little asks for is loaded where it is asked for."""

import re
from bisect import bisect_right

from .reader import _TO_BREAK, Scalar, line_end, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterable, Iterator, Node

# A `#` begins a comment after a blank, and after the punctuation of a flow collection or the end of a quoted scalar.
_COMMENT = rf"(?:^|(?<=[\s,\[\]{{}}\"']))#{_TO_BREAK}"


def find_comments(source: str, roots: "Iterable[Node]") -> "list[tuple[int, int]]":
    """Every comment: each `#` that begins one and is not in a scalar."""
    spans = sorted(_opaque_spans(source, roots))
    pattern = re.compile(_COMMENT)
    comments: list[tuple[int, int]] = []
    position = 0
    while match := pattern.search(source, position):
        nearest = bisect_right(spans, match.start(), key=lambda span: span[0]) - 1
        covered_until = spans[nearest][1] if nearest >= 0 else 0
        if match.start() < covered_until:
            position = covered_until
        else:
            comments.append(match.span())
            position = match.end()
    return comments


def _opaque_spans(source: str, roots: "Iterable[Node]") -> "Iterator[tuple[int, int]]":
    """The spans of all scalars; of a block scalar only the lines below its first, which may end in a comment."""
    for node in nodes(roots):
        if type(node) is Scalar and node.end > node.start:
            start = node.start
            if node.style in ("|", ">"):
                start = line_end(source, start, node.end)
            yield start, node.end
