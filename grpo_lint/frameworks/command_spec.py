"""How a framework is started, as data for `launch.commands`. Nothing is imported, so that reading a script loads no
framework."""

from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


# How a command is given its config file, in the form of a setting, since it distinguishes releases as well as one.
CONFIG_FORM, BY_FLAG, IN_FRONT = "<config>", Message("behind --config"), Message("as its first argument")
PROGRAM = "<program>"  # which program a command starts, likewise


class Demand:
    """What a program requires of one setting: that it is `wanted`, or at least that where `is_least`; `default`: its
    value in the program's own files."""

    def __init__(self, path: str, wanted: object, default: object, is_least: bool = False) -> None:
        self.path = path
        self.wanted = wanted
        self.default = default
        self.is_least = is_least

    def is_kept(self, value: "bool | int | float") -> bool:
        return value >= self.wanted if self.is_least else value == self.wanted  # type: ignore[operator]


class EntryPoint:
    """Another program of a framework, which trains in its own way with the same settings and some of its own.

    name        by which the framework knows what surely holds there
    programs    its modules; each may stand in a package that repositories give it
    primaries   {file from which it starts, without its suffix: the tree on which that builds}; the first unless another is named
    demands     what it asks of its settings
    fork        the fork of the framework to which it belongs
    """

    def __init__(
        self, name: str, programs: "tuple[str, ...]", primaries: "dict[str, str]", demands: "tuple[Demand, ...]" = (),
        fork: str = "",
    ) -> None:  # fmt: skip
        self.name, self.fork = name, fork
        self.programs = programs
        self.primaries = primaries
        self.demands = demands

    def is_started_by(self, module: str) -> bool:
        """Whether a module, by its dotted name, is one of its programs."""
        return any(module == program or module.endswith(f".{program}") for program in self.programs)


class Commands:
    """The commands of one framework.

    framework        its name in `registry`
    program          its own program: `trl`, `swift`; None where it is started as a module only
    trains           {subcommand that trains: algorithm that it chooses, or None}
    serves           the subcommand that starts an engine for generation; None for none
    modules          {module or end of a path that trains, started by another program: algorithm, or None}
    read_as_scripts  whether those are training scripts, of which a repository may have a copy of its own
    counted_by_environment  whether the program reads from variables of the environment how many processes to start, and
                     not from flags that it hands on to accelerate
    launcher_flags   those flags
    presets          {name that stands for a file of accelerate: its number of processes}
    style            how its arguments are written: "gnu" for flags, "hydra" for overrides, "omegaconf" for plain `a.b=c` with the file
                     behind `config=`; the settings of both say as well how many processes there are
    marks            how arguments begin that tell programs whose arguments are written alike: recipes and forks
    primaries        the names of the files from which Hydra starts that are part of the framework
    trains_nothing   how the names of programs begin whose arguments are alike and that train nothing
    entry_points     its other programs
    others           programs of somebody's own that start from the framework's files
    mains            its functions that train with the settings they are handed, as its usual program does
    config_option    the option that names its config, beside overrides; empty where Hydra's own options do
    calls            its functions by which a program with that option of somebody's own trains; reads: those that read its settings;
                     changes: settings that its own programs change as well
    prepares         its functions that make no difference for what is judged of the settings they are handed
    counted_by_settings  whether its flags say how many processes there are, and no launcher does
    one_spelling     whether a flag with underscores for dashes is another flag
    arrays           the names of arrays of which its scripts are known to hold which flags (`programs.surroundings`)
    """

    def __init__(
        self, framework: str, program: "str | None", trains: "dict[str, str | None]", modules: "dict[str, str | None]",
        serves: "str | None" = None, read_as_scripts: bool = False, counted_by_environment: bool = False,
        launcher_flags: "Iterable[str]" = (), presets: "dict[str, int] | None" = None, style: str = "gnu",
        primaries: "tuple[str, ...]" = (), marks: "tuple[str, ...]" = (),
        entry_points: "tuple[EntryPoint, ...]" = (), trains_nothing: "tuple[str, ...]" = (),
        others: "EntryPoint | None" = None, mains: "tuple[str, ...]" = (), prepares: "tuple[str, ...]" = (),
        config_option: str = "", counted_by_settings: bool = False, one_spelling: bool = False,
        calls: "tuple[str, ...]" = (), reads: "tuple[str, ...]" = (), changes: "tuple[str, ...]" = (),
        arrays: "tuple[str, ...]" = (),
    ) -> None:  # fmt: skip
        self.framework = framework
        self.program = program
        self.trains = trains
        self.serves = serves
        self.modules = modules
        self.read_as_scripts = read_as_scripts
        self.counted_by_environment = counted_by_environment
        self.launcher_flags: frozenset[str] = frozenset(launcher_flags)
        self.presets: dict[str, int] = presets or {}
        self.style = style
        self.primaries = primaries
        self.marks = marks
        self.trains_nothing = trains_nothing
        self.entry_points = entry_points
        self.others = others
        self.mains = mains
        self.config_option = config_option
        self.calls, self.reads, self.changes = calls, reads, changes
        self.prepares = prepares
        self.counted_by_settings = counted_by_settings
        self.one_spelling = one_spelling
        self.arrays = arrays
