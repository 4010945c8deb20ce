"""Strangers' texts, made safe for a terminal and for the log of a service."""

TAB = "    "
JOINER = "\u200c"  # takes no room

# The first `#` of a command to Azure Pipelines or TeamCity, or of an old one to GitHub: these count wherever they stand
# in a line.
_MARK = r"(?i)#(?=#(?:\[|vso\[|teamcity\[))"
# What a service for code reads as a call of somebody, or as a link, in a text without any mark; and a link alone.
_LINK = r":(?=//)|(?i:www)(?=\.)"
_CALL = rf"[@#!%~^](?=\\?\w)|(?<!\w)(?i:gh)(?=-\d)|{_LINK}"
_COMMIT = r"(?<!\w)(?=\d*[a-f])[0-9a-f]{7,40}(?!\w)"  # GitHub links it, but not in code
_NOTHING_IN_HTML = "<!-- -->"
# What begins a heading or a list.
_BEGINNING = r"^([ ]{0,9}\d{0,9})(?=#|[+-]\s|(?<=\d)[.)]\s|=+$|-+$)"
# What Markdown or HTML would read as a mark.
MARKS_OF_MARKDOWN = r"[\\`*\[\]<>|~$&!]|\b_|_\b|(?<!\w)_+(?!\w)"


def clean(text: str) -> str:
    """The text on one line, without characters that steer the terminal, change the reading direction or start a
    command of a log, and without passwords."""
    from ..source.hiding import masked  # only what tells something pays for it

    text = masked(text)
    text = text if text.isprintable() else "".join(map(shown_character, text))
    for end in reversed(ends_of_marks(text)):
        text = text[:end] + JOINER + text[end:]
    return text


def ends_of_marks(text: str) -> "list[int]":
    """The offsets where a joiner breaks what a log would read as a command."""
    if "##" not in text:
        return []
    import re

    return [match.end() for match in re.finditer(_MARK, text)]


def without_commands(text: str) -> str:
    """Lines for a log, none of which GitHub reads as a command: one counts at the beginning of a line, also behind blanks."""
    if "::" not in text:
        return text
    import re

    return re.sub(r"(?m)^([^\S\n]*:)(?=:)", rf"\1{JOINER}", text)


def in_markdown(text: str) -> str:
    """The text as Markdown that shows it as it is, for a page or a comment: no image is loaded, no link leads anywhere,
    nobody is called."""
    import re

    text = re.sub(_BEGINNING, r"\1\\", _without_marks(text))
    text = re.sub(_COMMIT, r"<code>\g<0></code>", text)
    return re.sub(_CALL, rf"\g<0>{_NOTHING_IN_HTML}", text)


def in_markdown_of_an_editor(text: str) -> str:
    """The text as Markdown for an editor, which knows no HTML and calls nobody."""
    import re

    return re.sub(_LINK, rf"\g<0>{JOINER}", _without_marks(text))


def _without_marks(text: str) -> str:
    import re

    return re.sub(MARKS_OF_MARKDOWN, r"\\\g<0>", clean(text))


def shown_path(path: str) -> str:
    """A path that may begin a line: `::error::` there would be a command to GitHub."""
    path = clean(path)
    return f"./{path}" if path.lstrip().startswith("::") else path


def shown_character(character: str) -> str:
    """What is shown for a character: nearly always the character itself."""
    if character.isprintable():
        return character
    if character == "\t":
        return TAB
    from unicodedata import category

    harmless = category(character) in ("Zs", "Co", "Cn") or character in "\u200c\u200d"
    return character if harmless else "\ufffd" if character != "\n" else " "
