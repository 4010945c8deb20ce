"""What a dialect is made of: a catalogue of fields by release, and regimes, spans of versions with the same arithmetic."""

from ..facts import version_key
from ..plan import UNKNOWN, Formula, formulas

REQUIRED = "<required>"


class Enforced:
    """How one version refuses what a rule describes.

    `stage`: `read`, `config`, `init` or `run`; or `never`, when the run is accepted and harmed, and then `severity` says how
    much that matters; `wording`: the framework's own text, with ... for the numbers, so that a
    search for the error finds the rule; `moment`: when a run of stage `run` dies, in words.
    """

    __slots__ = ("stage", "wording", "moment", "severity")

    def __init__(self, stage, wording="", moment="", severity=None):
        self.severity = severity or ("warning" if stage == "never" else "error")
        self.stage = stage
        self.wording = wording
        self.moment = moment


class Regime:
    """A span of versions, both ends included, in which the arithmetic is the same; an end such as "0.21" means its last patch.

    `formulas`: how settings fill the plan; `enforced`: {rule name: Enforced}, a rule that is absent is never refused by
    these versions; `source`: where in the framework this was read; `idle`: {reason: (condition, settings)}, settings
    that have no effect where the condition holds; `quantities`: the names of the plan that are shown. `options` are
    further formulas, which only rules and other formulas read.
    """

    __slots__ = ("since", "until", "formulas", "quantities", "enforced", "refuses", "source", "idle", "_since", "_until")

    def __init__(self, since, until, table, enforced, source="", idle=None, options=None):
        self.since = since
        self.until = until
        self.formulas = formulas({**(options or {}), **table})
        self.quantities = tuple(table)
        self.enforced = enforced
        self.refuses = frozenset(name for name, how in enforced.items() if how.stage != "never")
        self.source = source
        self.idle = {reason: (Formula(condition), names) for reason, (condition, names) in (idle or {}).items()}
        self._since = _numbers(since)
        self._until = _numbers(until) if until else None

    def covers(self, key):
        return self._since <= key[: len(self._since)] and (self._until is None or key[: len(self._until)] <= self._until)

    def with_refusals(self, refusals):
        """This regime, enforcing more."""
        regime = Regime(self.since, self.until, {}, {**self.enforced, **{one.rule: one.enforced for one in refusals}}, self.source)
        regime.idle = self.idle
        regime.formulas, regime.quantities = self.formulas, self.quantities
        return regime


class Refusal:
    """One rule that a span of versions, both ends included, enforces whatever the regime.

    A stage of `never` says that these versions accept the run, and what harm that does is told by the rule.
    """

    __slots__ = ("rule", "enforced", "_since", "_until")

    def __init__(self, rule, since, until, stage, wording="", moment="", severity=None):
        self.rule = rule
        self.enforced = Enforced(stage, wording, moment, severity)
        self._since = _numbers(since)
        self._until = _numbers(until) if until else None

    def covers(self, key):
        return self._since <= key[: len(self._since)] and (self._until is None or key[: len(self._until)] <= self._until)


def first_of(**cases):
    """A formula for the name of the first case that holds, as a text; an empty text when none does."""
    return " else ".join(f"{name!r} if {test}" for name, test in cases.items()) + " else ''"


def in_force(changes, version):
    """A table at a version, put together from {version: what changed then}; None takes an entry out."""
    table = {}
    for since, change in changes.items():
        if _numbers(since) <= _numbers(version):
            table.update(change)
    return {name: entry for name, entry in table.items() if entry is not None}


def first_of(**cases):
    """A formula for the name of the first case that holds, as a text; an empty text when none does."""
    return " else ".join(f"{name!r} if {test}" for name, test in cases.items()) + " else ''"


