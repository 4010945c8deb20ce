"""The commands of a script that start training: which program, on how many processes, with which file and which flags.

Nothing is executed and nothing is guessed. A word that the shell would compute is unknown, and so is every number that
depends on it.
"""

from ..frameworks.registry import commands
from ..message import Message, verbatim
from ..source.entry import COMPOSED, Flag
from ..source.text import Span
from ..source.yaml.reader import Scalar, Sequence
from ..unknown import UNKNOWN
from .facts import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc
    from typing import Literal, TypeAlias

    from ..shared_types import Command, Commands, EntryPoint, Script, Word
    from ..source.overrides import Override
    from .facts import Where
    from .slips import Slip

    Option: TypeAlias = Word | Literal[True]  # its value, True for a switch
    Options: TypeAlias = abc.Mapping[str, Option]

MOST_REPEATED = 100  # flags of a command that are told

# Programs that start another one, named later in their own command.
WRAPPERS = frozenset(
    """nohup time exec sudo srun mpirun env uv coverage poetry pdm pipenv rye hatch pixi conda mamba micromamba stdbuf numactl taskset timeout nice
    setsid xvfb-run singularity apptainer run-one chrt ionice ray uvx pipx doas flock systemd-run tini dumb-init gosu dotenv unbuffer
    nsys ncu strace prlimit""".split()
)

# Their options that name something: an environment, a package to install.
_NAMING_OPTIONS = frozenset(
    "--with --from --spec -n --name -p --prefix --env --extra --group --only-group --python --package".split()
)

# Those of them that start a program several times.
_STARTS_MANY = ("srun", "mpirun")
_COMMANDS = commands()
_OWN = {own.program: own for own in _COMMANDS if own.program}
_SERVES = [own.serves for own in _OWN.values() if own.serves]  # the verbs that start an engine
_LAUNCHERS = ("accelerate", "torchrun", "deepspeed")  # of several processes
STARTERS = frozenset((*_OWN, *_LAUNCHERS, "python", "python3"))
FIRST_WORDS = STARTERS | WRAPPERS  # of a command that is written as a list

# Modules that run another program, whose own arguments stand in front of it.
_TOOLS = ("coverage", "debugpy", "cProfile", "profile", "pdb", "trace")

# Options of the starters that take no value; all others take one.
_SWITCHES = {
    "accelerate": frozenset(
        """cpu debug downcast_bf16 dynamo_use_dynamic dynamo_use_fullgraph dynamo_use_regional_compilation enable_cpu_affinity
        fp8_use_autocast_during_eval ipex m module multi_gpu no_python no_tpu_cluster q quiet same_network tpu tpu_cluster tpu_use_sudo
        use_deepspeed use_fsdp use_megatron_lm use_parallelism_config use_tp use_xpu h help""".split()
    ),
    "torchrun": frozenset("m module no_python run_path standalone virtual_local_rank h help use_env".split()),
    "deepspeed": frozenset(
        "no_python module no_local_rank no_ssh no_ssh_check save_pid elastic_training bind_cores_to_rank force_multi use_env h help".split()
    ),
    "python": frozenset("u b B d E i I O OO P q s S v V x h".split()),
    "coverage": frozenset("branch a append p parallel_mode L pylib timid".split()),
    "debugpy": frozenset(("wait_for_client",)),
}
_COUNTS = ("NPROC_PER_NODE", "NNODES")
_ELSEWHERE = frozenset(
    "srun ssh pdsh docker podman kubectl mpirun ray".split()
)  # what starts commands on other machines
_DEVICE_LISTS = ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
FILE_OF_FLAGS = (".yaml", ".yml", ".json")

# What starts a training in a text, or in a list of words.
_GAP = r"(?:[ ,\"']+|[\"']?[ \t]*\r?\n[ \t]*-[ \t]+[\"']?)"
OWN_STARTS = "|".join(
    rf"\b{own.program}{_GAP}(?:{'|'.join((*own.trains, *filter(None, (own.serves,))))})\b" for own in _OWN.values()
)
STARTS = "|".join((
    OWN_STARTS,
    rf"\baccelerate{_GAP}launch\b", r"\btorchrun\b", r"\bdeepspeed\b", r"\bpython3?\b", rf"\buv{_GAP}run\b",
))  # fmt: skip


