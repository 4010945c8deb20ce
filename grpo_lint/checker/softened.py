"""What weighs less than it says, for what is around it: a wrapper that passes all on, a program that evaluates by its name, keys that Python
of the repository declares, and what follows from a key that is refused. Loaded where there is a finding, and a command or no program."""

from ..message import Message
from .keys import strange_keys
from .unseen import EVALUATING, OF_UNKNOWN_KEYS, make_doubtful

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Launch, Origin


def soften(launch: "Launch", findings: "list[Finding]") -> None:
    """Let no finding weigh more than what is around the run allows."""
    if launch.origin is not None:
        _weigh_a_wrapper(launch, launch.origin, findings)
        _weigh_an_evaluation(launch.origin, findings)
        _weigh_keys_of_elsewhere(launch, launch.origin, findings)
    elif launch.program is None and launch.loader != "kwargs":
        _weigh_declared_keys(launch, findings)
    _weigh_what_follows(findings)


def _weigh_a_wrapper(launch: "Launch", origin: "Origin", findings: "list[Finding]") -> None:
    """Let what is said of a command that sets nothing, and passes on what its script is given, be an info: nobody starts that alone."""
    if origin.invocation.passes_on is not None and all(name.startswith("--") for name in launch.entries):
        for finding in findings:
            if finding.severity == "warning" and finding.rule.broken is not None:
                make_doubtful(finding, Message("all settings of this run are passed on by its script"))


def _weigh_declared_keys(launch: "Launch", findings: "list[Finding]") -> None:
    """Let what is said of keys of a file be an info where no program is known that reads it, and Python of the repository declares one of
    them: its settings may be read in another file than its trainer is."""
    for finding in findings:
        if finding.severity != "info" and finding.rule.name in OF_UNKNOWN_KEYS:
            keys = [finding.at.name] if finding.at is not None else []
            keys = strange_keys(launch) if finding.rule.name == "keys-are-read" else keys
            place, name = next(((place, key) for key in keys if (place := launch.declared_at(key))), ("", ""))
            if place:
                make_doubtful(
                    finding, Message("{place} declares {name}, and may read this file", {"place": place, "name": name})
                )


def _weigh_keys_of_elsewhere(launch: "Launch", origin: "Origin", findings: "list[Finding]") -> None:
    """Let what is said of a key that is no slip of the hand be an info where a command runs elsewhere: the framework there may know it."""
    if not launch.framework.copies.folder:
        return
    from .unknown_keys import runs_elsewhere  # few checkouts hold a copy

    for finding in findings if runs_elsewhere(origin) else ():
        means = [each for each in ("rename", "twin", "hint") if finding.values.get(each)]
        if finding.rule.name == "key-is-known" and not means:
            told = {"framework": launch.framework.title}
            make_doubtful(finding, Message("the {framework} where the command runs may know it", told))


def _weigh_what_follows(findings: "list[Finding]") -> None:
    """Let what only follows from a key that is not read weigh no more than an info where that key is refused, or may be read. So does all
    that is computed of a run that is written for another release or tree."""
    is_of_elsewhere = any("of_elsewhere" in finding.values for finding in findings)
    for finding in findings:
        if is_of_elsewhere and finding.rule.broken is not None:
            finding.severity = "info"
        cause = finding.values.get("misspelt")
        if cause is not None and cause.severity != "warning":
            finding.severity = "info"


def _weigh_an_evaluation(origin: "Origin", findings: "list[Finding]") -> None:
    """Let what is said of the training be an info where the program says by its name that it evaluates."""
    program = origin.invocation.program.value or ""
    for finding in findings if _is_named_evaluation(program) else ():
        if finding.severity != "info" and finding.rule.broken is not None:
            make_doubtful(finding, Message("{program} may only evaluate", {"program": program}))


def _is_named_evaluation(program: str) -> bool:
    """Whether a file of Python says by its name that it evaluates, and not that it trains: `scripts/eval_model.py`."""
    words = program.rpartition("/")[2].removesuffix(".py").lower().replace("-", "_").split("_")
    return program.endswith(".py") and words[0] in EVALUATING and not any(word.startswith("train") for word in words)
