"""The documents that an editor has open, and their reports. It knows URIs, texts and reports, but not the protocol."""

import os
import time

from ..checker.contexts import Around, ask_for, of_text, with_installed
from ..checker.findings import FOREIGN, Report
from ..engine import failed, is_script, lint, lint_bytes, offering
from ..files import disk
from ..files.discovery import NOTEBOOKS, PYTHON, SUFFIXES, has_suffix
from ..fixes.search import Work
from ..frameworks.recognition import has_nothing_for_us, is_foreign_notebook
from ..launch import pins
from ..launch.files import LARGEST_FILE, read_text
from ..message import Message
from ..settings import files as settings_files
from ..source.text import Text
from ..source.yaml.blocks import Blocks
from .client import ClientSettings
from .view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from ..fixes.offering import Offering, Room
    from ..launch.pins import Pin
    from ..shared_types import Cell, Context, Edit, Finding, Iterable, Iterator, Json, Mapping, Policy, Sequence
    from .notebooks import Notebook

    Part: TypeAlias = "tuple[Document, list[Edit]]"  # a document of the editor, and the edits of its text

_SUFFIX_OF_LANGUAGE = {
    "yaml": "",
    "json": ".json",
    "jsonc": ".json",
    "shellscript": ".sh",
    "sh": ".sh",
    "bash": ".sh",
    "python": ".py",
    "dockerfile": ".dockerfile",
    "makefile": ".mk",
    "dockercompose": "",
    "github-actions-workflow": "",
}

_DONE = object()
_BREAKS = ("file-can-be-parsed", "file-can-be-read")


class Document:
    """An open document.

    path       of its file; None when it was never saved
    text       as the editor has it, whatever the disk holds
    report     of the current text, None when it has to be checked again; `searches`: {id of a finding: the search
               for its fixes, as far as it got}, all with one amount of `work`, as on the command line
    good       the last report with a launch: used while the text cannot be parsed; `good_is_old`: files around
               the document have changed since
    asked      paths of the files that its check looked for
    cost       processor seconds of the last check
    blocks     the parsed blocks of the last text
    """

    def __init__(self, uri: str, path: "str | None", version: "int | None", text: "Text") -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self.text = text
        self.report: Report | None = None
        self.searches: dict[int, tuple[Offering, Iterator[None]]] = {}
        self.work = Work()
        self.good: Report | None = None
        self.good_is_old = False
        self.asked: frozenset[str] = frozenset()
        self.cost: float = 0.0
        self.blocks: Blocks = Blocks()

    @property
    def whole(self) -> "Document":
        """What is checked: the document itself, or the notebook of a cell."""
        return self

    def shown_as(self) -> "list[Document]":
        """The documents of the editor that it consists of."""
        return [self]

    def parts(self, edits: "Iterable[Edit]") -> "list[Part]":
        """Edits of its text as edits of the editor's documents."""
        return [(self, list(edits))]

    def difference(self, after: str) -> "list[Part]":
        """The edits that turn its text into another one; none where it is the same."""
        from .actions import difference

        edits = difference(self.text.text, after)
        return [(self, edits)] if edits else []

    @property
    def is_program(self) -> bool:
        """Whether it is Python, for which another server usually runs as well."""
        return has_suffix(self.text.path, (*PYTHON, *NOTEBOOKS))

    def is_foreign(self) -> bool:
        """Whether one look shows that it is a program without a config."""
        return has_nothing_for_us(self.text.text.encode(errors="replace"))

    def beside(self) -> str:
        """The text of what belongs to the same program, as other cells."""
        return ""

    @property
    def is_too_large(self) -> bool:
        """Whether its text is too large to be checked."""
        return len(self.text.text) > LARGEST_FILE

    def is_broken(self) -> bool:
        """Whether the current text could not be read or parsed to its end, so that its launches are unknown."""
        report = self.report
        if report is None or report.launches:
            return False
        if has_suffix(self.text.path, PYTHON):
            from ..source.python.reader import parses

            return not parses(self.text.text)
        return any(finding.rule.name in _BREAKS for finding in report.findings)

    def outdate(self) -> None:
        """Mark the report as outdated because files around the document have changed."""
        self.report, self.good_is_old = None, True


