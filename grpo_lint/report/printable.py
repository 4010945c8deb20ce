"""Texts of strangers, made safe for a terminal and for the log of a service."""

TAB = "    "
JOINER = "\u200c"  # takes no room

# The first `#` of a command to Azure Pipelines, or of an old one to GitHub: these count wherever they stand in a line.
_MARK = r"(?i)#(?=#(?:\[|vso\[))"
# What Markdown or HTML would read as a mark.
MARKS_OF_MARKDOWN = r"[\\`*\[\]<>|~$&!]|\b_|_\b|(?<!\w)_+(?!\w)"


def clean(text):
    """The text on one line, without the characters that would steer the terminal or turn the reading direction, and without commands to a log."""
    text = text if text.isprintable() else "".join(map(shown_character, text))
    for end in reversed(ends_of_marks(text)):
        text = text[:end] + JOINER + text[end:]
    return text


def ends_of_marks(text):
    """The offsets at which a joiner takes the meaning from a command to a log."""
    if "##" not in text:
        return []
    import re

    return [match.end() for match in re.finditer(_MARK, text)]


def in_markdown(text):
    """The text as Markdown that shows it as it is: no image is loaded, no link leads anywhere."""
    import re

    return re.sub(MARKS_OF_MARKDOWN, r"\\\g<0>", clean(text))


def shown_path(path):
    """A path as it may begin a line: `::error::` there would be a command to GitHub."""
    path = clean(path)
    return f"./{path}" if path.lstrip().startswith("::") else path


def shown_character(character):
    """What stands for a character: nearly always itself."""
    if character.isprintable():
        return character
    if character == "\t":
        return TAB
    from unicodedata import category

    harmless = category(character) in ("Zs", "Co", "Cn") or character in "\u200c\u200d"
    return character if harmless else "\ufffd" if character != "\n" else " "
