"""What a request costs in an editor: processor time of grpo-lint and of other servers, over the same texts, in one run.

    python benchmarks/latencies.py [--rounds N] [--node FOLDER] [--write]

Each server has a text open, of one of seven kinds and three sizes. In each round a digit is typed behind a number of the config; then
the server is asked, in its turn, for a hover and the completions of the key, and for code actions. Counted is the processor time of the process of
the server and all its threads (from Linux: `/proc/PID/task/*/schedstat`), until it has answered, so that neither a busy machine nor
a pause in typing counts. `ruff` is taken from beside the interpreter; `--node` names the folder of `node_modules` with pyright and
yaml-language-server, which are left out without it. `--write` puts the table into `docs/editor-speed.md`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "editor-speed.md"
BEGIN, END = "<!-- latencies -->\n", "<!-- end of latencies -->\n"
SIZES = (60, 300, 2_000)
PATIENCE = 20.0  # seconds for an answer

# The config of each kind: (name, language, head, what is repeated below it, what ends the file). `8` is what is typed behind.
YAML = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\nnum_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 4\n"
SECTIONS = (
    "# grpo-lint: dialect=verl version=0.9.1\nalgorithm:\n  adv_estimator: grpo\ndata:\n  train_batch_size: 64\nactor_rollout_ref:\n"
    "  rollout:\n    n: 8\n    name: vllm\n  actor:\n    ppo_mini_batch_size: 48\ntrainer:\n  nnodes: 1\n"
)
JSON = '{\n  "num_generations": 8,\n  "per_device_train_batch_size": 1,\n  "gradient_accumulation_steps": 4,\n'
SCRIPT = (
    "#!/bin/bash\n# grpo-lint: version=4.6.0\nNPROC_PER_NODE=7 swift rlhf \\\n    --rlhf_type grpo \\\n    --num_generations 8 \\\n"
    "    --per_device_train_batch_size 1\n"
)
MIXED = (
    'NAME_{0}="run-${{USER}}-{0}"\nif [ -d "$OUT/{0}" ]; then\n  echo "found $NAME_{0} in \'$OUT\'" >&2\nelse\n  mkdir -p "${{OUT:-out}}/{0}" && cp "$SRC"/{0}.* "$OUT/{0}"\n'
    'fi\nfor f in a b c; do\n  wc -l "$f" "$NAME_{0}" | tee -a "logs/$f.log"\ndone\n'
)
PYTHON = (
    "from trl import GRPOConfig\n\n# grpo-lint: version=1.16.0 world-size=7\nargs = GRPOConfig(\n    num_generations=8,\n"
    "    per_device_train_batch_size=1,\n)\n"
)
KINDS = {
    "YAML": ("config.yaml", "yaml", YAML, "# a note on run {}\n", "notes: {}\n"),
    "YAML in sections": ("tree.yaml", "yaml", SECTIONS, "  note_{0}: {0}\n", ""),
    "JSON": ("config.json", "json", JSON, '  "note_{0}": {0},\n', '  "output_dir": "out"\n}\n'),
    "script": ("run.sh", "shellscript", SCRIPT, "echo run {}\n", ""),
    "script, mixed": ("run.sh", "shellscript", SCRIPT, MIXED, ""),
    "Python": (
        "train.py",
        "python",
        PYTHON,
        "\n\ndef reward_{0}(texts):\n    return [len(text) + {0} for text in texts]\n",
        "",
    ),
    "Python, nothing of ours": ("other.py", "python", "size = 8\n", "\n\ndef f_{0}(x):\n    return x + {0}\n", ""),
}
ASKED = ("edit", "hover", "completion", "actions")


def text_of(kind: str, lines: int) -> str:
    """A file of a kind that is as long as that."""
    _, _, head, more, end = KINDS[kind]
    found, number = head, 0
    while found.count("\n") < lines:
        found += more.format(number)
        number += 1
    return found + end


class Server:
    """A server and what it costs."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._received: Queue[dict[str, Any]] = Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            if header.lower().startswith(b"content-length:"):
                size = int(header.split(b":")[1])
                while stream.readline().strip():
                    pass
                self._received.put(json.loads(stream.read(size)))

    def send(self, method: str, params: object, number: int | None = None) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number}))

    def _write(self, message: dict[str, Any]) -> None:
        body, stream = json.dumps(message).encode(), self.process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stream.flush()

    def ask(self, method: str, params: object) -> bool:
        """Send a request, and wait for its answer. False where it is none."""
        self._number += 1
        self.send(method, params, self._number)
        return self.wait(lambda each: "method" not in each and each.get("id") == self._number)

    def wait(self, is_it: Any) -> bool:
        """Wait for a message, and answer what the server asks meanwhile."""
        end = time.monotonic() + PATIENCE
        while (left := end - time.monotonic()) > 0:
            try:
                message = self._received.get(timeout=left)
            except Empty:
                return False
            if "method" in message and "id" in message:
                items = (message.get("params") or {}).get("items")
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": [{} for _ in items] if items else None})
            if is_it(message):
                return True
        return False

    def spent(self) -> float:
        """Milliseconds of processor time so far, of all threads."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in tasks) / 1e6

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def measured(command: list[str], kind: str, lines: int, rounds: int, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield (what was asked, milliseconds), with the first round left out, which loads what the others find loaded."""
    name, language, *_ = KINDS[kind]
    text = text_of(kind, lines)
    path = folder / name
    path.write_text(text)
    document = {"uri": path.as_uri()}
    before = text.split("8", 1)[0] if kind != "YAML in sections" else text.split("n: 8", 1)[0] + "n: "
    place = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
    server = Server(command)
    try:
        told = {"textDocument": {"publishDiagnostics": {"versionSupport": True}, "hover": {}, "completion": {}, "codeAction": {}},
                "workspace": {"configuration": True}}  # fmt: skip
        root = {"rootUri": folder.as_uri(), "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"}]}
        server.ask("initialize", {"processId": None, "capabilities": told, **root})
        server.send("initialized", {})
        opened = {**document, "languageId": language, "version": 1, "text": text}
        server.send("textDocument/didOpen", {"textDocument": opened})
        _await_diagnostics(server, document)
        for number in range(rounds + 1):
            for what in ASKED:
                begun = server.spent()
                _ask(server, what, document, place, number)
                if number:
                    yield what, server.spent() - begun
    finally:
        server.end()


