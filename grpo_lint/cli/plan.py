"""`grpo-lint plan`: which batches to choose."""

import sys

from ..files import disk
from ..frameworks.registry import framework as framework_named
from ..frameworks.versions import resolve_version
from ..launch.facts import FACTS
from ..message import Message, series, told_by
from ..planning.batches import Wish, proposals
from ..planning.contradictions import alternatives, contradiction
from ..source.quoting import shown
from .console import CLEAN, FOUND, language_for, show, uses_colour
from .more_options import PARALLEL
from .options import Usage, existing_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Arguments, Language

MOST_SIZES = 64  # of one range
LARGEST = 1 << 20


def plan(arguments: "Arguments") -> int:
    """Propose configs for a wish. The exit status is 1 where nothing makes exactly what is wished."""
    from ..report import planning
    from ..report.text import terminal_width

    colour, width = uses_colour(arguments, sys.stdout), terminal_width(sys.stdout)
    language = language_for(arguments, sys.stdout)
    if arguments.get("--from"):
        return _move(arguments, colour, width, language)
    wish = _wish(arguments)
    found, problem = proposals(wish), None
    if not found:
        problem = contradiction(wish)
        found = alternatives(wish, problem)
    form = arguments.get("--output-format", "text")
    if form == "json":
        sys.stdout.write(planning.document(wish, found, problem))
    elif form == "text" or not found or problem:
        show(planning.told(wish, found, problem, colour, width, language))
    else:
        sys.stdout.write(planning.written(found[0], form == "command"))
    return FOUND if problem else CLEAN


def _move(arguments: "Arguments", colour: bool, width: int, language: "Language") -> int:
    from ..checker.contexts import Around
    from ..engine import lint_path
    from ..planning.rescale import CannotMove, move
    from ..report.planning import moved, moved_document
    from ..report.printable import clean

    path, processes = arguments.get("--from"), _number(arguments, "--gpus")
    if processes is None:
        raise Usage(Message("plan --from FILE needs the number of processes: --gpus 32"))
    path = existing_file(path)
    lint = lambda facts: lint_path(path, Around(facts, asked=[path]).of(path), fixes=False)  # noqa: E731
    try:
        found = move(lint, processes, dict(arguments.facts), arguments.get("--line", ""))
    except CannotMove as why:
        show(clean(f"{path}{language.colon}{language.text(told_by(why))}") + "\n")
        return FOUND
    if arguments.get("--output-format") == "json":
        sys.stdout.write(moved_document(found, processes))
    else:
        show(moved(found, path, processes, colour, width, language))
    return CLEAN


def _wish(arguments: "Arguments") -> Wish:
    dialect, processes = arguments.facts.get("dialect"), _number(arguments, "--gpus")
    name = dialect.value if dialect else None
    if (name is None or processes is None) and disk.is_terminal(sys.stdin) and disk.is_terminal(sys.stdout):
        name, processes = _asked(name, processes)
    if name is None or processes is None:
        raise Usage(
            Message("plan needs a framework and a number of processes: grpo-lint plan --dialect megatron --gpus 16")
        )
    releases = framework_named(name).catalogue.releases
    stated = arguments.facts.get("version")
    sizes = {kind: _number(arguments, f"--{name}") or 1 for name, kind in PARALLEL.items()}
    rows, memory, count = map(arguments.facts.get, ("dataset_size", "gpu_memory", "parameters"))
    return Wish(
        name,
        resolve_version(stated.value if stated else "latest", releases),
        processes,
        **sizes,  # type: ignore[arg-type]  # kinds of parallelism
        groups=_sizes(arguments, "--generations"),
        micros=_sizes(arguments, "--micro"),
        reuses=_sizes(arguments, "--updates-per-rollout"),
        update=_number(arguments, "--completions-per-update"),
        rows=rows.value if rows else None,
        epochs=_number(arguments, "--epochs"),
        model=arguments.get("--model", ""),
        memory=arguments.get("--memory", ""),
        backend=_backend(arguments, name),
        gpu_memory=memory.value if memory else None,
        parameters=count.value if count else None,
    )


def _backend(arguments: "Arguments", name: str) -> str:
    """The training engine that is asked for, where the framework has it."""
    asked, known = arguments.get("--backend", ""), framework_named(name).arithmetic.backends()
    if asked and asked not in known:
        title = framework_named(name).title
        if not known:
            raise Usage(Message("{title} has one training engine: --backend chooses none", {"title": title}))
        told = {"title": title, "names": series(known), "name": shown(asked)}
        raise Usage(Message("--backend of {title} is one of {names}, not {name}", told))
    return str(asked)


def _asked(name: "str | None", processes: "int | None") -> "tuple[str, int]":
    """Ask on the terminal for what is missing."""
    frameworks = FACTS["dialect"].choices
    while name not in frameworks:
        name = _answer(f"framework ({', '.join(frameworks)}): ")
    while processes is None:
        answer = _answer("training processes (GPUs) over all nodes: ")
        processes = int(answer) if answer.isdecimal() and 0 < int(answer) <= LARGEST else None
    return str(name), processes


def _answer(question: str) -> str:
    try:
        return input(question).strip()
    except (EOFError, KeyboardInterrupt):
        raise Usage(Message("plan needs a framework and a number of processes")) from None


def _number(arguments: "Arguments", option: str) -> "int | None":
    sizes = _sizes(arguments, option)
    if sizes and len(sizes) > 1:
        raise Usage(Message("{option} is one number", {"option": option}))
    return sizes[0] if sizes else None


def _sizes(arguments: "Arguments", option: str) -> "list[int] | None":
    """The sizes that an option names: `8`, `1,2,4` or `1..4`."""
    written = arguments.get(option)
    if written is None:
        return None
    sizes: list[int] = []
    for part in written.split(","):
        first, dots, last = part.partition("..")
        ends = (first, last if dots else first)
        if not all(end.isascii() and end.isdecimal() and 0 < len(end) <= 7 and 0 < int(end) <= LARGEST for end in ends):
            raise Usage(
                Message(
                    "{option} takes whole numbers, such as 8, 1,2,4 or 1..4, not {told}",
                    {"option": option, "told": repr(written)},
                )
            )
        sizes += range(int(ends[0]), min(int(ends[1]), int(ends[0]) + MOST_SIZES) + 1)
    return sizes[: MOST_SIZES + 1] or None
