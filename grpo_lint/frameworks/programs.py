"""Training scripts of users, as a framework whose files they read tells of them without running them."""

from ..record import Record
from ..source.entry import COMPOSED
from ..source.yaml.reader import Entry, Scalar
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Final, Literal, Protocol, TypeAlias

    from ..shared_types import AbstractSet, Field, Iterable, Mapping, Scopes, Sequence, Text

    Fates: TypeAlias = Literal["refused", "dropped", "by release", "unread"]
    Fields: TypeAlias = "dict[str, Default]"

    class Module(Protocol):
        """What the text of a Python file says."""

        @property
        def path(self) -> str: ...
        @property
        def size(self) -> int: ...
        @property
        def imports(self) -> "set[tuple[int, str]]": ...
        @property
        def declares(self) -> "set[str]": ...

    class ScriptLooks(Protocol):
        """What a framework sees of a training script before it is parsed."""

        def may_train(self, text: str) -> bool:
            """Whether a Python file may be a training script, or another program that reads the same configs."""

        def may_be_trained_with(self, text: str) -> bool:
            """Whether a Python file may train as those of the framework do, whatever calls it."""

        def reads_usually(self, text: str) -> bool:
            """Whether a Python file may read arguments with the usual parser."""

    class ScriptReader(Protocol):
        """How a framework reads the training scripts that read its files."""

        def module_of(self, text: "str | None", path: str) -> "Module | None":
            """The Module of the text of a file, None when it is no Python."""

        def program_of(
            self, path: str, modules: "list[Module]", sizes: "dict[str, int]", is_whole: bool, is_partial: bool
        ) -> "Program":
            """The Program of a Python file and the modules that it imports, of which these ones were read."""

        def made_without_evaluation(self, scopes: "Scopes", config: "ast.Call") -> "ast.Call | None":
            """The call that makes a trainer with a config and surely without a set to evaluate on; None for none."""

        def is_launched_with(self, names: "AbstractSet[str]", program: str) -> bool:
            """Whether flags, which a launcher of several processes hands to a program that nobody can read, are those of a
            training."""

        def handed_to_configs(self, texts: "Sequence[str]") -> "frozenset[str] | None":
            """The settings that calls in some files of Python give to the framework's config; None where that is not known."""

        def together(self, programs: "list[Program]", partial: bool, is_shown: bool) -> "Program":
            """What is true of each of some programs that may read the same file. `is_shown`: whether they are shown
            to read it."""


REFUSED: "Final" = "refused"
DROPPED: "Final" = "dropped"
BY_RELEASE: "Final" = "by release"
UNREAD: "Final" = "unread"


class Reading(Record):
    """What becomes of what nobody declares.

    keys, flags   "refused", "dropped", "by release" where the parser's own default decides, None when it cannot be told; of flags
                  "unread" where a file is all that is parsed, so that those which are declared have no effect either
    is_closed     whether all classes of arguments are known, so that nothing else can declare a name
    """

    keys: "Fates | None"
    flags: "Fates | None"
    is_closed: bool = False


class Default:
    """The default of an argument: its value, UNKNOWN where it is computed, and the file and line (from 1) where it stands."""

    def __init__(self, value: object, path: str = "", line: int = 1) -> None:
        self.value = value
        self.path = path
        self.line = line

    def unknown(self) -> "Default":
        """This default where nobody knows whether it is the one that counts."""
        return Default(UNKNOWN, self.path, self.line)

    def entry(self, name: str, text: "Text", field: "Field | None") -> Entry:
        """It as an entry of its file; `field`: what the release may be given by this name."""
        start = text.starts[self.line - 1] if self.line <= len(text.starts) else 0
        start += len(line := text.line_text(self.line - 1)) - len(line.lstrip()) if start else 0
        end = min(start + len(name), len(text.text))
        value = self.value if field is None or _comes_as_it_is(field, self.value) else UNKNOWN
        node = Scalar(start, end, "" if value is UNKNOWN else str(value), '"' if type(value) is str else "", COMPOSED)
        node.value = value
        return Entry(Scalar(start, end, name), node)


def _comes_as_it_is(field: "Field", value: object) -> bool:
    """Whether argparse hands a default on as it stands: it converts texts alone."""
    if value is None or field.has_type_of(value):
        return True
    return type(value) is str and "str" in field.type


NONE: "Final[frozenset[str]]" = frozenset()
NO_DEFAULTS: "Mapping[str, Default]" = {}


