"""What the releases that may be meant say together: the one place that weighs their votes.

Every refusal is a vote, whether of a rule over the plan, of a key or of a value. The candidates decide between warning and
info; an error needs all of them and their neighbours, the releases that know one key less: many a file has a key of somebody
else's.
"""

from ..frameworks.versions import bits_of, places_of, release_ranges
from ..message import Message
from .keys import is_taken, is_unread, misfits
from .verdict import one_per_regime, verdict_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..launch.launch import Candidate, Launch
    from .findings import Finding
    from .verdict import Verdict


class Votes:
    """The votes on one launch; sets of releases are bits, each at the place of its release in the catalogue.

    `candidates`: those that may be meant; `refusing`: those of them that refuse the run, for whatever reason; `newest`: what
    the newest of them says of the arithmetic.
    """

    def __init__(self, launch: "Launch") -> None:
        self.launch = launch
        self.candidates: int = bits_of(candidate.index for candidate in launch.candidates)
        self._neighbours: int = bits_of(candidate.index for candidate in launch.neighbours)
        self.refusing = 0
        self.newest: Verdict | None = None
        self._refusing_neighbours: int | None = None

    def weigh(self, findings: "list[Finding]") -> "list[Finding]":
        """The findings, of which those that are refusals have the severity that the votes allow."""
        disputed = [finding for finding in findings if finding.refusing]
        if not disputed or not (self.candidates & (self.candidates - 1) or self._neighbours):
            return findings
        if self.launch.version_source != "inferred":
            # a pin between two releases is not known to be like the one that refuses
            return [finding for finding in findings if not self._accepting(finding)]
        for finding in disputed:
            self.refusing |= finding.refusing
        left = self.candidates & ~self.refusing
        if left and self.refusing & self._newest:  # what the newest accepts is an info, whatever the others refuse
            self.refusing |= self._refusing_keys(left)
        for finding in disputed:
            self._weigh(finding)
        return findings

    @property
    def _newest(self) -> int:
        """The newest candidate, which knows each key that a finding is about."""
        return 1 << self.candidates.bit_length() - 1

    def _accepting(self, finding: "Finding") -> int:
        """The candidates that have a say in a refusal and do not refuse."""
        return self.candidates & ~finding.abstaining & ~finding.refusing if finding.refusing else 0

    def _weigh(self, finding: "Finding") -> None:
        if not finding.refusing & self._newest:
            finding.severity = "info"
        elif self._is_refused_by_all(self._accepting(finding), finding.abstaining):
            return
        else:
            finding.severity = "warning"
        finding.assumes = ["version", *finding.assumes]
        finding.say_first(self._told(finding))

    def _is_refused_by_all(self, accepting: int, abstaining: int) -> bool:
        """Whether no release that may be meant would start the run."""
        if accepting & ~self.refusing:
            return False
        return not self._neighbours & ~abstaining & ~self._neighbours_that_refuse()

    def _told(self, finding: "Finding") -> Message:
        """'refused by TRL 0.15 - 0.16, accepted by 0.17'."""
        refusing, everybody = self.refusing, self.candidates
        if not everybody & ~refusing:  # the neighbours make the doubt
            everybody |= self._neighbours
            refusing |= self._neighbours_that_refuse()
        accepting = everybody & ~refusing & ~finding.abstaining
        releases = f"{self.launch.framework.title} {release_ranges(self.launch, places_of(refusing))}"
        if not accepting:
            return Message("refused by {releases}", {"releases": releases})
        others = release_ranges(self.launch, places_of(accepting))
        return Message("refused by {releases}, accepted by {others}", {"releases": releases, "others": others})

    def _neighbours_that_refuse(self) -> int:
        """The neighbours that refuse the run; found out only where all candidates do."""
        if self._refusing_neighbours is None:
            refusing = self._refusing_keys(self._neighbours)
            left = [release for release in self.launch.neighbours if not refusing >> release.index & 1]
            for candidate in one_per_regime(self.launch, left) if left else ():
                if verdict_of(self.launch, candidate, self.newest).refuses:
                    refusing |= bits_of(candidate.releases)
            self._refusing_neighbours = refusing
        return self._refusing_neighbours

    def _refusing_keys(self, releases: int) -> int:
        """Those of some releases that refuse a key or a value."""
        possible = (*self.launch.candidates, *self.launch.neighbours)
        return bits_of(
            release.index
            for release in possible
            if releases >> release.index & 1 and _refuses_a_key(self.launch, release)
        )


def _refuses_a_key(launch: "Launch", release: "Candidate") -> bool:
    """Whether a release refuses a key that it does not know, or a value."""
    if launch.reader:
        return False
    fields = launch.fields(release)
    for name, entry in launch.entries.items():
        if is_taken(launch, release, name, entry):
            if fields[name] is not None and misfits(launch, release, name):
                return True
        elif is_unread(launch, release, name, entry):
            if launch.framework.reader.keys.fate_of(entry, release.key, launch).severity == "error":
                return True
    return False
