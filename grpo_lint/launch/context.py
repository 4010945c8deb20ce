"""What lies around a file and bears on its runs."""

from ..files.budget import Budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol, TypeVar

    from ..frameworks.all_rules import Rule
    from ..frameworks.protocols import Copy
    from ..shared_types import AbstractSet, Blocks, Fact, Files, Hashable, Mapping, Pin, Repository, Sequence

    Finding = TypeVar("Finding", bound=Any)
    Found = TypeVar("Found")

    class Policy(Protocol):
        """What is asked of a `settings.policy.Policy`."""

        @property
        def rules(self) -> Mapping[str, Rule] | None: ...
        @property
        def required_keys(self) -> Sequence[str] | None: ...
        @property
        def strict(self) -> bool | None: ...
        def wanted_rules(self) -> dict[str, Rule]: ...
        def knows(self, key: str) -> bool: ...
        def apply(self, findings: list[Finding]) -> list[Finding]: ...

    class Baseline(Protocol):
        """What is asked of a `checker.baseline.Baseline`, whose reports and findings are not known here."""

        def known(self, report: Any) -> list[Any]: ...

    class Around(Protocol):
        """What is asked of a `checker.contexts.Around`."""

        @property
        def repository(self) -> Repository: ...
        def of(self, path: str) -> "Context": ...
        def seeing(self, texts: Mapping[str, str]) -> "Around": ...
        def started_by(self, scripts: AbstractSet[str]) -> "Around": ...
        def text_of(self, path: str) -> str | None: ...


MOST_REMEMBERED = 20_000  # results, or what takes as much memory


class Remembered(dict["Hashable", "Any"]):
    """Results by everything that they hang on, so that none is ever wrong. A run of the linter owns them; when there are too many,
    all are forgotten."""

    size = 0

    def keep(self, key: "Hashable", found: "Found", size: int = 1) -> "Found":
        """Keep a result, which takes as much memory as `size` small ones."""
        self.grow(size)
        self[key] = found
        return found

    def grow(self, size: int = 1) -> None:
        """Make room for so many small results."""
        self.size += size
        if self.size > MOST_REMEMBERED:
            self.clear()
            self.size = size


class Context:
    """What is known about a file besides its text.

    `outside`: facts from the command line; `settings`: facts from a settings file; `pins`: {package: Pin} of the
    repository;
    `files`: finds the files that the text names (`launch.files.Files`), `repository`: the scripts that name a file
    (`launch.repository.Repository`), None when nobody may look; `baseline`: the findings that are known
    (`checker.baseline.Baseline`);
    `policy`: what a team wants to hear of (`policy.Policy`); `budget`: how much of all this may be looked at
    (`budget.Budget`); `is_met`: the file was met in a folder that was walked, so that what is said of the folder makes it
    none of ours (`forces`); `blocks`: what the file was when it was read last, of one that is being edited; `around`: finds
    the contexts of other files, None when nobody may look; `remembered`: what the run of the linter knows from other files.
    """

    def __init__(
        self,
        outside: "dict[str, Fact] | None" = None,
        settings: "dict[str, Fact] | None" = None,
        pins: "Mapping[str, Pin] | None" = None,
        files: "Files | None" = None,
        repository: "Repository | None" = None,
        baseline: "Baseline | None" = None,
        policy: "Policy | None" = None,
        budget: "Budget | None" = None,
        remembered: Remembered | None = None,
    ) -> None:
        self.outside: dict[str, Fact] = outside or {}
        self.settings: dict[str, Fact] = settings or {}
        self.pins: Mapping[str, Pin] = {} if pins is None else pins
        self.files = files
        self.repository = repository
        self.baseline = baseline
        self.policy = policy
        self.budget: Budget = budget or (files.budget if files else Budget())
        self.is_met = False
        self.blocks: Blocks | None = None
        self.around: Around | None = None
        self.remembered: Remembered = Remembered() if remembered is None else remembered

    def copy_at(self, folder: "str | None") -> "Copy | None":
        """The copy of a framework in a folder; None where nobody may look."""
        return None if folder is None or self.repository is None else self.repository.copy_at(folder)

    def with_pins(self, pins: "Mapping[str, Pin]") -> "Context":
        """This context with other pins, where a file installs releases itself."""
        if pins == self.pins:
            return self
        from copy import copy  # few launches come here

        found = copy(self)
        found.pins = pins
        return found

    def seeing(self, texts: "Mapping[str, str]") -> "Context":
        """The same context where some of the named files hold other texts: {path: text}."""
        if not texts or self.files is None:
            return self
        from copy import copy  # few launches come here

        found = copy(self)
        found.files = self.files.seeing(texts)
        return found

    def forces(self, dialect: "Fact | None") -> bool:
        """Whether a file is of the stated framework whatever its keys are. A comment forces its own file. Everything
        else forces files that were named; in a folder it only decides between frameworks whose keys fit."""
        return dialect is not None and (not self.is_met or dialect.source.startswith("comment"))
