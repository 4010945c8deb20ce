"""The directives in a text of Python."""

import ast
import re

from ..text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .reader import Source

_COMMENT = r"#[^\n\r]*"


def comments_of_python(source: "Source") -> "list[Span]":
    """The Spans in the file of the directives; a `#` in a string begins no comment."""
    text, code = source.text.text, source.code
    if "grpo-lint" not in text and "grpo_lint" not in text:
        return []
    strings = [
        (source.start(node), source.end(node))
        for node in source.nodes
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and not isinstance(getattr(node, "value", ""), (int, float))
    ]
    found = []
    for match in re.finditer(_COMMENT, text):
        if "grpo-lint" not in match[0] and "grpo_lint" not in match[0]:
            continue
        span = Span(code.raw(match.start()), code.raw_end(match.end()))
        if not any(first <= span.start < last for first, last in strings):
            found.append(span)
    return found
