"""What a run does with a completion, beside its batches: how long one may be, what a KL term is for, and what an engine takes."""

from ...frameworks.shared.counterparts import ENGINE_MEMORY, FRAMEWORKS, KL_WEIGHT, LONGEST_COMPLETION, row_named
from ...message import Message
from ..messages import origin
from .story import where_said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Candidate, Iterator, Launch, Plan, ShownPlan
    from .story import Story


def besides(story: "Story") -> "Iterator[Message]":
    """A sentence for each that is known."""
    longest, name = _value(story, LONGEST_COMPLETION)
    if type(longest) is int and longest > 0:
        told = {"count": f"{longest:,}", "name": name, "where": _where(story, name)}
        yield Message("a completion ends after {count} tokens at the latest: {name} ({where})", told)
    weight, name = _value(story, KL_WEIGHT)
    if name == KL_WEIGHT and type(weight) in (int, float) and weight == 0:
        told = {"where": _where(story, name)}
        yield Message(
            "beta is 0 ({where}): there is no KL term, and what is logged of it is missing or no number", told
        )
        if story.plan.value("on_policy") is True:
            yield Message(
                "on-policy and without a KL term the logged loss is about 0, also of a run that learns: look at the reward"
            )
    if type(story.plan.value("frozen_memory")) is int:
        yield Message(
            "the memory of frozen weights alone is counted: the adapter, its gradients and its states come on top"
        )
    share, name = _value(story, ENGINE_MEMORY)
    if type(share) is float and story.plan.value("engines_share_gpus") is True:
        told = {"share": f"{share:g}", "name": name, "where": _where(story, name)}
        yield Message("the engine takes {share} of each GPU, and training the rest: {name} ({where})", told)


def _value(story: "Story", title: str) -> "tuple[object, str]":
    return setting_titled(title, story.launch, story.candidate, story.plan)


def setting_titled(
    title: str, launch: "Launch", candidate: "Candidate", plan: "Plan | ShownPlan"
) -> "tuple[object, str]":
    """(value, name) of a setting by its name in the table of all frameworks; (None, '') where the release has none."""
    framework = launch.framework.name
    names = row_named(title).names[framework] if framework in FRAMEWORKS else ()
    fields = launch.fields(candidate)
    name = next((each for each in names if fields[each] is not None), "")
    return (plan.value(name), name) if name else (None, "")


def _where(story: "Story", name: str) -> Message:
    """The line that says so, or that nobody does."""
    found = origin(story.launch, story.candidate, story.plan, name)
    return Message("by default") if found is None or found.release else where_said(found, story.report.text)
