"""The help of a command: how it is used, its options, and what the exit status means."""

_USAGE = {
    "check": ("grpo-lint [check] [OPTIONS] [PATH...]", "Check files and folders (default: the current folder; `-` reads standard input)."),
    "explain": ("grpo-lint explain [OPTIONS] FILE...", "Show the run that a file describes: every quantity, its formula and its origin."),
    "rule": ("grpo-lint rule [OPTIONS] [CODE|NAME]", "Show the page of a rule; without a rule, the table of all of them."),
    "server": ("grpo-lint server", "Serve an editor: the Language Server Protocol on standard input and output."),
    "schema": ("grpo-lint schema [OPTIONS] DIALECT[@VERSION]", "Write the JSON Schema of a framework's config files (trl, swift, megatron)."),
}
_STATUS = """\
Exit status: 0 clean (infos allowed), 1 findings at or above --fail-on, 2 wrong usage or an error of grpo-lint itself.
A comment in a file says the same as the facts: # grpo-lint: version=1.16.0 world-size=8
"""


def help_of(command, options):
    """The help that `grpo-lint COMMAND --help` prints."""
    usage, purpose = _USAGE[command]
    facts = [option for option in options if option.fact]
    parts = [f"usage: {usage}\n\n{purpose}\n"]
    if command == "check":
        others = "".join(f"\n       {_USAGE[other][0]}" for other in ("explain", "rule", "schema", "server"))
        parts[0] = f"usage: {usage}{others}\n       grpo-lint --version\n\n{purpose}\n"
    parts.append("options:\n" + _listed(option for option in options if not option.fact))
    if facts:
        parts.append("facts about the run that a file cannot say:\n" + _listed(facts))
        parts.append(_STATUS)
    return "\n".join(parts)


def _listed(options):
    lines = []
    for option in options:
        flags = f"{option.short}, {option.name}" if option.short else f"    {option.name}"
        flags = f"  {flags} {option.metavar}".rstrip()
        lines.append(f"{flags:<34}{option.help}" if len(flags) < 34 else f"{flags}\n{'':<34}{option.help}")
    return "".join(line + "\n" for line in lines)
