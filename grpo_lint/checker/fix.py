"""What a fix is."""

from ..launch.topology import PROCESSES
from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, TypeAlias

    from ..source.text import Edit, Text
    from .findings import Finding

    Safety: TypeAlias = Literal["safe", "unsafe", "display"]


class Fix:
    """A change that makes a finding go away, proven by linting the changed text.

    title     what to do, in words: "set global_batch_size to 32"
    effect    what it changes for training: "2x completions per update"; may be empty
    safety    "safe" (the same training), "unsafe" (changes the run), "display" (cannot be applied mechanically)
    changes   {key: value}
    edits     [Edit] of the file, sorted, not overlapping; empty when the safety is "display"
    beside    [(Text of a file that the judged one names, [Edit] of it)]
    """

    __slots__ = ("title", "effect", "safety", "changes", "edits", "beside")

    def __init__(
        self,
        title: Message,
        effect: Message,
        safety: "Safety",
        changes: "dict[str, object]",
        edits: "list[Edit]",
        beside: "Sequence[tuple[Text, list[Edit]]]" = (),
    ) -> None:
        self.title = title
        self.effect = effect
        self.safety = safety
        self.changes = changes
        self.edits = edits
        self.beside = beside

    @property
    def can_be_applied(self) -> bool:
        """Whether it says what becomes of which text."""
        return bool(self.edits or self.beside)


def preferred(finding: "Finding", unsafe: bool = False, alone: bool = False) -> "Fix | None":
    """The fix of a finding that is applied: the first that can be, if it is safe or `unsafe` ones may be applied; else
    None. `alone`: no other file may be changed. Whether there are as many devices nobody knows, so that another number of processes comes last."""
    possible = [fix for fix in finding.fixes if fix.can_be_applied and not (alone and fix.beside)]
    fix = min(possible, key=lambda fix: PROCESSES in fix.changes, default=None)
    return fix if fix is not None and (unsafe or fix.safety == "safe") else None
