"""What a client supports, as it has announced."""

import re

from ..launch.facts import BY_OPTION, BadFact, Fact, parse_fact
from ..message import Message, series, told_by
from ..report.language import ENGLISH, language, nearest
from ..source.quoting import did_you_mean, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Language, Mapping


class Client:
    """What a client supports. What it has not announced counts as not supported.

    related, tags, code_description, data    in diagnostics; `tags`: their numbers
    document_changes, annotations            in edits: versions, and changes that the user confirms
    lazy_edits                               edits of actions are computed when they are chosen
    markdown, shows_plan                     Markdown in hovers, and the answer of the command for a plan
    opens_documents                          it opens a document when the server asks it to, and has no way of its own
    explains                                 the client's own command that shows the plan, linked from hovers; "": none
    completion_tags, snippets                in completions
    inserts_or_replaces                      completions that say what is replaced in either way
    suggests                                 the client's own command that offers completions again; "": none
    language                                 of messages and of texts about rules
    """

    __slots__ = ("related", "tags", "code_description", "data", "document_changes", "annotations", "lazy_edits", "markdown",
                 "completion_tags", "snippets", "inserts_or_replaces", "suggests", "shows_plan", "opens_documents", "explains", "language")  # fmt: skip
    related: bool
    code_description: bool
    data: bool
    document_changes: bool
    annotations: bool
    lazy_edits: bool
    markdown: bool
    completion_tags: bool
    snippets: bool
    inserts_or_replaces: bool
    shows_plan: bool
    opens_documents: bool

    def __init__(self, **announced: "Any") -> None:
        for name in self.__slots__:
            setattr(self, name, announced.pop(name, False))
        self.explains: str = self.explains or ""
        self.suggests: str = self.suggests or ""
        self.language: Language = self.language or ENGLISH
        self.tags: frozenset[int] = frozenset(self.tags or ())
        assert not announced, announced


def client_of(capabilities: "Any", plan_command: str, locale: "str | None" = None) -> "Client":
    """The Client with these LSP ClientCapabilities; `locale` decides its language."""

    def has(path: str) -> bool:
        return bool(at(capabilities, path))

    own = capabilities.experimental
    shows_plan = isinstance(own, dict) and bool(own.get(plan_command))
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
        inserts_or_replaces=has("text_document.completion.completion_item.insert_replace_support"),
        suggests=_command(own.get("grpo-lint.suggestCommand")) if isinstance(own, dict) else "",
        shows_plan=shows_plan,
        opens_documents=has("window.show_document.support") and not shows_plan,
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


# --- settings -----------------------------------------------------------------------------------------------------------

FILES_FIRST, EDITOR_FIRST, EDITOR_ONLY = "filesystemFirst", "editorFirst", "editorOnly"
PRECEDENCES = (FILES_FIRST, EDITOR_FIRST, EDITOR_ONLY)
SECTION = "grpo-lint"
# Settings of the editor's own side that may be in the same section.
_OF_THE_CLIENT = ("enable", "path", "python", "trace", "server", "command")


class ClientSettings:
    """The settings that an editor sends.

    facts        {fact: Fact}, as in a settings file
    precedence   whether a settings file overrides them (the default, so that the editor agrees with continuous
                 integration), they override it, or the file is ignored
    inlay_hints  whether derived numbers are shown behind the batch keys
    code_lens    whether a line about each launch is shown above it
    workspace_diagnostics   whether files that are not open are checked as well
    interpreter  the Python, or its environment, in which runs are started; empty where that is not known
    problems     what could not be read, for the user
    """

    def __init__(self) -> None:
        self.facts: dict[str, Fact] = {}
        self.precedence: str = FILES_FIRST
        self.inlay_hints = True
        self.code_lens = True
        self.workspace_diagnostics = False
        self.interpreter = ""
        self.problems: list[Message] = []

    def merged(self, of_files: "Mapping[str, Fact]") -> "dict[str, Fact]":
        """The facts in force for a file, where a settings file states `of_files`."""
        if self.precedence == EDITOR_ONLY:
            return self.facts
        return {**self.facts, **of_files} if self.precedence == FILES_FIRST else {**of_files, **self.facts}


def read_settings(value: "Any") -> "ClientSettings":
    """The ClientSettings in what a client sent. Names may be written worldSize, world-size or world_size; null means
    not set."""
    settings = ClientSettings()
    value = _our_section(value)
    for key, given in value.items() if isinstance(value, dict) else ():
        name = _as_option(key)
        if given is None or given == "" or name in _OF_THE_CLIENT:
            continue
        if name in BY_OPTION:
            _take_fact(settings, name, given)
        elif name in ("inlay-hints", "code-lens", "workspace-diagnostics"):
            given = given.get("enable", True) if isinstance(given, dict) else given
            setattr(settings, name.replace("-", "_"), bool(given))
        elif name == "interpreter":
            settings.interpreter = given if type(given) is str and "\0" not in given else ""
        elif name == "settings-precedence":
            if given in PRECEDENCES:
                settings.precedence = given
            else:
                told = {
                    "key": key,
                    "names": series(PRECEDENCES),
                    "name": shown(given),
                    "hint": did_you_mean(given, PRECEDENCES),
                }
                settings.problems.append(Message("{key} is one of {names}, not {name}{hint}", told))
        else:
            known = [*BY_OPTION, "inlayHints", "codeLens", "workspaceDiagnostics", "settingsPrecedence"]
            given = {*value, *map(_as_option, value)}
            hint = did_you_mean(key, known, given) or did_you_mean(name, known, given)
            settings.problems.append(Message("unknown setting {key}{hint}", {"key": shown(key), "hint": hint}))
    return settings


def _as_option(key: str) -> str:
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: "-" + match[0], key).replace("_", "-").lower()


def says_nothing(value: "Any") -> bool:
    """Whether a client sent no setting at all."""
    return not _our_section(value)


def _our_section(value: "Any") -> "Any":
    """The settings in what a client sent: all of it, or the section with the name grpo-lint."""
    for name in (SECTION, "grpo_lint", "grpoLint", "settings"):
        if isinstance(value, dict) and isinstance(value.get(name), dict):
            value = value[name]
    return value


def _take_fact(settings: "ClientSettings", name: str, given: object) -> None:
    try:
        settings.facts[BY_OPTION[name]] = Fact(parse_fact(name, given), Message("editor"))
    except BadFact as bad:
        settings.problems.append(told_by(bad))
