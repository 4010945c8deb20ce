"""The commands besides `check`: `explain`, `rule`, `schema`, `server` and `completion`. What they print is made in
other rooms."""

import os
import sys

from .. import __version__
from ..files import disk
from ..frameworks.registry import framework as framework_named
from ..frameworks.versions import resolve_version, version_key
from ..launch.facts import FACTS
from ..message import Message, series, told_by
from ..source.quoting import did_you_mean, shown
from .console import CLEAN, language_for, show, uses_colour
from .options import SHELLS, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..rules.layers_below import Cause
    from ..shared_types import Arguments, Callable, File, Found, Iterator, Mapping, Policy, Report, Rule
    from .run import Run


def explain(arguments: "Arguments") -> int:
    """`grpo-lint explain`: the run that each file describes."""
    if not arguments.operands:
        raise Usage(Message("explain needs a file: grpo-lint explain FILE"))
    from .run import Run, write

    run = Run(arguments)
    path = arguments.get("--output-file")
    parts = _explained(arguments, run)
    if path is not None:
        write("--output-file", path, "".join(parts))
    else:
        for part in parts:
            show(part)
    return run.status


def _explained(arguments: "Arguments", run: "Run") -> "Iterator[str]":
    """The texts about the files, one by one; or one document at the end, where the format is one document."""
    tell, gather = _teller(arguments)
    parts = []
    for file in run.files():
        part = run.guarded(file, lambda file: _told_of(run, file, arguments, tell))
        if part is not None and gather is None:
            yield part
        elif part is not None:
            parts.append(part)
    if gather is not None:
        yield gather(parts)


def _told_of(run: "Run", file: "File", arguments: "Arguments", tell: "Callable[[Report], Any]") -> "Any":
    """The text about one file; None for a file that was met in a folder and holds no run."""
    report = run.lint(file, fixes=False)
    is_asked_for = report.skipped is None or file in arguments.operands or arguments.get("--verbose")
    return tell(report) if is_asked_for else None


def _teller(arguments: "Arguments") -> "tuple[Callable[[Report], Any], Callable[[list[Any]], str] | None]":
    """(the function that makes the text about a report, the function that joins these into one document, or None)."""
    form, verbose = arguments.get("--output-format", "text"), bool(arguments.get("--verbose"))
    if form == "text":
        from ..report.explain import explanation
        from ..report.text import terminal_width

        colour = uses_colour(arguments, sys.stdout) and not arguments.get("--output-file")
        width, picture = terminal_width(sys.stdout), bool(arguments.get("--picture"))
        language = language_for(arguments, sys.stdout)
        teaches = bool(arguments.get("--teach"))
        return lambda report: explanation(report, colour, width, verbose, picture, language, teaches), None
    if form == "html":
        from ..report.explain import html

        return html.part, html.document
    if form == "svg":
        from ..report.explain import svg

        return svg.part, svg.document
    from ..report.explain import document

    if form == "json":
        return document.json_part, document.json_document
    return lambda report: document.markdown(report, verbose), None


def rule(arguments: "Arguments") -> int:
    """`grpo-lint rule`: the page of one rule, the rules that a text is about, or the table of all."""
    from ..report import rule_page
    from ..report.text import terminal_width
    from ..rules.layers_below import Cause
    from ..settings.files import settings_for_folder
    from .run import rules_of

    team = {**settings_for_folder(os.getcwd()).rules(), **(rules_of(arguments) or {})}
    colour, width = uses_colour(arguments, sys.stdout), terminal_width(sys.stdout)
    language, in_markdown = language_for(arguments, sys.stdout), bool(arguments.get("--markdown"))
    if not arguments.operands:
        sys.stdout.write(rule_page.index() if in_markdown else rule_page.table(colour, team, language))
    chosen = []
    for word in arguments.operands:
        found = _looked_up(word, team)
        if isinstance(found, Message):
            sys.stdout.write(f"{language.text(found)}\n")
        elif isinstance(found, Cause):
            sys.stdout.write(rule_page.cause(found, colour, width, language))
        elif not isinstance(found, list):
            chosen.append(found)
        elif len(found) > 1 or arguments.operands[1:]:
            sys.stdout.write(rule_page.found(found, colour, width, language))
        else:
            chosen.append(found[0].rule)
    for each in chosen:
        page = rule_page.page(each, language) if in_markdown else rule_page.terminal(each, colour, width, language)
        sys.stdout.write(page)
    return CLEAN


def _looked_up(word: str, team: "Mapping[str, Rule]") -> "Rule | Cause | list[Found] | Message":
    """The rule that a word names, what a message of a layer below comes from, the rules that a text is about, or what a quantity of
    that name is."""
    from ..frameworks.all_rules import ALL, find_rule
    from ..report.rule_search import quantity_called

    found = find_rule(word, team) or _rules_about(word) or quantity_called(word)
    if found:
        return found
    known = [name for each in (*ALL, *team.values()) for name in (each.name, each.code)]
    raise Usage(
        Message(
            "unknown rule {word}{hint}",
            {"word": shown(word), "hint": did_you_mean(word, known) or Message("; `grpo-lint rule` lists them")},
        )
    )


