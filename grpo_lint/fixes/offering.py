"""Fixes: found by search on plain integers, and proven by linting the edited text.

A fix is offered only when its own finding is gone and no new (code, key) of severity warning or error appeared.
"""

from ..checker.findings import Fix
from ..checker.verdict import numbers_of
from ..files.budget import COST_OF_RUN
from ..message import Message
from ..unknown import UNKNOWN
from .edits import apply, edits_where_they_belong
from .search import Offers, Search, Work, effect, named_place, title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from ..shared_types import (
        AbstractSet,
        Callable,
        Edit,
        Finding,
        Fix,
        Iterable,
        Iterator,
        Launch,
        Mapping,
        Neighbours,
        Plan,
        Report,
        Safety,
        Sequence,
        Text,
    )
    from .search import Change

    class Lint(Protocol):
        """Gives the Report of a text without fixes, where the files `beside` it ({path: text}) are other ones."""

        def __call__(self, text: Text, beside: Mapping[str, str] = ..., /) -> Report: ...

    Open = AbstractSet[str]
    Steps = Iterator[None]  # work in pieces, between which others may work
    Beside = Sequence[tuple[Text, list[Edit]]]
    Place = tuple[str, str | None, int | None]  # (code, key, place of the launch)

# --- the proof --------------------------------------------------------------------------------------------------------

# The edited text is linted, and what is found there is compared with what was found before. A script may start many runs:
# edits that stay inside the commands of different runs have nothing to do with each other, so they are made and linted
# together, and each is judged by the findings of its own run.

ABOUT_PROCESSES = frozenset(
    ("one-device-per-process", "devices-divide-over-processes", "devices-are-shared-out", "processes-have-devices", "devices-have-processes")
)  # fmt: skip
MOST_CHARACTERS = 1_000_000  # of text that are linted again for one file: hundreds of times what people write, a few times what they may
COST_OF_DEMAND = 2_000  # characters that take about as long as a demand that holds for no number of processes
COST_OF_START = 1_000  # characters that take about as long as one more command that starts a file of Python
COST_OF_SETTING = 10  # characters that take no longer than a setting; a file may be judged in a hundred runs
_SEVERITIES = ("warning", "error")


class Room:
    """How many characters may still be linted again for a file."""

    def __init__(self, characters: int = MOST_CHARACTERS) -> None:
        self.left = characters


