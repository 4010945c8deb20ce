"""What the asking programs share: reading requests, writing verdicts, and a clean environment for every request.

A request is one JSON line: id, text (the file), loader, algorithm, world_size, env. A verdict is one JSON line: id,
accepted, stage, error_type, error, derived, late, network (whether the framework tried to connect). The stages are
those of the linter: `read` (the parser refuses), `config` (the argument classes refuse), `init` (process groups or the
start of the trainer refuse).
"""

import argparse
import contextlib
import json
import logging
import os
import re
import socket
import sys
import tempfile
import time
import traceback
import warnings

LAUNCHER = ("WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "NPROC_PER_NODE", "NNODES", "CUDA_VISIBLE_DEVICES")
LONGEST_ERROR = 1000


class ParserRefuses(Exception):
    """Replaces argparse's exit with status 2."""


def _refuse(parser, message):
    raise ParserRefuses(message)


class NoNetwork(OSError):
    """A framework tried to connect to the network; its error is no verdict about the config."""


wanted_network = []


def cut_off():
    """Make every connection fail at once, and shorten every wait before another attempt."""

    def refuse(*args, **options):
        wanted_network.append(args)
        raise NoNetwork("there is no network here")

    socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
    time.sleep = lambda seconds: None


def settle():
    """Silence output, and leave the network and all real files. Returns the stream for the verdicts."""
    cut_off()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    for name in LAUNCHER:
        os.environ.pop(name, None)
    os.environ.update(
        HF_HUB_OFFLINE="1",
        USE_HF="0",
        TRANSFORMERS_VERBOSITY="error",
        LOG_LEVEL="CRITICAL",
        MODELSCOPE_LOG_LEVEL="40",
        TRL_EXPERIMENTAL_SILENCE="1",
        TOKENIZERS_PARALLELISM="false",
        SWIFT_AUDIO_LOAD_BACKEND="soundfile_pyav",
    )
    argparse.ArgumentParser.error = _refuse
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of the framework must not mix with the verdicts
    return answers


def serve(prepare):
    """Answer every request on standard input. `prepare()` imports the framework and returns ask(request, verdict)."""
    answers = settle()
    requests = sys.stdin.readlines()  # a config class that opens the file 0 would read them itself
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with tempfile.TemporaryDirectory(prefix="conformance-") as scratch:
        os.chdir(scratch)
        os.environ["MODELSCOPE_CACHE"] = os.path.join(scratch, "cache")
        ask = prepare()
        environment = dict(os.environ)
        for line in requests:
            print(json.dumps(_answer(ask, json.loads(line), scratch), default=str), file=answers, flush=True)
            _remove_empty_folders()  # which a later case would take for a file that it names
            os.environ.clear()  # a config class sets variables there
            os.environ.update(environment)
        os.chdir(os.path.dirname(scratch))


def _remove_empty_folders():
    for name in os.listdir():
        with contextlib.suppress(OSError):
            os.rmdir(name)


def _answer(ask, request, scratch):
    os.environ.update(request.get("env", {}))
    wanted_network.clear()
    verdict = {"id": request["id"], "accepted": False, "stage": None, "error_type": None, "error": None, "derived": {}}
    try:
        ask(request, verdict)
        verdict.update(accepted=True, stage=None)
    except (Exception, SystemExit) as error:  # every refusal is a verdict
        if os.environ.get("CONFORMANCE_TRACEBACKS"):
            traceback.print_exc()
        verdict["stage"] = verdict["stage"] or _stage(error)
        verdict["error_type"] = type(error).__name__
        verdict["error"] = _without_paths(_words(error), scratch)[:LONGEST_ERROR]
        verdict["raised_at"] = _places(error)
    verdict["network"] = bool(wanted_network)
    return verdict


def _stage(error):
    """The stage of a refusal: `config` inside an argument class, and `read` before that."""
    functions = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
    return "config" if functions & {"__post_init__", "__init_subclass__"} else "read"


def _places(error):
    """The frames of the traceback inside installed packages, outermost first, as `package/module.py:line`."""
    frames = ((frame.filename.rpartition("/site-packages/")[2], frame.lineno) for frame in traceback.extract_tb(error.__traceback__)
              if "/site-packages/" in frame.filename)  # fmt: skip
    return [f"{name}:{line}" for name, line in frames]


def _words(error):
    """The text of an error; for an assertion without one, the assertion itself."""
    return str(error) or traceback.extract_tb(error.__traceback__)[-1].line or "no words"


def _without_paths(text, scratch):
    return re.sub(r"/[^\s'\"]*/site-packages", "<site-packages>", text.replace(scratch, "<scratch>"))


class ParserOnce:
    """Builds an argument parser once and returns it as new each time, since building takes longer than parsing."""

    def __init__(self, build):
        self._build = build
        self._parsers = {}

    def __call__(self, *args, **options):
        key = repr((args, options))
        if key not in self._parsers:
            parser = self._build(*args, **options)
            self._parsers[key] = (
                parser,
                [(action, repr(action.default), action.default, action.required) for action in parser._actions],
            )
        parser, actions = self._parsers[key]
        for action, _, default, required in actions:
            action.default = (
                list(default) if isinstance(default, list) else dict(default) if isinstance(default, dict) else default
            )
            action.required = required
        return parser
