"""Findings in words: templates filled with numbers, formulas spelled out, and who contributed to a number."""

from itertools import accumulate

from ..checker.findings import span_of
from ..frameworks.companions import COMPANION_OF
from ..frameworks.versions import release_ranges
from ..launch.facts import IN_PLAN, option_name
from ..launch.origin import place_of
from ..message import NOTHING, Message, either, joined, parts, series, verbatim, within
from ..source.entry import Flag
from ..source.quoting import LONGEST_VALUE, listed, plural, shortened
from ..source.text import Span
from ..source.yaml.scalars import shown_value
from ..unknown import UNKNOWN
from .language import ENGLISH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        Candidate,
        Enforcement,
        Fact,
        Finding,
        Fix,
        Formula,
        Iterable,
        Iterator,
        Language,
        Launch,
        Rule,
        Sequence,
        Setting,
        ShownPlan,
        Text,
    )


_OPERATORS = {" // ": " / ", " * ": " x "}
_COUNTED = (
    "completions", "devices", "groups", "prompts", "ranks", "steps", "rows", "updates", "passes", "processes", "rewards", "weights",
)  # fmt: skip


def message(finding: "Finding", language: "Language" = ENGLISH) -> str:
    """The one sentence of a finding, with its numbers and with what it hinges on."""
    return language.text(message_of(finding))


def message_of(finding: "Finding") -> Message:
    """The one sentence of a finding, with what it hinges on, before it is rendered."""
    told = sentence_of(finding)
    return Message("{finding} [{note}]", {"finding": told, "note": finding.note}) if finding.note else told


def sentence(finding: "Finding", language: "Language" = ENGLISH) -> str:
    """The one sentence of a finding, with its numbers, in a language."""
    return language.text(sentence_of(finding))


def sentence_of(finding: "Finding") -> Message:
    """The one sentence of a finding, with its numbers; templates count in the plural."""
    values = _Values(finding)
    english = _in_the_singular(finding.message.format_map(values))
    told = verbatim(english) if finding.rule.source else Message.saying(english, finding.message, values)
    if finding.counts and finding.launch and len(finding.counts) < len(finding.launch.world_sizes):
        return Message("with {counts}: {finding}", {"counts": processes(finding.counts), "finding": told})
    return told


def _in_the_singular(text: str) -> str:
    """English that counts one of something in the singular."""
    if not any(f"1 {things}" in text for things in _COUNTED):
        return text
    import re  # takes as long to load as a file to be judged

    return re.sub(rf"(?<![\w.])1 ({'|'.join(_COUNTED)})\b", lambda found: f"1 {_singular(found[1])}", text)


def _singular(things: str) -> str:
    return things[:-2] if things.endswith("sses") else things[:-1]


def advice(finding: "Finding") -> Message:
    """What to do where no fix was found: what the finding says of itself, else what its rule says in general."""
    own = finding.values.get("advice")
    return own if isinstance(own, Message) else text_of(finding.rule, finding.rule.instead)


def text_of(rule: "Rule", text: str) -> Message:
    """A text of a rule; those of a team's own are said as they are."""
    return text if isinstance(text, Message) else verbatim(text) if rule.source else Message(text)


def suggestion(fix: "Fix") -> Message:
    """'set num_generations to 7 (groups of 7 instead of 8)': a fix with its effect."""
    return within(fix.title, fix.effect) if fix.effect else fix.title


class _Values(dict[str, object]):
    """What a template may name: {quantity}, {quantity.how}, and the values of the finding itself."""

    def __init__(self, finding: "Finding") -> None:
        super().__init__((name, _of_a_length(value)) for name, value in finding.values.items())
        self.plan = finding.plan
        self.update(finding.rule.values(self.__missing__))

    def __missing__(self, name: str) -> "Shown":
        return Shown(self.plan, name)  # type: ignore[arg-type]  # a template that names a quantity has a plan


def _of_a_length(value: object) -> object:
    """A value of a finding; texts of a file are shortened, and Messages with them."""
    if isinstance(value, Message):
        return value if len(value) <= LONGEST_VALUE else shortened(str(value))
    return shortened(value)  # type: ignore[arg-type]  # what is no text stays


