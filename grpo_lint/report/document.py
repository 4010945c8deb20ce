"""What the printers of documents share: they gather what is to be told of each file and print one document at the end."""


class DocumentPrinter:
    """`entries(report)` is what a format tells of a file that was judged, `document(entries, totals)` the text of all
    of them.

    `fail_on`: the least severity that fails the run, for the path of a file.
    """

    shows_fixes = False

    def __init__(self, colour=False, width=None, quiet=False):
        self._gathered = []
        self.fail_on = lambda path: "warning"

    def file(self, report):
        if report.skipped is None:
            self._gathered += self.entries(report)

    def end(self, totals):
        return self.document(self._gathered, totals)


def checked(entry):
    """An entry of a JSON document as it is; what JSON cannot hold fails now, with its file, and not with the document."""
    import json

    json.dumps(entry)
    return entry


def as_json(value):
    """The text of a JSON document; ASCII, so that no encoding and no character of a config can spoil it, and without
    commands to a log."""
    import json

    return json.dumps(value, indent=2).replace("##", "#\\u0023") + "\n"
