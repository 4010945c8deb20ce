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
    from .options import Arguments
    from .run import File


def explain(arguments: "Arguments") -> int:
    """`grpo-lint explain`: the whole plan of each file."""
    if not arguments.operands:
        raise Usage("explain needs a file: grpo-lint explain FILE")
    from ..report.explain import explanation
    from ..report.text import terminal_width
    from .run import Run

    run = Run(arguments)
    colour, width = uses_colour(arguments, sys.stdout), terminal_width(sys.stdout)
    verbose = arguments.get("--verbose", False)

    def explain_one(file: "File") -> str:
        report = run.lint(file, fixes=False)
        if report.skipped is not None and file not in arguments.operands and not verbose:
            return ""  # met in a folder: nobody asked about this one
        return explanation(report, colour, width, verbose)

    for file in run.files():
        sys.stdout.write(run.guarded(file, explain_one) or "")
    return run.status


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
