"""The run in three or four sentences with its numbers: what most people open a config for."""

from ...checker.verdict import is_refusal
from ...frameworks.roles import ON_RAY
from ...message import Message
from ...rules.base import STAGES
from ..language import ENGLISH
from ..messages import sentence
from ..printable import clean
from .arithmetic import leaves, of_one, shown
from .symbols import symbolic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...checker.findings import Finding, Report
    from ...launch.launch import Launch
    from ..language import Language
    from ..side_by_side import ShownPlan


def answer(report: "Report", launch: "Launch", plan: "ShownPlan", language: "Language" = ENGLISH) -> "list[str]":
    """The sentences; numbers that differ with the number of processes stand side by side."""
    return [
        *_refused(report, launch, language),
        *map(language.text, _sentences(plan)),
        *_what_is_judged(report, launch, language),
        *_where_it_runs(report, launch, language),
    ]


def _refused(report: "Report", launch: "Launch", language: "Language") -> "list[str]":
    """The sentence that the run does not start, or dies, where that is certain."""
    errors = [
        finding
        for finding in report.findings
        if finding.severity == "error" and finding.launch in (launch, None) and _is_certain(finding)
    ]
    if not errors:
        return []
    first = min(errors, key=lambda error: STAGES.index(error.stage))
    more = f", and {len(errors) - 1} more" if errors[1:] else ""
    when = "dies" if first.stage == "run" else "does not start"
    return [language.text(f"This run {when}: {clean(sentence(first, language))} ({first.rule.code}{more}).")]


def _is_certain(finding: "Finding") -> bool:
    """Whether the framework refuses what an error is about: its rows say so, or, of a key or a value, its parser."""
    is_of_a_parser = finding.enforced is None and finding.rule.broken is None and finding.stage in ("read", "config")
    return is_refusal(finding.enforced) or is_of_a_parser


def _what_is_judged(report: "Report", launch: "Launch", language: "Language") -> "list[str]":
    """The sentence about a program whose arithmetic is not, or not wholly, known."""
    return [
        f"{clean(sentence(finding, language))}{language.stop}"
        for finding in report.findings
        if finding.rule.name == "program-is-known" and finding.launch is launch
    ]


def _where_it_runs(report: "Report", launch: "Launch", language: "Language") -> "list[str]":
    return [
        language.text(f"It {clean(sentence(finding))}.")
        for finding in report.findings
        if finding.rule.name == "legal-process-counts" and finding.launch is launch
    ]


def _sentences(plan: "ShownPlan") -> "list[str]":
    return [text for text in (_update(plan), _rollout(plan), _epoch(plan), _rows(plan)) if text]


def number(plan: "ShownPlan", name: str) -> str:
    """'8,000', or '8 x N' of what is missing; an empty text when nothing can be said."""
    value = plan.value(name)
    return shown(value) if value is not None else "" if plan.is_unset(name) else symbolic(plan, name)


def counted(plan: "ShownPlan", name: str, things: str) -> str:
    """'1 update', '8 x N completions'; an empty text when nothing can be said."""
    told = number(plan, name)
    return f"{told} {of_one(things) if told == '1' else things}" if told else ""


def _is_whole(plan: "ShownPlan", name: str) -> bool:
    value = plan.value(name)
    return value is None or (type(value) in (int, float) and value % 1 == 0)  # type: ignore[operator]  # a number


def _update(plan: "ShownPlan") -> str:
    completions, group = counted(plan, "completions_per_update", "completions"), number(plan, "group_size")
    if not completions:
        return ""
    prompts = counted(plan, "prompts_per_update", "prompts")
    if prompts and group and _is_whole(plan, "prompts_per_update"):
        amount, _, things = prompts.rpartition(" ")
        return f"One update learns from {completions}: {f'({amount})' if ' ' in amount else amount} {things} x {group}."
    return f"One update learns from {completions}" + (f", in groups of {group}." if group else ".")


