"""Fixes for single keys and values: renaming, quoting, removing. They follow from the finding; nothing is searched."""

from math import isfinite

from ..checker.findings import Fix
from ..frameworks.shared.values import from_text, is_nothing
from ..message import NOTHING, Message
from ..source.entry import Flag, Keyword, is_alone
from ..source.quoting import LONGEST_NAME, listed, shortened
from ..source.text import Edit
from ..source.yaml.reader import Mapping, Scalar, Sequence
from ..source.yaml.scalars import shown_value
from .edits import QUOTES, edits_for, is_plain, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Field, Finding, Launch, Report, Safety, Setting


def key_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """The one fix of a finding about a key or a value, not yet proven; None when there is none."""
    if "replacement" in finding.values:
        return _replace(finding)
    make = _MAKERS.get(finding.rule.name)
    if make is None or finding.at is None or not is_plain(finding.at):
        return None
    return make(report, finding, finding.at)


def _edit(report: "Report", start: int, end: int, new: str) -> Edit:
    """An edit of a value, as the file holds texts."""
    return Edit(start, end, new if report.code is None else report.code.escaped(new))


def _replace(finding: "Finding") -> "Fix":
    edit: Edit = finding.values["replacement"]
    if edit.start == edit.end:
        return Fix(
            Message(
                "write `{text}` in front of {name}", {"text": edit.new.strip(), "name": finding.values["variable"]}
            ),
            NOTHING,
            "unsafe",
            {},
            [edit],
        )
    title = finding.values.get("mended") or Message("start the run with `{command}`", {"command": edit.new})
    return Fix(title, NOTHING, "unsafe", {}, [edit])


