"""What git ignores: the patterns of `.gitignore` files and of `.git/info/exclude`, read without running git.

As in git, of all patterns that match the last one counts, those of a deeper folder go before those above it, and nothing below an ignored
folder can be taken back. Not looked at are the patterns that a user has for all repositories, for they would make the outcome another one
on every machine, and the index: a file that is tracked although it is ignored is met only when it is named.
"""

import os

from . import disk
from .patterns import fits

LARGEST_FILE = 256 << 10
MOST_PATTERNS = 2000  # of one file
# Tokens of a pattern besides characters, and a part of a path that is `**`.
ANY, MANY, SLASH, FOLDERS = object(), object(), object(), object()


class Rules:
    """The patterns of one file: `base` is the folder that they count from. The last pattern stands first."""

    __slots__ = ("base", "for_folders", "for_files")

    def __init__(self, base, patterns, suffixes):
        self.base = os.path.join(base, "")
        self.for_folders = patterns[::-1]
        # most patterns are about other files than ours, and need not be tried on each of them
        self.for_files = [pattern for pattern in self.for_folders if not pattern.folders_only and pattern.may_match(suffixes)]


def rules_above(folder, suffixes):
    """The Rules that hold in a folder, an absolute path without links, from the folders above it; the nearest first; None outside of a repository.

    `suffixes`: the ends of the names of files that will be asked about.
    """
    above = []
    while not disk.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
        above.append(folder)
    return [*(rules for each in above for rules in rules_in(each, suffixes)), *rules_of_clone(folder, suffixes)]


def rules_in(folder, suffixes):
    """The Rules of the `.gitignore` in a folder."""
    return _read(os.path.join(folder, ".gitignore"), folder, suffixes)


def rules_of_clone(root, suffixes):
    """The Rules that a clone has for itself."""
    return _read(os.path.join(root, ".git", "info", "exclude"), root, suffixes)


def _read(path, base, suffixes):
    try:
        patterns = read_patterns(disk.read(path, LARGEST_FILE))
    except OSError:
        return []
    return [Rules(base, patterns, suffixes)] if patterns else []


def is_ignored(rules, folder, name, is_folder):
    """Whether Rules, the nearest first, ignore what has a name in a folder, an absolute path without links."""
    for each in rules:
        patterns = each.for_folders if is_folder else each.for_files
        if patterns:
            parts = None
            for pattern in patterns:
                if parts is None and pattern.anchored:
                    parts = [_in_bytes(part) for part in (*os.path.join(folder, "")[len(each.base) :].split(os.sep)[:-1], name)]
                if pattern.matches(parts or (_in_bytes(name),)):
                    return pattern.ignores
    return False


def _in_bytes(name):
    """A name with a character for each of its bytes, for that is what git compares."""
    return name if name.isascii() else os.fsencode(name).decode("latin-1")


# --- reading --------------------------------------------------------------------------------------------------------


class Pattern:
    """One line of a file.

    names          for each part of a path the text or the tokens of its name, or FOLDERS
    anchored       whether the path counts from the folder of the file; otherwise there is one name, which counts at any depth
    folders_only   whether it is about folders alone
    ignores        whether it ignores, or takes back what others ignore
    """

    __slots__ = ("names", "anchored", "folders_only", "ignores")

    def __init__(self, names, anchored, folders_only, ignores):
        self.names = names
        self.anchored = anchored
        self.folders_only = folders_only
        self.ignores = ignores

    def matches(self, parts):
        """Whether the pattern matches a path, given by its parts as seen from the folder of the file."""
        if self.anchored:
            return fits(self.names, parts, FOLDERS, _name_matches)
        return _name_matches(self.names[0], parts[-1])

    def may_match(self, suffixes):
        """Whether a name with one of some suffixes can match."""
        last = self.names[-1]
        tokens = [MANY, *last.text] if type(last) is Ending else last
        return any(_may_end(tokens, suffix) for suffix in suffixes)


def read_patterns(data):
    """The Patterns in the bytes of a file, in its order."""
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")
    return [pattern for pattern in map(_pattern, lines[:MOST_PATTERNS]) if pattern]