class Proof:
    """prove(findings, edits): whether these findings are gone after the edits, and nothing of severity warning or error
    is new or worse.

    `lint` gives the Report of a text without fixes; `neighbours`: the other files whose runs read what is edited; `room`: what
    is left for the file.
    """

    _cost: int  # of each lint, beside that of other files

    def __init__(
        self, report: "Report", lint: "Lint", neighbours: "Neighbours | None" = None, room: "Room | None" = None
    ) -> None:
        self.text: Text = report.text
        self._report = report
        self._lint = lint
        self._neighbours = neighbours
        self._known: dict[Place, int] = worst(report)
        self._room: Room = room or Room()
        self._cost = cost_of(report)
        self._last: tuple[object, dict[Place, int] | None] = None, None  # what was tried last, and what was wrong then

    @property
    def stopped(self) -> bool:
        """Whether there was more to prove than may be; what is not proven is not offered."""
        return self._room.left < 0

    def __call__(
        self,
        findings: "list[Finding]",
        edits: "list[Edit]",
        open_after: "Open" = frozenset(),
        beside: "Beside" = (),
    ) -> bool:
        """`open_after`: codes of what waits behind these findings, so that a warning of them is none that is new;
        `beside`: edits of other files (`Fix.beside`)."""
        tried = [(each.start, each.end, each.new) for each in edits], list(beside), open_after
        if self._last[0] != tried:
            self._last = tried, self._after(edits, open_after, beside)
        after = self._last[1]
        return after is not None and self._gone(findings, after)

    def _after(self, edits: "list[Edit]", open_after: "Open", beside: "Beside") -> "dict[Place, int] | None":
        """What is wrong after the edits; None where something got worse by them, here or elsewhere."""
        report = self._linted(edits, beside)
        if report is None or len(report.launches) < len(self._report.launches):
            return None  # what is no run any more has no findings
        after = worst(report)
        holds = not worse(self._known, after, open_after) and self._holds_elsewhere(edits, beside, open_after)
        return after if holds else None

    def apart(self, trials: "Sequence[tuple[Finding, list[Edit], Open]]") -> "list[bool]":
        """[whether a finding is gone after its edits] for (finding, edits, codes of what waits behind it), where no two
        are about one launch and all are `in_own_command`."""
        if len(trials) < 2:
            return [self([finding], edits, codes) for finding, edits, codes in trials]
        together = self._judged_apart(trials)
        if together is not None:
            return together
        middle = len(trials) // 2  # one of them reaches other runs: which one?
        return self.apart(trials[:middle]) + self.apart(trials[middle:])

    def _judged_apart(self, trials: "Sequence[tuple[Finding, list[Edit], Open]]") -> "list[bool] | None":
        """What `apart` gives, judged by one text with all of the edits; None where what came of them cannot be told apart."""
        every = [edit for _, edits, _ in trials for edit in edits]
        report = self._linted(every)
        if report is None:
            return [False] * len(trials)
        after = worst(report)
        open_after = frozenset().union(*(codes for _, _, codes in trials))
        places = {place for _, _, place in worse(self._known, after, open_after)}
        if (
            len(report.launches) != len(self._report.launches)
            or None in places
            or not self._holds_elsewhere(every, (), open_after)
        ):
            return None
        return [
            self._gone([finding], after) and _key(self._report, finding)[-1] not in places for finding, _, _ in trials
        ]

    def _linted(self, edits: "list[Edit]", beside: "Beside" = ()) -> "Report | None":
        """The report about the text with the edits; None when no more may be linted."""
        self._room.left -= self._cost + sum(len(text.text) for text, _ in beside)
        return None if self.stopped else self._lint(apply(self.text, edits), edited(beside))

    def _holds_elsewhere(self, edits: "list[Edit]", beside: "Beside", open_after: "Open") -> bool:
        """Whether no run of another file that reads what is edited gets worse."""
        if self._neighbours is None:
            return True
        others = edited(beside)
        self._room.left -= self._neighbours.cost(self.text.path, others)
        return not self.stopped and self._neighbours.holds(apply(self.text, edits), others, open_after)

    def _gone(self, findings: "list[Finding]", after: "dict[Place, int]") -> bool:
        return all(_key(self._report, finding) not in after for finding in findings)


def worse(known: "Mapping[Place, int]", after: "Mapping[Place, int]", open_after: "Open") -> "list[Place]":
    """The places where something is new or worse. `open_after`: codes of what waits behind what was mended."""
    expected = _expected(known, open_after) if open_after else {}
    return [
        place for place, rank in after.items() if rank > known.get(place, _at_new_place(place, expected, open_after))
    ]


def _at_new_place(place: "Place", expected: "Mapping[object, int]", open_after: "Open") -> int:
    code, _, launch = place
    return expected.get((code, launch), 0) if code in open_after else -1


def _expected(known: "Mapping[Place, int]", open_after: "Open") -> "dict[object, int]":
    """{(code, launch): how bad a finding at a new place may be}: what is left may point at another key than before, and
    what waited is a warning."""
    found: dict[object, int] = {}
    for (code, _, launch), rank in known.items():
        if code in open_after:
            found[code, launch] = max(found.get((code, launch), 0), rank)
    return found


def cost_of(report: "Report") -> int:
    """How many characters take as long as linting the text of a report again, without its fixes."""
    unknown = sum(launch.world_size is UNKNOWN for launch in report.launches)
    settings = sum(len(launch.entries) + COST_OF_RUN for launch in report.launches)
    cost = max(len(report.text.text), COST_OF_SETTING * settings)
    cost += COST_OF_DEMAND * len({rule for launch in report.launches for rule in launch.demands}) * min(unknown, 10)
    return cost + (COST_OF_START * len(report.launches) if report.code is not None else 0)


def edited(beside: "Beside") -> "dict[str, str]":
    """{path: text} of files with their edits made."""
    return {text.path: apply(text, edits).text for text, edits in beside}


