"""Rules found by what people have: the error of a framework, a whole traceback, a name from the documentation, a key.

The wordings of the enforcement rows hold `...` in the place of numbers and names. A text finds the wordings that occur
in it. Where none does, as with a few words of a message, it finds those that share most of its words; rare words count
more than frequent ones.
"""

import re
from math import log

from ..frameworks.all_rules import ALL, CONDITIONS, RULES
from ..frameworks.registry import NAMES, framework as framework_named
from ..message import NOTHING, Message, verbatim
from ..plan.quantities import QUANTITIES, QUANTITY, label
from ..record import Record
from ..rules.layers_below import CAUSES
from .symptoms import rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rules.layers_below import Cause
    from ..shared_types import Enforcement, Framework, Iterable, Iterator, Rule


MOST_LINES = 20_000  # of a log, its last ones
LONGEST_LINE = 2000
MOST_FOUND = 8
MOST_WORDS = 2  # that are looked for in the texts of rules
MOST_BY_TEXTS = 15  # rules that such words may find
MOST_BY_WORDS = 20  # wordings that hold a few words which still tell something
LEAST_SHARE = 0.6  # of the weight of a text that a wording must have
UNHEARD_OF = 40  # a word that no wording holds counts like one that so many hold: it is rather a name than what a message is about
_WORD = re.compile(r"[a-z_][a-z_.'-]*[a-z_]|[a-z]")
_ALTERNATIVES = " / "  # between the wordings of a row


class Found(Record):
    """A rule, and why it was found. `share`: how much of what was asked it answers, 1 for all; `wording`: that of a framework by
    which it was found."""

    rule: "Rule"
    why: Message
    share: float = 1.0
    wording: str = ""


class Wording:
    """One way in which releases of a framework say what a rule is about.

    doubt   how little it tells: what a rule has several wordings for is more likely another rule's
    words   the names in it as they stand, and their parts
    """

    def __init__(self, rule: "Rule", text: str, who: Message, doubt: float) -> None:
        self.rule = rule
        self.text = text
        self.who = who
        self.doubt = doubt
        self.words: frozenset[str] = words_of(text)
        self._pattern: re.Pattern[str] | None = None

    @property
    def told(self) -> Message:
        """'verl 0.8 and later: "data size must be ..."'."""
        return Message('{releases}: "{wording}"', {"releases": self.who, "wording": self.text})

    def stands_in(self, line: str) -> bool:
        """Whether a line holds the wording, with anything in the place of its dots."""
        if self._pattern is None:
            self._pattern = pattern_of(self.text)
        return self._pattern.search(line) is not None


def words_of(text: str) -> "frozenset[str]":
    """The words of a text; of a name also its parts."""
    words = _WORD.findall(text.lower())
    return frozenset((*words, *(part for word in words for part in word.split("_") if len(part) > 1)))


