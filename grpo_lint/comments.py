"""The comments of a file that name us, and what each of them is about."""

from .source.yaml_reader import MOST_COMMENTS, Mapping, nodes


def comments_of(report):
    """[(start, end)] of the comments that name us."""
    if report.starts_runs:
        from .scripts import comments_in

        return comments_in(report.text)[:MOST_COMMENTS]
    return sorted({span for word in ("grpo-lint", "grpo_lint") for span in report.document.comments_naming(word)[:MOST_COMMENTS]})


def region_of(report, comment, of_commands):
    """(first, last) offsets of what a comment is about; the last one is outside. `of_commands`: whether that may be a command of several lines."""
    text = report.text
    row, column = text.position(comment)
    alone = not text.line_text(row)[:column].strip()
    if alone:
        row = next((below for below in range(row + 1, text.line_count) if _says_something(text.line_text(below))), row)
    if of_commands:
        first, last = _command(text, row, upwards=not alone)
    else:
        first, last = row, row
    start, end = text.starts[first], text.offset(last + 1, 0)
    return start, max(end, *_ends_of_entries(report, start, end), start + 1)


def _says_something(line):
    return line.strip() and not line.lstrip().startswith("#")


def _command(text, row, upwards):
    """(first, last) row of a command: lines that end in a backslash go on in the next one."""
    first = last = row
    while upwards and first and text.line_text(first - 1).endswith("\\"):
        first -= 1
    while text.line_text(last).endswith("\\"):
        last += 1
    return first, last


def _ends_of_entries(report, start, end):
    """Where the values of the keys end that begin between two offsets."""
    if report.document is None:
        return [0]
    mappings = (node for node in nodes(report.document.documents) if type(node) is Mapping)
    return [0, *(entry.value.end for mapping in mappings for entry in mapping.entries if start <= entry.key.start < end)]
