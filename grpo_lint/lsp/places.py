"""What is at a place of a text: a key of a launch, a finding, a directive."""

import re

from ..checker.findings import span_of
from ..frameworks.schema import NoSchema, schema_of
from ..frameworks.versions import release_ranges
from ..message import Message
from ..report.repeated import once
from ..source.text import Span, line_ends
from ..source.yaml.reader import Scalar, parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Collection, Finding, Json, Launch, Report, Setting, Text

_OUR_NAME = re.compile(r"grpo[-_]lint\b", re.IGNORECASE)
_properties: "dict[tuple[str, str, str, str], dict[str, Json]]" = {}  # (framework, version, algorithm, loader) -> {name: JSON Schema}
_MOST_PROPERTIES = 8


def setting_at(report: "Report", offset: int) -> "tuple[Launch, Setting, bool] | None":
    """(launch, Setting, whether the place is its key) of what is at an offset, preferring a launch in which the setting
    is in force; None when there is no setting."""
    lost = None
    for launch in report.launches:
        for name, entry in launch.entries.items() if launch.candidates else ():
            for setting in launch.all_occurrences(name):
                is_key = _in(setting.key, offset)
                if setting.text is None and (is_key or _in(setting.span, offset)):
                    if setting.entry is entry:
                        return launch, setting, is_key
                    lost = lost or (launch, setting, is_key)
    return lost


def findings_at(report: "Report", offset: int) -> "list[Finding]":
    """The findings that are told, or are the same, at an offset."""
    return [finding for finding in once(report) if any(_in(span, offset) for span in places_of(finding))]


def places_of(finding: "Finding") -> "list[Span]":
    """Where a finding is told, and where it is the same."""
    same = [each for each in finding.elsewhere if each.at is None or each.at.text is None]
    return [span_of(each) for each in (finding, *same)]


def _in(span: "Span", offset: int) -> bool:
    return span.start <= offset <= span.end


def has_launches(report: "Report | None") -> bool:
    """Whether a report tells of a launch whose framework is known."""
    return report is not None and any(launch.candidates for launch in report.launches)


def without(launch: "Launch", names: "Collection[str]") -> "Launch":
    """A launch as it is without some settings."""
    return launch.but(entries={name: each for name, each in launch.entries.items() if name not in names})


def is_inside_a_text(report: "Report", text: "Text", offset: int) -> bool:
    """Whether a place of a file of YAML is inside a text of several lines; of an earlier file nobody knows."""
    document = report.document
    if document is None or report.text.text != text.text:
        return False
    pending = list(document.documents)
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            return node.start < offset < node.end and text.position(node.start)[0] != text.position(node.end)[0]
        pending += [part for part in parts_of(node) if part.start < offset <= part.end]
    return False


def our_comment(text: "Text", offset: int) -> "Span | None":
    """The Span of the directive that holds an offset; None when there is none."""
    line, column = text.position(offset)
    written = text.line_text(line)
    start = written.find("#")
    if not 0 <= start < column or not _OUR_NAME.search(written, start):
        return None
    return Span(text.starts[line] + start, text.starts[line] + len(written))


def lines_of(text: str) -> "list[str]":
    """The lines of a text, each with its end."""
    ends = line_ends(text)
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)])]


def word_at(text: "Text", offset: int) -> "Span":
    """The Span of the word around an offset; words may hold dashes."""
    line, column = text.position(offset)
    start = text.starts[line]
    for found in re.finditer(r"[\w-]+", text.line_text(line)):
        if found.start() <= column <= found.end():
            return Span(*found.span()).moved(start)
    return Span(offset, offset)


def properties(launch: "Launch") -> "dict[str, Json]":
    """{name: JSON Schema} of what the assumed release of a launch accepts: title, description, default, enum,
    deprecated."""
    algorithm = launch.algorithm if launch.framework.reader.trainer.by_algorithm else "grpo"
    loader = " ".join(launch.groups) if launch.framework.reader.configs.nested else launch.loader
    asked = (launch.framework.name, launch.candidates[0].text, algorithm, loader)
    if asked not in _properties:
        if len(_properties) >= _MOST_PROPERTIES:
            _properties.clear()
        has_sections = launch.framework.reader.configs.nested
        try:
            _properties[asked] = _by_path(launch) if has_sections else schema_of(*asked)["properties"]
        except NoSchema:  # it is given flags alone
            _properties[asked] = _by_path(launch)
    return _properties[asked]


def kind_of(described: "Json") -> Message:
    """The type of a key: 'whole number'."""
    kind: Message = described["title"].values["kind"]
    return kind


def _by_path(launch: "Launch") -> "dict[str, Json]":
    """{path: JSON Schema} of what a launch with sections, or of flags alone, accepts. A choice whose values a formula lists gets them as its
    `enum`."""
    from ..frameworks.sections_schema import properties_by_path

    found = properties_by_path(launch.framework, launch.groups, launch.candidates[0].text)
    plan, fields = launch.plan(launch.candidates[0]), launch.fields(launch.candidates[0])
    for path, described in found.items():
        field = fields[path]
        if field is not None and field.choices:
            described["enum"] = list(field.choices)
    for path, quantity in launch.framework.reader.values.choices.items():
        listed = plan.value(quantity)
        if path in found and type(listed) is tuple:
            found[path]["enum"] = list(listed)
    return found


def releases_with(launch: "Launch", name: str) -> str:
    """The releases of a framework that know a key, such as '0.15 - 0.16, 0.20'; empty when none does."""
    catalogue = launch.framework.catalogue
    known = catalogue.known(name, launch.groups)
    return (
        release_ranges(launch, [index for index in range(len(catalogue.releases)) if known >> index & 1])
        if known
        else ""
    )
