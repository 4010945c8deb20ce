"""Where the installed grpo-lint comes from, by what pip has recorded beside it: whoever sets up a hook gets the same."""

import json
import re
from urllib.parse import urlsplit

from .. import REPOSITORY, __version__

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