class Invocation:
    """One command that starts training, or may: a training script is known by its flags and its file only.

    own           the Commands of the framework that the command names, None for a training script; framework: its name
    alike         the Commands of the framework whose arguments look like its own, where it is none that is known
    entry         the EntryPoint of that framework where another of its programs is started; None for the usual one
    algorithm     the one that the command chooses: "rloo" for `trl rloo`; None for one that leaves it open
    loader        "cli" for a framework's own command, else "script"
    program       the word that says what runs: `swift`, `train_grpo.py`, ...
    start         where the command begins that starts: the launcher, or the program itself
    starter       "swift", "accelerate", "torchrun", "deepspeed", "python", ...
    config        the Word of the config file, None when there is none; config_by_flag: behind --config; config_levels: how many
                  folders below the one in which Hydra looks for files; config_of_program: the same file as Hydra
                  looks for it, seen from the program; folders: further ones in which it looks
                  launcher_config: of the file for accelerate; distributes: whether an option says how to distribute, so
                  that the file does not; is_counted: whether one says how many processes there are
                  own_file: the path, as seen from here, of the one from which its program says that it starts;
                  named_file: the name behind --config-name; names_its_folder: the Word of the option that says where it lies
    flags         {name: Entry}, the last one where a flag stands twice; their values are texts, as on every command
                  line
    repeated      [(earlier Entry, later Entry)] that are told, the first of them
    problems      the overrides among them that Hydra refuses
    slips         words that were not meant as they are written; all else is of the command as it is meant
    open_words    the Words that stand for further arguments nobody knows (`"$@"`); passes_on: the last, None when there is none
    lacks_words   whether such a word stands for a part of the command itself, as one that another file sets
    arrays        the names of arrays among these words
    facts         {fact: Fact}: processes, and devices they see
    node          (rank, number of nodes, processes on it) of the node on which it is to be run, None when it is for all
                  or for one
    presumed      {fact: Fact} that hold unless somebody says otherwise: one process where nothing starts more
    is_listed     whether its words are the items of a list of Python, which a function is given
    command       the Command of the shell reader
    """

    __slots__ = ("own", "alike", "entry", "own_file", "named_file", "names_its_folder", "algorithm", "loader", "program", "starter", "config", "config_by_flag", "config_levels", "config_of_program", "folders", "launcher_config", "distributes", "is_counted",
                 "flags", "repeated", "problems", "slips", "open_words", "lacks_words", "arrays", "facts", "node", "presumed", "is_listed", "command", "start")  # fmt: skip

    def __init__(
        self,
        command: "Command",
        start: int,
        starter: str,
        program: "Word",
        own: "Commands | None" = None,
        algorithm: "str | None" = None,
        loader: str = "script",
    ) -> None:
        self.command = command
        self.start = start
        self.starter = starter
        self.program = program
        self.own = own
        self.alike: Commands | None = None
        self.entry: EntryPoint | None = None
        self.own_file: str | None = None
        self.named_file = ""
        self.names_its_folder: Word | None = None
        self.algorithm = algorithm
        self.loader = loader
        self.config: Word | None = None
        self.config_by_flag = False
        self.config_levels = 0
        self.config_of_program: Word | None = None
        self.folders: tuple[str, ...] = ()
        self.launcher_config: Word | None = None
        self.distributes = self.is_counted = False
        self.flags: dict[str, Flag] = {}
        self.repeated: list[tuple[Flag, Flag]] = []
        self.problems: list[Override] = []
        self.slips: list[Slip] = []
        self.open_words: list[Word] = []
        self.lacks_words = False
        self.arrays: frozenset[str] = frozenset()
        self.facts: dict[str, Fact] = {}
        self.node: tuple[int, int, int] | None = None
        self.presumed: dict[str, Fact] = {}
        self.is_listed = False

    def note_repeated(self, earlier: "Flag", later: "Flag") -> None:
        if len(self.repeated) < MOST_REPEATED:
            self.repeated.append((earlier, later))

    @property
    def passes_on(self) -> "Word | None":
        return self.open_words[-1] if self.open_words else None

    @property
    def framework(self) -> str | None:
        if self.own is None:
            return None
        return (self.entry is not None and self.entry.fork) or self.own.framework

    @property
    def known_arrays(self) -> "tuple[str, ...]":
        """The names of arrays of which the framework says which flags they hold."""
        kind = self.own or self.alike
        return kind.arrays if kind else ()

    @property
    def is_launched(self) -> bool:
        """Whether a launcher of several processes starts it."""
        return self.starter in _LAUNCHERS

    @property
    def tells_deepspeed(self) -> bool:
        """Whether its launcher is told something of DeepSpeed by an option, so that its file has not the last word."""
        words = (word.value or "" for word in self.command.words if self.start <= word.start < self.program.start)
        return self.distributes or any("gradient" in word or "deepspeed" in word for word in words if word[:2] == "--")

    @property
    def runs_a_script(self) -> bool:
        """Whether it runs a training script, which may belong to the repository's own copy of a framework, and not a
        framework's command."""
        return self.loader == "script" and (self.own is None or self.own.read_as_scripts)

    @property
    def is_of_a_fork(self) -> bool:
        """Whether only the chosen trainer says which framework the program belongs to."""
        return self.own is None and self.loader == "cli"

    @property
    def unread_counts(self) -> list[str]:
        """The variables for numbers of processes that only the framework's own program reads, where another program is
        started."""
        if not self.own or not self.own.counted_by_environment or self.starter != "python":
            return []
        return [name for name in _COUNTS if name in self.command.environment]

    @property
    def kept_counts(self) -> "dict[str, Word]":
        """{variable: its word} of the variables for numbers of processes that the script does not export, where the
        program reads them from its environment."""
        if self.starter not in _OWN or not self.own or not self.own.counted_by_environment:
            return {}
        return self._kept(_COUNTS)

    @property
    def kept_devices(self) -> "dict[str, Word]":
        """{variable: its word} of the lists of devices that the script does not export."""
        return {} if self.command.is_far or self._may_run_elsewhere else self._kept(_DEVICE_LISTS)

    def _kept(self, names: "tuple[str, ...]") -> "dict[str, Word]":
        environment = self.command.environment
        found = {name: self.command.variable(name) for name in names if name not in environment}
        kept = {name: each.word for name, each in found.items() if each is not None and each.exported is False}
        return {name: word for name, word in kept.items() if word.end}  # what `unset` leaves is written nowhere

    @property
    def _may_run_elsewhere(self) -> bool:
        """Whether the command may run on another machine than its script."""
        return any(word.value in _ELSEWHERE for word in self.command.words if word.start < self.start)

    @property
    def has_own_environment(self) -> bool:
        """Whether the program may find variables that nothing in its script sets: in a container, on another machine, in a job of Ray."""
        return self.command.is_far or any(word.value == "ray" for word in self.command.words if word.start < self.start)

    @property
    def variables_here(self) -> "abc.Mapping[str, Word]":
        """{name: Word} of the variables that the script gives to the program; none where it may run on another machine."""
        return {} if self._may_run_elsewhere else self.command.environment

    @property
    def devices(self) -> "list[str] | None":
        """The devices that the command sees, by their numbers on its machine. None when they are not stated, or when
        the command may run on another machine than its script."""
        if self.command.is_far or self._may_run_elsewhere:
            return None
        words = [self.command.environment.get(name) for name in _DEVICE_LISTS]
        said = [word.value for word in words if word is not None and word.value is not None]
        listed = [device.strip() for device in said[0].split(",") if device.strip()] if len(said) == 1 else []
        return listed if listed and all(map(str.isdecimal, listed)) else None

    @property
    def span(self) -> Span:
        """The Span from the program that starts to the program that trains."""
        return Span(self.start, max(self.program.end, self.start))

    @property
    def resolved(self) -> str:
        """The command with the values of its variables, and with the assignments in front of it that decide its number
        of processes."""
        environment = self.command.environment
        told = [f"{name}={environment[name].shown()}" for name in (*_DEVICE_LISTS, *_COUNTS) if name in environment]
        return " ".join([*told, *(word.shown() for word in self.command.words)])


