"""Fixes for single keys and values: renaming, quoting, removing. What to do follows from the finding, nothing is
searched."""

from math import isfinite

from ..checker.fix import Fix
from ..source.quoting import LONGEST_NAME, shortened
from ..source.yaml.reader import Scalar, Sequence
from ..source.yaml.scalars import shown_value
from .edits import QUOTES, is_plain, removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Finding, Report
    from ..checker.fix import Safety
    from ..launch.launch import Setting


def key_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """The one fix of a finding about a key or a value, not yet proven; None when there is none."""
    if "replacement" in finding.values:
        return _replace(finding)
    make = _MAKERS.get(finding.rule.name)
    if make is None or finding.at is None or not is_plain(finding.at):
        return None
    return make(report, finding, finding.at)


def _replace(finding: "Finding") -> "Fix":
    start, end, new = finding.values["replacement"]
    return Fix(f"start the run with `{new}`", "", "unsafe", {}, [(start, end, new)])


def _rename(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    new: str | None = finding.values.get("rename")
    if new is None:
        return _remove_dropped(report, finding, at)
    # under a loader that drops unknown keys a correction brings the value into force, which changes the run
    dropped = finding.stage == "never" and finding.rule.name == "key-is-known"
    guessed = finding.launch is not None and finding.launch.framework.nested and finding.rule.name in _GUESSES
    quote = report.text.text[at.key[0]]
    edit = (*at.key, f"{quote}{new}{quote}" if quote in QUOTES else new)
    return Fix(
        f"rename {shortened(at.entry.name, LONGEST_NAME)} to {new}",
        "",
        "unsafe" if dropped or guessed else "safe",
        {new: _told(report, at)},
        [edit],
    )


def _told(report: "Report", setting: "Setting") -> object:
    """The value of a setting as a document can hold it: a text, a number, a list of these; another one as it is
    written."""
    value = setting.value
    items = value if type(value) is list else [value]
    plain = all(
        item is None or type(item) in (str, bool, int) or (type(item) is float and isfinite(item)) for item in items
    )
    return value if plain else report.text.text[slice(*setting.span)]


def _remove_dropped(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    """A key of other versions that this one drops can go: it has no effect."""
    if finding.rule.name != "key-is-of-this-version" or finding.stage != "never":
        return None
    return _remove(report, finding, at, "safe")


def _remove(report: "Report", finding: "Finding", at: "Setting", safety: "Safety" = "unsafe") -> "Fix | None":
    edit = removal(report, finding.launch, at)  # type: ignore[arg-type]  # a key is of a launch
    if edit is None:
        return None
    return Fix(f"remove {shortened(at.entry.name, LONGEST_NAME)}", "", safety, {at.name: None}, [edit])


def _quote_no(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    if at.value is not False or '"no"' not in finding.values.get("hint", ""):
        return None
    return Fix('write "no" in quotes', "", "safe", {at.name: "no"}, [(*at.span, '"no"')])


def _whole(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    """8.0 where a whole number belongs."""
    value = at.value
    if type(value) is not float or value != value or value in (float("inf"), float("-inf")) or value != int(value):
        return None
    return Fix(f"write {int(value)}", "", "safe", {at.name: int(value)}, [(*at.span, str(int(value)))])


def _quote_items(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    node, value = at.entry.value, at.value
    if not isinstance(node, Sequence) or not isinstance(value, list):
        return None
    edits = [
        (item.start, item.end, f'"{shown_value(item.value)}"')
        for item in node.items
        if isinstance(item, Scalar) and type(item.value) in (int, float, bool)
    ]
    if not edits:
        return None
    values = [item if type(item) is str else shown_value(item) for item in value]
    return Fix("put quotes around the items", "", "safe", {at.name: values}, edits)


_GUESSES = ("key-is-known", "key-is-of-this-version")  # where nobody but the spelling says which key is meant

_MAKERS = {
    "key-is-known": _rename,
    "key-is-of-this-version": _rename,
    "key-is-spelt-out": _rename,
    "appended-key-is-new": _rename,
    "field-outside-the-tree-is-appended": _rename,
    "dtype-is-read": _rename,
    "null-is-not-a-text": _remove,
    "value-is-a-choice": _quote_no,
    "value-has-the-type-of-its-key": _whole,
    "list-holds-texts": _quote_items,
}
