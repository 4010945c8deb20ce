"""Text edits on spans: exactly the value changes, and not another byte."""

from ..launch.topology import PROCESSES
from ..source.text import Edit, Span, Text
from ..source.yaml.reader import Alias, Mapping, Scalar, Sequence, nodes, target
from ..source.yaml.scalars import shown_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.verdict import Changes
    from ..shared_types import Code, Entry, Iterable, Launch, Node, Report, Setting
    from .offering import Beside

QUOTES = ('"', "'")
_NO_TEXTS = frozenset("y n yes no on off true false null ~".split())  # as YAML 1.1 reads them


def written(value: object, quote: str = "") -> str:
    """A value as it is written into a file: a text in the quotes of the place; YAML 1.1 reads 1e-06 as a text."""
    if type(value) is list and len(value) == 1:  # of a field that takes one value for a list of one
        value = value[0]
    text = shown_value(value)
    if type(value) is str and quote not in QUOTES and text.lower() in _NO_TEXTS:
        quote = QUOTES[0]
    if type(value) is str and quote in QUOTES:
        return f"{quote}{text}{quote}"
    return text.replace("e", ".0e") if type(value) is float and "e" in text and "." not in text else text


def apply(text: "Text", edits: "list[Edit]") -> "Text":
    """The `Text` with the edits made."""
    source = text.text
    for start, end, new in sorted(edits, reverse=True):
        source = source[:start] + new + source[end:]
    return Text(source, text.path, text.bom)


def overlap(edits: "list[Edit]", others: "list[Edit]") -> bool:
    """Whether any two of them share a character or touch: what stands at one place has no order."""
    return any(edit.start <= other.end and other.start <= edit.end for edit in edits for other in others)


def edits_where_they_belong(report: "Report", launch: "Launch", changes: "Changes") -> "tuple[list[Edit], Beside]":
    """(edits of the judged file, those of the config that it loads) that set the keys of `changes`; nothing when that is not
    mechanical. A config that several runs of a script load stays as it is."""
    config = _only_config(report, launch)
    if config is not None:
        from .config_edits import edits_inside

        others, inside = edits_inside(launch, config, changes)
        own = edits_for(report, launch, others) if others else []
        if inside and own is not None:
            return own, [(config, inside)]
    return edits_for(report, launch, changes) or [], ()


def _only_config(report: "Report", launch: "Launch") -> "Text | None":
    """The config that the one run of a script loads."""
    origin = launch.origin
    if origin is None or origin.script is not None or len(report.launches) != 1 or is_python(report, launch):
        return None
    return origin.config


def edits_for(report: "Report", launch: "Launch", changes: "Changes") -> "list[Edit] | None":
    """The edits that set the keys of `changes` (None removes one); None when the file does not allow that."""
    edits: list[Edit] = []
    for key, value in changes.items():
        setting = launch.setting(key)
        if is_python(report, launch):
            several = None if key == PROCESSES else _of_python(report, launch, key, setting, changes)
            if not several:
                return None
            edits += several
            continue
        if key == PROCESSES:
            from .direct import count_edit, key_of_count

            said = key_of_count(launch, value)
            edit = count_edit(report, launch, value) if said is None else _replacement(report, launch, *said)
        elif setting is None:
            edit = _insertion(report, launch, key, value)
        elif value is None:
            edit = removal(report, launch, setting)
        else:
            edit = _replacement(report, launch, setting, value)
        if edit is None:
            return None
        edits += [edit] if report.code is None else report.code.edits(*report.code.inner_span(*edit[:2]), edit.new)
    return sorted(edits)


def is_python(report: "Report", launch: "Launch") -> bool:
    """Whether a call of Python makes a launch."""
    return report.code is not None and bool(launch.places)


def _of_python(
    report: "Report", launch: "Launch", key: str, setting: "Setting | None", changes: "Changes"
) -> "list[Edit] | None":
    from . import python_edits

    code: Code = report.code  # type: ignore[assignment]  # a file of Python has one
    value = changes[key]
    if setting is None:
        gone = [name for name, new in changes.items() if new is None]
        return None if value is None else python_edits.insertion(code, launch, key, value, gone)
    return python_edits.removal(code, setting) if value is None else python_edits.replacement(code, setting, value)


