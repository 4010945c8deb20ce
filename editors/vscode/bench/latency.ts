/**
 * How long an editor waits: from the start of a server to its first diagnostics, and from each edit to those of the new text.
 *
 *     GRPO_LINT_PYTHON=.../python npm run bench -- --edits 400 --starts 6
 *     GRPO_LINT_PYTHON=.../python npm run bench -- --edits 10000 --starts 1 --without yaml-language-server    # does memory grow?
 *
 * The servers are asked in turn, an edit each, all in one run: what else happens on the machine hits them alike. The bare one is
 * pygls with nothing behind it: it takes an edit and sends back an empty list. yaml-language-server checks against our JSON Schema;
 * `ruff server` (RUFF, else beside the interpreter) is asked about Python. `--before PYTHON` takes another interpreter with another
 * grpo-lint into the same run. Only the ratios mean anything on another machine.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

import type { ClientCapabilities, DocumentDiagnosticReport, PublishDiagnosticsParams, TextDocumentContentChangeEvent } from "vscode-languageserver-protocol/node";

import { OURS, PYTHON, Server } from "../test/server";

const BARE = `
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("bare", "1")
def tell(ls, params):
    document = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, [], document.version))
server.feature("textDocument/didOpen")(tell)
server.feature("textDocument/didChange")(tell)
server.start_io()
`;
const ROOT = resolve("../..");
const RUFF = process.env.RUFF ?? join(dirname(PYTHON ?? ""), "ruff");

interface File {
  readonly uri: string;
  readonly languageId: "yaml" | "python";
  readonly text: string;
}
const PUSH: ClientCapabilities = { textDocument: { publishDiagnostics: { versionSupport: true } }, workspace: { configuration: true } };
const PULL: ClientCapabilities = { textDocument: { diagnostic: {} }, workspace: { configuration: true, diagnostics: { refreshSupport: true } } };
const SETTINGS_OF_PEER = { validate: true, schemaStore: { enable: false }, schemas: { [`${ROOT}/schemas/trl-grpo.schema.json`]: "*.yaml" } };

/** A config as long as that: every key with a number or a switch, each below a comment that tells it, then a list of a team's own. */
function long(text: string, lines: number): string {
  const { properties } = JSON.parse(readFileSync(`${ROOT}/schemas/trl-grpo.schema.json`, "utf8")) as { properties: Record<string, { default?: unknown; description: string }> };
  const more = Object.entries(properties)
    .filter(([key, { default: value }]) => ["number", "boolean"].includes(typeof value) && !new RegExp(`^${key}:`, "m").test(text))
    .flatMap(([key, { default: value, description }]) => [`# ${description}`, `${key}: ${String(value)}`]);
  const missing = lines - text.trimEnd().split("\n").length;
  const notes = Array.from({ length: Math.max(0, missing - more.length - 1) }, (_, number) => `  - {name: run-${number}, reward: 0.${number}}`);
  return [text.trimEnd(), ...[...more, "notes:", ...notes].slice(0, missing), ""].join("\n");
}

/** A training script as long as that: a config that fails, then functions. */
function program(lines: number): string {
  const head = `from trl import GRPOConfig

# grpo-lint: version=1.16.0 world-size=7
args = GRPOConfig(
    num_generations=8,
    per_device_train_batch_size=1,
    gradient_accumulation_steps=4,
    learning_rate=1e-6,
)
`;
  const one = (number: number) => `

def reward_${number}(completions, **kwargs):
    """One for each that is long enough."""
    limit = ${number}
    return [float(len(each) > limit) for each in completions]
`;
  const wanted = Math.max(0, Math.round((lines - head.split("\n").length) / 6));
  return head + Array.from({ length: wanted }, (_, number) => one(number)).join("");
}

class Editor {
  private readonly server: Server;
  private uri = "";
  private readonly started = performance.now();
  private version = 0;
  private told: (params: PublishDiagnosticsParams) => void = () => undefined;
  /** Milliseconds to the first diagnostics, and from each edit to its own. */
  first = 0;
  readonly edits: number[] = [];

