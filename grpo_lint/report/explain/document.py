"""Stories for programs and for documents: one JSON object, or Markdown."""

from ... import __version__
from ...message import on_lines
from ...plan.quantities import GROUPS
from ...source.shell_words import check_of
from ..document import as_json
from ..printable import clean, in_markdown
from ..side_by_side import Each
from .checks import OPEN, why_open
from .story import Story
from .text import why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Json, Report, Sequence
    from .story import Row


def stories(report: "Report") -> "list[Story]":
    """The stories of the launches in a file that some release can run."""
    return [Story(report, launch) for launch in report.launches if launch.candidates]


# --- JSON -----------------------------------------------------------------------------------------------------------


def json_document(files: "Sequence[Json]") -> str:
    """All files in one JSON object."""
    return as_json({"version": 1, "tool": {"name": "grpo-lint", "version": __version__}, "files": files})


def json_part(report: "Report") -> "Json":
    """One file for the document."""
    told = stories(report)
    return {
        "path": clean(report.path),
        "skipped": None if told else clean(report.skipped or why_not(report)),
        "launches": [_launch(story) for story in told],
    }


def _launch(story: "Story") -> "Json":
    launch = story.launch
    return {
        "dialect": launch.framework.name,
        "framework_version": story.candidate.text,
        "judged": clean(story.judged),
        "answer": list(map(clean, story.answer)),
        "given": [
            {
                "name": each.name,
                "value": _value(each.value),
                "origin": clean(each.where),
                "default": each.is_default,
                "meaning": each.meaning,
            }
            for each in story.given
        ],
        "quantities": [_quantity(row) for row in story.rows],
        "besides": list(map(clean, story.besides)),
        "checks": [
            {
                "code": check.rule.code,
                "rule": check.rule.name,
                "text": on_lines(check.text),
                "mark": check.mark,
                "enforced": check.when,
                "missing": on_lines(why_open(story.plan, check)) if check.mark == OPEN else "",
            }
            for check in story.checks
        ],
        "findings": story.ending,
    }


def _quantity(row: "Row") -> "Json":
    return {
        "name": row.name,
        "label": row.label,
        "group": row.group,
        "value": _value(row.value),
        "text": row.text,
        "unit": row.unit,
        "formula": row.formula,
        "numbers": on_lines(row.how),
        "meaning": row.meaning,
        "own_name": row.own,
        "findings": row.concerns,
        "inner": row.inner,
    }


def _value(value: object) -> object:
    """What JSON can hold: numbers, texts and truth values, a list of them where they differ with the number of processes."""
    if isinstance(value, Each):
        return [_value(each) for each in value]
    if type(value) is float and value - value != 0:  # no number that JSON has
        return None
    return clean(value) if type(value) is str else value if type(value) in (bool, int, float) else None


# --- Markdown -------------------------------------------------------------------------------------------------------


def markdown(report: "Report", verbose: bool = False) -> str:
    """One file as Markdown: headings, sentences and tables."""
    told = stories(report)
    if not told:
        return f"## {in_markdown(report.path)}\n\n{in_markdown(report.skipped or why_not(report))}\n\n"
    return "".join(_markdown_of(story, verbose) for story in told)


def _markdown_of(story: "Story", verbose: bool) -> str:
    given = [(each.name, each.text, each.where) for each in story.given if verbose or not each.is_default]
    checks = [
        (check.mark, on_lines(check.text), check.rule.code, check.when)
        for check in story.checks
        if verbose or not check.inner
    ]
    parts = [
        f"## {in_markdown(story.report.path)}",
        in_markdown(story.judged),
        in_markdown(" ".join(story.answer)),
        _table(("given", "value", "where"), given),
        *(_group(story, group, verbose) for group in GROUPS),
        "\n".join(f"* {in_markdown(each)}" for each in story.besides),
        _table((f"checks of {story.release}", "", "rule", "refused"), checks),
    ]
    if story.ending:
        parts.append(f"{in_markdown(story.ending)}: {in_markdown(check_of(story.report.path))}")
    return "\n\n".join(filter(None, parts)) + "\n\n"


def _group(story: "Story", group: str, verbose: bool) -> str:
    """The table of the quantities of a group, or why there is none."""
    if group == "evaluation" and story.why_not_evaluated:
        return in_markdown(story.why_not_evaluated)
    if group == "memory" and story.why_no_memory:
        return in_markdown(story.why_no_memory)
    rows = [_cells(row) for row in story.rows if row.group == group and (verbose or row.is_told)]
    return _table((group, "value", "from", "also called"), rows)


def _cells(row: "Row") -> "tuple[str, ...]":
    return row.label, row.text, on_lines(row.how), row.own


def _table(header: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> str:
    if not rows:
        return ""
    lines = [[in_markdown(cell) for cell in line] for line in (header, *rows)]
    lines.insert(1, ["---"] * len(header))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
