"""The entry of the hook of grpo-lint in a `.pre-commit-config.yaml`: inserted as text, so that no other byte changes, and the result is
read again. It says where the installed grpo-lint comes from, by what pip has recorded beside it: whoever sets up a hook gets the same."""

import json
import re
from urllib.parse import urlsplit

from .. import REPOSITORY, __version__
from ..message import Message, Telling
from ..source.entry import loaded
from ..source.text import Edit, Text
from ..source.yaml.reader import Mapping, Scalar, Sequence, read_yaml
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Entry, Node
TAG = f"v{__version__}"
_RELEASE = re.compile(r"v\d+(\.\d+)+")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


class Origin:
    """A repository and a revision of it, as the entry of a hook names them; `is_certain`: whether this revision is known
    to be there."""

    def __init__(self, repository: str, revision: str, is_certain: bool) -> None:
        self.repository = repository
        self.revision = revision
        self.is_certain = is_certain


def origin() -> "Origin":
    """The tag of a release, where the package comes from an index or from a tag; else the commit that pip has recorded. A
    package from a folder or a file says neither, and gets the tag that its release would have."""
    recorded = _recorded()
    if recorded is None:
        return Origin(REPOSITORY, TAG, True)
    git = recorded.get("vcs_info")
    commit, asked = (git.get("commit_id"), git.get("requested_revision")) if isinstance(git, dict) else (None, None)
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        return Origin(REPOSITORY, TAG, False)
    is_release = isinstance(asked, str) and _RELEASE.fullmatch(asked)
    return Origin(_repository(recorded.get("url")), str(asked) if is_release else commit, True)