class Program(Record):
    """A training script, with the modules of its repository that it imports.

    name         how it is called in messages
    path         of its file, None when it stands for several
    trainer      the trainer class of its own that it trains with, None when it is one of the framework's or cannot be told
    unread       a trainer class whose origin cannot be told, where no other is used; None for none
    uses_trainer   whether it uses a trainer of the framework, or one that is built by its constructor
    uses_config  whether it uses a config class of the framework, or one made from it
    overrides    the methods that it puts in the place of those of the framework's trainer
    compares     the texts that it compares something with
    refusals     the texts of the errors that the modules around its own trainer raise
    declares     the names of the arguments that it declares itself
    lacks        the names of the framework's fields that are in none of the classes which its parser is given: {name: a class that has it}
    defaults     what its own classes of arguments have as defaults
    unread_arguments   a class of arguments that is not here, in the place of the framework's config class; None for none
    reads        the names of the arguments that it reads, wherever they are declared
    sets         the names of what it sets on other objects, such as arguments that it has read
    replaces     those of arguments that it sets in any case before it makes its trainer
    reads_nothing_of_it   whether it reads its arguments itself and nothing of all that imports the framework
    usual_parser whether the usual parser reads its arguments, and nothing before it
    own_parser   whether something else than the usual parser reads its arguments: their defaults are its own
    reading      what becomes of what nobody declares, None where its calls do not tell
    trains_otherwise   whether it is known to train with other trainers of the framework and with nothing else
    algorithm    the one with whose trainer it trains, one made from it, or one of its own by a name of the kind, and with nothing else
    builds       the algorithm whose trainer and config it builds, and nothing else, whoever reads its arguments
    takes        the forms of files of settings that it may read, or be handed: "yaml", "json"
    takes_no_other   whether it surely reads none of another form: what it trains with stands in it
    mentions     the names of files of settings, and patterns of names, that stand in it
    shown_by     what shows that it reads the file at hand, in words; empty where nothing does, or a command
    others       where it stands for several that may read a file, these: one of them may take what it does not
    sizes        {path: characters} of the Python that was parsed for it
    partial      whether there is more of it than may be read: what it does not declare, it may declare there
    rival        another file that a command may start in its place, and that trains otherwise; None for none
    """

    name: str
    path: "str | None" = None
    trainer: "str | None" = None
    unread: "str | None" = None
    uses_trainer: bool = False
    uses_config: bool = False
    overrides: "frozenset[str]" = NONE
    compares: "frozenset[str]" = NONE
    refusals: "Sequence[str]" = ()
    declares: "frozenset[str]" = NONE
    lacks: "Mapping[str, str]" = {}  # nobody changes it
    defaults: "Mapping[str, Default]" = NO_DEFAULTS
    unread_arguments: "str | None" = None
    reads: "frozenset[str]" = NONE
    sets: "frozenset[str]" = NONE
    replaces: "frozenset[str]" = NONE
    reads_nothing_of_it: bool = False
    usual_parser: bool = False
    own_parser: bool = False
    reading: "Reading | None" = None
    trains_otherwise: bool = False
    algorithm: "str | None" = None
    builds: "str | None" = None
    takes: "frozenset[str]" = NONE
    takes_no_other: bool = False
    mentions: "frozenset[str]" = NONE
    shown_by: str = ""
    others: "Sequence[Program]" = ()
    sizes: "Mapping[str, int]" = {}  # nobody changes it
    partial: bool = False
    rival: "str | None" = None

    def of_keywords(self, declares: "frozenset[str]") -> "Program":
        """The same program for a config that it makes itself: besides the framework's fields only those of its own
        class are read."""
        return self.but(declares=declares, reads=NONE, defaults=NO_DEFAULTS, unread_arguments=None)

    @property
    def trains(self) -> bool:
        """Whether it trains with a trainer of the GRPO family, the framework's or its own."""
        return self.uses_trainer or self.trainer is not None

    def refuses(self, wordings: "Iterable[str]") -> bool:
        """Whether its own trainer refuses something in one of the wordings; `...` stands for numbers there, and ` / `
        between alternatives."""
        alternatives = [alternative.split("...") for wording in wordings for alternative in wording.split(" / ")]
        telling = [[part for part in parts if len(part) > 20] for parts in alternatives]
        return any(all(part in refusal for part in parts) for parts in telling if parts for refusal in self.refusals)
