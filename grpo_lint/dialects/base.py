"""What a dialect is made of: a catalogue of fields by release, and regimes, spans of versions with the same arithmetic."""

from ..facts import version_key
from ..plan import UNKNOWN, formulas

REQUIRED = "<required>"


class Enforced:
    """How one version refuses what a rule describes.

    `stage`: `read`, `config`, `init` or `run`; `wording`: the framework's own text, with ... for the numbers, so that a
    search for the error finds the rule; `moment`: when a run of stage `run` dies, in words.
    """

    __slots__ = ("stage", "wording", "moment")

    def __init__(self, stage, wording="", moment=""):
        self.stage = stage
        self.wording = wording
        self.moment = moment


class Regime:
    """A span of versions, both ends included, in which the arithmetic is the same; an end such as "0.21" means its last patch.

    `formulas`: how settings fill the plan; `enforced`: {rule name: Enforced}, a rule that is absent is never refused by
    these versions; `source`: where in the framework this was read.
    """

    __slots__ = ("since", "until", "formulas", "enforced", "source", "_since", "_until")

    def __init__(self, since, until, table, enforced, source=""):
        self.since = since
        self.until = until
        self.formulas = formulas(table)
        self.enforced = enforced
        self.source = source
        self._since = _numbers(since)
        self._until = _numbers(until) if until else None

    def covers(self, key):
        return self._since <= key[: len(self._since)] and (self._until is None or key[: len(self._until)] <= self._until)


def _numbers(version):
    return tuple(map(int, version.split(".")))


class Fields(dict):
    """The fields of one release that a file may hold: {name: (type, default, choices)}, None for a name it does not know.

    Looked up when they are asked for: a file names some forty of several hundred.
    """

    __slots__ = ("_spans", "_groups", "_index")

    def __init__(self, spans, groups, index):
        self._spans = spans
        self._groups = frozenset(groups)
        self._index = index

    def __missing__(self, name):
        field = self[name] = self._find(self._spans.get(name, ()))
        return field

    def _find(self, spans):
        for span in spans:
            if span[1] <= self._index <= span[2] and not self._groups.isdisjoint(span[0].split()):
                default = None if span[4] == REQUIRED else span[4]
                return span[3], default, span[5] if len(span) > 5 else None
        return None

    def names(self):
        """All names of the release."""
        return [name for name in self._spans if self[name] is not None]


class Catalogue:
    """The fields of a framework by release; a thin view of a generated module."""

    def __init__(self, module):
        self.releases = module.RELEASES
        self.companions = module.COMPANIONS
        self._spans = module.FIELDS
        self._keys = tuple(version_key(release) for release in module.RELEASES)
        self._fields = {}
        self._known = {}

    def release_index(self, key):
        """The release whose fields stand for a version: the one of the same minor, or the nearest older one; -1 for none."""
        minor = key[:2]
        index = -1
        for position, release_key in enumerate(self._keys):
            if release_key[:2] <= minor:
                index = position
        return index

    def is_newer_than_all(self, key):
        return key[:2] > self._keys[-1][:2]

    def fields(self, groups, index):
        """What a release knows, in the argument classes named by `groups`."""
        fields = self._fields.get((groups, index))
        if fields is None:
            fields = self._fields[groups, index] = Fields(self._spans, groups, index)
        return fields

    def known(self, name, groups):
        """The releases that know the name, as a bit set."""
        cache = self._known.setdefault(groups, {})
        bits = cache.get(name)
        if bits is None:
            bits = 0
            for span in self._spans.get(name, ()):
                if any(group in groups for group in span[0].split()):
                    bits |= (1 << (span[2] + 1)) - (1 << span[1])
            cache[name] = bits
        return bits

    def candidates(self, names, groups, possible):
        """The releases that know the most of the names, or one less; `possible` and the answer are release indices."""
        everywhere = 0
        for index in possible:
            everywhere |= 1 << index
        telling = {}  # a set of releases -> how many names only these know; most names share a few sets
        known = self._known.setdefault(groups, {})
        for name in names:
            bits = (known[name] if name in known else self.known(name, groups)) & everywhere
            if bits and bits != everywhere:
                telling[bits] = telling.get(bits, 0) + 1
        if not telling:
            return list(possible)
        scores = [sum(count for bits, count in telling.items() if bits >> index & 1) for index in possible]
        best = max(scores)
        return [index for index, score in zip(possible, scores) if score >= best - 1]


