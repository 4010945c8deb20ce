"""What a fix is."""


class Fix:
    """A change that makes a finding go away, proven by linting the changed text.

    title     what to do, in words: "set global_batch_size to 32"
    effect    what it changes for training: "2x completions per update"; may be empty
    safety    "safe" (the same training), "unsafe" (changes the run), "display" (cannot be applied mechanically)
    changes   {key: value}
    edits     [(start, end, new text)] in the file, sorted, not overlapping; empty when the safety is "display"
    """

    __slots__ = ("title", "effect", "safety", "changes", "edits")

    def __init__(self, title, effect, safety, changes, edits):
        self.title = title
        self.effect = effect
        self.safety = safety
        self.changes = changes
        self.edits = edits


def preferred(finding, unsafe=False):
    """The fix of a finding that is applied: the first that can be, if it is safe or `unsafe` ones may be applied; else
    None."""
    fix = next((fix for fix in finding.fixes if fix.edits), None)
    return fix if fix is not None and (unsafe or fix.safety == "safe") else None
