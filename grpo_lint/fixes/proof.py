"""The proof of a fix: the edited text is linted, and what is found there is compared with what was found before.

A script may start many runs. Edits that stay inside the commands of different runs have nothing to do with each other,
so they are made and linted together, and each is judged by the findings of its own run.
"""

from ..unknown import UNKNOWN
from .edits import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Protocol, TypeAlias

    from ..checker.findings import Finding, Report
    from ..launch.launch import Launch
    from ..source.text import Edit, Text
    from .neighbours import Neighbours

    class Lint(Protocol):
        """Gives the Report of a text without fixes, where the files `beside` it ({path: text}) are other ones."""

        def __call__(self, text: Text, beside: Mapping[str, str] = ..., /) -> Report: ...

    Open: TypeAlias = AbstractSet[str]
    Beside: TypeAlias = Sequence[tuple[Text, list[Edit]]]
    Place: TypeAlias = tuple[str, str | None, int | None]  # (code, key, place of the launch)

MOST_CHARACTERS = 1_000_000  # of text that are linted again for one file: hundreds of times what people write, a few times what they may
COST_OF_DEMAND = 2_000  # characters that take about as long as a demand that holds for no number of processes
COST_OF_START = 1_000  # characters that take about as long as one more command that starts a file of Python
COST_OF_SETTING = 10  # characters that take no longer than a setting; a file may be judged in a hundred runs
_SEVERITIES = ("warning", "error")


class Proof:
    """prove(findings, edits): whether these findings are gone after the edits, and nothing of severity warning or error
    is new or worse.

    `lint` gives the Report of a text without fixes; `neighbours`: the other files whose runs read what is edited.
    """

    _cost: int  # of each lint, beside that of other files

    def __init__(self, report: "Report", lint: "Lint", neighbours: "Neighbours | None" = None) -> None:
        self.text: Text = report.text
        self._report = report
        self._lint = lint
        self._neighbours = neighbours
        self._known: dict[Place, int] = worst(report)
        self._left: int = MOST_CHARACTERS
        unknown = sum(launch.world_size is UNKNOWN for launch in report.launches)
        self._cost = max(len(self.text.text), COST_OF_SETTING * sum(len(launch.entries) for launch in report.launches))
        self._cost += (
            COST_OF_DEMAND * len({rule for launch in report.launches for rule in launch.demands}) * min(unknown, 10)
        )
        if report.code is not None:
            self._cost += COST_OF_START * len(report.launches)

    @property
    def stopped(self) -> bool:
        """Whether there was more to prove than may be; what is not proven is not offered."""
        return self._left < 0

    def __call__(
        self,
        findings: "list[Finding]",
        edits: "list[Edit]",
        open_after: "Open" = frozenset(),
        beside: "Beside" = (),
    ) -> bool:
        """`open_after`: codes of what waits behind these findings, so that a warning of them is none that is new;
        `beside`: edits of other files (`Fix.beside`)."""
        report = self._linted(edits, beside)
        if report is None or len(report.launches) < len(
            self._report.launches
        ):  # what is no run any more has no findings
            return False
        after = worst(report)
        holds = self._gone(findings, after) and not worse(self._known, after, open_after)
        return holds and self._holds_elsewhere(edits, beside, open_after)

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
        self._left -= self._cost + sum(len(text.text) for text, _ in beside)
        return None if self.stopped else self._lint(apply(self.text, edits), edited(beside))

    def _holds_elsewhere(self, edits: "list[Edit]", beside: "Beside", open_after: "Open") -> bool:
        """Whether no run of another file that reads what is edited gets worse."""
        if self._neighbours is None:
            return True
        others = edited(beside)
        self._left -= self._neighbours.cost(self.text.path, others)
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