def invocations(script: "Script") -> "abc.Iterator[Invocation]":
    """The Invocations of a script, in its order, each read when it is asked for."""
    text = script.text.text
    may_slip, may_show = _may_hold_a_slip(text), "-h" in text or "--cfg" in text
    for command in script.commands:
        invocation = _as_meant(command) if may_slip else _invocation(command)
        if invocation is not None and not (may_show and _only_shows(invocation)):
            invocation.is_listed = script.is_listed
            _see_open_words(invocation, script)
            yield invocation


def _see_open_words(invocation: Invocation, script: "Script") -> None:
    """What is known of the words that stand for arguments nobody knows."""
    text = script.text.text
    if "[@]}" in text or "[*]}" in text:
        from .open_arrays import see_arrays  # few scripts have arrays

        see_arrays(invocation, text)
    invocation.lacks_words = any(not _may_be_none(word, script) for word in invocation.open_words)


_OF_SLIPS = ("\u2012", "\u2013", "\u2014", "\u2212", '=",', "=',", "=\n", "\\ ", ": >", "- >", '" -', "' -")


def _may_hold_a_slip(text: str) -> bool:
    """Whether a text may hold a long dash, a blank behind a backslash or behind the `=` of a flag, and not only in a test or an assignment
    of Python, or lines that YAML joins."""
    for sign in _OF_SLIPS:
        if sign in text:
            return True
    return "= " in text and "= " in text.replace(" = ", "").replace("==", "")


