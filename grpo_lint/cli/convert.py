"""`grpo-lint convert`: the same training in another framework."""

import sys

from ..checker.contexts import Around
from ..engine import lint_path
from ..frameworks.registry import framework as framework_named
from ..frameworks.shared.counterparts import FRAMEWORKS
from ..frameworks.versions import resolve_version
from ..launch.facts import BadFact, parse_fact
from ..message import Message, series, told_by
from ..planning.convert import CannotConvert, Conversion, convert as converted, convert_all
from ..source.quoting import did_you_mean, shown
from .console import CLEAN, FOUND, language_for, note, show, uses_colour
from .more_options import PARALLEL
from .options import Usage, existing_file
from .plan import _number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Arguments


def convert(arguments: "Arguments") -> int:
    """Write a run for another framework and print what differs. The exit status is 1 where the batch is not the same,
    or the result would be refused."""
    from ..report import converting
    from ..report.text import terminal_width

    path, (target, version) = _operand(arguments), _target(arguments)
    spread = {kind: size for name, kind in PARALLEL.items() if (size := _number(arguments, f"--{name}"))}
    report = lint_path(path, Around(dict(arguments.facts), asked=[path]).of(path), fixes=False)
    try:
        line = arguments.get("--line", "")
        if line:
            found = [converted(report, target, version, spread, line)]
            text = found[0].text
        else:
            found, text = convert_all(report, target, version, spread)
    except CannotConvert as why:
        note(Message("{path} cannot be converted: {why}", {"path": path, "why": told_by(why)}))
        return FOUND
    if arguments.get("--output-format") == "json":
        document = converting.document(found[0]) if len(found) == 1 else converting.several(found, text)
        sys.stdout.write(document)
        return _status(found)
    out = arguments.get("--output-file")
    if out:
        _write(out, text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    stream = sys.stdout if out else sys.stderr
    colour, language = uses_colour(arguments, stream), language_for(arguments, stream)
    for place, each in enumerate(found):
        if place:
            show("\n", stream)
        name = path if len(found) == 1 else f"{path}:{each.run.place}"
        show(converting.told(each, name, colour, terminal_width(stream), language), stream)
    return _status(found)


def _status(found: "list[Conversion]") -> int:
    return CLEAN if all(each.is_equal and not each.is_refused for each in found) else FOUND


def _operand(arguments: "Arguments") -> str:
    if len(arguments.operands) != 1:
        raise Usage(Message("convert takes one file: grpo-lint convert FILE --to megatron"))
    return existing_file(arguments.operands[0])


def _target(arguments: "Arguments") -> "tuple[str, str]":
    """The (framework, release) that `--to` names."""
    target = arguments.get("--to")
    if target is None:
        raise Usage(
            Message(
                "convert needs a framework: --to {frameworks}, with a release as in --to {first}@latest",
                {"frameworks": "|".join(FRAMEWORKS), "first": FRAMEWORKS[0]},
            )
        )
    name, _, version = target.partition("@")
    if name not in FRAMEWORKS:
        raise Usage(
            Message(
                "--to is one of {frameworks}, not {name}{hint}",
                {"frameworks": series(list(FRAMEWORKS)), "name": shown(name), "hint": did_you_mean(name, FRAMEWORKS)},
            )
        )
    try:
        stated = str(parse_fact("version", version or "latest"))
    except BadFact as bad:
        raise Usage(Message("{option}: {problem}", {"option": "--to", "problem": told_by(bad)})) from None
    return name, resolve_version(stated, framework_named(name).catalogue.releases)


def _write(path: str, text: str) -> None:
    from ..files.writing import NotWritten, create

    try:
        create(path, text.encode())
    except NotWritten as why:
        raise Usage(Message("{path} was not written: {why}", {"path": path, "why": told_by(why)})) from None