class Session:
    """All open documents, and the settings in force for them.

    encoding   the unit of columns: utf-8, utf-16 or utf-32
    policy     the `policy.Policy` of the command line, None when there is none
    """

    def __init__(self, encoding: str = "utf-16", policy: "Policy | None" = None) -> None:
        self.encoding = encoding
        self.policy = policy
        self.documents: dict[str, Document] = {}  # by URI
        self.settings = ClientSettings()
        self.settings_of_folders: dict[str, ClientSettings] = {}  # path of a workspace folder -> ClientSettings
        self.around = self._look_around()
        self.closed_files: dict[str, Document | None] = {}  # {path: as it was read; None where it is none of ours}
        self._asked: set[str] = set()
        self._interpreters: dict[
            tuple[str, str], Mapping[str, Pin]
        ] = {}  # (a Python, folder of a run) -> what it imports

    def _look_around(self) -> "Around":
        """What stands around the open documents, read anew."""
        asked = [document.path for document in self.documents.values() if document.path]
        return Around(read=self._read, policy=self.policy, asked=asked)

    # --- the texts

    def open(
        self, uri: str, path: "str | None", version: "int | None", text: str, language: str = ""
    ) -> "Document | None":
        """Open a document. Returns it, or None when it is of a kind that is not checked."""
        name = path or uri.rpartition(":")[2].encode(errors="replace").decode()
        if not has_suffix(name, SUFFIXES):
            if language not in _SUFFIX_OF_LANGUAGE:
                return None
            name += _SUFFIX_OF_LANGUAGE[language]  # a file without such a suffix is read as YAML
        if path:
            ask_for([path])
        document = self.documents[uri] = Document(uri, path, version, Text(text, name))
        return document

    def change(self, document: "Document", version: "int | None", changes: "Iterable[tuple[Json | None, str]]") -> None:
        """Apply the editor's changes in order: (range as in LSP or None for the whole text, new text)."""
        document.text = self.changed(document.text, changes)
        document.version, document.report = version, None

    def changed(self, text: "Text", changes: "Iterable[tuple[Json | None, str]]") -> "Text":
        """A text after changes."""
        for where, new in changes:
            source = new
            if where is not None:
                start = text.encoded_offset(where["start"]["line"], where["start"]["character"], self.encoding)
                end = text.encoded_offset(where["end"]["line"], where["end"]["character"], self.encoding)
                source = text.text[:start] + new + text.text[max(start, end) :]
            text = Text(source, text.path)
        return text

    def open_notebook(self, uri: str, path: "str | None", cells: "Sequence[Cell]") -> "Notebook":
        """Open a notebook and its cells."""
        from .notebooks import Notebook

        if path:
            ask_for([path])
        notebook = self.documents[uri] = Notebook(uri, path, cells)
        self.documents.update((cell.uri, cell) for cell in cells)
        return notebook

    def change_notebook(self, notebook: "Notebook", cells: "Sequence[Cell]", edited: "Cell | None" = None) -> None:
        """Replace the cells of a notebook, or the text of one of them."""
        for cell in notebook.cells:
            self.documents.pop(cell.uri, None)
        self.documents.update((cell.uri, cell) for cell in cells)
        notebook.take(cells, edited)

    def has(self, document: "Document") -> bool:
        """Whether a document is still open."""
        return self.documents.get(document.uri) is document

    def close(self, document: "Document") -> None:
        del self.documents[document.uri]

    def _read(self, path: str) -> "str | None":
        """The text of a path: that of an open document if there is one."""
        path = os.path.abspath(path)
        self._asked.add(path)
        for document in self.documents.values():
            if document.path == path:
                return document.text.text
        return read_text(path)

    # --- what was found

    def report(self, document: "Document") -> "Report":
        """The report of a document, cached or computed now; an internal failure is reported in it. It holds no
        fixes."""
        document = document.whole
        return self._check(document) if document.report is None else document.report

    def view(self, document: "Document") -> "View":
        """The View of a document: of its report or, while the text cannot be parsed, of the last one with a launch."""
        whole = document.whole
        report = self.report(whole)
        kept = whole.good if whole.good and whole.is_broken() else None
        if kept is not None and whole.good_is_old:
            kept = self._again(whole, kept)
        view = View(kept or report, whole.uri, whole.text, kept is not None)
        if document is whole:
            return view
        from .notebooks import Cell, CellView

        assert isinstance(document, Cell)
        return CellView(document, view)

    def _again(self, document: "Document", kept: "Report") -> "Report":
        """An earlier report, checked again with the files around the document as they are now."""
        try:
            kept = document.good = lint(kept.text, self.context(document), fixes=False)
        except Exception as error:
            kept = document.good = failed(kept.path, error)
        document.good_is_old = False
        return kept

    def look_for_fixes(self, document: "Document", finding: "Finding") -> None:
        """Search the fixes of a finding of the current report. The search may take long, and few fixes are asked
        for."""
        for _ in self.looking_for_fixes(document, finding):
            pass

    def looking_for_fixes(
        self, document: "Document", finding: "Finding", room: "Room | None" = None
    ) -> "Iterator[None]":
        """`look_for_fixes` in pieces. Who stops in between loses nothing: the next one goes on there, and a search that
        is done is never made again for the same text. `room`: how much may be linted again; no piece begins where none is left."""
        report = self.report(document)
        searches, name = document.searches, id(finding)
        try:
            if name not in searches:
                offered = offering(report, self.context(document), document.work)
                searches[name] = offered, offered.adding([finding])
            offered, pieces = searches[name]
            before = offered.linted
            while room is None or room.left > 0:
                if next(pieces, _DONE) is _DONE:  # it stays as it is when this one is closed
                    return
                if room is not None:
                    room.left, before = room.left - (offered.linted - before), offered.linted
                yield
        except Exception as error:  # the findings are valid all the same
            self._note_failure(report, error)

    def _note_failure(self, report: "Report", error: Exception) -> None:
        (failure,) = failed(report.path, error).findings
        if all(finding.rule is not failure.rule for finding in report.findings):
            report.findings = [*report.findings, failure]

    def _check(self, document: "Document") -> "Report":
        started = time.process_time()  # processor time: a busy machine is no reason to wait
        asked: set[str] = set()
        self._asked = asked
        try:
            report = self._passed_over(document) or lint(document.text, self.context(document), fixes=False)
        except Exception as error:  # the next text may be checked without it, and the editor needs the server
            report = failed(document.text.path, error)
        document.work = Work()
        document.report, document.searches, document.asked = report, {}, frozenset(asked)
        if any(launch.candidates for launch in report.launches):
            document.good, document.good_is_old = report, False
        document.cost = time.process_time() - started
        return report

    def _passed_over(self, document: "Document") -> "Report | None":
        """The report of a document that the command line would skip too; None of any other."""
        if document.is_too_large or "\0" in document.text.text:
            data = document.text.text[: LARGEST_FILE + 1].encode(errors="replace")
            report = lint_bytes(data, document.text.path, fixes=False)
            report.text = document.text
            return report
        if document.path and self.around.settings(document.path).excludes(document.path):
            return Report(document.path, document.text, skipped=Message("excluded by the settings"))
        is_foreign = is_foreign_notebook if has_suffix(document.text.path, NOTEBOOKS) else has_nothing_for_us
        if document.is_program and is_foreign(document.text.text.encode(errors="replace")):
            return Report(
                document.text.path, document.text, skipped=FOREIGN
            )  # nearly all Python files: one search for a few words
        return None

    def context(self, document: "Document") -> "Context":
        """What is known about a document besides its text."""
        client = self.client_settings(document)
        if document.path is None:
            found = of_text(settings=client.facts, policy=self.policy)
        else:
            found = self.around.of(document.path)
            found.settings = client.merged(found.settings)
            if client.interpreter:
                found.pins = with_installed(found.pins, self._installed(client.interpreter, document.path))
        # a framework in the settings does not make a Python document a config
        found.is_met = document.is_program
        found.blocks = document.blocks
        return found

    def _installed(self, python: str, path: str) -> "Mapping[str, Pin]":
        """What the interpreter of a client imports, for a run of the repository around a path."""
        folder = disk.project_of(path) or os.path.dirname(path)
        key = python, folder
        if key not in self._interpreters:
            from ..launch.interpreter import installed_for

            self._interpreters[key] = installed_for(os.path.join(folder, disk.expanded(python)), folder)
        return self._interpreters[key]

    def client_settings(self, document: "Document") -> "ClientSettings":
        """The editor's settings for a document: of the innermost workspace folder that holds it, else the global
        ones."""
        path = document.whole.path
        folders = [folder for folder in self.settings_of_folders if path and _holds(folder, path)]
        return self.settings_of_folders[max(folders, key=len)] if folders else self.settings

    # --- what depends on what

    def affected_by(self, changed: "Document") -> "list[Document]":
        """The other documents whose findings may have changed with this one; they are to be checked again.

        Scripts affect the configs that they name, and so do the accelerate and DeepSpeed files of a run. Of Python
        documents, only those that were read for it are affected.
        """
        may_be_named = is_script(changed.text) or not (
            changed.is_program or (changed.report and changed.report.launches)
        )
        others = [
            document
            for document in self.documents.values()
            if document is not changed and (may_be_named or changed.path in document.asked)
        ]
        if others and changed.path:
            self.around.repository.changed(changed.path)
        for document in others:
            document.outdate()
        return others

    def matters(self, path: str) -> bool:
        """Whether a file that has changed on the disk affects an open document."""
        if not path.endswith((".yaml", ".yml", ".json")) or path in self._baselines():
            return True
        return any(path in document.asked for document in self.documents.values())

    def _baselines(self) -> "set[str | None]":
        return {self.around.settings(document.path).baseline for document in self.documents.values() if document.path}

    def forget(self) -> None:
        """Forget what was read around the documents: settings, pins, scripts and named files may have changed on the
        disk."""
        settings_files.forget()
        pins.forget()
        self._interpreters.clear()
        self.around = self._look_around()
        self.closed_files.clear()
        for document in self.documents.values():
            document.outdate()

    def problems_of_settings(self) -> "list[Message]":
        """What is wrong in the settings of the editor and of files, for the user."""
        problems = [
            problem for settings in (self.settings, *self.settings_of_folders.values()) for problem in settings.problems
        ]
        for document in self.documents.values():
            if document.path:
                problems += [problem.told for problem in self.around.settings(document.path).problems]
        return list(dict.fromkeys(problems))


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
