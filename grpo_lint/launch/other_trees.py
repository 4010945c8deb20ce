"""Other trees of settings in a checkout than that of the copy of a framework which is run: of a second copy, or of one under another name.
Loaded where a copy does not know several keys."""

import os

from ..files import disk
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..frameworks.protocols import Copy
    from ..shared_types import Framework, Repository

MOST_TREES = 8


class OtherTree(Record):
    """A tree of settings of a package: where it lies, as it is told; its settings; whether the package is imported by the same name as the
    copy that is run."""

    shown: str
    names: "frozenset[str]"
    is_imported_alike: bool


def other_trees(framework: "Framework", copy: "Copy", path: str, repository: "Repository") -> "list[OtherTree]":
    """The other trees of the project around a path, by the name of the config from which the framework usually starts."""
    root, primaries = disk.project_of(path), framework.reader.primaries
    if root is None or not primaries.names:
        return []
    package, _, below = primaries.folder.partition("/")
    file = f"/{below}/{primaries.names[0]}.yaml"
    found, _ = repository.files_named(root, os.path.basename(file))
    places = [os.path.abspath(each).replace(os.sep, "/") for each in found]
    folders = [each.removesuffix(file) for each in places if each.endswith(file)]
    trees = []
    own = disk.real(copy.folder)
    for folder in [each for each in folders if disk.real(each) != own][:MOST_TREES]:
        name = os.path.basename(folder)
        source = repository.copy_at(folder)
        names = source.settings(framework, f"{name}{file}")
        trees.append(OtherTree(shown=source.shown, names=names, is_imported_alike=name == package))
    return trees
