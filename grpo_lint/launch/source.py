"""The copy of a framework that a checkout holds: its own tree of settings, and the fields of the classes that it makes of sections.
Such a copy may be changed, so a run of it is judged by what stands there; nothing of it is executed."""

import os
import re

from ..files import disk
from ..files.budget import Budget
from ..record import once
from ..source.entry import loaded
from ..source.text import Span, Text
from ..source.yaml.reader import Mapping as Section, Scalar, target
from .copied_classes import Classes
from .files import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..shared_types import Entry, Framework, Read
    from .copied_classes import Declared


_PACKAGES = os.path.join(os.sep, "lib", "python3")


class Source:
    """A copy of a framework. `folder`: the one that Python imports; `read` gives the text of a path; `config`: from which a program
    of it starts, by its path from the folder around it, empty for the framework's usual one."""

    def __init__(self, folder: str, read: "Read", config: str = "") -> None:
        self.config = config
        self.folder = folder
        self._read = read
        self._classes = Classes(folder, read)

    @property
    def shown(self) -> str:
        """The folder from the root of its checkout, as it is told."""
        path = os.path.abspath(self.folder)
        root = disk.checkout_of(path)
        while root is not None and disk.is_file(os.path.join(root, ".git")):  # of a submodule
            around = disk.checkout_of(root)
            if around is None:
                break
            root = around
        shown = f"./{os.path.relpath(path, root)}" if root else path
        return shown.partition(_PACKAGES)[0].replace(os.sep, "/")  # of what is installed, its environment

    def composed(
        self, framework: "Framework", primary: str, choices: "Mapping[str, str]", partly: bool = False
    ) -> "dict[str, object] | None":
        """{path of a setting: its value} in the tree below a primary config, by its path below the folder around the copy, with the
        option that is chosen for each group; None where it is not here, or cannot be composed, unless it is wanted `partly`."""
        from .composition import compose_tree

        around = os.path.dirname(os.path.abspath(self.folder))
        path = os.path.join(around, *primary.split("/"))
        files = Files(path, self._read, Budget())
        file = files.at(path)
        root = file.document.root if file is not None and not file.document.problems else None
        if type(root) is not Section:
            return None
        tree = os.path.join(around, *framework.reader.primaries.folder.split("/"))
        entries = compose_tree(framework, root, path, files, choices, tree, partly)
        return None if entries is None else {name: _as_omegaconf_reads(entry) for name, entry in entries.items()}

    @once
    def settings(self, framework: "Framework", primary: str) -> "frozenset[str]":
        """The paths of the settings below a primary config, as far as they are found."""
        return frozenset(self.composed(framework, primary, {}, partly=True) or ())

    @once
    def configs_in(self, folder: str) -> "list[str]":
        """The names of the configs in a folder, by its path below the folder around the copy, without their ending."""
        place = os.path.join(os.path.dirname(os.path.abspath(self.folder)), *folder.split("/"))
        names = [name for name, kind in disk.entries(place) if kind == disk.FILE]
        return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))

    def fields_of(self, target: str, of_others: "frozenset[str]" = frozenset()) -> "Mapping[str, Declared] | None":
        """{name: Declared} of the dataclass of a full name; None where it, or one of those that it is made from, is not found.
        `of_others`: packages with classes whose fields are left out."""
        return self._classes.fields_of(target, of_others)

    @once
    def knows(self, name: str, words: "tuple[str, ...]") -> bool:
        """Whether its code knows a name in a module with one of the words; of what is not looked at that is taken to be so."""
        from .copied_calls import MOST_FILES, texts_of
        from .copied_names import knows

        return any(
            number == MOST_FILES or knows(name, words, text)
            for number, text in enumerate(texts_of(self.folder, self._read))
        )

    @once
    def names(self, word: str) -> bool:
        """Whether a word stands in its code."""
        from .copied_calls import texts_of

        return any(
            word in text and re.search(rf"\b{re.escape(word)}\b", text) for text in texts_of(self.folder, self._read)
        )

    @once
    def place_of(self, wanted: "tuple[str, ...]") -> str:
        """Where it holds one of some texts: in its "code", or only in a "comment"; "unread" where that is not known, for some of its code
        is not looked at, and empty where it holds none."""
        from .copied_calls import MOST_FILES, modules_of
        from .copied_words import place_of

        texts = [text for _, text in modules_of(self.folder, self._read)]
        is_whole = 0 < len(texts) <= MOST_FILES and None not in texts
        return place_of(wanted, filter(None, texts[:MOST_FILES])) or ("" if is_whole else "unread")

    @once
    def check_with(self, wanted: "tuple[str, ...]") -> "tuple[Text, Span] | None":
        """The first line of its code with one of some texts."""
        from .copied_calls import modules_of
        from .copied_words import line_with

        for path, text in modules_of(self.folder, self._read):
            row = line_with(wanted, text) if text else None
            if text and row is not None:
                module = Text(text, os.path.normpath(path))
                line = module.line_text(row)
                start = module.starts[row] + len(line) - len(line.lstrip())
                return module, Span(start, start + len(line.strip()))
        return None

    @once
    def first_arguments(self, functions: "tuple[str, ...]") -> "list[str]":
        """What its code hands to functions of these names, as it is written."""
        from .copied_calls import first_arguments

        return first_arguments(self.folder, functions, self._read)

    @once
    def fields_that_are_flags(self) -> "frozenset[str]":
        """The fields of its dataclasses from whose names it makes flags."""
        from .copied_calls import fields_that_are_flags

        return fields_that_are_flags(self.folder, self._read)


_FLOAT = re.compile(r"[-+]?\d[\d_]*(?:\.[\d_]*)?[eE][-+]?\d+")  # which YAML takes for a text without a dot or a sign


def _as_omegaconf_reads(entry: "Entry") -> object:
    node = target(entry.value)
    if type(node) is Scalar and not node.style and _FLOAT.fullmatch(node.text):
        return float(node.text)
    return loaded(entry.value)
