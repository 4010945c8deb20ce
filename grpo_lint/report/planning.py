"""Proposals for a run, told for people and as JSON."""

import json

from ..frameworks.registry import run_template
from ..message import Message, sentences, series, verbatim
from ..planning.batches import Proposal, quantities
from ..planning.contradictions import Contradiction, given_up
from ..planning.named_model import facts_of
from ..planning.room import megabytes
from ..source.quoting import plural
from ..source.shell_words import file_word
from .converting import which
from .explain.arithmetic import label_of
from .language import ENGLISH
from .printable import clean
from .text import painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..planning.batches import Wish
    from ..planning.rescale import Move
    from ..shared_types import Language, Sequence


def told(
    wish: "Wish",
    found: "Sequence[Proposal]",
    problem: "Contradiction | None",
    colour: bool,
    width: int,
    language: "Language" = ENGLISH,
) -> str:
    """The proposals one after the other: what each comes to, and its settings; `problem`: why what was wished cannot be made."""
    paint, say, lines = painter(colour), language.text, []
    if problem:
        lines += [
            *wrapped(
                say(problem.why), width, f"{paint('error', say(Message('not possible')))}{language.colon}", "    "
            ),
            *(line for each in given_up(problem) for line in wrapped(say(each), width, "    ", "      ")),
            "",
        ]
        lines += [paint("strong", say(Message("nearest"))), ""] if found else []
    for number, proposal in enumerate(found, 1):
        lines.append(paint("strong", f"{number}  {say(proposal.reasons[0])}"))
        lines += [line for reason in proposal.reasons[1:] for line in wrapped(say(reason), width, "   ", "     ")]
        room = megabytes(proposal.plan, proposal.wish)
        lines += [f"   {say(label_of('training_memory'))}{language.colon}{room}"] if room else []
        settings = {**proposal.settings, **dict(filter(all, [proposal.wish.saver.launcher]))}
        lines += ["", *(f"     {name}: {value}" for name, value in settings.items()), ""]
    if found and not problem:
        lines += wrapped(say(_checked(wish)), width)
    return "\n".join(lines).rstrip() + "\n"


def written(proposal: Proposal, as_command: bool) -> str:
    """A proposal in full: a config, or the command that starts it."""
    start = proposal.wish.start()
    make = start.command if as_command else start.written
    return start.in_full(make(proposal.settings, proposal.wish.processes))


def _checked(wish: "Wish") -> Message:
    """What was checked of the proposals, what was not, and how they are written."""
    told = [Message("All of these were checked and hold.")]
    if not wish.model:
        told.append(Message("Not checked: whether the sizes divide the model, which --model names, and memory."))
    elif not facts_of(wish.model):
        model = {"model": clean(wish.model)}
        told.append(
            Message(
                "Not checked: whether the sizes divide {model}, whose layers and heads are not known, and memory.",
                model,
            )
        )
    elif wish.gpu_memory:
        told.append(Message("Not checked: memory beyond weights, gradients and the states of AdamW."))
    else:
        told.append(Message("Not checked: memory."))
    template = run_template(wish.framework)
    if path := template.where_layers_are(wish.model):
        told.append(_of_layers(path, bool(template.model_file(wish.model)), wish.start().framework.title))
    told.append(Message("--output-format yaml or command writes the first one in full."))
    return sentences(told)


def _of_layers(path: str, is_known: bool, title: str) -> Message:
    """Where a run takes the flags of the model's layers from."""
    told = {"path": path, "title": title}
    if is_known:
        return Message("The command takes the flags of the model's layers from {path} of {title}.", told)
    return Message(
        "The flags of the model's layers are missing: name the file of {path} in {title} that has them.", told
    )


def unchecked(wish: "Wish") -> "list[str]":
    """What no proposal was checked for, in words for programs."""
    return ["memory"] if facts_of(wish.model) else ["memory", "model"]


def document(wish: "Wish", found: "Sequence[Proposal]", problem: "Contradiction | None") -> str:
    """All of it as one JSON object."""
    proposals = [
        {
            "settings": proposal.settings,
            "plan": quantities(proposal.plan),
            "reasons": proposal.reasons,
            "config": written(proposal, as_command=False),
            "command": proposal.wish.start().launcher(wish.processes),
        }
        for proposal in found
    ]
    answer = {
        "version": 1,
        "framework": wish.framework,
        "framework_version": wish.version,
        "problem": problem.why if problem else None,
        "could_be_given_up": [*map(str, given_up(problem))] if problem else [],
        "not_checked": unchecked(wish),
        "is_nearest": bool(problem and found),
        "proposals": proposals,
    }
    return json.dumps(answer, indent=2) + "\n"


def moved_document(move: "Move", processes: int) -> str:
    """What changes in a file so that other hardware trains the same, as one JSON object."""
    answer = {
        "version": 1,
        "framework": move.run.launch.framework.name,
        "processes": processes,
        "kept": move.kept,
        "settings": move.settings,
        "before": quantities(move.before),
        "after": quantities(move.after),
        "left": move.left,
    }
    return json.dumps(answer, indent=2) + "\n"


def moved(move: "Move", path: str, processes: int, colour: bool, width: int, language: "Language" = ENGLISH) -> str:
    """What changes in a file so that other hardware trains the same."""
    paint = painter(colour)
    kept = Message("the nearest batch that so many processes can make")
    if move.kept:
        kept = Message("group, update and rollout stay as they are")
    say = language.text
    head = say(
        Message("{path} on {count}: {kept}", {"path": clean(path), "count": plural(processes, "process"), "kept": kept})
    )
    lines = [paint("strong", head), *which(move.run, width, language), ""]
    lines += [
        f"     {name}: {say(_shown(move.before.value(name)))} -> {value}" for name, value in move.settings.items()
    ]
    if not move.settings:
        lines.append(f"     {say(Message('nothing has to change'))}")
    lines.append("")
    for name in (
        "group_size",
        "completions_per_update",
        "completions_per_rollout",
        "micro_batch",
        "accumulation",
        "dp_size",
    ):
        before, after = move.before.value(name), move.after.value(name)
        if after is not None:
            lines.append(f"  {name:<24} {say(_shown(before))}" + (f" -> {_shown(after)}" if after != before else ""))
    if move.left:
        left = Message(
            "{codes} is left: grpo-lint check {path}",
            {"codes": series(move.left), "path": file_word(path)},
            "{codes} are left: grpo-lint check {path}",
            len(move.left),
        )
        lines += ["", f"  {clean(say(left))}"]
    return "\n".join(lines) + "\n"


def _shown(value: object) -> Message:
    return Message("not set") if value is None else verbatim(value)