def _rules_about(word: str) -> "Cause | list[Found]":
    """The rules that a text is about: an error, a name from the documentation, or a key; or what an error of a layer below comes from.
    `-` reads a log from standard input."""
    from ..report.rule_search import cause_in, search
    from ..report.symptoms import expected

    if word == "-":
        from ..report.crash import MOST_OF_A_LOG

        word = disk.standard_input(MOST_OF_A_LOG).decode("utf-8", "replace")
    is_misspelt = " " not in word and ("-" in word or word.upper().startswith(("GRPO", "TEAM")))
    return [] if is_misspelt else cause_in(word) or expected(word) or search(word)


def schema(arguments: "Arguments") -> int:
    """`grpo-lint schema`: the JSON Schema of one release of a framework, on standard output."""
    if len(arguments.operands) != 1:
        raise Usage(Message("schema takes one framework: grpo-lint schema trl, or grpo-lint schema trl@0.22"))
    name, _, version = arguments.operands[0].partition("@")
    frameworks = FACTS["dialect"].choices
    if name not in frameworks:
        raise Usage(
            Message(
                "the framework is one of {names}, not {name}{hint}",
                {"names": series(list(frameworks)), "name": shown(name), "hint": did_you_mean(name, frameworks)},
            )
        )
    from ..frameworks.schema import NoSchema, as_text, schema_of

    try:
        found = schema_of(
            name, version or "latest", arguments.get("--algorithm", "grpo"), arguments.get("--loader", "script")
        )
    except NoSchema as problem:
        raise Usage(told_by(problem)) from None
    framework = framework_named(name)
    if version and framework.catalogue.is_newer_than_all(
        version_key(resolve_version(version, framework.catalogue.releases))
    ):
        raise Usage(
            Message(
                "{title} {version} is newer than {newest}, the newest known release",
                {"title": framework.title, "version": version, "newest": framework.catalogue.releases[-1]},
            )
        )
    show(as_text(found))
    return CLEAN


def server(arguments: "Arguments") -> int:
    """`grpo-lint server`: speak the Language Server Protocol on standard input and output."""
    if arguments.operands:
        raise Usage(Message("server takes no files: the editor sends them"))
    start = _start_of_server()
    from ..settings.policy import Policy
    from .run import rules_of

    rules = rules_of(arguments)
    policy = Policy(rules=rules) if rules else None
    if arguments.get("--check"):
        language = language_for(arguments, sys.stdout)
        show(language.text(Message("grpo-lint {version}: the server can start", {"version": __version__})) + "\n")
        return CLEAN
    import gc

    gc.freeze()  # what is loaded by now is never garbage: it need not be searched between two keystrokes
    gc.enable()  # a server lives long
    return start(policy)


_LIBRARIES = ("pygls", "lsprotocol", "attrs", "cattrs")


def _start_of_server() -> "Callable[[Policy | None], int]":
    """What starts the server. Raises Usage, with the command that helps, where the libraries are missing, broken or of other releases."""
    try:
        from ..lsp.server import start
    except Exception as error:
        told = _told_of_libraries(error)
        if told is None:
            raise
        raise Usage(told) from None
    return start


def _told_of_libraries(error: Exception) -> "Message | None":
    """What is wrong with the libraries of the server when it could not be loaded; None where it is grpo-lint itself."""
    module = (getattr(error, "name", None) or "").partition(".")[0]
    told = {"module": module, "package": _package("lsp")}
    if module in _LIBRARIES and isinstance(error, ModuleNotFoundError) and error.name == module:
        return Message("the server needs {module}, which is not installed: pip install {package}", told)
    if module in _LIBRARIES and isinstance(error, ImportError):
        return Message("the server cannot use the {module} that is installed: pip install --upgrade {package}", told)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = getattr(error, "filename", None) or (trace.tb_frame.f_code.co_filename if trace is not None else "")
    if module == "grpo_lint" or disk.real(place).startswith(
        os.path.join(disk.real(os.path.dirname(os.path.dirname(__file__))), "")
    ):
        return None
    told["error"] = f"{type(error).__name__}: {error}"
    return Message(
        "the libraries of the server are broken here ({error}): pip install --force-reinstall {package}", told
    )


def _package(extra: str) -> str:
    """What pip installs, with the libraries of an extra: as the pages write it."""
    from .. import REPOSITORY

    return f"'grpo-lint[{extra}] @ git+{REPOSITORY}'"


def mcp(arguments: "Arguments") -> int:
    """`grpo-lint mcp`: speak the Model Context Protocol on standard input and output."""
    if arguments.operands:
        raise Usage(Message("mcp takes no files: the agent names them"))
    root = arguments.get("--root", os.curdir)
    if not disk.is_folder(root):
        raise Usage(Message("--root: {root} is no folder", {"root": shown(root)}))
    try:
        from ..mcp.server import start
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] not in ("mcp", "anyio", "pydantic"):
            raise
        wanted = Message(
            "this needs the official SDK, version 2 or newer: pip install {package}", {"package": _package("mcp")}
        )
        raise Usage(wanted) from None
    import gc

    gc.enable()
    disk.remember(False)  # files change while an agent works
    return start(root)


def completion(arguments: "Arguments") -> int:
    """`grpo-lint completion`: print the script with which a shell completes the command line of grpo-lint."""
    shell = arguments.operands[0] if len(arguments.operands) == 1 else ""
    if shell not in SHELLS:
        raise Usage(
            Message(
                "completion takes one shell: {shells}{hint}",
                {"shells": series(list(SHELLS)), "hint": did_you_mean(shell, SHELLS)},
            )
        )
    from .completion import script_for

    sys.stdout.write(script_for(shell))
    return CLEAN