def in_force(changes, version):
    """A table at a version, put together from {version: what changed then}; None takes an entry out."""
    table = {}
    for since, change in changes.items():
        if _numbers(since) <= _numbers(version):
            table.update(change)
    return {name: entry for name, entry in table.items() if entry is not None}


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
    read(name, value, field, loader, key)  (value, None) as the framework's parser makes it of a YAML value, or (UNKNOWN, Fault)
    sections                    mappings at the top whose keys count as if they stood at the top
    takes_anything(name, field) whether no value of a field is refused, so that it need not be read
    launch_key(name, key, loader)  whether a key that is no field is read by the launcher or by the usual scripts
    unknown_key(key, launch)    the Fate of keys that a version does not know
    successors                  {old name: name that took its place}; remarks: {name: what to do instead}, where there is none
    costly_keys                 {name: rule that speaks of it when a version has dropped it}
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
                 "reads_yaml_since", "unique_keys", "abbreviates", "trainer_key", "for_any_trainer",
                 "launch_key", "unknown_key", "takes_anything", "successors", "remarks", "costly_keys", "refusals", "_effective")  # fmt: skip

    def __init__(
        self, *, sections=(), launcher_checks=lambda key, loader: False, reads_yaml_since=None, unique_keys=None, abbreviates=False,
        trainer_key=None, for_any_trainer=(), takes_anything=lambda name, field: False, successors=None, remarks=None, costly_keys=None, refusals=(), **parts,
    ):  # fmt: skip
        self.sections = sections
        self.launcher_checks = launcher_checks
        self.reads_yaml_since = reads_yaml_since
        self.unique_keys = unique_keys
        self.abbreviates = abbreviates
        self.trainer_key = trainer_key
        self.for_any_trainer = frozenset(for_any_trainer)
        self.takes_anything = takes_anything
        self.successors = successors or {}
        self.remarks = remarks or {}
        self.costly_keys = costly_keys or {}
        self.refusals = refusals
        self._effective = {}
        for name, part in parts.items():
            setattr(self, name, part)

    def regime(self, key):
        """The regime of a version, or None when the framework had no such trainer then."""
        for regime in reversed(self.regimes):
            if regime.covers(key):
                return regime
        return None


    def effective(self, regime, key, refusals):
        """The regime with those of the refusals that cover this very version."""
        active = tuple(refusal for refusal in refusals if refusal.covers(key))
        if not active:
            return regime
        cached = self._effective.get((id(regime), active))
        if cached is None:
            cached = self._effective[id(regime), active] = regime.with_refusals(active)
        return cached

    def successor(self, name, fields):
        """(the known field that took a name's place or None, what else to do or "")."""
        new = self.successors.get(name) or next((old for old, new in self.successors.items() if new == name), None)
        return (new if new and fields[new] else None), self.remarks.get(name, "")

    def beginnings(self, name, fields):
        """The known keys that begin like a name, where keys may be shortened; argparse knows each in two spellings."""
        if not self.abbreviates:
            return []
        name = name.replace("-", "_")
        found = [field for field in fields.names() if field.startswith(name)]
        return found * 2 if len(found) == 1 and "_" not in name and "_" in found[0] else found

    def refuses_duplicates(self, candidates):
        """Whether the YAML loader of every candidate refuses a key that stands twice."""
        if self.unique_keys is None:
            return False
        first, last = self.unique_keys
        return all(first <= candidate.key[:2] <= last for candidate in candidates)

    def first_release(self, groups):
        """The first release with the trainer of these groups."""
        known = self.catalogue.known("num_generations", groups[:1])
        releases = self.catalogue.releases
        first = next((release for index, release in enumerate(releases) if known >> index & 1), None)
        return ".".join(first.split(".")[:2]) if first else "a later release"


class Fault:
    """A value that the framework's parser or its first use refuses: when, under which rule, with which values for its message."""

    __slots__ = ("stage", "rule", "values")

    def __init__(self, stage, rule, **values):
        self.stage = stage
        self.rule = rule
        self.values = values