def is_plain(setting: "Setting") -> bool:
    """Whether key and value stand in the judged file where they are used: no merge, alias or tag, and no anchor that
    others may read."""
    entry, value = setting.entry, setting.entry.value
    if setting.text is not None or entry.merged or isinstance(value, Alias):
        return False
    return value.anchor is None and value.tag is None


def _in_script(launch: "Launch") -> bool:
    """Whether the judged file starts the launch, and so holds its flags: only these pay for what edits flags."""
    return launch.origin is not None and launch.origin.script is None


# --- a new value ----------------------------------------------------------------------------------------------------


def _replacement(report: "Report", launch: "Launch", setting: "Setting", value: object) -> "Edit | None":
    if _in_script(launch):
        from . import flag_edits

        if setting.text is None:
            return flag_edits.replacement(report, launch, setting, value)
        # a key of the config file: a flag overrides it, where flags have the last word
        wins = launch.framework.reader.configs.file_wins(launch.candidates[0].key)
        return None if wins else flag_edits.insertion(report, launch, setting.name, value)
    node = _definition(report, launch, setting)
    if node is None:
        return None
    return Edit(node.start, node.end, written(value, node.style) if node.start < node.end else f" {written(value)}")


def _definition(report: "Report", launch: "Launch", setting: "Setting") -> "Scalar | None":
    """The scalar that says the value of a setting, maybe in a mapping that is merged. None when the scalar serves
    something else as well: the value behind an alias belongs to the key where its anchor stands, and other readers of
    that key are unknown."""
    node = target(setting.entry.value)
    if setting.text is not None or type(node) is not Scalar or node.tag is not None:
        return None
    if report.document is None:  # of a file that a notebook writes
        return node if is_plain(setting) else None
    if "*" not in report.text.text:
        return node
    aliases = _aliases_of(node, report.document.documents)
    if not aliases:
        return node
    is_merged = setting.entry.merged and type(setting.entry.value) is not Alias
    return node if is_merged and len(aliases) == 1 and not _is_read_directly(launch, node) else None


def _is_read_directly(launch: "Launch", node: "Node") -> bool:
    """Whether the scalar stands inside the value of a key that the framework knows."""
    fields = launch.fields(launch.candidates[0])
    own = (entry for name, entry in launch.entries.items() if fields[name] and not entry.merged)
    return any(type(entry.value) is not Alias and _holds(entry.value, node) for entry in own)


def _aliases_of(node: "Node", roots: "Iterable[Node]") -> "list[Alias]":
    """The aliases that stand for a tree in which a node is. One walk from the node upwards finds them all."""
    holders: dict[int, list[Node]] = {}
    for each in nodes(roots):
        for part in _parts(each):
            holders.setdefault(id(part), []).append(each)
    pending, seen, found = [node], set(), []
    while pending:
        each = pending.pop()
        if id(each) not in seen:
            seen.add(id(each))
            found += [each] if type(each) is Alias else []
            pending += holders.get(id(each), ())
    return found


def _parts(node: "Node") -> "list[Node]":
    """The nodes that a node holds or stands for."""
    if type(node) is Mapping:
        return [entry.value for entry in node.entries]
    return (
        node.items
        if type(node) is Sequence
        else [node.target]
        if type(node) is Alias and node.target is not None
        else []
    )


def _holds(tree: "Node", node: "Node") -> bool:
    """Whether a node is part of a tree, aliases followed."""
    pending, seen = [tree], set()
    while pending:
        each = pending.pop()
        if each is node:
            return True
        if id(each) not in seen:
            seen.add(id(each))
            pending += _parts(each)
    return False


# --- a key less -----------------------------------------------------------------------------------------------------


def removal(report: "Report", launch: "Launch", setting: "Setting") -> "Edit | None":
    """The key, its value, and the whole line when nothing else stands on it; a comment stays. None where the line
    holds other keys."""
    if _in_script(launch):
        from . import flag_edits

        return None if setting.text is not None else flag_edits.removal(report, launch, setting)
    entry, text = setting.entry, report.text
    if (
        report.code is not None
        or setting.text is not None
        or (entry.merged and _definition(report, launch, setting) is None)
    ):
        return None
    holder = report.document.holder_of(entry)  # type: ignore[union-attr]  # of a config
    if holder.flow:
        return _flow_removal(text, holder, entry)
    start, end = line_of(text, entry.key.start)
    if text.text[start : entry.key.start].strip() or entry.value.end > end:
        return None
    after = text.text[entry.value.end : end]
    if after.strip():
        return Edit(entry.key.start, end - len(after.lstrip()), "")
    if not after.endswith(("\n", "\r")):  # the last line has no break, and the one above it is to have none either
        start = line_of(text, start - 1).start + len(text.line_text(text.position(start - 1)[0])) if start else 0
    return Edit(start, end, "")


