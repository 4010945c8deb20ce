"""What stands around a file and bears on its runs."""

from ..files.budget import Budget


class Surroundings:
    """What is known about a file besides its text.

    `outside`: facts from the command line; `settings`: facts from a settings file; `pins`: {package: Pin} of the
    repository;
    `files`: finds the files that the text names (`launch.files.Files`), `repository`: the scripts that name a file
    (`launch.repository.Repository`), None when nobody may look; `baseline`: the findings that are known
    (`checker.baseline.Baseline`);
    `policy`: what a team wants to hear of (`policy.Policy`); `budget`: how much of all this may be looked at
    (`budget.Budget`).
    """

    __slots__ = ("outside", "settings", "pins", "files", "repository", "baseline", "policy", "budget")

    def __init__(
        self,
        outside=None,
        settings=None,
        pins=None,
        files=None,
        repository=None,
        baseline=None,
        policy=None,
        budget=None,
    ):
        self.outside = outside or {}
        self.settings = settings or {}
        self.pins = pins or {}
        self.files = files
        self.repository = repository
        self.baseline = baseline
        self.policy = policy
        self.budget = budget or (files.budget if files else Budget())
