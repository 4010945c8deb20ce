"""Run facts: what a config file cannot say about the run it belongs to.

How many processes will start, which release of the framework is installed, how long the data set is: a YAML file does
not know. The same facts can be given on the command line, in a comment, or in the settings:

    # grpo-lint: dialect=trl version=1.16.0 world-size=8 algorithm=rloo dataset-size=8000

`FACTS` is the one table behind all three, so that a name, a choice and an error message are the same everywhere. A fact has
one name in the code, that of formulas (`world_size`); what people write and read is `option_name` of it (`world-size`).
"""

from ..frameworks.companions import COMPANIONS
from ..frameworks.registry import NAMES
from ..frameworks.versions import normal_version
from ..message import NOTHING, Message, series
from ..source.quoting import did_you_mean, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from .pins import Pin

    # (path, start, end): no path, for the file that is judged; in another one the offsets may be unknown
    Where = tuple[None, int, int] | tuple[str, int | None, int | None]


class Spec:
    """What one fact may hold: its kind, its choices if it has any, and one line of help."""

    def __init__(self, kind: str, help: str, choices: "tuple[str, ...]" = ()) -> None:
        self.kind = kind
        self.choices = choices
        self.help = help


CHOICE = "choice"
VERSION = "version"
COUNTS = "positive integer, or several: 8|16|64"
POSITIVE = "positive integer"
NON_NEGATIVE = "non-negative integer"
PARAMETERS = "number of parameters: 7.6B or 500M"
GIGABYTES = "GiB: 80 or 80GB"
LEAST_PARAMETERS = 1000  # fewer are billions without their B
FACTS: "dict[str, Spec]" = {
    "dialect": Spec(CHOICE, "framework that reads the file; forces its recognition", NAMES),
    "version": Spec(VERSION, "release of the framework, such as 1.16.0, 1.16 (its last patch) or latest"),
    **{package: Spec(VERSION, help) for package, help in COMPANIONS.items()},
    "world_size": Spec(COUNTS, "number of training processes over all nodes; several as 8|16|64 or 8,16,64"),
    "processes_per_node": Spec(POSITIVE, "number of training processes on one node"),
    "visible_devices": Spec(POSITIVE, "number of devices that a node can see"),
    "algorithm": Spec(CHOICE, "training algorithm", ("grpo", "gspo", "rloo")),
    "dataset_size": Spec(POSITIVE, "number of rows of the training data set"),
    "eval_dataset_size": Spec(NON_NEGATIVE, "number of rows of the evaluation data set; 0 for none"),
    "parameters": Spec(PARAMETERS, "number of parameters of the model, such as 7.6B"),
    "gpu_memory": Spec(GIGABYTES, "memory of one GPU in GiB, such as 80"),
    "loader": Spec(
        CHOICE,
        "what reads the file: the framework's script or command, your own script, or Python arguments",
        ("script", "own", "cli", "kwargs"),
    ),
}

# The facts that a plan reads.
IN_PLAN = frozenset(
    (
        "world_size",
        "processes_per_node",
        "visible_devices",
        "dataset_size",
        "eval_dataset_size",
        "parameters",
        "gpu_memory",
    )
)
MOST_COUNTS = 16  # that one fact may hold

# Names that people borrow from elsewhere and that no measure of spelling distance would bring home.
BORROWED_NAMES = {
    "framework": "dialect",
    "framework-version": "version",
    "num-processes": "world-size",
    "nproc": "world-size",
    "nproc-per-node": "processes-per-node",
    "num-processes-per-node": "processes-per-node",
}


class Fact:
    """One known fact: its value, its source, and its place: None or (path, start, end), each part None when unknown.

    `is_weak`: the source only shows how a run may be started, which is not enough for an error.
    """

    __slots__ = ("value", "source", "where", "is_weak")

    def __init__(
        self, value: "str | int | Counts | Pin", source: Message, where: "Where | None" = None, is_weak: bool = False
    ) -> None:
        self.value: Any = (
            value  # as its Spec says: a text, a whole number, or Counts; the Pin of a copy that is installed
        )
        self.source = source
        self.where = where
        self.is_weak = is_weak

    def __repr__(self) -> str:
        return f"Fact({self.value!r}, {self.source!r}, {self.where!r})"


class Counts(tuple[int, ...]):
    """Several whole numbers, each of which counts; a single one is an int."""

    __slots__ = ()

    def __str__(self) -> str:
        return "|".join(map(str, self))

    __repr__ = __str__


def facts_in(path: str, facts: "dict[str, Fact]") -> "dict[str, Fact]":
    """Facts that another file states. Those whose place is in that file get its path."""
    return {
        name: Fact(
            fact.value, Message("{name} in {path}", {"name": fact.source, "path": path}), (path, *fact.where[1:])
        )
        if fact.where and fact.where[0] is None
        else fact
        for name, fact in facts.items()
    }


class BadFact(ValueError):
    """An unknown fact, or a value that a fact cannot have; the message is meant for the user.

    `about` says which half is wrong, "name" or "value", so that a caller can underline the right word.
    """

    def __init__(self, message: str, about: str = "value") -> None:
        super().__init__(message)
        self.about = about


# --- one fact -------------------------------------------------------------------------------------------------------


def option_name(fact: str) -> str:
    """The name of a fact as comments, options, settings and messages have it: `world-size`."""
    return fact.replace("_", "-")


