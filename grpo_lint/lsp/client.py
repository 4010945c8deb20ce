"""What a client supports, as it has announced."""

from ..report.language import ENGLISH, language, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..report.language import Language


class Client:
    """What a client supports. What it has not announced counts as not supported.

    related, tags, code_description, data    in diagnostics; `tags`: their numbers
    document_changes, annotations            in edits: versions, and changes that the user confirms
    lazy_edits                               edits of actions are computed when they are chosen
    markdown, shows_plan                     Markdown in hovers, and the answer of the command for a plan
    explains                                 the client's own command that shows the plan, linked from hovers; "": none
    completion_tags, snippets                in completions
    language                                 of messages and of texts about rules
    """

    __slots__ = ("related", "tags", "code_description", "data", "document_changes", "annotations", "lazy_edits", "markdown",
                 "completion_tags", "snippets", "shows_plan", "explains", "language")  # fmt: skip
    related: bool
    code_description: bool
    data: bool
    document_changes: bool
    annotations: bool
    lazy_edits: bool
    markdown: bool
    completion_tags: bool
    snippets: bool
    shows_plan: bool

    def __init__(self, **announced: "Any") -> None:
        for name in self.__slots__:
            setattr(self, name, announced.pop(name, False))
        self.explains: str = self.explains or ""
        self.language: Language = self.language or ENGLISH
        self.tags: frozenset[int] = frozenset(self.tags or ())
        assert not announced, announced


def client_of(capabilities: "Any", plan_command: str, locale: "str | None" = None) -> "Client":
    """The Client with these LSP ClientCapabilities; `locale` decides its language."""

    def has(path: str) -> bool:
        return bool(at(capabilities, path))

    own = capabilities.experimental
    diagnostics, edits = "text_document.publish_diagnostics", "workspace.workspace_edit"
    return Client(
        related=has(f"{diagnostics}.related_information"),
        tags=[tag.value for tag in at(capabilities, f"{diagnostics}.tag_support.value_set") or ()],
        code_description=has(f"{diagnostics}.code_description_support"),
        data=has(f"{diagnostics}.data_support"),
        document_changes=has(f"{edits}.document_changes"),
        annotations=has(f"{edits}.change_annotation_support"),
        lazy_edits="edit" in (at(capabilities, "text_document.code_action.resolve_support.properties") or ()),
        markdown="markdown" in (at(capabilities, "text_document.hover.content_format") or ("markdown",)),
        completion_tags=has("text_document.completion.completion_item.tag_support"),
        snippets=has("text_document.completion.completion_item.snippet_support"),
        shows_plan=isinstance(own, dict) and bool(own.get(plan_command)),
        explains=_command(own.get("grpo-lint.explainCommand")) if isinstance(own, dict) else "",
        language=language(nearest(locale or "")),
    )


def _command(name: object) -> str:
    """The name of a command; empty where it is not one."""
    return name if isinstance(name, str) and name.replace(".", "").replace("-", "").isalnum() else ""


def at(capabilities: "Any", path: str) -> "Any":
    """The capability at a path such as `workspace.configuration`; None where the client has not announced it."""
    for name in path.split("."):
        capabilities = getattr(capabilities, name, None)
    return capabilities