  constructor(command: readonly string[], private readonly pulls = false, private readonly options?: object) {
    this.server = new Server(command);
    const { connection } = this.server;
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => this.told(params));
    connection.onRequest("workspace/configuration", ({ items }: { items: { section?: string }[] }) =>
      items.map(({ section }) => (section === "yaml" ? SETTINGS_OF_PEER : null)),
    );
    connection.onRequest("client/registerCapability", () => null);
    connection.onRequest("client/unregisterCapability", () => null);
  }

  async open(file: File): Promise<void> {
    this.uri = file.uri;
    await this.server.greet(this.pulls ? PULL : PUSH, { workspaceFolders: null, initializationOptions: this.options });
    await this.diagnosticsAfter("textDocument/didOpen", { textDocument: { ...file, version: 0 } });
    this.first = performance.now() - this.started;
  }

  async edit(change: TextDocumentContentChangeEvent): Promise<void> {
    this.version += 1;
    const began = performance.now();
    await this.diagnosticsAfter("textDocument/didChange", { textDocument: { uri: this.uri, version: this.version }, contentChanges: [change] });
    this.edits.push(performance.now() - began);
  }

  /** Tell the server something, and wait for its diagnostics of the present text; of any text, when it does not say of which. */
  private async diagnosticsAfter(method: string, params: object): Promise<void> {
    if (this.pulls) {
      await this.server.connection.sendNotification(method, params);
      await this.server.connection.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", { textDocument: { uri: this.uri } });
      return;
    }
    const answer = new Promise<void>((done) => {
      this.told = ({ version }) => (version === undefined || version === this.version) && done();
    });
    await this.server.connection.sendNotification(method, params);
    await answer;
  }

  /** Resident memory in MiB, where the system tells it. */
  memory(): number {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.server.process.pid}/status`, "utf8"))![1]) / 1024;
    } catch {
      return NaN;
    }
  }

  end(): void {
    this.server.connection.dispose();
    this.server.process.kill("SIGKILL");
  }
}

/** What somebody types: a digit behind each value and away again, then a new line, key by key, and away again; from the start when all is done. */
function* typing(text: string): Generator<TextDocumentContentChangeEvent, never> {
  const lines = text.split("\n");
  const at = (line: number, character: number, taken: number, added: string) => ({
    range: { start: { line, character }, end: { line, character: character + taken } },
    text: added,
  });
  const added = "num_iterations: 2";
  for (;;) {
    for (const [row, line] of lines.entries()) {
      if (/^(\w+: \S|    \w+=\S)/.test(line)) {
        const behind = line.replace(/,$/, "").length;
        yield at(row, behind, 0, "1");
        yield at(row, behind, 1, "");
      }
    }
    for (const [column, character] of [...added].entries()) {
      yield at(lines.length - 1, column, 0, character);
    }
    for (let column = added.length - 1; column >= 0; column--) {
      yield at(lines.length - 1, column, 1, "");
    }
  }
}

/** A server for each language that it is asked about, or for all. */
const SERVERS: Record<string, { start: () => Editor; only?: File["languageId"] }> = {
  "bare pygls": { start: () => new Editor([OURS[0]!, "-c", BARE]) },
  "grpo-lint": { start: () => new Editor(OURS) },
  "grpo-lint, when asked": { start: () => new Editor(OURS, true) },
  "yaml-language-server": { start: () => new Editor([process.execPath, resolve("node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"]), only: "yaml" },
  "ruff server": { start: () => new Editor([RUFF, "server"], false, { settings: { logLevel: "error" } }), only: "python" },
};

/** A row of the table for each server. */
async function measure(file: File, edits: number, starts: number): Promise<string[]> {
  const names = Object.keys(SERVERS).filter((name) => [undefined, file.languageId].includes(SERVERS[name]!.only));
  const first = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < starts; round++) {
    for (const name of names) {
      const editor = SERVERS[name]!.start();
      await editor.open(file);
      first.get(name)!.push(editor.first);
      editor.end();
    }
  }
  const running = names.map((name) => SERVERS[name]!.start());
  for (const editor of running) {
    await editor.open(file);
  }
  const memory = running.map(() => NaN);
  const typed = typing(file.text);
  for (let number = 0; number < edits; number++) {
    const change = typed.next().value;
    for (const [place, editor] of running.entries()) {
      await editor.edit(change);
      if (number === Math.min(1000, edits >> 1)) {
        memory[place] = editor.memory();
      }
    }
  }
  const floor = quantile(running[0]!.edits, 0.5);
  const rows = running.map((editor, place) => {
    const [start, median, high] = [quantile(first.get(names[place]!)!, 0.5), quantile(editor.edits, 0.5), quantile(editor.edits, 0.99)];
    const grown = editor.memory() - memory[place]!;
    return [names[place], (start / 1e3).toFixed(2), median.toFixed(2), high.toFixed(2), (median / floor).toFixed(1), grown.toFixed(1)].join(" | ");
  });
  running.forEach((editor) => editor.end());
  return rows;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

async function main(): Promise<void> {
  const options = { edits: { type: "string", default: "400" }, starts: { type: "string", default: "6" }, without: { type: "string", multiple: true }, file: { type: "string", multiple: true }, before: { type: "string" } } as const;
  const { values } = parseArgs({ options });
  const { before } = values;
  if (before !== undefined) {
    SERVERS["grpo-lint before"] = { start: () => new Editor([before, ...OURS.slice(1)]) };
  }
  for (const name of [...(values.without ?? []), ...(existsSync(RUFF) ? [] : ["ruff server"])]) {
    delete SERVERS[name];
  }
  const fails = readFileSync(`${ROOT}/examples/bad/trl-grpo-7-gpus.yaml`, "utf8");
  const texts = {
    "in order": readFileSync(`${ROOT}/examples/good/trl-grpo-7-gpus.yaml`, "utf8"),
    "fails": fails,
    "300 lines": long(fails, 300),
    "2,000 lines": long(fails, 2000),
    "processes and version unknown": fails.replace("dialect=trl version=1.16.0 world-size=7", "dialect=trl"),
    "Python, 60 lines": program(60),
    "Python, 2,000 lines": program(2000),
  };
  console.log("| file | server | start to first diagnostics, s | edit to diagnostics, ms: median | 99 % | x bare | MiB more by the second half |");
  console.log("|---|---|---:|---:|---:|---:|---:|");
  for (const [name, text] of Object.entries(texts).filter(([name]) => values.file?.includes(name) ?? true)) {
    const file: File = name.startsWith("Python")
      ? { uri: "file:///nowhere/train.py", languageId: "python", text }
      : { uri: "file:///nowhere/config.yaml", languageId: "yaml", text };
    for (const row of await measure(file, Number(values.edits), Number(values.starts))) {
      console.log(`| ${name} | ${row} |`);
    }
  }
}

void main();
