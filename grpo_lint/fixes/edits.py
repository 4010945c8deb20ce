"""Text edits on spans: exactly the value changes, and not another byte."""

from ..source.scalars import shown_value
from ..source.yaml_reader import Alias, Scalar


def edits_for(text, launch, changes):
    """[(start, end, new text)] that set the keys of `changes` (None removes one), or None when that is not mechanical."""
    edits = []
    for key, value in changes.items():
        setting = launch.setting(key)
        if setting is None:
            edit = _insertion(text, launch, key, value)
        elif not is_plain(setting):
            edit = None
        elif value is None:
            edit = removal(text, setting)
        else:
            edit = (*setting.span, shown_value(value) if setting.span[0] < setting.span[1] else f" {shown_value(value)}")
        if edit is None:
            return None
        edits.append(edit)
    return sorted(edits)


def apply(source, edits):
    """The text with the edits made."""
    for start, end, new in sorted(edits, reverse=True):
        source = source[:start] + new + source[end:]
    return source


def is_plain(setting, any_value=False):
    """Whether key and value stand where they are used: no merge, no alias, no tag, no anchor that others may read.

    A list or a mapping is not plain, unless `any_value` counts.
    """
    entry, value = setting.entry, setting.entry.value
    if entry.merged or type(value) is Alias or value.anchor is not None or value.tag is not None:
        return False
    return any_value or type(value) is Scalar


def _line_bounds(text, offset):
    """(start, end) of the line of an offset, its line break included."""
    line, _ = text.position(offset)
    start = text.starts[line]
    end = text.starts[line + 1] if line + 1 < len(text.starts) else len(text.text)
    return start, end


def removal(text, setting):
    """The whole line of a key, when nothing else stands on it."""
    start, end = _line_bounds(text, setting.key[0])
    if text.text[start : setting.key[0]].strip() or setting.span[1] > end:
        return None
    return start, end, ""


def _insertion(text, launch, key, value):
    """A new line below the last of the relatives of a key, in their indentation."""
    if value is None:
        return None
    relatives = [launch.setting(name) for name in launch.dialect.knobs if name in launch.entries]
    relatives = [setting for setting in relatives if is_plain(setting)] or [launch.setting(name) for name in list(launch.entries)[-1:]]
    for setting in sorted(relatives, key=lambda setting: setting.key, reverse=True):
        start, end = _line_bounds(text, setting.key[0])
        indent = text.text[start : setting.key[0]]
        if indent.strip() or setting.span[1] > end:
            continue
        line = text.text[start:end]
        breaks = "\r\n" if "\r\n" in text.text else "\n"
        if line.endswith(("\n", "\r")):
            return end, end, f"{indent}{key}: {shown_value(value)}{breaks}"
        return end, end, f"{breaks}{indent}{key}: {shown_value(value)}"
    return None
