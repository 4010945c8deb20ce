"""Settings that a release replaces by others, whatever is written."""

from ..message import Message, series
from ..plan.formula import Formula, Unknown, Unset
from ..plan.plan import Plan
from ..source.entry import is_set
from ..source.yaml.scalars import shown_value
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Candidate, Iterable, Iterator, Launch

_PLAIN = (bool, float, int, str, type(None))
_formulas: "dict[str, Formula]" = {}


def replaced(launch: "Launch", told: "Iterable[Finding]") -> "Iterator[Finding]":
    """A warning for each setting of the file that every candidate release replaces by the same, and of which nothing else is
    `told`."""
    replacing = __import__(launch.framework.refusals.replaced_in, fromlist=["REPLACED", "STATEMENTS"])
    table = replacing.REPLACED
    said = {finding.at.name for finding in told if finding.at is not None}
    for name in table.keys() & launch.entries.keys():
        if name in said or not is_set(launch.entries[name]) or _is_alias(launch, name):
            continue
        if not _is_in_copy(launch, replacing.STATEMENTS.get(name)):
            continue
        newest = launch.candidates[0]
        first, *others = (_becomes(launch, candidate, name, table[name]) for candidate in launch.candidates)
        if first is None or any(other is None or other[1] != first[1] for other in others):
            continue
        given, made, because = first
        values = {"key": name, "value": shown_value(given), "made": shown_value(made), "title": launch.framework.title,
                  "version": newest.text, "because": series(because)}  # fmt: skip
        message = (
            Message("{key} is {value}, and {title} {version} sets it to {made} because of {because}")
            if because
            else None
        )
        yield Finding("value-is-kept", "warning", "never", candidate=newest, plan=launch.plan(newest), at=launch.setting(name), values=values, message=message)  # fmt: skip


def _is_in_copy(launch: "Launch", statement: "str | None") -> bool:
    """Whether the copy that is run, if it is one, holds the statement by which releases replace a setting."""
    if launch.copy is None or statement is None:
        return True
    return launch.copy.place_of((statement, statement.replace("'", '"'))) in ("code", "unread")


def _is_alias(launch: "Launch", name: str) -> bool:
    """Whether a setting is an old name of another one, so that its value moves there on purpose."""
    renames = launch.framework.reader.renames
    return name in renames.successors or name in renames.old_names


def _becomes(
    launch: "Launch", candidate: "Candidate", name: str, rows: "Iterable[tuple[object, object, str]]"
) -> "tuple[object, object, list[str]] | None":
    """(what is given, what a release makes of it, the other settings by which it does); None where it keeps it, or where that is not
    known."""
    minor = candidate.key[:2]
    text = next((text for first, last, text in rows if first <= minor and (last is None or minor <= last)), None)  # type: ignore[operator]
    if text is None:
        return None
    formula = _formulas.get(text) or _formulas.setdefault(text, Formula(text))
    read = _Settings(launch.plan(candidate), launch.framework.reader.configs.nested)
    try:
        given = read[name]
        made = read.evaluate(formula)
    except (Unknown, Unset):
        return None
    if not _is_changed(given, made):
        return None
    return given, made, _reasons(read, formula, name, launch)


def _reasons(read: "_Settings", formula: Formula, name: str, launch: "Launch") -> "list[str]":
    """The other settings by which a release replaces one."""
    because = [each for each in formula.names if each != name and read.get(each)]
    if not read.formulas:
        return because
    return [each for each in read.leaves(because) if each != name and each in launch.entries]


def _is_changed(given: object, made: object) -> bool:
    """Whether a release makes something else of a value; the word "none" is null, and -1 leaves it to the release."""
    is_plain = type(given) in _PLAIN and type(made) in _PLAIN
    return is_plain and given is not None and given != -1 and given != made and not (made is None and given == "none")


class _Settings(Plan):
    """The settings of a release as they are read, null where they are null; with the short names of those in sections."""

    def __init__(self, plan: Plan, has_sections: bool) -> None:
        super().__init__(plan.formulas if has_sections else {}, plan.given, plan.fields, plan.changes)

    def look_up(self, name: str) -> object:
        try:
            return super().look_up(name)
        except Unset:
            if "." in name:  # of a section: a quantity has another formula then, or none
                raise
            return None