class Dialect:
    """A framework: how it reads a value, what it knows, and how it computes. Its files are told apart in `recognition`.

    algorithm(names)            grpo or rloo, as far as the keys tell
    groups(algorithm, loader)   the groups of the catalogue whose fields the file may hold
    companion_facts(versions)   what the arithmetic takes from the packages installed beside the framework
    read(name, value, kind, loader)  (value, None) as the framework's parser makes it of a YAML value, or (UNKNOWN, Fault)
    sections                    mappings at the top whose keys count as if they stood at the top
    knobs                       settings that a fix may change, the more natural ones first
    launcher_checks(key, loader)  whether the launcher judges the config once more, with one process
    facts_in_file(value)        facts that keys of the file tell: {fact: (value, key)}
    reads_yaml_since            the first version that reads YAML files, None when every one does
    abbreviates                 whether keys may be shortened, as flags of argparse may
    trainer_key                 the key that chooses the trainer; without it in the file, ours is an assumption
    for_any_trainer             rules that refuse the run whatever that key chooses
    unique_keys                 (first, last) version whose YAML loader refuses a key that stands twice, or None
    """

    __slots__ = ("name", "title", "package", "catalogue", "regimes", "algorithm", "groups", "companion_facts", "read",
                 "sections", "knobs", "launcher_checks", "facts_in_file",
                 "reads_yaml_since", "unique_keys", "abbreviates", "trainer_key", "for_any_trainer")  # fmt: skip

    def __init__(
        self, *, sections=(), launcher_checks=lambda key, loader: False, reads_yaml_since=None, unique_keys=None, abbreviates=False,
        trainer_key=None, for_any_trainer=(), **parts,
    ):  # fmt: skip
        self.sections = sections
        self.launcher_checks = launcher_checks
        self.reads_yaml_since = reads_yaml_since
        self.unique_keys = unique_keys
        self.abbreviates = abbreviates
        self.trainer_key = trainer_key
        self.for_any_trainer = frozenset(for_any_trainer)
        for name, part in parts.items():
            setattr(self, name, part)

    def regime(self, key):
        """The regime of a version, or None when the framework had no such trainer then."""
        for regime in reversed(self.regimes):
            if regime.covers(key):
                return regime
        return None


    def refuses_duplicates(self, candidates):
        """Whether the YAML loader of every candidate refuses a key that stands twice."""
        if self.unique_keys is None:
            return False
        first, last = self.unique_keys
        return all(first <= candidate.key[:2] <= last for candidate in candidates)

    def first_release(self, groups):
        """The first release with the trainer of these groups."""
        known = self.catalogue.known("num_generations", groups[:1])
        return next((release for index, release in enumerate(self.catalogue.releases) if known >> index & 1), "a later one")


class Fault:
    """A value that the framework's parser or its first use refuses. `stage`: when; `problem`: what is wrong with it."""

    __slots__ = ("stage", "problem")

    def __init__(self, stage, problem):
        self.stage = stage
        self.problem = problem


_TRUTH = {"yes": True, "true": True, "t": True, "y": True, "1": True, "no": False, "false": False, "f": False, "n": False, "0": False}
_WANTED = {"int": "a whole number", "float": "a number", "bool": "true or false"}


def is_placeholder(value):
    """Whether a text stands for a value that something else will fill in: `${X}`, `{{ x }}`, `<node1_port>`."""
    return "${" in value or "{{" in value or (value[:1] == "<" and value[-1:] == ">") or value[:1] == "$"


def from_text(text, kind):
    """A text as argparse converts it for a field of this kind; None when it cannot."""
    try:
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except ValueError:
        return None
    return _TRUTH.get(text.lower())