def pattern_of(wording: str) -> "re.Pattern[str]":
    """The lines that hold a wording, with something short in the place of its dots, and whatever spaces."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in wording.strip(". ").split("...")]
    return re.compile(r".{0,80}?".join(parts), re.IGNORECASE)


def wordings(frameworks: "Iterable[Framework] | None" = None) -> "Iterator[Wording]":
    """The wordings of all rows that have some, each once for a rule."""
    seen = set()
    for framework in frameworks or map(framework_named, NAMES):
        for row in framework.refusals.enforcement.rows:
            texts = texts_of(row)
            for place, text in enumerate(texts):
                if (row.rule, text) not in seen:
                    seen.add((row.rule, text))
                    doubt = 0.02 * (len(texts) - 1 + place)
                    who = Message("{framework} {releases}", {"framework": framework.title, "releases": _releases(row)})
                    yield Wording(RULES[row.rule], text, who, doubt)


def texts_of(row: "Enforcement") -> "list[str]":
    """The wordings of a row: several where what it describes is refused in several ways."""
    return [text for text in row.wording.split(_ALTERNATIVES) if any(character.isalpha() for character in text)]


def _releases(row: "Enforcement") -> Message:
    if row.until is None:
        return Message("{since} and later", {"since": row.since})
    if row.since == row.until:
        return verbatim(row.since)
    return Message("{since} - {until}", {"since": row.since, "until": row.until})


# --- a name or a few words ------------------------------------------------------------------------------------------


def search(text: str) -> "list[Found]":
    """The rules that a text is about, the likeliest first; nothing where none is."""
    last = next((line for line in reversed(text.splitlines()) if line.strip()), "")[:LONGEST_LINE]
    found = (
        (_by_name(text) if len(text) < LONGEST_LINE else [])
        or in_log(text)
        or ("_" in last and _by_words(last))  # a message, more likely than what somebody has seen
        or _by_symptom(last)
        or _by_words(last)
        or _by_texts(last)
    )
    best: dict[str, Found] = {}
    for each in sorted(found, key=lambda each: -each.share):
        best.setdefault(each.rule.name, each)
    return list(best.values())


def _by_name(text: str) -> "list[Found]":
    """The rules that the documentation calls by this name, or that are about a quantity or key of this name."""
    name = " ".join(text.lower().replace("#", " ").split())
    called = [
        Found(rule=rule, why=Message("also called {name}", {"name": name})) for rule in ALL if name in rule.also_called
    ]
    if called or " " in name:
        return called
    found = [each for framework in map(framework_named, NAMES) for each in _by_quantity(framework, name)]
    return [*found, *_by_key(name)]


def _by_quantity(framework: "Framework", name: str) -> "Iterator[Found]":
    """The rules of a framework that are about a quantity which it calls by this name."""
    enforced = {row.rule for row in framework.refusals.enforcement.rows}
    formulas = framework.arithmetic.regimes[-1].formulas
    quantities = sorted(_quantities_called(framework, name))
    for rule in CONDITIONS:
        if not rule.harm and rule.name not in enforced:
            continue
        read = set(rule.broken.names) if rule.broken else set()
        for quantity in quantities:
            why = Message(
                "{framework} or its documents call {quantity} {name}",
                {"framework": framework.title, "quantity": _called(quantity), "name": name},
            )
            if quantity in read:
                yield Found(rule=rule, why=why, share=1.0)
            elif quantity in rule.at or any(
                len(formula.names) > 1 and read.issuperset(formula.names) for formula in formulas.get(quantity, ())
            ):  # a rule may spell the quantity out
                yield Found(rule=rule, why=why, share=0.9)


def _quantities_called(framework: "Framework", name: str) -> "list[str]":
    own_names = framework.arithmetic.own_names
    return [quantity for quantity, own in own_names.items() if name in own.lower().split(", ")]


def _called(quantity: str) -> Message:
    return Message(label(quantity), context=QUANTITY)


def quantity_called(name: str) -> Message:
    """'total_prompt_data_size: micro steps of the data ...': the meaning of a name from the documentation; an empty
    text for an unknown one."""
    for framework in map(framework_named, NAMES):
        for quantity in _quantities_called(framework, name.lower()):
            _, unit, meaning = QUANTITIES[quantity]
            about = Message(meaning)
            if unit:
                about = Message("{unit} {meaning}", {"unit": Message(unit), "meaning": about})
            return Message(
                "{name}: {quantity} ({key}): {about}. `grpo-lint explain FILE` shows it.",
                {"name": name, "quantity": _called(quantity), "key": quantity, "about": about},
            )
    return NOTHING


def _by_key(name: str) -> "Iterator[Found]":
    """The rules that point at a key, or at a quantity that only renames this key."""
    for framework in map(framework_named, NAMES):
        formulas = framework.arithmetic.regimes[-1].formulas
        aliases = {quantity for quantity, all_of in formulas.items() if any(formula.text == name for formula in all_of)}
        for rule in ALL:
            read = set(rule.broken.names) if rule.broken else set()
            # where a rule does not compute with a key, it points at the later ones of `at` only for want of the first
            about = {*rule.at[:1], *(read & {*rule.at, *rule.only_with})}
            if name in about or (name in rule.only_with and rule.broken):
                yield Found(rule=rule, why=Message("it is about {name}", {"name": name}), share=0.8)
            elif computed := aliases & (about | read):
                share = 0.9 if aliases & read else 0.7
                values = {"quantity": min(computed), "framework": framework.title, "name": name}
                why = Message("it is about {quantity}, which {framework} takes from {name}", values)
                yield Found(rule=rule, why=why, share=share)
            elif name in rule.at:
                yield Found(rule=rule, why=Message("it may point at {name}", {"name": name}), share=0.6)


def _by_symptom(text: str) -> "list[Found]":
    """The rules that are broken where a run does what a text says; the likeliest first."""
    why = Message("its text speaks of {words}", {"words": " ".join(text.split())})
    return [Found(rule=RULES[name], why=why, share=1 - place / 100) for place, name in enumerate(rules_of(text))]


def _by_words(text: str) -> "list[Found]":
    """The rules in whose wordings most of the words of a text stand."""
    asked = words_of(text)
    all_of = list(wordings())
    counts = _counts(all_of)
    weight = {word: log(1 + len(all_of) / counts.get(word, UNHEARD_OF)) for word in asked}
    whole = sum(weight.values())
    if not asked:
        return []
    found = []
    for wording in all_of:
        shared = sum(weight[word] for word in asked & wording.words)
        # of two that share as much, the shorter one says it more nearly
        share = shared / whole - 0.001 * len(wording.words) - wording.doubt
        if shared / whole >= LEAST_SHARE:
            found.append(Found(rule=wording.rule, why=wording.told, share=share, wording=wording.text))
    best = max((each.share for each in found), default=0)
    likely = [each for each in sorted(found, key=lambda each: -each.share) if each.share > best - 0.15]
    return likely if len(likely) <= (MOST_BY_WORDS if len(asked) > 1 else MOST_FOUND) else []  # words that many say


def _by_texts(text: str) -> "list[Found]":
    """The rules whose own texts hold all words of a text, those first that hold them in their summary; nothing for words that
    many of them hold, or where it is a code or a sentence."""
    asked = words_of(text)
    is_read = text.isascii()  # of another language only the names would be looked for
    if any(character.isdigit() for character in text) or len(text.split()) > MOST_WORDS or not is_read:
        return []
    found = []
    why = Message("its text speaks of {words}", {"words": " ".join(text.split())})
    for rule in ALL if asked else ():
        for share, told in (
            (0.9, f"{rule.name} {rule.summary}"),
            (0.8, rule.message),
            (0.7, f"{rule.why} {rule.instead}"),
        ):
            if asked <= words_of(told.replace("-", " ")):
                found.append(Found(rule=rule, why=why, share=share))
                break
    return sorted(found, key=lambda each: -each.share) if len(found) <= MOST_BY_TEXTS else []


# --- a log ----------------------------------------------------------------------------------------------------------


def in_log(log: str) -> "list[Found]":
    """The rules whose wordings occur in a log or traceback: in the last line that holds any, the longest wording
    first."""
    by_word = _by_rarest_word(list(wordings()))
    for line in reversed(log.splitlines()[-MOST_LINES:]):
        line = line[:LONGEST_LINE]
        likely = [wording for word in words_of(line) for wording in by_word.get(word, ())]
        found = [wording for wording in likely if wording.stands_in(line)]
        if found:
            longest = max(len(wording.text) for wording in found)
            return [
                Found(
                    rule=wording.rule,
                    why=wording.told,
                    share=len(wording.text) / longest - wording.doubt,
                    wording=wording.text,
                )
                for wording in found
            ]
    return []


def cause_in(log: str, found: "list[Found] | None" = None) -> "Cause | None":
    """What a message of a layer below the frameworks comes from that stands in a log; None where none does, and where a framework says more
    in it. `found`: what `in_log` finds there, where it was asked."""
    lines = [line[:LONGEST_LINE] for line in log.splitlines()[-MOST_LINES:]]
    text = "\n".join(lines).lower()
    for cause in CAUSES:
        longest = max((len(wording) for wording in cause.wordings if wording.lower() in text), default=0)
        if longest:
            told = in_log(log) if found is None else found
            says_more = (len(each.wording) > longest and each.rule.name not in cause.rules for each in told)
            return None if any(says_more) else cause
    return None


def of_cause(cause: "Cause") -> "list[Found]":
    """The rules that may be broken where a layer below says so."""
    why = Message("{layer} says so where it is broken", {"layer": cause.layer})
    return [Found(rule=RULES[name], why=why, share=1 - place / 100) for place, name in enumerate(cause.rules)]


def _by_rarest_word(all_of: "list[Wording]") -> "dict[str, list[Wording]]":
    """The wordings by a word that each line must hold in which they stand."""
    counts = _counts(all_of)
    found: dict[str, list[Wording]] = {}
    for wording in all_of:
        whole = [
            word
            for word in wording.words
            if not any(f"...{word}" in part or f"{word}..." in part for part in wording.text.lower().split())
        ]
        if len(wording.words) > 1 and whole:
            found.setdefault(min(whole, key=lambda word: (counts[word], word)), []).append(wording)
    return found


def _counts(all_of: "list[Wording]") -> "dict[str, int]":
    """In how many wordings each word stands."""
    counts: dict[str, int] = {}
    for wording in all_of:
        for word in wording.words:
            counts[word] = counts.get(word, 0) + 1
    return counts