class Shown:
    """A quantity in a message: its value, and by `.how` the formula with its numbers, in parentheses."""

    def __init__(self, plan: "ShownPlan", name: str) -> None:
        self._plan = plan
        self._name = name

    def __format__(self, spec: str) -> str:
        value = self._plan.value(self._name)
        if type(value) is list or type(value) is tuple:
            return shortened(", ".join(map(str, value)))
        if type(value) is float and value >= 10 and value.is_integer():
            value = int(value)  # of a setting that may be a share as well: `save_steps: 0.1`
        return "?" if value is None else shortened(shown_value(value))

    @property
    def count(self) -> int:
        """How many items a list has."""
        return len(self._plan.value(self._name) or ())  # type: ignore[arg-type]  # templates count lists

    @property
    def setting(self) -> str:
        """The setting that gives it."""
        return next(iter(self._plan.leaves((self._name,))), self._name)

    @property
    def how(self) -> Message:
        formula = self._plan.chosen.get(self._name)
        told = formula_with_numbers(self._plan, formula) if formula is not None else NOTHING
        return Message(" ({formula})", {"formula": told}) if told and told != f"{self} rows" else NOTHING


def formula_with_numbers(plan: "ShownPlan", formula: "Formula") -> Message:
    """'per_device_train_batch_size 4 x 8 processes': a formula down to settings and facts, parallel sizes of 1 that
    nobody set left out."""
    spelled = _unwrapped(_spelled(plan, formula).replace(_ONE, "1"))
    return NOTHING if _is_computed(spelled) else _with_counts(plan, spelled)


def _is_computed(spelled: str) -> bool:
    """Whether a formula is nothing but another quantity, which says no more than its number."""
    return spelled[:1] == spelled[-1:] == _COMPUTED and spelled.count(_COMPUTED) == 2


def _with_counts(plan: "ShownPlan", text: str) -> Message:
    """A formula whose marks are replaced by what they count."""
    if _COMPUTED in text:
        parts_of_it = enumerate(text.split(_COMPUTED))
        return joined(_in_words(plan, part) if place % 2 else _with_counts(plan, part) for place, part in parts_of_it)
    pieces: list[str] = []
    start = 0
    for at, character in enumerate(text):
        if character in (_PROCESSES, _ROWS):
            count = (
                plural(plan.value("world_size"), "process")
                if character == _PROCESSES
                else Message("{count} rows", {"count": plan.value("dataset_size")})
            )
            pieces += [text[start:at], count]
            start = at + 1
    return joined([*pieces, text[start:]])


def _in_words(plan: "ShownPlan", name: str) -> Message:
    """'2 processes per model copy': a quantity that no line of arithmetic gives, so that its name is in no file."""
    from .explain.arithmetic import counted, shown

    value = plan.value(name)
    return Message("{number} {label}", {"number": shown(value), "label": counted(name, value)})


def _unwrapped(text: str) -> str:
    """A formula without parentheses around the whole of it."""
    while text.startswith("(") and text.endswith(")"):
        depths = list(accumulate((char == "(") - (char == ")") for char in text[:-1]))
        if 0 in depths:
            break
        text = text[1:-1]
    return text


# Parts of the names of sizes that are 1 unless somebody sets them.
_SIZES_OF_ONE = ("parallel", "ring_attn", "ulysses", "num_nodes", "nnodes")
# Stands for such a size that is 1 by default: it is dropped from products.
_ONE = "\0"
# Stand for numbers with what they count.
_PROCESSES, _ROWS = "\1", "\2"
# Stands around the name of a quantity that is computed in more than a line.
_COMPUTED = "\3"


