"""A server for generation and the trainer that asks it, both started by one script."""

from ..message import Message
from ..source.entry import loaded
from ..source.text import Span
from .allocation import UNLESS, given_to
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Invocation, Iterator, Launch, Plan, Script, Sequence, Text

_HERE = ("localhost", "127.0.0.1", "0.0.0.0")


def about_the_server(launch: "Launch", serving: "list[Invocation]", text: "Text") -> "Iterator[Finding]":
    """What a trainer and the one server that its script starts disagree about; nothing when it asks another host."""
    if len(serving) != 1 or not launch.candidates:
        return
    keys = launch.framework.reader.programs.server
    if keys is None:
        return
    plan, server = launch.plan(launch.candidates[0]), serving[0]
    host = _one(plan.value(keys.host))
    if not plan.holds(keys.is_asked) or plan.value(keys.address) or (host and host not in _HERE):
        return
    place = _place_of(server, text)
    asked, port = _one(plan.value(keys.port)), _said(server, "port", "8000")
    if asked is not None and port and str(asked) != port:
        yield Finding("server-is-the-one-that-is-asked", "warning", "never", values={"asked": asked, "port": port, **place},
                      **_at_key_or_server(launch, keys.port, server))  # fmt: skip
    key = launch.framework.reader.programs.model_key
    model, served = plan.value(key), _said(server, "model", None)
    if model and served and model != served:
        yield Finding(
            "server-has-the-model",
            "warning",
            "never",
            values={"model": model, "served": served, **place},
            **_at_key_or_server(launch, key, server),
        )
    yield from _about_its_length(plan, server, keys.lengths, place)
    yield from _about_devices(launch, server, place)


def _about_its_length(
    plan: "Plan", server: "Invocation", flags: "tuple[str, ...]", place: "dict[str, object]"
) -> "Iterator[Finding]":
    """A server that holds less than the longest prompt and its completion."""
    length = next(filter(None, (_said(server, flag, None) for flag in flags)), "")
    longest = plan.value("longest_sequence")
    if length.isdecimal() and len(length) < 9 and type(longest) is int and int(length) < longest:
        values = {"length": length, "longest": longest, **place}
        yield Finding(
            "server-holds-prompt-and-completion", "warning", "never", plan=plan, span=server.span, values=values
        )


def _wanted(server: "Invocation") -> int | None:
    """How many devices a server spreads its engines over, None where that cannot be told."""
    wanted = 1
    if server.passes_on is not None or "distributed_executor_backend" in server.flags:
        return None
    for kind in ("tensor", "data"):
        sizes = [_said(server, f"{prefix}{kind}_parallel_size", "1") for prefix in ("", "vllm_")]
        if not all(size and size.isdecimal() and len(size) < 5 for size in sizes):
            return None
        wanted *= int(sizes[0] or 1) * int(sizes[1] or 1)
    return wanted


_OF_ITS_JOB = Message(
    "{server} in line {line} wants {wanted} devices, tensor x data parallel, and the job asks for {given} on a node{unless}"
)


def lacks_devices(server: "Invocation", script: "Script") -> "Finding | None":
    """A server that sees fewer devices than it wants, or whose job asks for fewer, whoever asks it."""
    seen, wanted, text = server.devices, _wanted(server), script.text
    if wanted is None or (seen is not None and wanted <= len(seen)):
        return None
    if seen is None:
        given = given_to(script)
        if given is None or wanted <= given.gpus or server.command.is_far:
            return None
        unless = UNLESS if script.headers else ""
        values = {"wanted": wanted, "given": given.gpus, "unless": unless, **_place_of(server, text)}
        finding = Finding(
            "server-has-devices", "warning", "never", span=server.span, values=values, message=_OF_ITS_JOB
        )
        finding.related = [(given.key, given.value, Span(given.start, given.end))]
        return finding
    values = {"wanted": wanted, "seen": len(seen), **_place_of(server, text)}
    return Finding("server-has-devices", "error", "run", span=server.span, values=values)


def _place_of(server: "Invocation", text: "Text") -> "dict[str, object]":
    return {"server": f"{server.starter} {server.program.value}", "line": text.position(server.start)[0] + 1}


def _about_devices(launch: "Launch", server: "Invocation", place: "dict[str, object]") -> "Iterator[Finding]":
    """The devices that a server shares with the trainer."""
    seen, wanted = server.devices, _wanted(server)
    if seen is None or wanted is None:
        return
    shared = [device for device in seen[:wanted] if device in _taken_by_training(launch)]
    if shared:
        yield Finding(
            "server-has-its-own-devices",
            "warning",
            "never",
            span=server.span,
            values={"shared": ", ".join(shared), **place},
        )


def _taken_by_training(launch: "Launch") -> "Sequence[str]":
    """The devices that the processes of a trainer take out of those that they see: each the one of its own number. A process
    that is alone, or for which there are two at least, may spread over all."""
    devices = launch.origin.invocation.devices if launch.origin is not None else None
    per_node = launch.facts.get("processes_per_node") or launch.facts.get("world_size")
    count = per_node.value if per_node is not None else None
    if devices is None or type(count) is not int or count == 1:
        return devices or ()
    spreads = launch.framework.arithmetic.spreads_over_devices and len(devices) >= 2 * count
    return devices if spreads else devices[:count]


def _at_key_or_server(launch: "Launch", key: str, server: "Invocation") -> "dict[str, Any]":
    """Where a disagreement is told: at the key, or at the server where the key stands in the config that the command loads."""
    at = launch.setting(key)
    return {"at": at} if at is not None and at.text is None else {"span": server.span}


def _one(value: object) -> object:
    """The only item of a list; another value itself."""
    return (value[0] if len(value) == 1 else None) if isinstance(value, list) else value


def _said(server: "Invocation", flag: str, default: "str | None") -> "str | None":
    """The value of a flag of a server, its default when it is not given; None when it is not known."""
    if flag not in server.flags:
        return default if server.passes_on is None else None
    value = loaded(server.flags[flag].value)
    return value if type(value) is str else None
