"""Judges a config whose settings stand in sections: a loader of somebody's own hands them on."""

from ..frameworks.recognition import GROUP_KEY, sets_a_batch
from ..frameworks.registry import framework as framework_named, recognise, serves_scripts
from ..launch.assembly import launch_of
from ..launch.sections import taken_of
from ..launch.sighting import Sighting
from ..message import Message, ands, parts, series
from ..source.entry import reader_of
from ..source.yaml.reader import Mapping, entries_of
from .judge import judge_launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Fact, Framework, Report, Taken


MOST_OF_A_KEY = 3  # sections of one run that may set the same key, each for a stage of its own


def judge_sections(
    report: "Report", root: "Mapping", sections: "tuple[str, ...]", facts: "dict[str, Fact]", context: "Context"
) -> bool:
    """Judge a config whose settings stand in sections, which a loader of somebody's own reads; whether it is one."""
    whole = [section for section in sections if sets_a_batch(_keys_of(root, section))]
    if len(whole) > 1:
        report.why = Message("{count} of its sections are each a run of its own, or a case", {"count": len(whole)})
        return False
    if _most_repeated(root, sections) > MOST_OF_A_KEY:
        report.why = Message("its sections set the same keys again and again: they are cases, and not one run")
        return False
    taken = taken_of(root, sections, GROUP_KEY, context)
    entries = entries_of(root, taken.sections)
    value = reader_of(entries)
    name, _ = recognise(entries.keys(), value)
    if name is None:
        return False
    found = framework_named(name)
    trainer = found.reader.trainer
    if not (serves_scripts(name) or (trainer.key and value(trainer.key) == trainer.value)):
        return False
    report.why = _why_sections(found, taken)
    judge_launch(
        report,
        launch_of(
            Sighting(
                framework=found,
                root=root,
                facts=facts,
                sections=taken.sections,
                unhanded=taken.unhanded,
                asked=report.asked,
            ),
            context,
        ),
    )
    return True


def _keys_of(root: "Mapping", section: str) -> "set[str]":
    entry = root.get(section)
    return {name for name, _ in entry.value.items()} if entry is not None and type(entry.value) is Mapping else set()


def _most_repeated(root: "Mapping", sections: "tuple[str, ...]") -> int:
    """In how many sections the key stands that stands in most."""
    times: dict[str, int] = {}
    for section in sections:
        for name in _keys_of(root, section):
            times[name] = times.get(name, 0) + 1
    return max(times.values(), default=0)


def _why_sections(found: "Framework", taken: "Taken") -> Message:
    """Why a file with sections is judged, and which of them and of their keys are no settings of the run."""
    values: dict[str, object] = {"framework": found.title, "names": series(list(taken.sections))}
    why = [Message("has keys of {framework}'s GRPO family in its sections ({names})", values)]
    if taken.unnamed:
        why.append(Message("no Python here names {names}", {"names": ands(taken.unnamed)}))
    if taken.unhanded:
        why.append(Message("no call here hands {names} to the trainer", {"names": ands(sorted(taken.unhanded))}))
    return parts(why)
