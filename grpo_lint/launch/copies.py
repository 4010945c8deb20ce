"""The tree of settings in a repository's own copy of a framework: where it differs from every release in what a command says, the
copy is a fork."""

from ..frameworks.base import by_path
from ..source.yaml.reader import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping as Table

    from ..frameworks.base import Framework
    from ..source.entry import Flag
    from .files import Files


def differs_from_a_copy(
    framework: "Framework", groups: "tuple[str, ...]", index: int, flags: "Table[str, Flag]", files: "Files"
) -> bool:
    """Whether the repository has a copy of the framework that takes an override which a release refuses for its key, or the other
    way round."""
    catalogue = framework.catalogue
    refused = [
        (name, flag.name.startswith("+"))
        for name, flag in flags.items()
        if flag.name[:2] != "++"
        and not framework.reader.keys.launch_key(name, (), "")
        and not catalogue.known(framework.reader.keys.written(name, flag), groups) >> index & 1
    ]
    if not refused:
        return False
    for primary in framework.reader.configs.primaries:
        paths = _paths_of(framework, primary, files)
        if paths and any((name in paths) != is_appended for name, is_appended in refused if _is_section(name, paths)):
            return True
    return False


def _is_section(name: str, paths: "set[str]") -> bool:
    """Whether a tree has the section in which a setting would stand, so that it tells of the setting."""
    section = name.partition(".")[0]
    return any(path.startswith(f"{section}.") for path in paths)


def _paths_of(framework: "Framework", primary: str, files: "Files") -> "set[str]":
    """The paths of the settings in the tree of a copy; none where it has none, or is in parts that name each other."""
    for name in (f"_generated_{primary}.yaml", f"{primary}.yaml"):
        for folder in (
            framework.reader.configs.tree_folder,
            f"{framework.releases.package}/{framework.reader.configs.tree_folder}",
        ):
            file = next(filter(None, map(files.at, files.places(f"{folder}/{name}"))), None)
            root = file.document.root if file is not None else None
            if type(root) is Mapping:
                is_whole = root.get("defaults") is None or name.startswith("_")
                return set(by_path(dict(root.items()))) if is_whole else set()
    return set()