def _spelled(plan: "ShownPlan", formula: "Formula") -> str:
    if formula.is_path:
        return _leaf(plan, formula.source)
    text = _without_least(_taken(plan, formula.source))
    if "(" in text:
        import re

        text = re.sub(r"ratio\((.+), (.+)\)", r"\1 // (\2)", text)
        text = re.sub(r"(?<!\w)\((\w+)\)", r"\1", text)
        if re.search(r"\w\(", text):
            return ""  # a function of settings is no arithmetic that anybody would follow
    if (
        " if " in text
        or " or " in text
        or not all(character.isalnum() or character in "_ */+()-" for character in text)
    ):
        return ""
    spelled = "".join(_operand(plan, word, text) if word.isidentifier() else word for word in _words(text))
    for operator, shown in _OPERATORS.items():
        spelled = spelled.replace(operator, shown)
    if _ONE not in spelled:
        return spelled
    spelled = _without(spelled, (f"{_ONE} x ", f" x {_ONE}", f" / {_ONE}"))
    return spelled.replace(f" / ({_ONE})", "")


def _taken(plan: "ShownPlan", text: str) -> str:
    """The branch of `a if condition else b` that counts, or the one of `a or b`."""
    first, _, second = text.partition(" or ")
    if first.isidentifier() and second.isidentifier():
        return first if plan.value(first) else second
    chosen, _, rest = text.partition(" if ")
    condition, _, otherwise = rest.partition(" else ")
    if not otherwise or " if " in rest or "(" in text:
        return text
    holds = plan.value(condition) if condition.isidentifier() else None
    return text if holds is None else chosen if holds else otherwise


def _without_least(text: str) -> str:
    """A formula without `max(1, size)`: a size below 1 counts as 1."""
    before, found, rest = text.partition("max(1, ")
    name, _, after = rest.partition(")")
    return before + name + _without_least(after) if found and name.isidentifier() else text


def _without(text: str, parts: "tuple[str, ...]") -> str:
    """A text without some parts, taken out from left to right."""
    left, at = "", 0
    while at < len(text):
        part = next((part for part in parts if text.startswith(part, at)), "")
        left += "" if part else text[at]
        at += len(part) or 1
    return left


def _words(formula: str) -> "Iterator[str]":
    """The names and numbers of a formula, and each character between them."""
    start = 0
    for at, character in enumerate(formula):
        if not (character.isalnum() or character == "_"):
            yield formula[start:at]
            yield character
            start = at + 1
    yield formula[start:]


def _operand(plan: "ShownPlan", name: str, within: str) -> str:
    formula = plan.chosen.get(name)
    if formula is None:
        return _leaf(plan, name)
    inner = _spelled(plan, formula)
    if inner == "1":
        return _ONE
    if not inner:
        return _leaf(plan, name)
    only_products = " / " not in within and "//" not in within and "+" not in within and "-" not in within
    compound = " x " in inner or " / " in inner or " - " in inner
    return f"({inner})" if compound and not (only_products and " / " not in inner and " - " not in inner) else inner


def _leaf(plan: "ShownPlan", name: str) -> str:
    value = plan.value(name)
    if name == "world_size":
        return _PROCESSES
    if name == "dataset_size":
        return _ROWS
    if value == 1 and name not in plan.given and any(each in name for each in _SIZES_OF_ONE):
        return _ONE
    formula = plan.chosen.get(name)
    if formula is not None and not formula.is_path:
        return f"{_COMPUTED}{name}{_COMPUTED}"
    return f"{'.'.join(name.split('.')[-2:])} {value}"