def _rollout(plan: "ShownPlan") -> str:
    completions = counted(plan, "completions_per_rollout", "completions")
    if not completions:
        return ""
    generating = plan.value("rollout_processes") is not None
    where = counted(plan, "rollout_processes" if generating else "world_size", "processes")
    told = f"One rollout makes {completions}" + (f" on {where}" if where else "")
    uses = plan.value("updates_per_rollout")
    if uses is None or uses == 0:
        return f"{told}."
    if type(uses) not in (int, float):
        return f"{told} and is used for {shown(uses)} updates."
    if uses < 1:  # type: ignore[operator]  # a number
        return f"{told}; it takes {shown(1 / uses)} rollouts for 1 update (on-policy)."  # type: ignore[operator]
    updates = counted(plan, "updates_per_rollout", "updates")
    return f"{told} and is used for {updates} ({policy(plan)})."


def policy(plan: "ShownPlan") -> str:
    """'on-policy', or from which update on a rollout is older than the weights that learn from it."""
    if plan.value("on_policy") is True:
        return "on-policy"
    formula = plan.chosen.get("on_policy")
    if plan.value("updates_per_rollout") == 1 or (formula is not None and formula.text == "False"):
        return "off-policy: the next rollout is made while this one is trained on"
    return "off-policy from its 2nd update on"


def _epoch(plan: "ShownPlan") -> str:
    rows, epoch = counted(plan, "training_rows", "rows"), counted(plan, "steps_per_epoch", "updates")
    total = plan.value("total_steps")
    if not epoch or not rows:
        return (
            Message("The run takes {updates}.", {"updates": counted(plan, "total_steps", "updates")})
            if total is not None
            else ""
        )
    if plan.value("training_rows") is None:
        epoch = "as many updates as there are rows" if epoch == "rows updates" else epoch
        if epoch.endswith(" rounded up updates"):
            epoch = f"{epoch.removesuffix(' rounded up updates')} updates, rounded up"
        return f"An epoch is {epoch}" + (f", {shown(total)} in all." if total is not None else ".")
    told = f"{rows} are {epoch} an epoch"
    covered = plan.value("epochs_covered")
    if total is not None:
        told += f", {shown(total)} in all"
        if type(covered) in (int, float):
            told += f" ({covered:.2f} epochs)"
        told += _not_taken(plan, total)
    dropped = plan.value("rows_dropped")
    if dropped is not None:
        told += f"; {shown(dropped)} {'row is' if dropped == 1 else 'rows are'} dropped" + (
            " in each" if dropped else ""
        )
    return told + "."


def _not_taken(plan: "ShownPlan", total: object) -> str:
    executed = plan.value("executed_steps")
    return f", of which the run takes {shown(executed)}" if executed is not None and executed != total else ""


def _rows(plan: "ShownPlan") -> str:
    """The sentence that a batch counts completions: rows / batch size is the common mistake."""
    rows, group, data = plan.value("training_rows"), plan.value("group_size"), plan.value("completions_per_epoch")
    if type(rows) is not int or type(group) is not int or group < 2 or data is None:
        return ""
    all_rows = plan.value("dataset_size")
    kept = (
        f" ({shown(all_rows - rows)} of {shown(all_rows)} are kept back for evaluation)"
        if type(all_rows) is int and all_rows != rows
        else ""
    )
    return f"Batch sizes count completions: {shown(rows)} rows x {group} = {shown(rows * group)} of them{kept}."


def why_not_evaluated(plan: "ShownPlan") -> str:
    """'not evaluated: eval_strategy is no'; an empty text where the run evaluates, or nobody knows."""
    if plan.value("evaluates") is not False:
        return ""
    switches = [leaf for leaf in leaves(plan, "evaluates") if plan.value(leaf) == "no"]
    if switches:
        return Message("not evaluated: {setting} is no", {"setting": switches[0]})
    if plan.value(ON_RAY) is True:
        return "not evaluated: under Ray nothing is"
    return "not evaluated: there is no evaluation set"
