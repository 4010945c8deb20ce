"""The loops of a script over words that are written in it, found in its tree: wherever on a line they begin."""

from ..text import Text
from .reader import tree_of
from .tree import Case, For, Function, Group, If, Pipeline, While

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tree import Chain, Node


def loops_of(text: str) -> "list[For]":
    """The loops `for name in words`, in the order of the script."""
    found = []
    pending: list[Node] = [*_nodes(tree_of(Text(text)))]
    while pending:
        node = pending.pop()
        if type(node) is For and node.name and node.words:
            found.append(node)
        pending += _inside(node)
    return sorted(found, key=lambda loop: loop.start)


def _nodes(chains: "list[Chain]") -> "Iterator[Node]":
    for chain in chains:
        for _, node in chain.links:
            yield node


def _inside(node: "Node") -> "Iterator[Node]":
    """The nodes directly inside another one."""
    if isinstance(node, Pipeline):
        yield from node.commands
    elif isinstance(node, Function):
        yield node.body
    elif isinstance(node, (For, Group)):
        yield from _nodes(node.body)
    elif isinstance(node, While):
        yield from _nodes([*node.condition, *node.body])
    elif isinstance(node, If):
        for condition, body in node.branches:
            yield from _nodes([*condition, *body])
        yield from _nodes(node.otherwise or [])
    elif isinstance(node, Case):
        for _, body, _ in node.arms:
            yield from _nodes(body)