class Contribution:
    """Something a finding's numbers come from: a key or a comment of the file (`span`), else a default or a fact.

    name, value   what it is; `source` says who set it: "" for a key of the file, else "comment", "command line", ...
    release       whose default it is, None when somebody set it
    place         (Text, Span) when it stands in another file
    overridden    whether it does not count, because something stronger says the same setting
    """

    def __init__(
        self,
        name: str,
        value: object,
        span: "Span | None" = None,
        source: Message = NOTHING,
        release: "str | None" = None,
        place: "tuple[Text, Span] | None" = None,
        overridden: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.span = span
        self.source = source
        self.release = release
        self.place = place
        self.overridden = overridden

    @property
    def label(self) -> Message:
        """'num_generations: 8', 'world-size: 7 (comment)', 'max_steps: -1 is the default of TRL 1.16.0'."""
        told = verbatim(f"{shortened(self.name)}: {shortened(shown_value(self.value))}")
        if self.release:
            return Message("{setting} is the default of {release}", {"setting": told, "release": self.release})
        return within(told, self.source) if self.source else told


def contributions(finding: "Finding", launch: "Launch") -> "list[Contribution]":
    """What the finding's numbers come from, apart from the key it points at: keys of the file, defaults, facts."""
    if finding.plan is None or finding.candidate is None or finding.rule.broken is None:
        return [Contribution(name, value, span) for name, value, span in finding.related]
    pointed = span_of(finding)
    names = finding.plan.leaves(finding.rule.broken.names)
    found = [
        each
        for name in names
        for each in (origin(launch, finding.candidate, finding.plan, name), overridden(launch, name))
    ]
    return [each for each in found if each is not None and (each.span is None or each.span != pointed)]


def overridden(launch: "Launch", name: str) -> "Contribution | None":
    """What a setting would be if nothing overrode it; None where that is nothing else."""
    counts, *others = launch.all_occurrences(name) or (None,)
    lost = others[0] if counts is not None and others and str(others[0].value) != str(counts.value) else None
    if lost is None:
        return None
    if lost.text is None:
        return Contribution(name, lost.value, lost.key, Message("overridden"), overridden=True)
    place = place_of(lost.text, lost.key.start)
    return Contribution(
        name,
        lost.value,
        source=Message("{place}, overridden", {"place": place}),
        place=(lost.text, lost.key),
        overridden=True,
    )


def origin(launch: "Launch", candidate: "Candidate", plan: "ShownPlan", name: str) -> "Contribution | None":
    """Where the value of a setting or fact comes from; None for what is neither written nor known by default."""
    value = plan.value(name)
    setting = launch.setting(name) or (launch.default(name) if value is not None else None)
    if setting is not None:
        return _of_setting(setting, value if value is not None else setting.value)
    if name in IN_PLAN:
        fact = launch.facts.get(name)
        return _of_fact(launch, name, fact) if fact is not None else None
    if name in launch.attached:
        attached = launch.attached[name]
        return Contribution(attached.key, attached.value, None, verbatim(attached.place))
    if name in COMPANION_OF:
        return _of_companion(launch, candidate, name, value)
    if value is None or value is UNKNOWN:
        return None
    return Contribution(name, value, release=release(launch, candidate))


def _of_setting(setting: "Setting", value: object) -> "Contribution":
    if setting.text is not None:
        source, place = place_of(setting.text, setting.key.start), (setting.text, setting.key)
        return Contribution(setting.name, value, source=source, place=place)
    return Contribution(
        setting.name, value, setting.key, Message("flag") if isinstance(setting.entry, Flag) else NOTHING
    )


def _of_fact(launch: "Launch", name: str, fact: "Fact") -> "Contribution":
    path, start, end = fact.where or ("", None, None)
    if start is None or end is None:
        return Contribution(option_name(name), fact.value, source=fact.source)
    if path is None:
        return Contribution(option_name(name), fact.value, Span(start, end), fact.source)
    texts = (launch.origin.script, launch.origin.config) if launch.origin is not None else ()
    text = next((text for text in texts if text is not None and text.path == path), None)
    place = (text, Span(start, end)) if text is not None else None
    return Contribution(option_name(name), fact.value, source=fact.source, place=place)


def _of_companion(launch: "Launch", candidate: "Candidate", name: str, value: object) -> "Contribution":
    package = COMPANION_OF[name]
    source = verbatim(f"{package} {launch.companions_of(candidate)[package]}")
    if package not in launch.companion_versions:
        beside = f"{launch.framework.title} {candidate.text}"
        source = Message("{companion}, which goes with {release}", {"companion": source, "release": beside})
    return Contribution(name, value, None, source)


def release(launch: "Launch", candidate: "Candidate") -> str:
    """'TRL 1.16.0': the release whose defaults and refusals are told; for one newer than all, the newest known."""
    text = launch.framework.catalogue.releases[candidate.index] if launch.newer else candidate.text
    return f"{launch.framework.title} {text}"


def gathered(contributing: "Iterable[Contribution]") -> Message:
    """Contributions that do not stand in the file, in one line: defaults of one release together, then the others."""
    defaults: dict[str, list[str]] = {}
    contributing = list(contributing)
    for part in contributing:
        if part.release:
            defaults.setdefault(part.release, []).append(f"{part.name} {shown_value(part.value)}")
    told = [
        Message(
            "{settings} is the default of {release}",
            {"settings": listed(names), "release": release},
            "{settings} are defaults of {release}",
            len(names),
        )
        for release, names in defaults.items()
    ]
    told += [within(f"{part.name} {shown_value(part.value)}", part.source) for part in contributing if not part.release]
    return parts(told)


CHECK = Message("the check")  # what the line of code is that refuses


WHEN = {
    "read": Message("when the file is read"),
    "config": Message("when the config is built"),
    "init": Message("when the trainer starts, after the model is loaded"),
    "run": Message("after it has started"),
}


def verdict(finding: "Finding", launch: "Launch", quoted: bool = True) -> Message:
    """Who refuses, when, and, `quoted`, in which words: 'TRL 1.16.0 refuses this when the config is built: "..."'; ''
    when nobody does."""
    enforced = finding.enforced
    if enforced is None or finding.candidate is None:
        return NOTHING
    who = release(launch, finding.candidate)
    if enforced.stage == "run":
        what = Message("{release} dies of this {when}", {"release": who, "when": moment(enforced)})
    else:
        what = Message("{release} refuses this {when}", {"release": who, "when": moment(enforced)})
    if not quoted or not enforced.wording:
        return what
    from .quotes import with_numbers  # only where a message is quoted

    words = with_numbers(enforced, launch, finding.candidate)
    return Message('{verdict}: "{words}"', {"verdict": what, "words": words})


def moment(enforced: "Enforcement") -> Message:
    """When a release refuses."""
    return Message(enforced.moment) if enforced.moment else WHEN[enforced.stage]


def version_line(launch: "Launch") -> Message:
    """'TRL 1.16.0 (comment)': the framework and release a launch was judged with, and how that is known."""
    if not launch.candidates:
        return within(f"{launch.framework.title} {launch.missing}", launch.version_source)
    newest = launch.candidates[0]
    told = _release_told(launch, newest)
    if launch.version_source != "inferred":
        return within(told, launch.version_source)
    known, fields = launch.framework.catalogue.known, launch.fields(newest)
    is_all = all(
        fields[name] or known(name, launch.groups) >> newest.index & 1
        for name in launch.entries
        if known(name, launch.groups)
    )
    keys = Message("these keys") if is_all else Message("most of these keys")
    if launch.allowed_by:
        keys = Message("{keys} and which {pin} allows", {"keys": keys, "pin": launch.allowed_by})
    if len(launch.candidates) == 1:
        return within(told, Message("the only release that knows {keys}", {"keys": keys}))
    releases = release_ranges(launch, [candidate.index for candidate in launch.candidates])
    return within(told, Message("newest of {releases}, which know {keys}", {"releases": releases, "keys": keys}))


def _release_told(launch: "Launch", release: "Candidate") -> "Message | str":
    """'TRL 1.16.0', with the transformers beside it where the settings, or the repository, tell another one than usual."""
    told = f"{launch.framework.title} {release.text}"
    beside = launch.beside.get(release.index)
    if not beside or beside[0] == launch.framework.catalogue.companions[release.index]["transformers"]:
        return told
    return Message("{release} beside transformers {version}", {"release": told, "version": beside[0]})


def processes(counts: "Sequence[object]") -> Message:
    """'8, 16 or 64 processes'."""
    return Message("{counts} processes", {"counts": either(counts)}) if counts[1:] else plural(counts[0], "process")


def judged_as(launch: "Launch") -> Message:
    """'TRL 1.16.0 (comment), GRPO, 8 processes (comment)': what a file was taken for, each part with its source."""
    world = launch.facts.get("world_size")
    counts = Message("number of processes unknown")
    if world is not None:
        counts = within(processes(launch.world_sizes), world.source)
    told = series((version_line(launch), launch.title, counts))
    if launch.origin and launch.origin.script:
        return series((told, Message("started by {place}", {"place": launch.origin.place})))
    return told