# The whole numbers that TRL and transformers compute with. What a value of another type does to them was tried out with
# the real packages; other fields may be forgiving, so nothing is said about those.
_USED_IN_CONFIG = frozenset("per_device_train_batch_size gradient_accumulation_steps num_generations".split())
_USED_IN_TRAINER = _USED_IN_CONFIG | frozenset("steps_per_generation generation_batch_size num_iterations max_steps".split())


def reads_keywords(name, value, kind, loader):
    """How TRL takes a YAML value: texts are converted by the type of the field, everything else is taken as it is.

    With loader `kwargs` (a Python call) texts are not converted either.
    """
    wanted = kind.rstrip("?")
    if type(value) is str:
        if is_placeholder(value):
            return UNKNOWN, None
        if wanted not in _WANTED:
            return value, None
        if loader == "kwargs":
            return _misfit(name, f"the text {value!r}")
        converted = from_text(value, wanted)
        if converted is None:
            return UNKNOWN, Fault("read", f"the text {value!r} where {_WANTED[wanted]} belongs")
        return converted, None
    if wanted == "int":
        if value is None and not kind.endswith("?"):
            return _misfit(name, "null")
        if type(value) is float:
            misfit, fault = _misfit(name, repr(value))
            return misfit, fault and Fault("run", f"{fault.problem}: the parser does not convert it")
        if isinstance(value, (list, dict)):
            return _misfit(name, f"a {type(value).__name__}")
        if value is True or value is False:
            return int(value), None
    return value, None


def _misfit(name, what):
    if name not in _USED_IN_TRAINER:
        return UNKNOWN, None
    return UNKNOWN, Fault("config" if name in _USED_IN_CONFIG else "run", f"{what} where a whole number belongs")


def reads_flags(name, value, kind, loader):
    """How ms-swift takes a YAML value: as the text of a command-line flag, converted by the type of the field."""
    wanted = kind.rstrip("?")
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None
    if wanted.startswith("list"):
        return ([str(item) for item in value] if type(value) is list else [str(value)]), None
    if wanted not in _WANTED:
        return value if type(value) in (str, list, dict) else str(value), None
    if isinstance(value, (list, dict)):
        return UNKNOWN, Fault("read", f"a {type(value).__name__} where {_WANTED[wanted]} belongs")
    if type(value) is int and wanted == "int":
        return value, None
    converted = from_text(str(value), wanted)
    if converted is None:
        return UNKNOWN, Fault("read", f"{_as_flag(value)} where {_WANTED[wanted]} belongs")
    return converted, None


def _as_flag(value):
    return "null, which becomes the text 'None'," if value is None else repr(value) if type(value) is not str else f"the text {value!r}"


def ms_swift_algorithm(names):
    return "grpo"


def whole_number(value):
    """A positive whole number, also when it is written as a text; None for anything else."""
    if type(value) is str and value.isdigit():
        value = int(value)
    return value if type(value) is int and value > 0 else None


def ms_swift_facts(value):
    """What an ms-swift file tells about its run: processes in its ENV section, rows behind the names of data sets.

    `NPROC_PER_NODE` x `NNODES` is what `swift` and `megatron` hand to torchrun; `name#1000` takes 1000 rows of a data set.
    """
    facts = {}
    environment = value("ENV")
    if type(environment) is dict and ("NPROC_PER_NODE" in environment or "NNODES" in environment):
        per_node = whole_number(environment.get("NPROC_PER_NODE", 1))
        nodes = whole_number(environment.get("NNODES", 1))
        if per_node and nodes:
            facts["world-size"] = (per_node * nodes, "ENV")
    rows = _rows(value("dataset"))
    if rows:
        facts["dataset-size"] = (rows, "dataset")
    return facts


def _rows(datasets):
    """The rows that all data sets together give, when every name says so; None otherwise."""
    names = datasets if type(datasets) is list else [datasets]
    counts = [whole_number(name.rpartition("#")[2]) if type(name) is str and "#" in name else None for name in names]
    return sum(counts) if counts and all(counts) else None
