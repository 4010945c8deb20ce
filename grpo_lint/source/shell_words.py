"""Words that we write into a command: the shell takes each for the text that it is, and for nothing else."""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")  # nothing to any shell


def shell_word(text: str) -> str:
    """A text as one word of bash, on one line."""
    if text.isprintable():
        return text if text and _PLAIN.issuperset(text) else "'" + text.replace("'", "'\"'\"'") + "'"
    signs = [f"\\{each}" if each in "\\'" else printable_or_escaped(each) for each in text]
    return f"$'{''.join(signs)}'"


def file_word(path: str) -> str:
    """A path as an operand: it is no option, and no command of a log where it begins a line."""
    return shell_word(f"./{path}" if path.lstrip().startswith(("-", "::")) else path)


def check_of(path: str) -> str:
    """The command that tells the findings of a file."""
    return f"grpo-lint check {file_word(path)}"


def printable_or_escaped(character: str) -> str:
    """A character, or its escape as YAML, JSON beyond ASCII, and bash read it."""
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