def in_own_command(report: "Report", launch: "Launch | None", edits: "list[Edit]") -> bool:
    """Whether edits stay inside the command of a launch, which stands in a script beside the commands of others."""
    origins = [each.origin for each in report.launches if each.origin is not None and each.origin.script is None]
    if launch is None or launch.origin is None or not 2 <= len(report.launches) == len(origins):
        return False
    own = launch.origin.invocation.command
    shared = sum(
        own.start < each.end and each.start < own.end for each in (other.invocation.command for other in origins)
    )
    return shared == 1 and all(own.start <= edit.start and edit.end <= own.end for edit in edits)


def worst(report: "Report") -> "dict[Place, int]":
    """{key: rank of the severity} of what is more than an info."""
    found: dict[Place, int] = {}
    places = {id(launch): index for index, launch in enumerate(report.launches)} if len(report.launches) > 1 else {}
    for finding in report.findings:
        if finding.severity != "info":
            key = *finding.key, (places.get(id(finding.launch)) if places else 0)
            found[key] = max(found.get(key, 0), _SEVERITIES.index(finding.severity))
    return found


def _key(report: "Report", finding: "Finding") -> "Place":
    """(code, key, place of the launch): a script may start several runs."""
    if len(report.launches) < 2:
        return *finding.key, 0
    return *finding.key, report.launches.index(finding.launch) if finding.launch else None


# --- offers -----------------------------------------------------------------------------------------------------------


class Offering:
    """Adds proven fixes to the findings of a report, to each once, when they are asked for.

    `lint` gives the Report of a text without fixes; `work`: the `search.Work` that is left for it, `room` that for linting.
    Whatever is asked of one Offering shares these, and its searches.
    """

    _prove: "Proof"

    def __init__(
        self,
        report: "Report",
        lint: "Lint",
        work: "Work | None" = None,
        neighbours: "Neighbours | None" = None,
        room: "Room | None" = None,
    ) -> None:
        self._report = report
        self._neighbours = neighbours
        self._lint = lint
        self._work = work
        self._room: Room = room or Room()
        self._searches: dict[object, Search] = {}
        self._trials: dict[int, Trial] = {}
        self._done: set[int] = set()

    def add(
        self, findings: "Iterable[Finding]", is_served: "Callable[[Finding], bool]" = lambda finding: False
    ) -> None:
        """Add the fixes of these findings, which are some of the report. `is_served`: whether a finding needs no more of them
        now; the others are proven when it is asked about again."""
        for _ in self.adding(findings, is_served):
            pass

    def adding(
        self, findings: "Iterable[Finding]", is_served: "Callable[[Finding], bool]" = lambda finding: False
    ) -> "Steps":
        """`add` in pieces."""
        asked = list(findings)
        wanted = [finding for finding in asked if self._is_wanted(finding)]
        if wanted:
            yield from self._begin(wanted)
        trials = [self._trials[id(each)] for each in asked if id(each) in self._trials]
        if trials:
            yield from _prove(trials, self._prove, is_served)

    @property
    def stopped(self) -> bool:
        """Whether a limit was reached, so that there may be fixes which nobody has looked for or proven."""
        return self._room.left < 0 or (self._work is not None and self._work.is_over())

    @property
    def linted(self) -> int:
        """How many characters were linted again so far."""
        return MOST_CHARACTERS - self._room.left

    def of(self, report: "Report") -> "Offering":
        """The Offering of a later report about the same file, which shares the limits."""
        return Offering(report, self._lint, self._work, self._neighbours, self._room)

    def proof(self) -> "Proof":
        """What proves other edits of the same text, within the same limit."""
        return Proof(self._report, self._lint, self._neighbours, self._room)

    def _begin(self, wanted: "list[Finding]") -> "Steps":
        """Add the fixes of findings that need no search, and look for those of the others."""
        if not self._done:
            self._prove = self.proof()
        self._done.update(map(id, wanted))
        about_keys = [finding for finding in wanted if finding.rule.broken is None]
        if about_keys:
            yield from _offer_key_fixes(self._report, about_keys, self._prove)
        about_numbers = [finding for finding in wanted if finding.rule.broken and finding.candidate is not None]
        standing = ((finding, _fix_where_it_stands(self._report, finding)) for finding in about_numbers)
        yield from _offer_proven(self._report, standing, self._prove)
        searched = [finding for finding in about_numbers if not _offer_rename(self._report, finding, self._prove)]
        if searched:
            yield from self._search(searched)

    def _is_wanted(self, finding: "Finding") -> bool:
        return _may_be_fixed(finding) and id(finding) not in self._done

    def _search(self, findings: "list[Finding]") -> "Steps":
        """Search for changes that cure the findings. All searches of a file share one limit of tries, and launches with
        the same numbers share a search."""
        self._work = work = self._work or Work()
        for finding in findings:
            launch: Launch = finding.launch  # type: ignore[assignment]  # both are known of what is searched for
            plan: Plan = finding.plan  # type: ignore[assignment]
            world_size = plan.value("world_size")
            place = launch if len(self._report.launches) == 1 else _numbers(launch), world_size
            search = self._searches.get(place)
            if search is None:
                search = self._searches[place] = Search(launch, work, UNKNOWN if world_size is None else world_size)
            changes = yield from search.searching(finding.rule)
            self._trials[id(finding)] = Trial(self._report, finding, search, changes)
            finding.search_stopped = work.stopped