def _flow_removal(text: "Text", holder: "Mapping", entry: "Entry") -> "Edit | None":
    position = next(place for place, each in enumerate(holder.entries) if each.key is entry.key)
    if position + 1 < len(holder.entries):
        start, end = entry.key.start, holder.entries[position + 1].key.start
    elif position:
        start, end = holder.entries[position - 1].value.end, entry.value.end
    else:
        start, end = entry.key.start, entry.value.end
    return None if "#" in text.text[start:end] else Edit(start, end, "")


# --- a key more -----------------------------------------------------------------------------------------------------


def _insertion(report: "Report", launch: "Launch", key: str, value: object) -> "Edit | None":
    """A new key beside the last related key that a line can follow, in the style of the place."""
    if value is None:
        return None
    if _in_script(launch):
        from . import flag_edits

        return flag_edits.insertion(report, launch, key, value)
    if report.code is not None:
        return None
    section, _, last = key.rpartition(".") if launch.framework.reader.configs.nested else ("", "", key)
    for entry in _neighbours(launch, section):
        quote = entry.key.style if type(entry.key) is Scalar else ""
        new = f"{quote}{last}{quote}: {written(value, quote)}"
        holder = report.document.holder_of(entry)  # type: ignore[union-attr]  # of a config
        edit = _flow_insertion(report.text, holder, entry, new) if holder.flow else new_line(report.text, entry, new)
        if edit is not None:
            return edit
    return None


def _neighbours(launch: "Launch", section: str = "") -> "list[Entry]":
    """The entries of the file itself, related keys first, from the last one up. Where settings stand in sections,
    those of one section."""
    own = {name: entry for name, entry in launch.entries_in_this_file.items() if not entry.merged}
    if launch.framework.reader.configs.nested:
        own = {name: entry for name, entry in own.items() if name.rpartition(".")[0] == section}
    return sorted(
        own.values(), key=lambda entry: (entry.name in launch.framework.knobs.names, entry.key.start), reverse=True
    )


def new_line(text: "Text", entry: "Entry", new: str) -> "Edit | None":
    """A line below an entry of a block mapping, indented as the entry is."""
    start = line_of(text, entry.key.start).start
    indent = text.text[start : entry.key.start]
    end = line_of(text, entry.value.end).end
    after = text.text[entry.value.end : end].strip()
    if indent.strip() or (after and after[0] != "#"):
        return None
    line_break = text.text[end - 1 : end] if text.text[end - 1 : end] in ("\n", "\r") else ""
    if text.text[end - 2 : end] == "\r\n":
        line_break = "\r\n"
    if line_break:
        return Edit(end, end, f"{indent}{new}{line_break}")
    return Edit(end, end, f"{_first_break(text)}{indent}{new}")


def _flow_insertion(text: "Text", holder: "Mapping", entry: "Entry", new: str) -> "Edit | None":
    """The place behind an entry of a flow mapping; where the entry begins a line, the new key gets a line of its own
    in front of it, because what follows an entry is its comment."""
    start = line_of(text, entry.key.start).start
    indent = text.text[start : entry.key.start]
    if not indent.strip() and holder.start < start:
        return Edit(entry.key.start, entry.key.start, f"{new},{_first_break(text)}{indent}")
    if entry.value.start == entry.value.end:
        return None
    return Edit(entry.value.end, entry.value.end, f", {new}")


def _first_break(text: "Text") -> str:
    """The line break that the text uses."""
    starts = text.starts
    if len(starts) < 2:
        return "\n"
    return text.text[: starts[1]][len(text.line_text(0)) :]


def line_of(text: "Text", offset: int) -> "Span":
    """The Span of the line of an offset, its line break included."""
    line, _ = text.position(offset)
    return Span(text.starts[line], text.starts[line + 1] if line + 1 < len(text.starts) else len(text.text))