def shown_value(value):
    """A value as YAML writes it."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)


def wrong_type(stage, problem):
    return Fault(stage, "value-has-the-type-of-its-key", problem=problem)


def wrong_choice(stage, value, choices):
    shown = repr(value) if type(value) is str else "a collection" if isinstance(value, (list, dict, set)) else shown_value(value)
    listed = [str(choice) for choice in choices if choice is not None]
    similar = [choice for choice in listed if type(value) is str and choice.lower() == value.lower()]
    hint = f"; did you mean {similar[0]}?" if similar else '; write "no" in quotes' if value is False and "no" in listed else ""
    return Fault(stage, "value-is-a-choice", value=shown, choices=", ".join(listed), hint=hint)


class Fate:
    """What becomes of a key that a release does not know, and what that verdict takes for granted."""

    __slots__ = ("severity", "stage", "consequence", "assumes")

    def __init__(self, severity, stage, consequence, assumes=()):
        self.severity = severity
        self.stage = stage
        self.consequence = consequence
        self.assumes = assumes


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
_USED_IN_CONFIG = frozenset(
    "per_device_train_batch_size gradient_accumulation_steps num_generations logging_steps save_steps warmup_steps".split()
)
_USED_IN_TRAINER = _USED_IN_CONFIG | frozenset("steps_per_generation generation_batch_size num_iterations max_steps".split())
# Texts that transformers turns into a member of an enumeration as soon as the config is built.
_ENUMERATIONS = frozenset(
    "eval_strategy evaluation_strategy save_strategy logging_strategy lr_scheduler_type optim hub_strategy".split()
)


# Names that nothing checks before the first training step, and what that step knows: (first version, names), the newest first.
_LOSSES = ("grpo", "bnpo", "dr_grpo")
KNOWN_AT_FIRST_STEP = {
    "loss_type": (
        ((1, 0), (*_LOSSES, "dapo", "cispo", "sapo", "luspo", "vespo")),
        ((0, 28), (*_LOSSES, "dapo", "cispo", "sapo", "luspo")),
        ((0, 26), (*_LOSSES, "dapo", "cispo", "sapo")),
        ((0, 22), (*_LOSSES, "dapo")),
        ((0, 17), _LOSSES),
    ),
    "importance_sampling_level": (((0, 20), ("token", "sequence")),),
    "scale_rewards": (((0, 22), ("group", "batch", "none", True, False)),),
    "multi_objective_aggregation": (((0, 27), ("sum_then_normalize", "normalize_then_sum")),),
}


def _first_step_knows(name, value, key):
    """A Fault when the first training step dies of a name it does not know."""
    for since, names in KNOWN_AT_FIRST_STEP.get(name, ()):
        if key >= since:
            return None if value in names else wrong_choice("run", value, [known for known in names if type(known) is str])
    return None


def keyword_takes_anything(name, field):
    """Whether TRL takes any value for a field: a text, a list, a mapping is not looked at before it is used."""
    return not field[2] and field[0].rstrip("?") not in _WANTED and name not in KNOWN_AT_FIRST_STEP


def reads_keywords(name, value, field, loader, key):
    """How TRL takes a YAML value: texts are converted by the type of the field, everything else is taken as it is.

    With loader `kwargs` (a Python call) texts are not converted either.
    """
    kind, _, choices = field
    wanted = kind.rstrip("?")
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None
    if choices and name in _ENUMERATIONS:
        legal = value in choices or (value is None and kind.endswith("?"))
        return (value, None) if legal else (UNKNOWN, wrong_choice("config", value, choices))
    if type(value) is str:
        if wanted not in _WANTED:
            return value, _first_step_knows(name, value, key)
        if loader == "kwargs":
            return _misfit(name, f"the text {value!r}")
        converted = from_text(value, wanted)
        if converted is None:
            return UNKNOWN, wrong_type("read", f"the text {value!r} where {_WANTED[wanted]} belongs")
        return converted, None
    if value is None and wanted in ("int", "float") and (not kind.endswith("?") or name == "num_generations"):
        return _misfit(name, "null")
    if wanted == "int" and value is not None and type(value) is not int:
        if type(value) is float:
            misfit, fault = _misfit(name, f"{value!r}, which the parser does not convert,", stage="run")
            return misfit, fault
        if value is True or value is False:
            return int(value), None
        return _misfit(name, f"a {_TYPE_NAMES.get(type(value), type(value).__name__)}")
    return value, None


_TYPE_NAMES = {list: "list", dict: "mapping", bytes: "binary value"}


def _misfit(name, what, stage=None):
    if name not in _USED_IN_TRAINER:
        return UNKNOWN, None
    return UNKNOWN, wrong_type(stage or ("config" if name in _USED_IN_CONFIG else "run"), f"{what} where a whole number belongs")


def reads_flags(name, value, field, loader, key):
    """How ms-swift takes a YAML value: as the text of a command-line flag, converted by the type of the field."""
    kind, _, choices = field
    wanted = kind.rstrip("?")
    if type(value) is list:
        return _list_of_flags(name, value, field, loader, key)
    if wanted.startswith("list"):
        found, fault = reads_flags(name, value, (wanted[5:-1], None, choices), loader, key)
        return (found if found is UNKNOWN else [found]), fault
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None
    if wanted not in _WANTED:
        if value is None and choices and None in choices:
            return None, None
        text = value if type(value) in (str, dict) else str(value)
        if choices and text not in map(str, choices):
            return UNKNOWN, wrong_choice("read", value, choices)
        return text, Fault("never", "null-is-not-a-text") if value is None else None
    if isinstance(value, dict):
        return UNKNOWN, wrong_type("read", f"a mapping where {_WANTED[wanted]} belongs")
    converted = value if type(value) is int and wanted == "int" else from_text(str(value), wanted)
    if converted is None:
        return UNKNOWN, wrong_type("read", f"{_as_flag(value)} where {_WANTED[wanted]} belongs")
    if choices and converted not in choices:
        return UNKNOWN, wrong_choice("read", value, choices)
    return converted, None


# The versions that join the flags made from a file as texts, and so fail on a number inside a list.
_JOINS_FLAGS = ((3, 10), (4, 5))


def _list_of_flags(name, value, field, loader, key):
    """A list becomes several flags: a field for one takes a list of one, and none takes an empty one."""
    kind, _, choices = field
    if not value:
        return UNKNOWN, wrong_type("read", "an empty list, but a flag needs at least one value,")
    odd = next((item for item in value if type(item) is not str), None)
    if odd is not None and not isinstance(odd, dict) and _JOINS_FLAGS[0] <= key[:2] <= _JOINS_FLAGS[1]:
        return UNKNOWN, Fault("read", "list-holds-texts", value=odd)
    wanted = kind.rstrip("?")
    if wanted.startswith("list"):
        inner = (wanted[5:-1], None, choices)
        read = [reads_flags(name, item, inner, loader, key) for item in value]
        fault = next((fault for _, fault in read if fault is not None and fault.stage != "never"), None)
        return (UNKNOWN if any(found is UNKNOWN for found, _ in read) else [found for found, _ in read]), fault
    if len(value) > 1:
        return UNKNOWN, wrong_type("read", f"a list of {len(value)} where one value belongs: all but the first are unknown arguments,")
    return reads_flags(name, value[0], field, loader, key)


def _as_flag(value):
    return "null, which becomes the text 'None'," if value is None else repr(value) if type(value) is not str else f"the text {value!r}"


def ms_swift_algorithm(names):
    return "grpo"


def ms_swift_launch_key(name, key, loader):
    """`ENV` sets environment variables before the launch, from 4.1."""
    return name == "ENV" and key >= (4, 1)


def ms_swift_unknown_key(key, launch):
    ignores = launch.setting("ignore_args_error")
    if ignores is not None and from_text(str(ignores.value), "bool"):
        return Fate("warning", "never", "ignore_args_error is on, so it is dropped")
    return Fate("error", "read", "the parser refuses it")


# Old and new names of both commands of ms-swift; a name is only offered where the version at hand knows it.
MS_SWIFT_SUCCESSORS = {
    "train_type": "tuner_type",
    "tensor_parallel_size": "vllm_tensor_parallel_size",
    "multi_turn_func": "multi_turn_scheduler",
    "custom_register_path": "external_plugins",
    "per_gpu_train_batch_size": "per_device_train_batch_size",
}


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
