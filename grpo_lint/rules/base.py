"""What a rule is. A rule is declared once; check, message, page, hover and the condition of a fix all come from it."""

from ..plan.formula import Formula

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set as AbstractSet
    from typing import Literal

    Severity = Literal["error", "warning", "info"]
    Stage = Literal["read", "config", "init", "run", "never"]
    Status = Literal["preview", "stable", "deprecated"]
    # The versions that refuse something or are harmed, the stage, and as far as there are any the wording, the moment and the
    # severity: what `Enforcement` takes behind the name of a rule.
    Row = (
        tuple[str, str | None, Stage]
        | tuple[str, str | None, Stage, str]
        | tuple[str, str | None, Stage, str, str]
        | tuple[str, str | None, Stage, str, str, Severity]
    )

SEVERITIES: "tuple[Severity, ...]" = ("error", "warning", "info")
STATUSES: "tuple[Status, ...]" = ("preview", "stable", "deprecated")
STAGES: "tuple[Stage, ...]" = ("read", "config", "init", "run", "never")
_NO_NAMES: "frozenset[str]" = frozenset()
_NO_VALUES: "Mapping[str, object]" = {}


class Rule:
    """One thing that can be wrong.

    code, name   both are accepted wherever a rule is named
    summary      what must hold, one line
    only_with    settings and facts that must be given for the rule to apply
    with_any     settings of which at least one must be given
    broken       condition over the plan, one line of arithmetic; silent when an operand is unknown. Rules that judge
                 single keys or the reading of the file have none: they are raised where the key or the file is read.
                 That of a team's own rule may be a function of settings and quantities, by the names of its parameters
    message      one sentence with the numbers; a template: {quantity} is its value, {quantity.how} its formula with
                 numbers
    special      {condition: message}: where one of these holds, its message takes the place of `message`
    why          why it matters
    instead      what to do, in general
    at           names whose key is pointed at, the first that stands in the file
    harm         the severity when no version at hand refuses it: "warning", "info", or None for silence
    refused_by   who refuses it and when, or that nobody does: of rules without a condition, as far as the `parser_says`
                 of the frameworks do not tell it; the others have rows
    enforced     rows of the framework in whose folder the rule is declared; others that have it as well, and all for a rule of this
                 room, have theirs in a table of enforcement
    blocked_by   names of rules that, when broken, have already said it
    cure         settings that mend it, with their values; leaving out the key that is pointed at is tried as well.
                 None: only sizes are tried
    usual        what people write of settings of which none is given: {setting: its value, or the name of the quantity whose size
                 it has}. Where it mends the rule, it is better than any other change
    other_cures  more of them, None for a key to be left out: those of a mapping that are there go together
    since        the release of grpo-lint that brought it
    status       "stable"; "preview": what it says may still change in any release; "deprecated": it will go, and `instead` says
                 what takes its place
    example      a config that breaks a team's own rule; the rules of this project have theirs in `cases/` beside them
    """

    __slots__ = (
        "code", "name", "summary", "broken", "message", "special", "why", "instead", "at", "harm", "blocked_by", "cure", "other_cures", "usual", "example",
        "also_called", "only_with", "with_any", "inputs", "source", "refused_by", "since", "status", "enforced",
    )  # fmt: skip

    def values(self, shown: "Callable[[str], object]") -> "Mapping[str, object]":
        """What its message names besides quantities and what a finding says; `shown`: a quantity with its number."""
        return _NO_VALUES

    def __init__(
        self, code: str, name: str, summary: str, broken: "str | Callable[..., object] | None" = None, *, message: str, why: str,
        instead: str = "", at: "tuple[str, ...]" = (), harm: "Severity | None" = None, blocked_by: "tuple[str, ...]" = (),
        cure: "Mapping[str, object] | None" = None, special: "Mapping[str, str] | None" = None, example: str = "", also_called: "tuple[str, ...]" = (), only_with: "Iterable[str]" = (), with_any: "Iterable[str]" = (),
        refused_by: str = "", other_cures: "tuple[Mapping[str, object], ...]" = (), usual: "Mapping[str, object]" = _NO_VALUES, since: str = "0.1", status: "Status" = "stable",
        enforced: "tuple[Row, ...]" = (),
    ) -> None:  # fmt: skip
        self.code = code
        self.name = name
        self.summary = summary
        self.broken: Formula | None = (
            (Formula(broken) if isinstance(broken, str) else _call(broken)) if broken is not None else None
        )
        self.message = message
        self.special: tuple[tuple[Formula, str], ...] = (
            tuple([(Formula(condition), message) for condition, message in special.items()]) if special else ()
        )
        self.why = why
        self.instead = instead
        self.at = at
        self.harm = harm
        self.blocked_by = blocked_by
        self.cure = cure
        self.other_cures = other_cures
        self.usual = usual
        self.example = example
        self.also_called = also_called
        self.refused_by = refused_by
        self.since = since
        self.status = status
        self.enforced = enforced
        self.only_with: frozenset[str] = frozenset(only_with) if only_with else _NO_NAMES
        self.with_any: frozenset[str] = frozenset(with_any) if with_any else _NO_NAMES
        self.source: str | None = None  # the file of Python that declares a team's own rule
        # {Regime: the settings and facts that the condition can read in it}
        self.inputs: dict[object, set[str]] = {}

    # Of a `limits.Limit`: the one setting or quantity that it is about, whole numbers that a fix may need, where it is
    # declared in the file.
    on: "str | None" = None
    sizes: "Sequence[int]" = ()
    span: "tuple[int, int] | None" = None

    @property
    def failure(self) -> str:
        """Why the function that is its condition failed since the last `start_anew`, empty when it did not."""
        failure: str = getattr(self.broken, "failure", "")
        return failure

    def start_anew(self) -> None:
        """Forget failures."""
        if self.failure:
            from .functions import Call

            if isinstance(self.broken, Call):
                self.broken.failure = ""

    def applies(self, given: "AbstractSet[str]") -> bool:
        """Whether the rule is about a launch in which these settings and facts are given."""
        return self.only_with <= given and (not self.with_any or not self.with_any.isdisjoint(given))

    def __repr__(self) -> str:
        return f"{self.code} {self.name}"


def _call(function: "Callable[..., object]") -> Formula:
    from .functions import Call

    return Call(function)
