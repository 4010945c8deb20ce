"""What a fix is."""

from ..launch.topology import PROCESSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from ..source.text import Edit
    from .findings import Finding

    Safety: TypeAlias = Literal["safe", "unsafe", "display"]


class Fix:
    """A change that makes a finding go away, proven by linting the changed text.

    title     what to do, in words: "set global_batch_size to 32"
    effect    what it changes for training: "2x completions per update"; may be empty
    safety    "safe" (the same training), "unsafe" (changes the run), "display" (cannot be applied mechanically)
    changes   {key: value}
    edits     [Edit] of the file, sorted, not overlapping; empty when the safety is "display"
    """

    __slots__ = ("title", "effect", "safety", "changes", "edits")
    title: str
    effect: str
    safety: "Safety"
    changes: "dict[str, object]"
    edits: "list[Edit]"

    def __init__(
        self, title: str, effect: str, safety: "Safety", changes: "dict[str, object]", edits: "list[Edit]"
    ) -> None:
        self.title = title
        self.effect = effect
        self.safety = safety
        self.changes = changes
        self.edits = edits


def preferred(finding: "Finding", unsafe: bool = False) -> "Fix | None":
    """The fix of a finding that is applied: the first that can be, if it is safe or `unsafe` ones may be applied; else
    None. Whether there are as many devices nobody knows, so that another number of processes comes last."""
    possible = sorted((fix for fix in finding.fixes if fix.edits), key=lambda fix: PROCESSES in fix.changes)
    fix = next(iter(possible), None)
    return fix if fix is not None and (unsafe or fix.safety == "safe") else None
