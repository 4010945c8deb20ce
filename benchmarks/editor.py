"""How long an editor waits: from the start of a server to its first diagnostics, and from each edit to those of the new text.

    python benchmarks/editor.py                                                   # beside a bare pygls server that only echoes
    python benchmarks/editor.py --peer 'yaml-language-server --stdio'             # and beside another one, on the same edits

The servers are asked in turn, an edit each, all in one run: what else happens on the machine hits them alike. The bare server is
the floor under any server in Python: it reads an edit and sends back an empty list. Only the ratios mean anything elsewhere.
"""

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import time

from start_up import recipe

BARE = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("bare", "1")
def tell(ls, params):
    document = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, [], document.version))
server.feature("textDocument/didOpen")(lambda ls, params: tell(ls, params))
server.feature("textDocument/didChange")(lambda ls, params: tell(ls, params))
server.start_io()
"""
FACTS = "# grpo-lint: dialect=trl version=1.16.0 world-size={size}\n"
URI = "file:///nowhere/config.yaml"
CAPABILITIES = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}, "general": {"positionEncodings": ["utf-16"]}}


class Server:
    """A server and its pipe; `edits`: seconds from each edit to its diagnostics."""

    def __init__(self, name, words):
        self.name = name
        self.edits = []
        self.version = 0
        self.started = time.perf_counter()
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.send("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES}, id=1)
        while self.receive().get("id") != 1:
            pass
        self.send("initialized", {})

    def send(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise SystemExit(f"{self.name} has ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if "id" in message and "method" in message:  # a question to the editor: nothing is known here
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode()
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        return message

    def diagnostics(self):
        """Wait for the diagnostics of the present text; of any text, from a server that does not say which."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version", self.version) == self.version:
                return message["params"]["diagnostics"]

    def open(self, text):
        self.send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "yaml", "version": 0, "text": text}})
        found = self.diagnostics()
        self.first = time.perf_counter() - self.started
        return found

    def edit(self, change):
        self.version += 1
        started = time.perf_counter()
        self.send("textDocument/didChange", {"textDocument": {"uri": URI, "version": self.version}, "contentChanges": [change]})
        self.diagnostics()
        self.edits.append(time.perf_counter() - started)

    def end(self):
        self.process.kill()
        self.process.wait()


def servers(peers):
    ours = ("grpo-lint", [sys.executable, "-m", "grpo_lint", "server"])
    bare = ("bare pygls", [sys.executable, "-c", BARE])
    return [bare, ours, *((shlex.split(peer)[0].rpartition("/")[2], shlex.split(peer)) for peer in peers)]


def measure(text, chosen, edits, starts):
    """[(name, seconds to the first diagnostics, [seconds of each edit])] for one file, the servers in turn."""
    first = {name: [] for name, _ in chosen}
    for _ in range(starts):
        for name, words in chosen:
            server = Server(name, words)
            server.open(text)
            first[name].append(server.first)
            server.end()
    running = [Server(name, words) for name, words in chosen]
    for server in running:
        server.open(text)
    row = text[: text.index("learning_rate:")].count("\n")
    for number in range(edits):
        # one character typed behind a value, and taken away again
        where = {"start": {"line": row, "character": 15}, "end": {"line": row, "character": 15 + number % 2}}
        for server in running:
            server.edit({"range": where, "text": "" if number % 2 else "1"})
    for server in running:
        server.end()
    return [(server.name, first[server.name], server.edits) for server in running]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=400, help="edits of each file (default: %(default)s)")
    parser.add_argument("--starts", type=int, default=6, help="starts of each server (default: %(default)s)")
    parser.add_argument("--peer", action="append", default=[], help="the command of another server")
    arguments = parser.parse_args()
    config = recipe(number=1, group=7, micro_batch=1, accumulation=4)
    files = {
        "clean": FACTS.format(size=7) + config,
        "fails": FACTS.format(size=5) + config,
        "processes and version unknown": "# grpo-lint: dialect=trl\n" + config,
    }
    print("| file | server | start to first diagnostics, s | edit to diagnostics, ms: median | 99 % | x bare |")
    print("|---|---|---:|---:|---:|---:|")
    for name, text in files.items():
        found = measure(text, servers(arguments.peer), arguments.edits, arguments.starts)
        floor = statistics.median(found[0][2])
        for server, first, edits in found:
            median, high = statistics.median(edits), statistics.quantiles(edits, n=100)[98]
            print(f"| {name} | {server} | {statistics.median(first):.2f} | {median * 1e3:.2f} | {high * 1e3:.2f} | {median / floor:.2f} |", flush=True)


if __name__ == "__main__":
    main()
