"""What output may contain that is shown in a terminal or in the log of a service."""

import json
import re
from unicodedata import category
from xml.etree import ElementTree

_RULE = r"(?:GRPO\d{3}|TEAM-[A-Z0-9-]+)"
_OURS = re.compile(
    rf"::(?:error|warning|notice) file=[^:,]*,line=\d+,endLine=\d+(?:,col=\d+,endColumn=\d+)?,title={_RULE} \([a-z0-9-]+\)::"
)
_JOINERS = "\u200c\u200d"


def faults(form, output):
    """What is wrong with a document in one of the formats of `check`, as sentences."""
    for character in sorted(set(output)):
        steers = category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS
        if character != "\n" and (steers or (form in _ASCII and not character.isascii())):
            yield f"the character {character!r}"
    lower = output.lower()
    yield from (
        f"{command!r}, a command wherever it stands" for command in ("##[", "##vso[", "##teamcity[") if command in lower
    )
    for line in output.splitlines():
        if line.lstrip().startswith("::") and not (form == "github" and _OURS.match(line)):
            yield f"a workflow command: {line[:80]!r}"
    if form in ("json", "sarif", "gitlab"):
        json.loads(output, parse_constant=_refuse)
    elif form == "junit":
        ElementTree.fromstring(output)
    elif form == "github":
        yield from (f"no annotation: {line[:80]!r}" for line in output.splitlines() if not _OURS.match(line))
    elif form == "markdown":
        yield from _faults_of_markdown(output)


def _refuse(constant):
    raise ValueError(f"{constant} is no JSON")


_ASCII = ("json", "sarif", "gitlab", "junit")


def without_code(text):
    """Markdown without what GitHub would link as a commit, and which stands in an element of its own: services look for calls in
    each text between elements, and in none that is code."""
    return re.sub(r"<code>[0-9a-fA-F]+</code>", "\0", text)


def _faults_of_markdown(output):
    """Tags, links and mentions other than those of grpo-lint, and table cells that end too early."""
    columns = 0  # of the table, as its first line has them
    for line in output.splitlines():
        if not line.startswith("|"):
            columns = 0
        if not line.startswith("| "):
            continue
        columns = columns or line.count("|")
        told = without_code(line.replace("<br>", "")).replace("<!-- -->", "\0")
        bare = re.sub(r"\\.", " ", told)  # escaped characters are plain text
        yield from (f"a tag: {line[:120]!r}" for _ in re.findall("<", bare)[:1])
        if bare.count("|") != columns:
            yield f"{bare.count('|')} bars: {line[:120]!r}"
        links = re.findall(r"\[([^\]]*)\]\(([^)]*)\)", bare)
        yield from (f"a link: {label}" for label, address in links if not re.fullmatch(_RULE, label))
        yield from (f"a call: {call}" for call in re.findall(r"[@#]\w+", re.sub(r"\]\([^)]*\)", "", bare)))
