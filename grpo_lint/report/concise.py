"""One line for each finding: `path:line:column: severity CODE name: message`, as editors and grep understand it."""

from ..checker.findings import span_of
from .messages import message
from .printable import clean, shown_path
from .text import summary


class ConcisePrinter:
    shows_fixes = False

    def __init__(self, colour=False, width=None, quiet=False):
        self.quiet = quiet

    def file(self, report):
        return "".join(line(report, finding) + "\n" for finding in report.findings)

    def end(self, totals):
        return "" if self.quiet else summary(totals) + "\n"


def line(report, finding):
    row, column = report.text.position(span_of(finding)[0])
    rule = finding.rule
    place = f"{shown_path(report.path)}:{row + 1}:{column + 1}"
    return f"{place}: {finding.severity} {rule.code} {rule.name}: {clean(message(finding))}"
