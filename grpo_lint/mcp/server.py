"""The tools behind the Model Context Protocol, by the official SDK."""

import os
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from .. import __version__
from ..files import disk
from ..frameworks.registry import NAMES
from .tools import TOOLS, Refused

INSTRUCTIONS = (
    "grpo-lint checks the configs and launch scripts of RL post-training before they reach a GPU. Ask `plan` for batch sizes before you "
    "write a config, and check it after each change; state version and world_size where they are known, for the verdict depends on both. "
    f"It knows these frameworks: {', '.join(NAMES)}."
)


def server() -> MCPServer:
    """The server with its tools."""
    made = MCPServer("grpo-lint", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR")
    for tool in TOOLS:
        made.tool()(_answering(tool))
    return made


def _answering(tool: Callable[..., Any]) -> Callable[..., Any]:
    """A tool whose refusals, and facts that nobody knows, reach the agent as errors in words."""

    @wraps(tool)
    async def answer(*arguments: Any, **named: Any) -> Any:
        try:
            return _encodable(await tool(*arguments, **named))
        except (Refused, TypeError, ValueError) as error:
            raise ToolError(_encodable(str(error))) from None

    return answer


def _encodable(answer: Any) -> Any:
    """An answer without what UTF-8 cannot say: the name of a file may be any bytes, and Python keeps those as halves of
    pairs."""
    if isinstance(answer, str):
        return answer.encode("utf-8", "replace").decode()
    if isinstance(answer, list):
        return [_encodable(each) for each in answer]
    if isinstance(answer, dict):
        return {_encodable(name): _encodable(value) for name, value in answer.items()}
    if is_dataclass(answer) and not isinstance(answer, type):
        return replace(answer, **{each.name: _encodable(getattr(answer, each.name)) for each in fields(answer)})
    return answer


def start(root: str) -> int:
    """Serve an agent until it goes; nothing outside of `root` is read, whatever links say."""
    os.chdir(root)
    disk.confine(os.getcwd())
    server().run("stdio")
    return 0