def _pattern(line):
    """The Pattern of a line, None for a comment and for what can match nothing."""
    line = _without_blanks(line.removesuffix("\r"))
    if not line or line[0] == "#":
        return None
    ignores = line[0] != "!"
    line = line if ignores else line[1:]
    folders_only = line[-1:] == "/"
    line = line[:-1] if folders_only else line
    anchored = "/" in line
    tokens = _tokens(line.removeprefix("/"))
    if not tokens:
        return None
    names = _names(tokens)
    if names[-1] is FOLDERS:  # all that is inside of a folder, but not the folder itself
        names[-1:] = [FOLDERS, Ending("")] if anchored else [Ending("")]
    return Pattern(names, anchored, folders_only, ignores)


def _without_blanks(line):
    """A line without the blanks at its end, of which a backslash keeps one."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and stripped != line else stripped


def _tokens(line):
    """The tokens of a pattern; None for one that never matches."""
    tokens, at = [], 0
    while at < len(line):
        character = line[at]
        at += 1
        if character == "\\":
            if at == len(line):
                return None
            character = line[at]
            at += 1
            tokens.append(SLASH if character == "/" else character)
        elif character == "[":
            found, at = _set(line, at)
            if found is None:
                return None
            tokens.append(found)
        else:
            tokens.append({"?": ANY, "*": MANY, "/": SLASH}.get(character, character))
    return tokens


def _names(tokens):
    """The tokens between the slashes: a text where all are characters, FOLDERS for `**`."""
    names, name = [], []
    for token in [*tokens, SLASH]:
        if token is not SLASH:
            name.append(token)
            continue
        if all(type(each) is str for each in name):
            names.append("".join(name))
        elif name[0] is MANY and all(type(each) is str for each in name[1:]):
            names.append(Ending("".join(name[1:])))
        else:
            names.append(FOLDERS if len(name) > 1 and all(each is MANY for each in name) else name)
        name = []
    return names


class Ending:
    """`*.log`: what a name ends with."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text


class Set:
    """`[a-z]`: some characters, or all but some, as ranges of two characters each."""

    __slots__ = ("negated", "ranges")

    def __init__(self, negated, ranges):
        self.negated = negated
        self.ranges = ranges

    def has(self, character):
        return any(first <= character <= last for first, last in self.ranges) != self.negated


_CLASSES = {
    "alnum": ("09", "AZ", "az"), "alpha": ("AZ", "az"), "blank": ("  ", "\t\t"), "cntrl": ("\0\x1f", "\x7f\x7f"), "digit": ("09",), "graph": ("!~",),
    "lower": ("az",), "print": (" ~",), "punct": ("!/", ":@", "[`", "{~"), "space": ("\t\r", "  "), "upper": ("AZ",), "xdigit": ("09", "AF", "af"),
}  # fmt: skip


def _set(line, at):
    """(Set, offset behind it) of what stands behind a `[`; (None, offset) where it never ends, or names a class that does not exist."""
    negated = line.startswith(("!", "^"), at)
    at += negated
    ranges, previous = [], ""  # `previous`: the character that a `-` would make a range of
    begin = at
    while at < len(line) and (line[at] != "]" or at == begin):
        character = line[at]
        end = line.find("]", at + 2)
        if character == "-" and previous and line[at + 1 : at + 2] not in ("", "]"):
            at += 2 if line[at + 1] == "\\" else 1
            ranges.append(previous + line[at : at + 1])
            previous = ""
        elif line.startswith("[:", at) and end > at + 2 and line[end - 1] == ":":
            if line[at + 2 : end - 1] not in _CLASSES:
                return None, at
            ranges += _CLASSES[line[at + 2 : end - 1]]
            at, previous = end, ""
        else:
            at += character == "\\"
            previous = line[at : at + 1]
            ranges.append(previous * 2)
        at += 1
    return (Set(negated, ranges), at + 1) if at < len(line) else (None, at)


# --- matching -------------------------------------------------------------------------------------------------------


def _name_matches(pattern, name):
    if type(pattern) is str:
        return pattern == name
    if type(pattern) is Ending:
        return name.endswith(pattern.text)
    return fits(pattern, name, MANY, _character_matches)


def _may_end(tokens, suffix):
    """Whether a name that matches may end with a suffix, in letters of either case."""
    for token, character in zip(reversed(tokens), reversed(suffix)):
        if token is MANY:
            return True
        if not (_character_matches(token, character) or _character_matches(token, character.upper())):
            return False
    return True


def _character_matches(token, character):
    return token is ANY or token == character or (type(token) is Set and token.has(character))
