"""Judges a Markdown file by its blocks of code: commands for a shell, YAML that holds commands, and Python that makes configs or starts
runs. Each stands for itself, at its place in the file."""

from ..frameworks.recognition import has_nothing_for_us
from ..launch.scripts import alone
from ..source.documents import document_blocks, leaves_out
from ..source.python.code import Code
from .findings import Report, span_of
from .fragment_findings import kept_of_a_fragment
from .python_file import judge_python
from .script_file import judge_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Finding

_OF_PYTHON = ("python", "py", "python3")


def judge_document(report: "Report", context: "Context") -> None:
    """Add the launches of the blocks of a Markdown file to its report."""
    text = report.text
    judge_script(report, context)
    blocks = document_blocks(text.text)
    parts = [(start, end) for _, start, end in blocks if leaves_out(text.text, start, end)]
    if parts and report.findings:
        of_parts = [finding for finding in report.findings if _is_in(finding, parts)]
        report.findings = [each for each in report.findings if each not in of_parts] + [*kept_of_a_fragment(of_parts)]
    for language, start, end in blocks:
        if language not in _OF_PYTHON or has_nothing_for_us(text.text[start:end].encode(errors="replace")):
            continue
        block = Report(report.path, alone(text, start, end))
        judge_python(block, context)
        if block.launches:
            report.launches += block.launches
            report.findings += block.findings
            report.skipped = None
    report.code = Code(text)  # it is no YAML, so that no key has a place to be put at


def _is_in(finding: "Finding", parts: "list[tuple[int, int]]") -> bool:
    """Whether a finding is about a command of a block that leaves out a part of it."""
    launch = finding.launch
    at = launch.origin.invocation.start if launch is not None and launch.origin is not None else span_of(finding).start
    return any(start <= at < end for start, end in parts)
