"""What is known of a launch because one like it was judged before: the files of a repository say much the same, and so does
a file that is edited.

Only what was written otherwise in the last launch of its kind, and what was left open there, is asked again.
"""

from ..frameworks.rule_sets import rules_of
from ..launch.facts import IN_PLAN
from ..source.entry import characters_of, value_of
from ..source.yaml.reader import Mapping, Scalar, Sequence
from ..unknown import UNKNOWN
from .verdict import inputs_of, one_per_regime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet
    from typing import TypeAlias

    from ..launch.launch import Launch
    from ..rules.base import Rule
    from ..source.yaml.reader import Entry, Node

    Text: TypeAlias = tuple[object, ...]

MOST_KINDS = 100  # of launches of which the last one is kept
MOST_CHANGES = 100  # different sets of names that changed from one launch of a kind to the next
LONGEST_WRITTEN = 2_000  # characters of a list or a mapping that is remembered; a longer one is asked each time
MOST_STATES = 200  # launches that are known word for word, as those of a script are that is edited


class State:
    """What was found out of one launch. `written`: what stands under each name; `settled`: those of which nothing was to be
    said; `left`: the rules that each release, by its place in the catalogue, left open, because they are broken or cannot be
    decided."""

    __slots__ = ("written", "settled", "left")
    written: "dict[str, Text]"
    settled: "frozenset[str]"
    left: "dict[int, frozenset[Rule]]"

    def __init__(self, written: "dict[str, Text]", settled: "frozenset[str]") -> None:
        self.written = written
        self.settled = settled
        self.left = {}


class Kind:
    """Launches that differ in what their settings say, and in nothing else. `last`: the last one; `readers`: {(release,
    names): the rules that read one of these names}."""

    __slots__ = ("last", "readers")
    last: State
    readers: "dict[tuple[int, frozenset[str]], frozenset[Rule]]"

    def __init__(self) -> None:
        self.last = State({}, frozenset())
        self.readers = {}


class Memory:
    """What of a launch need not be asked; `settled`: the names of which nothing is to be said by themselves."""

    __slots__ = ("settled", "_changed", "_kind", "_left", "_now")
    settled: "frozenset[str]"
    _changed: "frozenset[str]"
    _kind: Kind
    _left: "dict[int, frozenset[Rule]]"  # in the launch before
    _now: State

    def __init__(self, launch: "Launch", written: "dict[str, Text]") -> None:
        context = context_of(launch)
        self._kind = kind = _kind_of(context)
        known = context, frozenset(written.items())
        before = _states.get(known) or kind.last
        changed = {name for name, text in written.items() if before.written.get(name) != text}
        changed.update([name for name in before.written if name not in written])
        is_read_alike = launch.framework.reader.values.read_together.isdisjoint(changed)
        self._left = before.left if is_read_alike else {}
        self._changed = frozenset(changed)
        self.settled = before.settled - self._changed if is_read_alike else frozenset()
        if len(_states) >= MOST_STATES:
            _states.clear()
        self._now = kind.last = _states[known] = State(written, self.settled)

    def open_rules(
        self, rules: "list[Rule]", release: int, inputs: "Callable[[Rule], AbstractSet[str]]"
    ) -> "list[Rule]":
        """Those of the rules that a release is to be asked; `inputs`: the settings and facts that one reads."""
        left = self._left.get(release)
        if left is None:
            return rules
        key = release, self._changed
        readers = self._kind.readers.get(key)
        if readers is None:
            if len(self._kind.readers) >= MOST_CHANGES:
                self._kind.readers.clear()
            changed = self._changed
            readers = frozenset([rule for rule in rules if not changed.isdisjoint(inputs(rule))])
            self._kind.readers[key] = readers
        asked = left | readers
        return [rule for rule in rules if rule in asked] if asked else []

    def settle(self, names: "Iterable[str]") -> None:
        """Keep of which names more there was nothing to be said."""
        self._now.settled = self.settled.union(names)

    def note(self, release: int, left: "Iterable[Rule]") -> None:
        """Keep which rules a release leaves open."""
        self._now.left[release] = frozenset(left)


_kinds: "dict[Text, Kind]" = {}
_states: "dict[tuple[Text, frozenset[tuple[str, Text]]], State]" = {}


def _kind_of(context: "Text") -> Kind:
    kind = _kinds.get(context)
    if kind is None:
        if len(_kinds) >= MOST_KINDS:
            _kinds.clear()
        kind = _kinds[context] = Kind()
    return kind


def memory_of(launch: "Launch") -> "Memory | None":
    """What is known of a launch; None where a verdict depends on more than what is written: on demands of a team, on
    references between settings, on several numbers of processes."""
    framework = launch.framework
    if launch.incomplete or launch.reader or launch.demands or launch.defaults or len(launch.world_sizes) > 1:
        return None
    if framework.reader.programs.launcher_check(launch.candidates[0].key, launch.loader):
        return None
    written = {name: written_in(entry) for name, entry in launch.entries.items()}
    if framework.reader.configs.nested and any("${" in str(text[2:]) for text in written.values()):
        return None
    return Memory(launch, written)


def context_of(launch: "Launch") -> "Text":
    """All that a verdict on the arithmetic depends on beside the settings."""
    facts = launch.facts
    return (
        launch.framework,
        launch.groups,
        launch.loader,
        launch.algorithm,
        launch.is_read_by_the_framework,
        tuple([candidate.text for candidate in (*launch.candidates, *launch.neighbours)]),
        len(launch.candidates),
        tuple([(name, facts[name].value) for name in _NUMBERS if name in facts]),
        tuple([(operand, str(found.value)) for operand, found in launch.attached.items()]),
        tuple(launch.stated.items()),
        launch.given(rules_of(launch.framework.name).deciding),
    )


_NUMBERS = sorted(IN_PLAN)


def written_in(entry: "Entry") -> "Text":
    """What an entry says, in as far as two that are alike are read alike."""
    node = entry.value
    if type(node) is Scalar:
        return entry.__class__, entry.name, node.text, node.style, node.tag
    if node.end - node.start > LONGEST_WRITTEN:
        return (object(),)
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


_operands: "dict[Text, list[str]]" = {}


def numbers_of(launch: "Launch") -> "Text":
    """Everything that the verdict on the arithmetic of a launch can depend on, where it has no demands and nothing is
    incomplete."""
    context = context_of(launch)
    operands = _operands.get(context)
    if operands is None:
        if len(_operands) >= MOST_KINDS:
            _operands.clear()
        known = rules_of(launch.framework.name)
        rules = ((rule, candidate.regime) for candidate in one_per_regime(launch) for rule in known.conditions)
        operands = _operands[context] = sorted(
            known.deciding.union(*(inputs_of(rule, regime) for rule, regime in rules))
        )
    entries = {**launch.defaults, **launch.entries}
    values = tuple([(name, written_in(entries[name])) for name in operands if name in entries])
    return context, values, launch.framework.reader.trainer.key in launch.entries