def _await_diagnostics(server: Server, document: dict[str, str]) -> None:
    published = "textDocument/publishDiagnostics"
    server.wait(lambda each: each.get("method") == published and each["params"]["uri"] == document["uri"])


def _ask(server: Server, what: str, document: dict[str, str], place: dict[str, int], number: int) -> None:
    after = {**place, "character": place["character"] + 1}
    key = {**place, "character": min(8, place["character"] - 2)}
    if what == "edit":
        typed = {"range": {"start": place, "end": after}, "text": str(8 - number % 2)}
        version = {**document, "version": number + 2}
        server.send("textDocument/didChange", {"textDocument": version, "contentChanges": [typed]})
        _await_diagnostics(server, document)
    elif what == "hover":
        server.ask("textDocument/hover", {"textDocument": document, "position": key})
    elif what == "completion":
        server.ask("textDocument/completion", {"textDocument": document, "position": key})
    else:
        where = {"start": place, "end": after}
        server.ask(
            "textDocument/codeAction", {"textDocument": document, "range": where, "context": {"diagnostics": []}}
        )


def servers(kind: str, node: Path | None) -> dict[str, list[str]]:
    """{name: command} of those that serve a kind."""
    found = {"grpo-lint": [sys.executable, "-m", "grpo_lint", "server"]}
    language = KINDS[kind][1]
    ruff = Path(sys.executable).parent / "ruff"
    if language == "python" and ruff.exists():
        found["ruff server"] = [str(ruff), "server"]
    if language == "python" and node is not None:
        found["pyright"] = ["node", str(node / "pyright" / "langserver.index.js"), "--stdio"]
    if language in ("yaml", "json") and node is not None:
        main = node / "yaml-language-server" / "bin" / "yaml-language-server"
        found["yaml-language-server"] = ["node", str(main), "--stdio"]
    return found


def table(rounds: int, node: Path | None) -> str:
    """The table as Markdown: median / 95th percentile in milliseconds."""
    lines = [f"| file | lines | server | {' | '.join(ASKED)} |", "|---|---:|---|" + "---:|" * len(ASKED)]
    for kind in KINDS:
        for size in SIZES:
            for name, command in servers(kind, node).items():
                spent: dict[str, list[float]] = {what: [] for what in ASKED}
                with TemporaryDirectory() as folder:
                    for what, milliseconds in measured(command, kind, size, rounds, Path(folder)):
                        spent[what].append(milliseconds)
                told = " | ".join(_told(spent[what]) for what in ASKED)
                lines.append(f"| {kind} | {size:,} | {name} | {told} |")
                print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines) + "\n"


def _told(spent: list[float]) -> str:
    last = statistics.quantiles(spent, n=20, method="inclusive")[-1]
    return f"{statistics.median(spent):.1f} / {last:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--node", type=Path)
    parser.add_argument("--write", action="store_true")
    words = parser.parse_args()
    found = table(words.rounds, words.node)
    if words.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(before + BEGIN + found + END + rest.partition(END)[2], encoding="utf-8")
    else:
        print(found, end="")


if __name__ == "__main__":
    main()
