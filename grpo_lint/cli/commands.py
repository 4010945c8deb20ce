"""The commands besides `check`: `explain`, `rule`, `schema`, `server` and `completion`. Thin: what they show is made
elsewhere."""

import os
import sys

from ..launch.facts import FACTS
from ..source.quoting import did_you_mean, shown
from .console import CLEAN, language_for, uses_colour
from .options import SHELLS, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..checker.findings import Report
    from .options import Arguments
    from .run import File, Run


def explain(arguments: "Arguments") -> int:
    """`grpo-lint explain`: the run that each file describes."""
    if not arguments.operands:
        raise Usage("explain needs a file: grpo-lint explain FILE")
    from .run import Run, write

    run = Run(arguments)
    path = arguments.get("--output-file")
    parts = _explained(arguments, run)
    if path is not None:
        write("--output-file", path, "".join(parts))
    else:
        for part in parts:
            sys.stdout.write(part)
    return run.status


def _explained(arguments: "Arguments", run: "Run") -> "Iterator[str]":
    """What is told of the files, one after the other, or of all at once where the format is one document."""
    form = arguments.get("--output-format", "text")
    reports = _reports(arguments, run)
    if form == "text":
        from ..report.explain import explanation
        from ..report.text import terminal_width

        colour = uses_colour(arguments, sys.stdout) and not arguments.get("--output-file")
        width, verbose, picture = terminal_width(sys.stdout), arguments.get("--verbose", False), arguments.get("--picture", False)
        for file, report in reports:
            yield run.guarded(file, lambda file, report=report: explanation(report, colour, width, verbose, picture)) or ""
        return
    from ..report.explain import document

    if form == "markdown":
        for file, report in reports:
            yield run.guarded(file, lambda file, report=report: document.markdown(report, arguments.get("--verbose", False))) or ""
    elif form == "json":
        yield document.json_document(report for _, report in reports)
    elif form == "html":
        from ..report.explain.html import html_document

        yield html_document(report for _, report in reports)
    else:
        from ..report.explain.svg import svg_document
        from ..report.printable import clean

        found = [(report, document.stories(report)) for _, report in reports]
        told = [(report, stories) for report, stories in found if stories]
        if len(told) != 1:
            raise Usage("--output-format svg draws one file with a run in it")
        yield svg_document(told[0][1], clean(told[0][0].path))


def _reports(arguments: "Arguments", run: "Run") -> "Iterator[tuple[File, Report]]":
    """The files that there is something to say of, with their reports."""
    verbose = arguments.get("--verbose", False)
    for file in run.files():
        report = run.guarded(file, lambda file: run.lint(file, fixes=False))
        # one that is met in a folder, nobody asked about
        if report is not None and (report.skipped is None or file in arguments.operands or verbose):
            yield file, report


def rule(arguments: "Arguments") -> int:
    """`grpo-lint rule`: the page of one rule, or the table of all."""
    from ..frameworks.all_rules import ALL, find_rule
    from ..report import rule_page
    from ..report.text import terminal_width
    from ..settings.files import settings_for_folder
    from .run import rules_of

    chosen, team = [], {**settings_for_folder(os.getcwd()).rules(), **(rules_of(arguments) or {})}
    for word in arguments.operands:
        found = find_rule(word, team)
        if found is None:
            known = [name for each in (*ALL, *team.values()) for name in (each.name, each.code)]
            raise Usage(f"unknown rule {shown(word)}{did_you_mean(word, known) or '; `grpo-lint rule` lists them'}")
        chosen.append(found)
    colour, width = uses_colour(arguments, sys.stdout), terminal_width(sys.stdout)
    language = language_for(arguments, sys.stdout)
    if not chosen:
        text = rule_page.index() if arguments.get("--markdown") else rule_page.table(colour, team, language)
        sys.stdout.write(text)
    for each in chosen:
        sys.stdout.write(
            rule_page.page(each, language)
            if arguments.get("--markdown")
            else rule_page.terminal(each, colour, width, language)
        )
    return CLEAN


def schema(arguments: "Arguments") -> int:
    """`grpo-lint schema`: the JSON Schema of one release of a framework, on standard output."""
    if len(arguments.operands) != 1:
        raise Usage("schema takes one framework: grpo-lint schema trl, or grpo-lint schema trl@0.22")
    name, _, version = arguments.operands[0].partition("@")
    frameworks = FACTS["dialect"].choices
    if name not in frameworks:
        raise Usage(
            f"the framework is one of {', '.join(frameworks)}, not {shown(name)}{did_you_mean(name, frameworks)}"
        )
    from ..frameworks.registry import framework as framework_named
    from ..frameworks.schema import NoSchema, as_text, schema_of
    from ..frameworks.versions import resolve_version, version_key

    try:
        found = schema_of(
            name, version or "latest", arguments.get("--algorithm", "grpo"), arguments.get("--loader", "script")
        )
    except NoSchema as problem:
        raise Usage(str(problem)) from None
    framework = framework_named(name)
    if version and framework.catalogue.is_newer_than_all(
        version_key(resolve_version(version, framework.catalogue.releases))
    ):
        raise Usage(
            f"{framework.title} {version} is newer than {framework.catalogue.releases[-1]}, the newest known release"
        )
    sys.stdout.write(as_text(found))
    return CLEAN


def server(arguments: "Arguments") -> int:
    """`grpo-lint server`: speak the Language Server Protocol on standard input and output."""
    if arguments.operands:
        raise Usage("server takes no files: the editor sends them")
    from ..settings.policy import Policy
    from .run import rules_of

    rules = rules_of(arguments)
    policy = Policy(rules=rules) if rules else None
    try:
        from ..lsp.server import start
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol", "attrs"):
            raise
        raise Usage(f"the server needs {missing.name}, which is not installed: pip install 'grpo-lint[lsp]'") from None
    import gc

    gc.freeze()  # what is loaded by now stays, and need not be looked through between two keys
    gc.enable()  # a server lives long
    return start(policy)


def completion(arguments: "Arguments") -> int:
    """`grpo-lint completion`: the script that a shell reads to complete our command line."""
    shell = arguments.operands[0] if len(arguments.operands) == 1 else ""
    if shell not in SHELLS:
        raise Usage(f"completion takes one shell: {', '.join(SHELLS)}{did_you_mean(shell, SHELLS)}")
    from .completion import script_for

    sys.stdout.write(script_for(shell))
    return CLEAN