def _rename(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    new: str | None = finding.values.get("rename")
    if new is None:
        return _remove_dropped(report, finding, at)
    if isinstance(at.entry, Keyword) and at.entry.written is None and report.text.text[at.key.start] not in QUOTES:
        return None  # a field of a class, or an attribute that is set
    quote = report.text.text[at.key.start]
    told = _in_its_section(at.name, new, report.text[at.key].strip("".join(QUOTES)))
    if told is None:
        return None
    if isinstance(at.entry, Flag) and finding.launch is not None:
        new_name = told = as_a_flag(finding.launch, told)
    else:
        new_name = new
    edit = Edit(*at.key, f"{quote}{told}{quote}" if quote in QUOTES else told)
    return Fix(
        Message("rename {old} to {new}", {"old": shortened(at.entry.name, LONGEST_NAME), "new": new_name}),
        NOTHING,
        "safe" if _keeps_its_meaning(finding) else "unsafe",
        {new: _told(report, at)},
        [edit],
    )


def as_a_flag(launch: "Launch", name: str) -> str:
    """A setting as its flag is spelt, without the dashes in front."""
    return launch.framework.reader.flags.written(name).removeprefix("--")


def _keeps_its_meaning(finding: "Finding") -> bool:
    """Whether renaming a key trains the same: the release takes the short form for the new name, or refuses the old
    one, so that nothing was trained without it. Where only the spelling is similar the rename is a guess; and a key
    that was dropped so far takes effect."""
    if finding.rule.name == "key-is-spelt-out":
        return True
    if finding.launch is not None and finding.launch.framework.reader.configs.nested and finding.rule.name in _GUESSES:
        return False
    is_refused = finding.severity == "error" and finding.stage in ("read", "config") and not finding.assumes
    return is_refused and finding.rule.name in _RENAMED and "elsewhere" not in finding.values


def _in_its_section(old: str, new: str, text: str) -> "str | None":
    """How a setting is called where a text stands for another one: of a key in a section the last part of its path alone, None where
    the new one belongs into another section."""
    section, _, last = old.rpartition(".")
    if not section or text != last:
        return new
    return new.removeprefix(f"{section}.") if new.rpartition(".")[0] == section else None


_RENAMED = ("key-is-of-this-version", "dtype-is-read", "appended-key-is-new", "field-outside-the-tree-is-appended")


def _told(report: "Report", setting: "Setting") -> object:
    """The value of a setting as a document can hold it: a text, a number, a list of these; another one as it is
    written."""
    value = setting.value
    items = value if type(value) is list else [value]
    plain = all(
        item is None or type(item) in (str, bool, int) or (type(item) is float and isfinite(item)) for item in items
    )
    return value if plain else report.text[setting.span]


def _remove_dropped(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    """Remove a key of other versions, or a second spelling, that this version certainly ignores."""
    values = finding.values
    if finding.rule.name == "key-is-of-this-version" and finding.severity == "error" and not values.get("hint"):
        return _remove_family(report, finding, at)
    is_idle = "twin" in values or (finding.rule.name in _RENAMED and "keep" not in values)
    if not is_idle or finding.stage != "never" or finding.assumes:
        return None
    return _remove(report, finding, at, "safe")


def _remove_family(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    """Remove a refused key together with those that mean nothing without it and are refused as well."""
    launch = finding.launch
    if finding.assumes or "keep" in finding.values or launch is None or finding.candidate is None:
        return None
    fields = launch.fields(finding.candidate)
    family = next((family for family in launch.framework.knobs.families if at.name in family), ())
    others = [name for name in family if name != at.name and name in launch.entries and fields[name] is None]
    gone = dict.fromkeys([at.name, *others])
    edits = edits_for(report, launch, gone)
    told = listed([shortened(launch.entries[name].name, LONGEST_NAME) for name in gone])
    return Fix(Message("remove {name}", {"name": told}), NOTHING, "unsafe", gone, edits) if edits else None


def _remove(report: "Report", finding: "Finding", at: "Setting", safety: "Safety" = "unsafe") -> "Fix | None":
    edits = edits_for(report, finding.launch, {at.name: None})  # type: ignore[arg-type]  # a key is of a launch
    if edits is None:
        return None
    return Fix(
        Message("remove {name}", {"name": shortened(at.entry.name, LONGEST_NAME)}),
        NOTHING,
        safety,
        {at.name: None},
        edits,
    )


def _choose(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    """Write the choice that a text is most likely meant for; `false` where "no" is one of the choices."""
    if at.value is False and isinstance(at.entry, Keyword) and '"no"' in finding.values.get("hint", ""):
        return _written(report, finding, at, "no", "safe")
    if at.value is False and '"no"' in finding.values.get("hint", ""):
        return _in_its_place(report, at, Message('write "no" in quotes'), '"no"', "no", "safe")
    meant = finding.values.get("meant") if type(at.value) is str else None  # of a list one item is wrong, not all
    if meant is None and is_nothing(at.value):
        return _remove(report, finding, at)
    return _written(report, finding, at, meant, "unsafe")


def _convert(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    """Write the value in the type of its key: 8.0, or the text 1e3, where a whole number belongs; a misspelt true or
    false; the text None where null is meant."""
    value, is_python = at.value, isinstance(at.entry, Keyword)
    items: list[object] | None = finding.values.get("meant")
    if "inner" in finding.values:
        return _rename_inside(finding, at, *finding.values["inner"])
    if is_python and (value is None or type(value) is list or items):
        return None
    if value is None and "null" in finding.values.get("problem", ""):
        return _remove(report, finding, at)
    if items:
        text = f"[{items[0]}]"
        return _in_its_place(report, at, Message("write {value}", {"value": text}), text, items)
    launch, release = finding.launch, finding.candidate
    field = launch.fields(release)[at.name] if launch is not None and release is not None else None
    if field is None or type(value) not in (float, str):
        return None
    if type(value) is str and is_nothing(value):
        return _null_for_nothing(report, finding, at, field)
    return _converted(report, finding, at, field.type.rstrip("?"))


def _null_for_nothing(report: "Report", finding: "Finding", at: "Setting", field: "Field") -> "Fix | None":
    """Null in the place of a text such as None, or no key where a null would be read as a text."""
    launch = finding.launch
    is_text = isinstance(at.entry, Flag) or launch is None or launch.framework.reader.values.null_is_text(field)
    if is_text or not field.type.endswith("?"):
        return _remove(report, finding, at)
    return None if isinstance(at.entry, Keyword) else _in_its_place(report, at, Message("write null"), "null", None)


def _converted(report: "Report", finding: "Finding", at: "Setting", kind: str) -> "Fix | None":
    """A number or a text as the number, or the true or false, that it spells."""
    value = at.value
    refused: Safety = "safe" if finding.severity == "error" else "unsafe"  # what is taken as it is has its effect
    if is_alone(at.entry) and value == "False":  # `--no_x`
        words = f"{at.name} False"
        edits = [_edit(report, *at.key, words)]
        return Fix(Message("write --{flag}", {"flag": words}), NOTHING, refused, {at.name: False}, edits)
    number = _number(value)
    if kind in ("int", "float") and number is not None and (kind == "float" or number.is_integer()):
        return _written(report, finding, at, int(number) if kind == "int" else number, refused)
    if kind != "bool" or type(value) is not str:
        return None
    exact = from_text(value, "bool")
    if exact is not None:
        return _written(report, finding, at, exact, refused)
    from ..frameworks.shared.meant import likely  # few fixes are of switches

    meant = {"true": True, "false": False}.get(likely(value, ["true", "false"]) or "")
    return _written(report, finding, at, meant, "unsafe")


def _in_its_place(
    report: "Report", at: "Setting", title: Message, text: str, value: object, safety: "Safety" = "unsafe"
) -> "Fix":
    """The fix that writes the text of another value in the place of one."""
    return Fix(title, NOTHING, safety, {at.name: value}, [_edit(report, *at.span, text)])


def _rename_inside(finding: "Finding", at: "Setting", old: str, new: str) -> "Fix | None":
    """A key of the mapping that is the value gets another name."""
    node = at.entry.value
    entry = next((each for each in node.entries if each.name == old), None) if type(node) is Mapping else None
    if entry is None or type(entry.key) is not Scalar or entry.key.style in QUOTES or not isinstance(at.value, dict):
        return None
    if new in at.value or entry.key.tag is not None or entry.key.anchor is not None:
        return None
    value = {new if name == old else name: each for name, each in at.value.items()}
    edits = [Edit(entry.key.start, entry.key.end, new)]
    return Fix(
        Message("rename {old} to {new}", {"old": shortened(old, LONGEST_NAME), "new": new}),
        NOTHING,
        "unsafe",
        {at.name: value},
        edits,
    )


def _number(value: object) -> float | None:
    """A number, or the number that a text spells. None for anything else, and for what is too large to be exact."""
    try:
        number = float(value)  # type: ignore[arg-type]  # a text or a number
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) and abs(number) < 1 << 53 else None


def _written(report: "Report", finding: "Finding", at: "Setting", value: object, safety: "Safety") -> "Fix | None":
    """The fix that replaces a value; a text keeps its quotes. None for no value."""
    if value is None:
        return None
    title = Message("write {value}", {"value": written(value)})
    if isinstance(at.entry, (Flag, Keyword)):
        edits = edits_for(report, finding.launch, {at.name: value})  # type: ignore[arg-type]  # a key is of a launch
        return Fix(title, NOTHING, safety, {at.name: value}, edits) if edits else None
    quote = report.text.text[at.span.start] if type(value) is str else ""
    return _in_its_place(report, at, title, written(value, quote), value, safety)


def _quote_items(report: "Report", finding: "Finding", at: "Setting") -> "Fix | None":
    node, value = at.entry.value, at.value
    if not isinstance(node, Sequence) or not isinstance(value, list):
        return None
    edits = [
        _edit(report, item.start, item.end, f'"{shown_value(item.value)}"')
        for item in node.items
        if isinstance(item, Scalar) and type(item.value) in (int, float, bool)
    ]
    if not edits:
        return None
    values = [item if type(item) is str else shown_value(item) for item in value]
    return Fix(Message("put quotes around the items"), NOTHING, "safe", {at.name: values}, edits)


_GUESSES = ("key-is-known", "key-is-of-this-version")  # where nobody but the spelling says which key is meant

_MAKERS = {
    "key-is-known": _rename,
    "key-is-of-this-version": _rename,
    "key-is-spelt-out": _rename,
    "appended-key-is-new": _rename,
    "field-outside-the-tree-is-appended": _rename,
    "key-is-not-ambiguous": _rename,
    "dtype-is-read": _rename,
    "null-is-not-a-text": _remove,
    "value-is-a-choice": _choose,
    "named-file-exists": _choose,
    "value-has-the-type-of-its-key": _convert,
    "list-holds-texts": _quote_items,
}