_SHOW = frozenset("--help -h --cfg --cfg=job --cfg=all --cfg=hydra --hydra-help".split())


def _only_shows(invocation: Invocation) -> bool:
    """Whether a program is to say what it takes, or what it would start from, and starts nothing."""
    return any(word.value in _SHOW for word in invocation.command.words if word.start > invocation.program.start)


def _may_be_none(word: "Word", script: "Script") -> bool:
    """Whether a word stands for the arguments of a script, `"$@"` and its like, or for what another language adds in a branch: mostly
    there are none, unless somebody is known to give some."""
    if script.is_given_words:
        return False
    if script.is_listed:
        return all(piece.outside for piece in word.pieces if piece.text is None)
    written = script.text.text[word.start : word.end]
    return any(sign in written for sign in ("$@", "$*", "${@", "${*"))


def servers(script: "Script") -> list[Invocation]:
    """The commands of a script that start an engine for generation: `trl vllm-serve`, `swift rollout`."""
    found: list[Invocation] = []
    if not any(verb in script.text.text for verb in _SERVES):
        return found
    for command in script.commands:
        at, starter = _starter_of(command.words)
        own = _OWN.get(starter)
        if own and own.serves and at + 1 < len(command.words) and command.words[at + 1].value == own.serves:
            invocation = Invocation(command, command.words[at].start, starter, command.words[at + 1], own, None, "cli")
            _read_arguments(invocation, command.words[at + 2 :])
            found.append(invocation)
    return found


def _as_meant(command: "Command") -> Invocation | None:
    """The invocation of a command whose slips are mended."""
    if _starter_of(command.words)[0] < 0:
        return _invocation(command)
    from .slips import mended

    command, slips = mended(command)
    invocation = _invocation(command)
    if invocation is not None:
        invocation.slips = slips
    return invocation


def _invocation(command: "Command") -> Invocation | None:
    words = command.words
    at, starter = _starter_of(words)
    if at < 0:
        return _fork(command)
    if starter in _OWN:
        return _own_command(command, _OWN[starter], at)
    started = _started(words, at, starter)
    if started is None:
        return None
    starter, options, program, arguments = started
    path = program.shown(_UNKNOWN)  # its folder may be unknown
    invocation = Invocation(command, words[at].start, starter, program, *_framework_of(path))
    if invocation.own is None:
        if _trains_nothing(path):
            return None
        invocation.own, invocation.entry = _entry_point(path)
    if invocation.own is None:
        invocation.alike = _alike(arguments)
    _read_own_arguments(invocation, options, arguments)
    return invocation


def _read_own_arguments(invocation: Invocation, options: "Options", arguments: "list[Word]") -> None:
    """The arguments of a program in the style of its framework; `options`: of the launcher."""
    told = invocation.own or invocation.alike
    if told is None or told.style == "gnu":
        invocation.own, invocation.alike = told, None  # flags as no other program has them say whose it is
        _read_arguments(invocation, arguments)
        if told is None or not told.counted_by_settings:
            _count_processes(invocation, options)
        return
    from .overrides import read_assignments, read_overrides

    (read_overrides if told.style == "hydra" else read_assignments)(invocation, arguments)


def _started(words: "list[Word]", at: int, starter: str) -> "tuple[str, Options, Word, list[Word]] | None":
    """(the launcher, its options, the program that it starts, the arguments of that); None where it starts none."""
    begin = at if _is_python_file(words[at]) else at + 1
    options, position = _options(words, begin, _SWITCHES.get(starter, _SWITCHES["python"]))
    if starter == "accelerate":
        if position >= len(words) or words[position].value != "launch":
            return None
        options, position = _options(words, position + 1, _SWITCHES["accelerate"])
    if starter == "coverage":
        starter = "python"
    elif starter == "python":
        starter, options, position = _python(words, options, position)
    module = options.get("m")
    if module is not None and module is not True:  # `-m module` read as an option with a value
        return starter, options, module, words[position:]
    if position >= len(words):
        return None
    return starter, options, words[position], words[position + 1 :]