def may_have_safe_fixes(report: "Report") -> bool:
    """Whether a fix that leaves the training as it is seems to exist. Nothing is proven."""
    return any(safe_key_fix(report, finding) is not None for finding in report.findings)


def safe_key_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix of a finding that leaves the training as it is, not yet proven; None where there is none. All such fixes
    are about keys, so nothing is searched."""
    if finding.rule.broken is not None or not _may_be_fixed(finding):
        return None
    from .keys import key_fix

    fix = key_fix(report, finding)
    return fix if fix is not None and fix.safety == "safe" else None


def _may_be_fixed(finding: "Finding") -> bool:
    return finding.severity != "info" and finding.launch is not None


def _offer_key_fixes(report: "Report", findings: "list[Finding]", prove: "Proof") -> "Steps":
    """Prove the fixes of keys: one of each command of a script together, the others one by one."""
    from .keys import key_fix

    offers = ((finding, key_fix(report, finding)) for finding in findings if not prove.stopped)
    return _offer_proven(report, offers, prove)


def _offer_proven(report: "Report", offers: "Iterable[tuple[Finding, Fix | None]]", prove: "Proof") -> "Steps":
    """Add those of these fixes that hold: one of each command of a script is proven together, the others one by one."""
    of_commands: dict[Launch | None, list[tuple[Finding, Fix]]] = {}
    for finding, fix in offers:
        if fix is None:
            continue
        if fix.can_be_applied and not fix.beside and in_own_command(report, finding.launch, fix.edits):
            of_commands.setdefault(finding.launch, []).append((finding, fix))
        elif not fix.can_be_applied or prove([finding], fix.edits, beside=fix.beside):
            finding.fixes.append(fix)
        yield
    while of_commands:
        batch = [fixes.pop(0) for fixes in of_commands.values()]
        of_commands = {launch: fixes for launch, fixes in of_commands.items() if fixes}
        proven = prove.apart([(finding, fix.edits, frozenset()) for finding, fix in batch])
        for (finding, fix), holds in zip(batch, proven, strict=True):
            if holds:
                finding.fixes.append(fix)
        yield


def _offer_rename(report: "Report", finding: "Finding", prove: "Proof") -> bool:
    """Add the rename of the key that is meant for a setting at whose default the finding came about, where that mends it;
    whether there is such a key. A change that goes with the default would not go with what the key says."""
    misspelt: Finding | None = finding.values.get("misspelt")
    if misspelt is None or prove.stopped:
        return False
    from .keys import key_fix

    fix = key_fix(report, misspelt)
    if fix is None:
        return False
    if prove([finding, misspelt], fix.edits):
        finding.fixes.append(fix)
    else:
        finding.values["advice"] = Message(
            "First {change}; what is left then is about its value.", {"change": fix.title}
        )
    return True


def _fix_where_it_stands(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix that needs no search, not yet proven: a number of processes in the command, a value of a DeepSpeed configuration."""
    is_about_processes = finding.rule.name in ABOUT_PROCESSES
    if not is_about_processes and not finding.rule.name.startswith("deepspeed-"):
        return None
    from .direct import auto_fix, process_fix  # few findings are about these

    return process_fix(report, finding) if is_about_processes else auto_fix(report, finding)