def _recorded() -> "dict[str, object] | None":
    """What `direct_url.json` says (PEP 610); None for a package from an index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        text = distribution("grpo-lint").read_text("direct_url.json")
    except PackageNotFoundError:  # it is run from a folder
        return {}
    if text is None:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _repository(url: object) -> str:
    """The address of a repository without the name and password that pip may have kept; ours in the words of the project."""
    if not isinstance(url, str) or not url.isprintable() or re.search(r"[\s'\"#]", url):
        return REPOSITORY
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    plain = parts._replace(netloc=parts.netloc if user == "git" else host).geturl()
    return REPOSITORY if plain.lower().rstrip("/").removesuffix(".git") == REPOSITORY.lower() else plain


# --- the entry of a hook ------------------------------------------------------------------------------------------------

HOOKS = ("grpo-lint", "grpo-lint-fix")
UNUSUAL = Message("its layout is unusual")


class NotAdded(Telling):
    """The file has to be changed by hand; the message says why."""


def entry(comes_from: Origin) -> "dict[str, Any]":
    """The entry as pre-commit reads it."""
    return {"repo": comes_from.repository, "rev": comes_from.revision, "hooks": [{"id": HOOKS[0]}]}


def with_hook(source: str, comes_from: Origin) -> str:
    """The text of a config for pre-commit with the hook of grpo-lint; unchanged where it has the hook already. Raises
    NotAdded."""
    config = _parsed(source)
    if _has_hook(_value(config)):
        return source
    start, end, new = _edit(source, config, comes_from)
    line_break = "\r\n" if "\r\n" in source else "\n"
    result = source[:start] + new.replace("\n", line_break) + source[end:]
    if not _holds(result, _expected(config, comes_from)):
        raise NotAdded(UNUSUAL)
    return result


def as_text(comes_from: Origin, indent: str = "  ", inner: str = "  ", dash: str = "- ") -> str:
    """The entry as an item of a list: `indent` stands before its dash, `inner` before the dash of a hook, below the
    keys."""
    below = indent + " " * len(dash)
    repository = f"{indent}{dash}repo: {comes_from.repository}\n{below}rev: {comes_from.revision}\n"
    return f"{repository}{below}hooks:\n{below}{inner}{dash}id: {HOOKS[0]}\n"


def _parsed(source: str) -> "Mapping | None":
    """The mapping of the file, None for one that holds nothing."""
    document = read_yaml(Text(source, ".pre-commit-config.yaml"))
    if document.problems:
        line = document.text.position(document.problems[0].offset)[0] + 1
        raise NotAdded(Message("line {line}: {why}", {"line": line, "why": document.problems[0].message}))
    root = document.root
    if document.partial or len(document.documents) > 1 or not (root is None or type(root) is Mapping):
        raise NotAdded(Message("it is no config of pre-commit"))
    return root


def _value(config: "Mapping | None") -> "Any":
    """What the mapping of the file says."""
    value = loaded(config) if config else {}
    if value is UNKNOWN:
        raise NotAdded(Message("its aliases expand to more than can be compared"))
    return value


def _holds(source: str, expected: object) -> bool:
    try:
        return bool(_value(_parsed(source)) == expected)
    except NotAdded:
        return False


def _has_hook(config: "dict[str, Any]") -> bool:
    for repository in _list(config.get("repos")):
        hooks = _list(repository.get("hooks")) if isinstance(repository, dict) else []
        if any(isinstance(hook, dict) and hook.get("id") in HOOKS for hook in hooks):
            return True
    return False


def _expected(config: "Mapping | None", comes_from: Origin) -> "dict[str, Any]":
    before = _value(config)
    return {**before, "repos": [*_list(before.get("repos")), entry(comes_from)]}


def _list(value: object) -> "list[Any]":
    return value if isinstance(value, list) else []


# --- where it goes --------------------------------------------------------------------------------------------------


def _edit(source: str, config: "Mapping | None", comes_from: Origin) -> "Edit":
    if config is not None and config.flow:
        raise NotAdded(Message("it is written in braces"))
    stated = _entry_named(config, "repos")
    if stated is None:
        gap = "\n" if source and not source.endswith("\n") else ""
        return Edit(len(source), len(source), f"{gap}repos:\n{as_text(comes_from)}")
    repos = stated.value
    if type(repos) is Sequence and repos.items and not repos.flow:
        return _after(source, repos, comes_from)
    if (type(repos) is Sequence and not repos.items) or (type(repos) is Scalar and repos.value is None):
        return _in_place_of_none(source, repos, comes_from)
    raise NotAdded(Message("its repos are written in brackets"))


def _entry_named(node: "Node | None", name: str) -> "Entry | None":
    """The first entry of a mapping itself, with this key; None where there is none."""
    entries = node.entries if type(node) is Mapping else ()
    return next((each for each in entries if each.name == name), None)


def _in_place_of_none(source: str, repos: "Node", comes_from: Origin) -> "Edit":
    """In the place of an empty list, or of none; a comment behind it stays in its line."""
    rest = source[repos.end :].partition("\n")[0].rstrip()
    comment = f"  {rest.strip()}" if rest else ""
    new = f"{comment}\n{as_text(comes_from)}".removesuffix("\n")
    return Edit(len(source[: repos.start].rstrip(" ")), repos.end + len(rest), new)


def _after(source: str, repos: "Sequence", comes_from: Origin) -> "Edit":
    """Behind the last repository, and the comments that belong to it, in its layout."""
    last = repos.items[-1]
    line_start = source.rfind("\n", 0, last.start) + 1
    before = re.fullmatch(r"( *)(- +)", source[line_start : last.start])
    if before is None:
        raise NotAdded(UNUSUAL)
    indent, dash = before.groups()
    at = _end_of_item(source, last.end, len(indent))
    gap = "" if source[:at].endswith("\n") else "\n"
    if re.search(r"\n\r?\n\Z", source[:line_start]):  # an empty line separates them
        gap += "\n"
    return Edit(at, at, gap + as_text(comes_from, indent, _inner(source, last), dash))


def _inner(source: str, repository: "Node") -> str:
    """What stands before the dash of a hook, below the keys of its repository."""
    hooks = _entry_named(repository, "hooks")
    if hooks is not None and type(hooks.value) is Sequence and hooks.value.items and not hooks.value.flow:
        column = _column(source, hooks.value.items[0].start)
        dash = source.rfind("-", 0, hooks.value.items[0].start)
        return " " * max(_column(source, dash) - _column(source, hooks.key.start), 0) if column else ""
    return "  "


def _column(source: str, offset: int) -> int:
    return offset - (source.rfind("\n", 0, offset) + 1)


def _end_of_item(source: str, end: int, indent: int) -> int:
    """The beginning of the line below an item, and below the comments that are indented deeper than its dash."""
    at = end if source[:end].endswith("\n") else source.find("\n", end) + 1
    if not at:
        return len(source)
    deeper = re.compile(rf"(?:[ \t]*\r?\n)*(?: {{{indent + 1},}}#[^\n]*(?:\n|\Z))+")
    while found := deeper.match(source, at):
        at = found.end()
    return at