def options_of_accelerate(invocation: Invocation) -> "list[tuple[str, Word]]":
    """[(name, its word)] of the long options of `accelerate launch`, as they are written."""
    words = invocation.command.words
    found: list[tuple[str, Word]] = []
    if invocation.starter != "accelerate":
        return found
    end = next((at for at, word in enumerate(words) if word is invocation.program), 0)
    at = next((at for at, word in enumerate(words[:end]) if word.value == "launch"), end) + 1
    while at < end:
        flag = words[at].partition("=")[0]
        if flag.value == "--":
            break
        if flag.value is not None and flag.value[:2] == "--":
            found.append((flag.value[2:].replace("-", "_"), flag))
        at += 1
    return found


def _entry_point(program: "str | None") -> "tuple[Commands | None, EntryPoint | None]":
    """The framework and the entry point of a program that is no usual one of it."""
    module = (program or "").removesuffix(".py").replace("/", ".")
    for own in _COMMANDS:
        for entry in own.entry_points:
            if entry.is_started_by(module):
                return own, entry
    return None, None


def _trains_nothing(program: "str | None") -> bool:
    """Whether a program of a framework, or of a fork, does something else with settings that are written alike."""
    name = (program or "").removesuffix(".py").replace("/", ".").rpartition(".")[2]
    return any(name.startswith(own.trains_nothing) for own in _COMMANDS if own.trains_nothing)


def _alike(words: "abc.Sequence[Word]") -> "Commands | None":
    """The framework, whose settings are no flags, that the arguments of a program look like."""
    for own in _COMMANDS:
        if own.marks and any(word.shown().startswith(own.marks) for word in words):
            return own
    return None


def _own_command(command: "Command", own: "Commands", at: int) -> Invocation | None:
    """A training command of a framework, such as `trl grpo`; None for its other commands."""
    words = command.words
    if at + 1 >= len(words):
        return None
    verb = words[at + 1].value
    if verb is None or verb not in own.trains:
        return None
    invocation = Invocation(command, words[at].start, own.program or "", words[at + 1], own, own.trains[verb], "cli")
    _read_arguments(invocation, words[at + 2 :])
    if own.counted_by_environment:
        _count_by_environment(invocation)
        return invocation
    handed_on = {name: flag for name, flag in invocation.flags.items() if name in own.launcher_flags}
    _count_processes(invocation, {name: flag.words[0] for name, flag in handed_on.items() if flag.words})
    invocation.flags = {name: flag for name, flag in invocation.flags.items() if name not in handed_on}
    return invocation


_NO_PROGRAMS = frozenset("echo printf cat grep sed bash sh zsh source . export ssh test [".split())


def _fork(command: "Command") -> Invocation | None:
    """The command of a renamed copy of ms-swift, recognised by its choice of a trainer; None for any other program."""
    words = command.words
    at = next((at for at, word in enumerate(words[:-1]) if (word.value or "").replace("-", "_") == "__rlhf_type"), 0)
    if not at or words[at + 1].value != "grpo" or _base(words[0].value) in _NO_PROGRAMS:
        return None
    verb = next((number for number, word in enumerate(words[:at]) if word.value == "rlhf"), 0)
    invocation = Invocation(command, words[0].start, _base(words[0].shown()), words[verb], loader="cli")
    _read_arguments(invocation, words[verb + 1 :])
    if verb == 1:
        _count_by_environment(invocation)
    return invocation


def _starter_of(words: "list[Word]") -> tuple[int, str]:
    """(the place, the name) of the program that starts training: the first word, or the one that a wrapper starts.
    (-1, "") for none."""
    path = words[0].value or words[0].shown(_UNKNOWN) if words else ""
    first = _base(path)
    is_unknown = _UNKNOWN in first
    if is_unknown:
        first = _told_by_arguments(words[0], words[1:6])
    if first in STARTERS:
        return 0, first
    if path.endswith(".py"):
        return 0, "python"  # a program by its first line
    return _wrapped_starter(words) if first in WRAPPERS or is_unknown else (-1, "")