def _numbers(launch: "Launch") -> object:
    """Everything that a search in a launch depends on, to be compared; the launch itself where that is more than
    numbers."""
    return launch if launch.demands or launch.incomplete or launch.reader else numbers_of(launch)


def _prove(trials: "list[Trial]", prove: "Proof", is_served: "Callable[[Finding], bool]") -> "Steps":
    """Prove what the trials propose in rounds: changes of different commands together, everything else one by one."""
    while open_trials := [trial for trial in trials if trial.edits is not None and not is_served(trial.finding)]:
        together: dict[Launch | None, Trial] = {}
        for trial in open_trials:
            if trial.apart:
                together.setdefault(trial.finding.launch, trial)
        batch = list(together.values()) or open_trials[:1]
        for trial, holds in zip(batch, _proven(batch, prove), strict=True):
            trial.finding.search_stopped |= prove.stopped
            trial.go_on(holds)
        yield


def _proven(trials: "list[Trial]", prove: "Proof") -> "list[bool]":
    first = trials[0]
    if first.beside:  # it is alone
        return [prove([first.finding], first.edits or [], first.open_after, first.beside)]
    return prove.apart([(trial.finding, trial.edits or [], trial.open_after) for trial in trials])


class Trial:
    """The changes that may cure a finding, one after the other.

    edits   those of the change that is to be proven, None when there is none left; `beside`: those of the config that the
            judged script loads
    apart   whether they may be proven together with those of other launches
    """

    edits: "list[Edit] | None"
    apart: bool
    _change: "Change"

    def __init__(self, report: "Report", finding: "Finding", search: "Search", changes: "list[Change]") -> None:
        self.finding = finding
        self.beside: Beside = ()
        self._is_shared = False  # whether an edit is made where other launches may read it
        self._report = report
        self._sizes: AbstractSet[str] = frozenset(search.names) - search.parallel
        self._changes = Offers(changes, search.refuses, search.parallel)
        self.go_on(False)

    @property
    def open_after(self) -> "set[str]":
        """The codes of the rules that the change leaves broken."""
        return self._change.open_after

    def go_on(self, holds: bool) -> None:
        """Take the verdict on the last change, and propose the next one. A change that cannot be written as edits is
        passed over."""
        launch: Launch = self.finding.launch  # type: ignore[assignment]  # it is about one
        while True:
            if self._is_shared and not holds:  # what other launches cannot go with is shown as what this one needs
                self.edits, self._is_shared, holds = [], False, True
            if holds:
                self.finding.fixes.append(self._fix())
                self._changes.hold()
            change = self._changes.next()
            if change is None:
                self.edits = None
                return
            self._change = change
            self.edits, self.beside = edits_where_they_belong(self._report, launch, self._change.values)
            if self.edits or self.beside:
                self.apart = not self.beside and in_own_command(self._report, self.finding.launch, self.edits)
                self._is_shared = len(self._report.launches) > 1 and bool(self._places())
                return
            holds = True

    def _places(self) -> "dict[str, tuple[str, int]]":
        """{key: (variable, line)} of the values that stand outside of the command."""
        launch: Launch = self.finding.launch  # type: ignore[assignment]  # it is about one
        is_script = launch.origin is not None and launch.origin.script is None
        if not is_script and not launch.places:
            return {}
        from .outside import set_outside  # only a script, or Python, pays for it

        found = {key: set_outside(self._report, launch, key) for key in self._change.values}
        return {key: place for key, place in found.items() if place is not None}

    def _fix(self) -> "Fix":
        change, edits = self._change, self.edits or []
        told = title(change, self._places(), self.finding.at.name if self.finding.at else "")
        if self.beside and not edits:
            told = Message("{change} in {place}", {"change": told, "place": named_place(self.beside[0][0].path)})
        safety: Safety = "unsafe" if edits or self.beside else "display"
        return Fix(told, effect(change, self._sizes), safety, dict(change.values), edits, self.beside)
