"""What stands around the settings of a run: the sections that hold them, and the environment variables that its programs read."""

from ..frameworks.descriptions import describe, describe_launch_key
from ..frameworks.variables import about_variable
from ..message import NOTHING, Message
from ..source.text import Span
from ..source.yaml.reader import Mapping
from .places import has_launches, properties, word_at
from .words import headed, paragraphs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Launch, Node, Report


def section_at(report: "Report", offset: int) -> "tuple[Message, Span] | None":
    """(what is told, the words that it is about) of the section at an offset."""
    if report.document is None or not has_launches(report):
        return None
    for root in report.document.documents:
        names: list[str] = []
        node: Node | None = root
        while type(node) is Mapping:
            node, span = _next(node, offset, names)
            if span is not None:
                return _told(report, ".".join(names), span)
    return None


def _next(mapping: Mapping, offset: int, names: "list[str]") -> "tuple[Node | None, Span | None]":
    """(the value that holds an offset, None) or (None, the key at it); adds the name of the key to `names`."""
    for entry in mapping.entries:
        if entry.key.start <= offset <= entry.key.end:
            names.append(entry.name)
            return None, Span(entry.key.start, entry.key.end)
        if entry.value.start <= offset <= entry.value.end:
            names.append(entry.name)
            return entry.value, None
    return None, None


def _told(report: "Report", path: str, span: Span) -> "tuple[Message, Span] | None":
    launch = next(launch for launch in report.launches if launch.candidates)
    fields = launch.fields(launch.candidates[0])
    if not launch.framework.reader.configs.nested:
        told: Message = properties(launch).get(path, {}).get("description", NOTHING)
    elif fields.beginning_with(f"{path}."):
        told = describe(launch.framework.name, path)
    else:
        told = about_launch_key(launch, path)
    return (paragraphs([headed(path, Message("section")), told]), span) if told else None


def about_launch_key(launch: "Launch", name: str) -> Message:
    """What a key means that is no setting, but says how the run is put together, as `defaults` does."""
    is_one = launch.framework.reader.keys.launch_key(name, launch.candidates[0].key, launch.loader)
    return describe_launch_key(launch.framework.name, name) if is_one else NOTHING


def variable_at(report: "Report", offset: int) -> "tuple[Message, Span] | None":
    """(what is told, the words that it is about) of the environment variable at an offset."""
    if not has_launches(report):
        return None
    span = word_at(report.text, offset)
    name = report.text[span]
    told = about_variable(name)
    return (paragraphs([headed(name, Message("environment variable")), told]), span) if told else None