def _wrapped_starter(words: "list[Word]") -> tuple[int, str]:
    """(the place, the name) of the program that a wrapper starts; (-1, "") for none."""
    is_run = _base(words[0].value) == "uv" and len(words) > 1 and words[1].value == "run"
    for position, word in enumerate(words):
        if position and words[position - 1].value in _NAMING_OPTIONS:
            continue
        name = _base(word.value)
        if name in STARTERS:
            return position, name
        if name == "coverage" and [each.value for each in words[position + 1 : position + 2]] == ["run"]:
            return position + 1, name
        if is_run and _is_python_file(word):
            return position, "python"  # by what uv makes of its name
    return -1, ""


def _is_python_file(word: "Word") -> bool:
    return word.shown(_UNKNOWN).endswith(".py")


_UNKNOWN = "\0"  # no program has it in its name


def _told_by_arguments(word: "Word", arguments: "list[Word]") -> str:
    """The starter that an unknown program (`"$TORCHRUN"`) must be, by its arguments."""
    values = [argument.value or "" for argument in arguments]
    first = next((each for each in values if each[:1] != "-" or each[1:] not in _SWITCHES["python"]), "")
    if first == "launch":
        return "accelerate"
    if first.replace("-", "_").startswith(("__nproc_per_node", "__nnodes")):
        return "torchrun"
    if first == "-m":
        return "python"
    return "python" if first.endswith(".py") and not word.many else ""


def _base(value: str | None) -> str:
    name = (value or "").rpartition("/")[2]
    release = name.removeprefix("python")
    return "python" if release != name and release.replace(".", "", 1).isdigit() else name


def _python(words: "list[Word]", options: "Options", position: int) -> "tuple[str, Options, int]":
    """What `python` runs: a launcher as a module (`-m torch.distributed.run`), a module, or a file, also below a tool (`-m coverage run`)."""
    module = options.get("m")
    if module is None or module is True:
        return "python", options, position
    if module.value in _TOOLS:
        if module.value == "coverage" and [each.value for each in words[position : position + 1]] == ["run"]:
            position += 1
        return "python", *_options(words, position, _SWITCHES.get(module.value or "", frozenset()))
    launcher = {"torch.distributed.run": "torchrun", "torch.distributed.launch": "torchrun", "accelerate.commands.launch": "accelerate",
                "deepspeed.launcher.runner": "deepspeed"}.get(module.value or "")  # fmt: skip
    if launcher is None:
        return "python", options, position
    options, position = _options(words, position, _SWITCHES[launcher])
    return launcher, options, position


def _options(words: "list[Word]", position: int, switches: frozenset[str]) -> "tuple[Options, int]":
    """({name: Word, or True for a switch}, the place of the first word that is no option)."""
    options: dict[str, Option] = {}
    while position < len(words):
        word = words[position]
        flag, given = word.partition("=")
        if flag.value is None or flag.value[:1] != "-" or flag.value == "-":
            break
        position += 1
        if flag.value == "--":
            break
        name = flag.value.lstrip("-").replace("-", "_")
        if given is not None:
            options[name] = given
        elif name in switches:
            options[name] = True
        elif position < len(words):
            options[name] = words[position]
            position += 1
            if name == "m":  # the module is the program: what follows are its arguments
                break
    return options, position


def _framework_of(program: str | None) -> "tuple[Commands | None, str | None]":
    """(Commands, algorithm) of a program that is part of a framework."""
    path = (program or "").replace("\\", "/")
    for own in _COMMANDS:
        for known, algorithm in own.modules.items():
            if path == known or path.endswith("/" + known):
                return own, algorithm
    return None, None


# --- flags ----------------------------------------------------------------------------------------------------------


def _read_arguments(invocation: Invocation, words: "list[Word]") -> None:
    """The flags and the config file among the arguments of the program."""
    flags: list[tuple[Word, list[Word]]] = []
    positional: list[Word] = []
    for word in words:
        flag, given = word.partition("=")
        values = flags[-1][1] if flags else positional
        if flag.value is not None and _is_flag(flag.value):
            flags.append((flag, [given] if given is not None else []))
        elif word.value is None and word.many and (not flags or values):
            invocation.open_words.append(word)
            if flags:
                _leave_out_the_unknown(values)
        else:
            values.append(word)
    for flag, values in flags:
        _take(invocation, flag, values)
    _find_config(invocation, positional)


def _leave_out_the_unknown(values: "list[Word]") -> None:
    """Of the values of a flag the last ones, where they are unknown words like the one that follows."""
    while len(values) > 1 and values[-1].value is None:
        values.pop()


def _is_flag(value: str) -> bool:
    return (value.startswith("--") and len(value) > 2) or (value[:1] == "-" and value[1:2].isalpha())


