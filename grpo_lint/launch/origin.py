"""Where a run comes from: the command, the script and the config behind it."""

from ..files.budget import NAMED
from ..frameworks.command_spec import BY_FLAG, IN_FRONT
from ..frameworks.companions import COMPANIONS
from ..message import NOTHING, Message
from .facts import facts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Budget, Fact, Files, Flag, Framework, Invocation, Mapping, Program, Text
    from .files import NamedFile


class Origin:
    """A command that starts a run, and the files that it and its settings stand in; None is the file that is judged.

    more     {fact: Fact} beside those of the command itself, from the file for accelerate that it names
    stated   {fact: Fact} in the comments of the file that is not judged
    has_config   whether the config that the command names was found
    launcher     the file for accelerate that the command names or takes, None for none, or one that was not found
    reads_elsewhere   whether the command looks for its config in another folder, where there is none
    installed    {package: Fact} of the releases that the command will import, or of the Pin of a copy, where it is about to start here
    """

    def __init__(
        self,
        invocation: "Invocation",
        files: "Files",
        script: "Text | None" = None,
        config: "Text | None" = None,
        more: "dict[str, Fact] | None" = None,
        stated: "dict[str, Fact] | None" = None,
        has_config: bool = False,
    ) -> None:
        self.invocation = invocation
        self.files = files
        self._program: tuple[Program | None, ...] = ()  # one, or none as long as nobody has asked
        self.script = script
        self.config = config
        self.more: dict[str, Fact] = more or {}
        self.stated: dict[str, Fact] = stated or {}
        self.launcher: NamedFile | None = None
        self.installed: Mapping[str, Fact] = {}
        self.reads_elsewhere = False
        self.has_config: bool = has_config or config is not None or script is not None

    def config_form(self, framework: "Framework") -> str:
        """How a framework's own command is given its config file; empty where it names none, or releases do not differ in
        how they read it."""
        if (
            self.invocation.config is None
            or self.invocation.framework is None
            or not framework.reader.files.config_forms
        ):
            return ""
        if framework.reader.files.config_read_with in self.invocation.flags:
            return ""
        return BY_FLAG if self.invocation.config_by_flag else IN_FRONT

    def dated_program(self, framework: "Framework") -> str:
        """The last part of the path of the program that the command starts, where only some releases of the framework have it, and the
        repository has none of its own; empty for any other."""
        word = self.invocation.program
        name = (word.value or "").rpartition("/")[2]
        if not self.invocation.framework or not framework.reader.programs.dated(name):
            return ""
        return "" if self.files and self.files.places_by(self.invocation.command, word) else name

    @property
    def program(self) -> "Program | None":
        """The training script that the command starts (`frameworks.programs.Program`), None when it is not the
        repository's or not found."""
        if not self._program:
            self._program = (self._found_program() if self.invocation.runs_a_script else None,)
        return self._program[0]

    @property
    def starts_the_frameworks_module(self) -> bool:
        """Whether the command starts a module of the framework by its name, and the repository has no copy of it."""
        own, name = self.invocation.own, self.invocation.program.value or ""
        return own is not None and "/" not in name and name in own.modules and self.program is None

    @property
    def flags(self) -> "dict[str, Flag]":
        """The flags of the command that its program reads."""
        return {} if self.has_unread_flags else self.invocation.flags

    @property
    def has_unread_flags(self) -> bool:
        """Whether the command hands flags to a training script which parses a file, and nothing else."""
        reading = self.program.reading if self.invocation.flags and self.program else None
        return reading is not None and reading.is_closed and reading.flags == "unread"

    def _found_program(self) -> "Program | None":
        from .programs import program_of

        return program_of(self.invocation, self.files)

    @property
    def lacks_its_config(self) -> bool:
        """Whether the command names a config that is not here."""
        return self.invocation.config is not None and not self.has_config and not self.starts_from_a_primary

    @property
    def starts_from_a_primary(self) -> bool:
        """Whether the config that the command names is one of the framework's own, and not here."""
        return not self.has_config and "--config-name" in self.invocation.flags

    @property
    def has_launcher(self) -> bool:
        """Whether the file for accelerate that the command names was found, or is a name for one that is installed."""
        word, own = self.invocation.launcher_config, self.invocation.own
        return self.launcher is not None or word is None or (own is not None and word.value in own.presets)

    @property
    def may_meet(self) -> bool:
        """Whether the file for accelerate may let the nodes find their ranks themselves."""
        if self.invocation.launcher_config is None and self.launcher is None:
            return False
        return self.launcher is None or "c10d" in self.launcher.text or "etcd" in self.launcher.text

    @property
    def is_start(self) -> bool:
        """Whether the command is about to start, in a folder that is known."""
        return self.files.is_start

    @property
    def is_cut(self) -> bool:
        """Whether a bound kept some files that its script names from being read."""
        return self.files.budget.has_cut(NAMED)

    def counted_by(self, budget: "Budget") -> "Origin":
        """The same origin for another file that is judged, on whose budget the reading counts."""
        from copy import copy  # few launches come here

        found = copy(self)
        found.files, found._program = self.files.counted_by(budget), ()
        return found

    @property
    def place(self) -> Message:
        """'train.sh, line 12', or 'line 12' in the script itself."""
        return place_of(self.script, self.invocation.command.start) if self.script else NOTHING

    def place_of_flag(self, name: str) -> Message:
        """Where the text of a flag is written, which may be far from the command that passes it on."""
        flag = self.invocation.flags[name]
        origin = flag.words[0].origin if flag.words else None
        return place_of(self.script, origin[0] if origin else flag.key.start) if self.script else NOTHING

    def facts(self) -> "dict[str, Fact]":
        """{fact: Fact} of the run; their places are in the script."""
        return self._placed({**self.more, **self.invocation.facts})

    def releases(self, framework: "Framework") -> "dict[str, Fact]":
        """{fact: Fact} of the installed releases of a framework and of its companions."""
        names = {
            "version": framework.releases.package,
            **{each: each for each in COMPANIONS if each != framework.releases.package},
        }
        found = {name: self.installed[package] for name, package in names.items() if package in self.installed}
        return {name: fact for name, fact in found.items() if type(fact.value) is str}

    def presumed(self) -> "dict[str, Fact]":
        """{fact: Fact} that hold unless the file, a comment or the settings say otherwise."""
        return self._placed(self.invocation.presumed)

    def _placed(self, facts: "dict[str, Fact]") -> "dict[str, Fact]":
        return facts if self.script is None else facts_in(self.script.path, facts)


def place_of(text: "Text", offset: int) -> Message:
    """'recipes/train.sh, line 4'."""
    return Message("{path}, line {line}", {"path": text.path, "line": text.position(offset)[0] + 1})