def canonical_name(name: str) -> str:
    """The name in the form of `option_name` for one written in any tolerated way (`world_size`, `World-Size`). There
    need not be such a fact."""
    return option_name(name).lower()


def told(name: str) -> str:
    """The name of a formula's operand for users: a fact by its option, anything else unchanged."""
    return option_name(name) if name in FACTS else name


BY_OPTION = {option_name(fact): fact for fact in FACTS}


def fact_named(name: str) -> str | None:
    """The fact that a written name means; None for none."""
    return BY_OPTION.get(canonical_name(name))


def parse_fact(name: str, text: object, given: "Collection[str]" = ()) -> "str | int | Counts":
    """The value of the fact that a written name means, written as `text` (or as a TOML value); raises BadFact when it
    cannot be one. `given`: names beside it, none of which it is meant for."""
    name = canonical_name(name)
    fact = BY_OPTION.get(name)
    if fact is None:
        raise BadFact(
            Message("unknown fact {name}{hint}", {"name": shown(name), "hint": _hint_for_name(name, given)}),
            about="name",
        )
    spec = FACTS[fact]
    if spec.kind == VERSION:
        return _version(name, text)
    if spec.kind == CHOICE:
        return _choice(name, text, spec.choices)
    if spec.kind == COUNTS:
        return _counts(name, text)
    if spec.kind == PARAMETERS:
        return _scaled(name, text, _MANY, LEAST_PARAMETERS, Message("a number of parameters such as 7.6B"))
    if spec.kind == GIGABYTES:
        return _scaled(name, text, _SIZES, 1, Message("a number of GiB such as 80"))
    return _count(name, text, least=1 if spec.kind == POSITIVE else 0)


def _choice(name: str, text: object, choices: "tuple[str, ...]") -> str:
    value = text.strip().lower() if isinstance(text, str) else text
    if isinstance(value, str) and value in choices:
        return value
    raise BadFact(
        Message(
            "{name} is one of {choices}, not {text}{hint}",
            {"name": name, "choices": series(list(choices)), "text": shown(text), "hint": did_you_mean(value, choices)},
        )
    )


def _counts(name: str, text: object) -> "int | Counts":
    """One whole number, or several as Counts: a list, or a text with | or commas between them; a comma needs no quotes
    in a shell."""
    several: Sequence[object] = [text]
    if isinstance(text, (list, str)):
        several = text if isinstance(text, list) else text.replace(",", "|").split("|")
    if len(several) > MOST_COUNTS:
        raise BadFact(
            Message(
                "{fact} holds {most} numbers at most, not {count}",
                {"fact": name, "most": MOST_COUNTS, "count": len(several)},
            )
        )
    if not several:
        raise BadFact(Message("{fact} is a whole number greater than 0, or several of them", {"fact": name}))
    counts = dict.fromkeys(_count(name, each, least=1) for each in several)
    return Counts(counts) if len(counts) > 1 else next(iter(counts))


def _count(name: str, text: object, least: int) -> int:
    kind = Message("a whole number greater than 0") if least else Message("a whole number, 0 or greater")
    digits = _digits(text)
    if digits and int(digits) >= least:
        return int(digits)
    kind = Message("a whole number greater than 0") if least else Message("a whole number, 0 or greater")
    hint = Message("; give their number") if isinstance(text, str) and "," in text else NOTHING
    raise BadFact(
        Message("{name} is {kind}, not {text}{hint}", {"name": name, "kind": kind, "text": shown(text), "hint": hint})
    )


_MANY = {"b": 10**9, "m": 10**6, "": 1}
_SIZES = {"gib": 1, "gb": 1, "g": 1, "": 1}


def _scaled(name: str, text: object, units: "dict[str, int]", least: int, kind: Message) -> int:
    """The whole number that a number and its unit make."""
    written = str(text).strip().lower() if type(text) in (str, int, float) else ""
    number = written.rstrip("abcdefghijklmnopqrstuvwxyz")
    scale = units.get(written[len(number) :], 0)
    whole, _, part = number.strip().partition(".")
    if (
        scale
        and whole.isascii()
        and whole.isdigit()
        and len(whole) <= 15
        and (not part or (part.isascii() and part.isdigit()))
    ):
        found = int(whole) * scale + (int(part[:12]) * scale // 10 ** len(part[:12]) if part else 0)
        if found >= least:
            return found
    raise BadFact(Message("{name} is {kind}, not {text}", {"name": name, "kind": kind, "text": shown(text)}))


def _digits(text: object) -> str:
    """The digits of a whole number, an empty text for anything else."""
    if isinstance(text, int):  # a bool as well, but `world-size = true` is a slip of the pen; so are sixteen digits
        return str(text) if type(text) is not bool and 0 <= text < 10**15 else ""
    digits = text.strip() if isinstance(text, str) else ""
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 15 else ""


def _version(name: str, text: object) -> str:
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        # TOML has already read 1.10 as 1.1 when we see it, so guessing would be wrong for every tenth minor.
        raise BadFact(
            Message('{name} needs quotes: a number loses its last zero; write {name} = "1.16.0"', {"name": name})
        )
    if isinstance(text, str):
        value = normal_version(text)
        if value is not None:
            return value
    raise BadFact(
        Message("{fact} is a release such as 1.16.0, 1.16 or latest, not {value}", {"fact": name, "value": shown(text)})
    )


def _hint_for_name(name: str, given: "Collection[str]") -> Message:
    return did_you_mean(BORROWED_NAMES.get(name, name), BY_OPTION, given)