def _take(invocation: Invocation, word: "Word", values: "list[Word]") -> None:
    name = (word.value or "").lstrip("-")
    start, end = word.origin or (word.start, word.end)
    key = Scalar(end - len(name) if word.origin else start, end, name, tag=None if word.origin else COMPOSED)
    name = name.replace("-", "_")
    entry = Flag(key, _node(values, word.end), tuple(values))
    if name in invocation.flags:
        invocation.note_repeated(invocation.flags[name], entry)
    invocation.flags[name] = entry


def _node(words: "list[Word]", end: int) -> Scalar | Sequence:
    """The value of a flag as a node: a text, a list of texts, and True for a flag without a value."""
    if not words:
        return Scalar(end, end, "True", style='"')
    if len(words) == 1:
        return _scalar(words[0])
    node = Sequence(words[0].start, flow=True)
    node.end = words[-1].end
    node.items = [_scalar(word) for word in words]
    return node


def _scalar(word: "Word") -> Scalar:
    """A text; UNKNOWN when the shell computes it. Its span is where it is written, for a variable its assignment."""
    start, end = word.origin or (word.start, word.end)
    node = Scalar(start, end, word.value or "", style='"', tag=None if word.origin else COMPOSED)
    node.value = UNKNOWN if word.value is None else word.value
    return node


def _find_config(invocation: Invocation, positional: "list[Word]") -> None:
    """`--config x.yaml`, or a file that stands first."""
    entry = invocation.flags.get("config")
    first = positional[0] if positional else None
    if entry is not None and len(entry.words) == 1:
        invocation.config, invocation.config_by_flag = entry.words[0], True
        del invocation.flags["config"]
    elif first is not None and (first.value or "").endswith(FILE_OF_FLAGS):
        invocation.config = first


# --- processes ------------------------------------------------------------------------------------------------------


def _count_processes(invocation: Invocation, options: "Options") -> None:
    """Facts about processes from the options of the launcher."""
    _see_devices(invocation)
    starter = invocation.starter
    if starter in _OWN or starter == "accelerate":
        _count_by_accelerate(invocation, options)
    elif starter == "torchrun":
        _count_by_torchrun(invocation, options)
    elif starter == "deepspeed":
        per_node, nodes = options.get("num_gpus"), options.get("num_nodes")
        include = options.get("include")
        if per_node is not None:
            _multiply(invocation, _number(per_node), nodes, "--num_gpus", per_node)
        elif include is not None and include is not True:
            _state(invocation, "world_size", _included(include.value), "--include", include)
    elif not any(_base(word.value) in _STARTS_MANY for word in invocation.command.words[:2]):
        _count_those_started(invocation)


def _count_by_accelerate(invocation: Invocation, options: "Options") -> None:
    own = _OWN.get(invocation.starter)
    _see_chosen_devices(invocation, options.get("gpu_ids"))
    total = options.get("num_processes")
    file = options.get("config_file") or options.get("accelerate_config")
    if file is not None and file is not True:
        invocation.launcher_config = file
        invocation.distributes = not options.keys().isdisjoint(
            ("multi_gpu", "use_deepspeed", "use_fsdp", "use_megatron_lm")
        )
    if total is not None:  # even one that is not known: it beats the one in the file
        invocation.is_counted = True
        _state(invocation, "world_size", _number(total), "--num_processes", total)
        _share_between_machines(invocation, options, total)
    elif invocation.launcher_config is not None:
        name = invocation.launcher_config.value
        preset = own.presets.get(name) if own and name is not None else None
        _state(invocation, "world_size", preset, "--accelerate_config", invocation.launcher_config)


def _count_by_torchrun(invocation: Invocation, options: "Options") -> None:
    environment = invocation.command.environment  # torchrun reads each option that is not given from PET_...
    per_node = options.get("nproc_per_node") or environment.get("PET_NPROC_PER_NODE")
    nodes = options.get("nnodes") or environment.get("PET_NNODES")
    count = 1 if per_node is None else _per_node(invocation, per_node)
    _multiply(
        invocation,
        count,
        nodes,
        "--nproc_per_node",
        per_node,
        options.get("node_rank") or environment.get("PET_NODE_RANK"),
    )


