"""What conditions said of values, kept for a run of the linter: the files of a repository say much the same, and so does a file
that is edited.

What a condition says in a release hangs on the facts of the launch and on what is written of the settings that it can read, and
on nothing else. So launches of the same releases and facts are of one *kind*, and for a kind, a rule, and what is written of the
settings that the rule can read, the releases are kept that leave the rule open: it is broken there, or cannot be decided. Of the
next launch of the kind only those rules are asked of which nothing is kept, or which were left open. All of it is in
`Launch.remembered`, which the run owns.
"""

from ..frameworks.rule_sets import rules_of
from ..launch.facts import IN_PLAN
from ..source.entry import characters_of, value_of
from ..source.yaml.reader import Mapping, Scalar, Sequence
from ..unknown import UNKNOWN
from .verdict import conditions, inputs_of, one_per_regime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping as Table
    from typing import TypeAlias

    from ..launch.context import Remembered
    from ..launch.launch import Candidate, Launch
    from ..source.yaml.reader import Entry, Node
    from .verdict import Condition

    Text: TypeAlias = tuple[object, ...]  # what is written of a setting
    Undecided: TypeAlias = dict[
        int, frozenset[Condition]
    ]  # {release, by its place in the catalogue: the rules it leaves open}

LONGEST_WRITTEN = 2_000  # characters of a value that is remembered; a longer one is asked each time


class Kind:
    """Launches that differ in what their settings say, and in nothing else. `reads`: {rule: the settings that it can read in one of
    the releases}; None until a second launch of the kind comes, for most runs see one launch."""

    def __init__(self) -> None:
        self.reads: dict[Condition, tuple[str, ...]] | None = None


class Evaluations:
    """What is known of the rules in one launch; `written`: what is written of its settings."""

    _remembered: "Remembered"
    _kind: Kind

    def __init__(self, launch: "Launch", written: "dict[str, Text]") -> None:
        context = context_of(launch, written)
        self._remembered = remembered = launch.remembered
        self._written = written
        self._kind = kind = remembered.get(context) or remembered.keep(context, Kind())
        self._unknown: set[Condition] | None = None  # of which nothing is kept; None for all
        self._open: dict[Condition, frozenset[int]] = {}  # those kept as open, with the releases that left them so
        if kind.reads is None and (first := remembered.pop(kind, None)) is not None:
            kind.reads = _reads(launch)
            self._file(kind.reads, *first)
        if kind.reads is not None:
            self._look_up(kind.reads)

    def _look_up(self, reads: "dict[Condition, tuple[str, ...]]") -> None:
        self._unknown = set()
        for rule, names in reads.items():
            found = self._remembered.get((self._kind, rule, *map(self._written.get, names)))
            if found is None:
                self._unknown.add(rule)
            elif found:
                self._open[rule] = found

    def rules_to_ask(self, rules: "list[Condition]", release: int) -> "list[Condition]":
        """Those of the rules that a release is to be asked."""
        unknown, kept = self._unknown, self._open
        if unknown is None:
            return rules
        return [rule for rule in rules if rule in unknown or (rule in kept and release in kept[rule])]

    def keep(self, left: "Undecided") -> None:
        """Keep which rules the launch leaves open, now that all of its releases are judged."""
        if self._unknown is None:
            self._remembered.keep(self._kind, (self._written, left), len(self._written))
        elif self._kind.reads is not None:
            self._file({rule: self._kind.reads[rule] for rule in self._unknown}, self._written, left)

    def _file(self, reads: "dict[Condition, tuple[str, ...]]", written: "dict[str, Text]", left: "Undecided") -> None:
        open_in: dict[Condition, list[int]] = {}
        for release, rules in left.items():
            for rule in rules:
                open_in.setdefault(rule, []).append(release)
        for rule, names in reads.items():
            self._remembered.keep((self._kind, rule, *map(written.get, names)), frozenset(open_in.get(rule, ())))


def _reads(launch: "Launch") -> "dict[Condition, tuple[str, ...]]":
    """{rule: the settings and facts that it can read in some release} of all rules that a launch is asked."""
    found: dict[Condition, set[str]] = {}
    for candidate in one_per_regime(launch):
        for rule in conditions(launch, candidate):
            found.setdefault(rule, set()).update(inputs_of(rule, candidate.regime))
    return {rule: tuple(names) for rule, names in found.items()}