def _share_between_machines(invocation: Invocation, options: "Options", total: "Option") -> None:
    """State the processes of one machine. accelerate's number counts those of all machines."""
    machines = options.get("num_machines")
    if machines is None and ("config_file" in options or "accelerate_config" in options):
        return  # which may say how many there are
    count, nodes = _number(total), 1 if machines is None else _number(machines)
    if count and nodes and count % nodes == 0:
        told = "--num_processes" if nodes == 1 else f"--num_processes on {nodes} machines"
        _state(invocation, "processes_per_node", count // nodes, told, total)


def _count_by_environment(invocation: Invocation) -> None:
    """State the processes of a program that starts torchrun when NPROC_PER_NODE or NNODES is set, and one process
    else."""
    _see_devices(invocation)
    environment = invocation.command.environment
    per_node, nodes = environment.get("NPROC_PER_NODE"), environment.get("NNODES")
    if per_node is None and nodes is None:
        # which would count if they came from outside
        if not invocation.kept_counts and not invocation.has_own_environment:
            _presume_one_process(invocation, Message("no {variable}", {"variable": "NPROC_PER_NODE"}))
        return
    _multiply(
        invocation,
        1 if per_node is None else _number(per_node),
        nodes,
        "NPROC_PER_NODE" if per_node is not None else "1 process a node",
        per_node or nodes,
        environment.get("NODE_RANK"),
    )


def _count_those_started(invocation: Invocation) -> None:
    """State one process for a plain program, unless a launcher around it has given it a rank."""
    environment = invocation.command.environment
    total = environment.get("WORLD_SIZE")
    if total is None or "RANK" not in environment:
        _presume_one_process(invocation, Message("plain python"))
    elif "LOCAL_RANK" in environment:  # without it transformers takes itself to be alone, and others do not
        _state(invocation, "world_size", _number(total), "WORLD_SIZE", total)


def _presume_one_process(invocation: Invocation, source: Message) -> None:
    where = _where(invocation.program)
    invocation.presumed = {"world_size": Fact(1, source, where), "processes_per_node": Fact(1, source, where)}


def _multiply(
    invocation: Invocation,
    per_node: int | None,
    nodes: "Option | None",
    source: str,
    word: "Option | None",
    rank: "Option | None" = None,
) -> None:
    """State processes on one node x nodes; `rank`: the word that says which of the nodes this is."""
    where = word or invocation.program
    if word is None:
        source = invocation.starter
    _state(invocation, "processes_per_node", per_node, source, where)
    count = 1 if nodes is None else _number(nodes)
    if per_node and count:
        told = source if count == 1 else Message("{variable} x {nodes} nodes", {"variable": source, "nodes": count})
        _state(invocation, "world_size", per_node * count, told, where)
        place = None if rank is None or rank is True else _whole(rank.value)
        if place is not None and place < count:
            invocation.node = place, count, per_node


def _per_node(invocation: Invocation, word: "Option") -> int | None:
    if word is not True and word.value in ("gpu", "auto") and "visible_devices" in invocation.facts:
        count: int = invocation.facts["visible_devices"].value
        return count
    return _number(word)


def _see_devices(invocation: Invocation) -> None:
    for name in _DEVICE_LISTS:
        word = invocation.command.environment.get(name)
        if word is not None and word.value is not None:
            count = len([device for device in word.value.split(",") if device.strip()])
            _state(invocation, "visible_devices", count, name, word)


def _see_chosen_devices(invocation: Invocation, word: "Option | None") -> None:
    """accelerate makes CUDA_VISIBLE_DEVICES of --gpu_ids, unless that says all."""
    if word is not None and word is not True and word.value and word.value != "all":
        count = len([device for device in word.value.split(",") if device.strip()])
        _state(invocation, "visible_devices", count, "--gpu_ids", word)


def _included(value: str | None) -> int | None:
    """The processes of DeepSpeed's `localhost:0,1@other:0,1`."""
    if value is None or any(":" not in host for host in value.split("@")):
        return None
    return sum(len(host.rpartition(":")[2].split(",")) for host in value.split("@"))


def _number(word: "Option") -> int | None:
    """The positive whole number that a word is, or None."""
    return None if word is True else _whole(word.value) or None


def _whole(text: str | None) -> int | None:
    """The number that some digits are, None for anything else and for more of them than any cluster needs."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else None


def _state(invocation: Invocation, name: str, value: int | None, source: str, word: "Option") -> None:
    if value and word is not True:
        invocation.facts[name] = Fact(value, verbatim(source), _where(word))


def _where(word: "Word") -> "Where":
    return None, *(word.origin or (word.start, word.end))