def evaluations_of(launch: "Launch", written: "dict[str, Text]") -> "Evaluations | None":
    """What is known of a launch; None where a verdict depends on more than what is written: on demands of a team, on
    references between settings, on several numbers of processes."""
    framework = launch.framework
    if launch.incomplete or launch.reader or launch.demands or launch.defaults or len(launch.world_sizes) > 1:
        return None
    if framework.reader.programs.launcher_check(launch.candidates[0].key, launch.loader):
        return None
    if framework.reader.configs.nested and any("${" in str(text[2:]) for text in written.values()):
        return None
    return Evaluations(launch, written)


def context_of(launch: "Launch", written: "dict[str, Text]") -> "Text":
    """All that a verdict on the arithmetic depends on beside the settings that the rules read."""
    facts = launch.facts
    return (
        *_reading(launch, written),
        launch.is_read_by_the_framework,
        tuple([candidate.text for candidate in (*launch.candidates, *launch.neighbours)]),
        len(launch.candidates),
        tuple([(name, facts[name].value) for name in _NUMBERS if name in facts]),
        tuple([(operand, str(found.value)) for operand, found in launch.attached.items()]),
        launch.given(rules_of(launch.framework.name).deciding),
    )


_NUMBERS = sorted(IN_PLAN)


def _reading(launch: "Launch", written: "dict[str, Text]") -> "Text":
    """How a release takes what is written: not what the settings say, but for those on which the reading of others hangs."""
    together = launch.framework.reader.values.read_together
    return (launch.framework, launch.groups, launch.loader, launch.algorithm, tuple(launch.companion_versions.items()),
            frozenset([(name, text) for name, text in written.items() if name in together]))  # fmt: skip


def numbers_of(launch: "Launch") -> "Text":
    """Everything that the verdict on the arithmetic of a launch can depend on, where it has no demands and nothing is
    incomplete."""
    written = what_is_written({**launch.defaults, **launch.entries})
    context = context_of(launch, written)
    operands = launch.remembered.get(("operands", context))
    if operands is None:
        known = rules_of(launch.framework.name)
        rules = ((rule, candidate.regime) for candidate in one_per_regime(launch) for rule in known.conditions)
        operands = known.deciding.union(*(inputs_of(rule, regime) for rule, regime in rules))
        launch.remembered.keep(("operands", context), operands, len(operands))
    values = frozenset([(name, text) for name, text in written.items() if name in operands])
    return context, values, launch.framework.reader.trainer.key in launch.entries


def way_of_reading(launch: "Launch", release: "Candidate", written: "dict[str, Text]") -> object:
    """What stands for the launches whose values a release takes alike, where they say the same of a setting."""
    key = release.index, *_reading(launch, written)
    return launch.remembered.get(key) or launch.remembered.keep(key, object())


def what_is_written(entries: "Table[str, Entry]") -> "dict[str, Text]":
    return {name: written_in(entry) for name, entry in entries.items()}


def written_in(entry: "Entry") -> "Text":
    """What an entry says, in as far as two that are alike are read alike."""
    node = entry.value
    if node.end - node.start > LONGEST_WRITTEN:
        return (object(),)
    if type(node) is Scalar:
        return entry.__class__, entry.name, node.text, node.style, node.tag
    parts = _scalars_in(node)
    if parts is not None:
        return entry.__class__, entry.name, type(node), *[(part.text, part.style, part.tag) for part in parts]
    value = value_of(entry)  # aliases stand for much in a few characters
    if value is not UNKNOWN and characters_of(node) > LONGEST_WRITTEN:
        return (object(),)
    return entry.__class__, entry.name, repr(value)


def _scalars_in(node: "Node") -> "list[Scalar] | None":
    """The scalars of which a list or a mapping consists, as they are written; None where there is more to it."""
    if type(node) is Sequence:
        found: list[Node] = node.items
    elif type(node) is Mapping:
        found = [part for entry in node.entries for part in (entry.key, entry.value)]
    else:
        return None
    scalars = [part for part in found if type(part) is Scalar]
    return scalars if node.tag is None and len(scalars) == len(found) else None
