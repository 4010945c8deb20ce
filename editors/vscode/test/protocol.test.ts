/** The real server, asked by the library that VS Code speaks with: each message has to be of the type that the library gives it. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DiagnosticTag,
  DocumentSymbol,
  DocumentUri,
  Hover,
  InlayHint,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
  type ClientCapabilities,
  type PublishDiagnosticsParams,
} from "vscode-languageserver-protocol/node";

import { OURS, PYTHON, Server, type Sent } from "./server";

const TRL = `# grpo-lint: dialect=trl version=0.28.0 world-size=7
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
max_prompt_length: 512
num_iteratons: 2
loss_type: grpo # grpo-lint: ignore[GRPO203]
`;
const OPEN = "num_generations: 8\nper_device_train_batch_size: 1\nbeta: 0.04\nuse_vllm: true\nvllm_mode: colocate\nmax_completion_length: 512\nbe\n";
const SCRIPT = "#!/bin/bash\n# grpo-lint: version=4.6.0\nNPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --num_generations 8 --\n";
const TEXTS: [string, string, string][] = [
  ["config.yaml", "yaml", TRL],
  ["open.yaml", "yaml", OPEN],
  ["train.sh", "shellscript", SCRIPT],
  ["broken.yaml", "yaml", "num_generations: [8\nbeta: 1\n\tx: *a\n"],
];

const EVERYTHING: ClientCapabilities = {
  workspace: {
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    codeLens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: true } },
  },
  textDocument: {
    diagnostic: {},
    hover: { contentFormat: ["markdown"] },
    completion: { completionItem: { tagSupport: { valueSet: [1] } } },
    publishDiagnostics: {
      relatedInformation: true,
      codeDescriptionSupport: true,
      dataSupport: true,
      tagSupport: { valueSet: [DiagnosticTag.Deprecated, DiagnosticTag.Unnecessary] },
    },
    codeAction: { dataSupport: true, isPreferredSupport: true, resolveSupport: { properties: ["edit"] } },
  },
};
const NOTHING: ClientCapabilities = {};

/** The type of each answer, and of the params of what the server says by itself. */
const ANSWERS: Record<string, string> = {
  initialize: "lsp.InitializeResult",
  shutdown: "null",
  "textDocument/diagnostic": "lsp.DocumentDiagnosticReport",
  "textDocument/hover": "lsp.Hover | null",
  "textDocument/completion": "lsp.CompletionList",
  "textDocument/inlayHint": "lsp.InlayHint[]",
  "textDocument/codeLens": "lsp.CodeLens[]",
  "textDocument/documentSymbol": "lsp.DocumentSymbol[]",
  "textDocument/codeAction": "lsp.CodeAction[]",
  "codeAction/resolve": "lsp.CodeAction",
  "workspace/executeCommand": "lsp.LSPAny",
};
const SAID: Record<string, string> = {
  "textDocument/publishDiagnostics": "lsp.PublishDiagnosticsParams",
  "client/registerCapability": "lsp.RegistrationParams",
  "workspace/configuration": "lsp.ConfigurationParams",
  "window/showMessage": "lsp.ShowMessageParams",
  "workspace/diagnostic/refresh": "undefined",
  "workspace/inlayHint/refresh": "undefined",
  "workspace/codeLens/refresh": "undefined",
};

const options = { skip: PYTHON ? false : "GRPO_LINT_PYTHON names no interpreter", timeout: 120_000 };

/** A session in which everything is asked for, at every word of every text. */
async function session(server: Server, capabilities: ClientCapabilities): Promise<void> {
  const { connection } = server;
  let asksForSettings = 0;
  connection.onRequest("workspace/configuration", ({ items }: { items: unknown[] }) => {
    asksForSettings += 1;
    return items.map(() => ({ worldsize: 7 })); // misspelt, so that the server has something to say
  });
  connection.onRequest("client/registerCapability", () => null);
  const published = new Map<DocumentUri, Diagnostic[]>();
  connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }: PublishDiagnosticsParams) => void published.set(uri, diagnostics));

  const folder = mkdtempSync(join(process.cwd(), "out", "session-"));
  const uriOf = (name: string) => pathToFileURL(join(folder, name)).toString();
  const { capabilities: offered } = await server.greet(capabilities, { workspaceFolders: [{ uri: pathToFileURL(folder).toString(), name: "session" }], initializationOptions: { worldsize: 7 } });
  assert.ok(typeof offered.codeActionProvider === "object" && offered.codeActionProvider.resolveProvider); // without, nobody resolves
  for (const [name, languageId, text] of TEXTS) {
    const textDocument = { uri: uriOf(name) };
    await connection.sendNotification("textDocument/didOpen", { textDocument: { ...textDocument, languageId, version: 1, text } });
    const lines = text.split("\n");
    const range = { start: { line: 0, character: 0 }, end: { line: lines.length - 1, character: 0 } };
    const ask = <Answer>(method: string, more: object = {}) => connection.sendRequest<Answer>(method, { textDocument, ...more });

    const lenses = await ask<CodeLens[]>("textDocument/codeLens");
    each(lenses, CodeLens.is);
    const diagnostics = capabilities.textDocument?.diagnostic
      ? (await ask<{ items: Diagnostic[] }>("textDocument/diagnostic")).items
      : published.get(textDocument.uri)!;
    assert.ok(diagnostics.length > 0 || name !== "config.yaml");
    each(diagnostics, Diagnostic.is);
    const actions = await ask<CodeAction[]>("textDocument/codeAction", { range, context: { diagnostics } });
    for (const action of actions) {
      const complete = action.edit ? action : await connection.sendRequest<CodeAction>("codeAction/resolve", action); // one without an edit is none for `is`
      assert.ok(CodeAction.is(complete) && WorkspaceEdit.is(complete.edit), JSON.stringify(complete));
      const changes = complete.edit.documentChanges ?? Object.entries(complete.edit.changes!).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
      each(changes, TextDocumentEdit.is);
    }
    for (const [row, line] of lines.entries()) {
      for (const { index: column } of line.matchAll(/\b\w|$/g)) {
        const position = { line: row, character: column };
        const hover = await ask<Hover | null>("textDocument/hover", { position });
        assert.ok(hover === null || Hover.is(hover), JSON.stringify(hover));
        if (column === line.length) {
          const { items } = await ask<{ items: CompletionItem[] }>("textDocument/completion", { position });
          each(items, (item: CompletionItem) => TextEdit.is(item.textEdit));
        }
      }
    }
    each(await ask<InlayHint[]>("textDocument/inlayHint", { range }), InlayHint.is);
    each(await ask<DocumentSymbol[]>("textDocument/documentSymbol"), DocumentSymbol.is);
    for (const { command } of lenses) {
      await connection.sendRequest("workspace/executeCommand", { command: command!.command, arguments: command!.arguments });
    }
    const changed = { ...textDocument, version: 2 };
    await connection.sendNotification("textDocument/didChange", { textDocument: changed, contentChanges: [{ range: { start: range.start, end: range.start }, text: "# 😀\n" }] });
  }
  await connection.sendNotification("workspace/didChangeConfiguration", { settings: { "grpo-lint": { worldSize: 8, inlayHints: false } } });
  await connection.sendRequest("textDocument/documentSymbol", { textDocument: { uri: uriOf("config.yaml") } });
  await connection.sendNotification("textDocument/didClose", { textDocument: { uri: uriOf("config.yaml") } });
  assert.equal(asksForSettings > 0, capabilities.workspace?.configuration === true);
  rmSync(folder, { recursive: true });
}

for (const [client, capabilities] of Object.entries({ "a client that can do everything": EVERYTHING, "a client that announces nothing": NOTHING })) {
  test(`${client} gets objects of the right types`, options, async (context) => {
    const server = new Server(OURS);
    context.after(() => server.process.kill());
    await session(server, capabilities);
    assert.equal(await server.leave(), 0);
    const methods = new Set(server.sent.map(({ method }) => method));
    for (const method of ["textDocument/codeAction", "textDocument/completion", "textDocument/hover", "window/showMessage"]) {
      assert.ok(methods.has(method), method);
    }
    assert.ok(methods.has("textDocument/publishDiagnostics") !== methods.has("textDocument/diagnostic"), "pull or push, never both");
    assert.equal(complaints(server.sent), "");
  });
}

test("an object of a wrong type is found out", () => {
  assert.match(complaints([{ method: "textDocument/hover", isAnswer: true, body: { contents: { kind: "html", value: "" } } }]), /error TS\d+/);
  assert.match(complaints([{ method: "textDocument/inlayHint", isAnswer: true, body: [{ position: { line: 0, character: 0 }, label: "", colour: 1 }] }]), /colour/);
});

/** What the TypeScript compiler says when each message is declared to be of its type. */
function complaints(sent: readonly Sent[]): string {
  const declared = sent.map(({ method, isAnswer, body }) => {
    const type = (isAnswer ? ANSWERS : SAID)[method];
    assert.ok(type, `no type is known for ${method}`);
    return `(${JSON.stringify(body) ?? "undefined"}) satisfies ${type};`;
  });
  const file = join("out", `messages-${process.pid}.ts`);
  writeFileSync(file, [`import type * as lsp from "vscode-languageserver-protocol";`, ...declared].join("\n"));
  const words = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "--module", "node16", "--types", "node", file];
  const compiled = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", ...words], { encoding: "utf8" });
  rmSync(file);
  return compiled.stdout;
}

function each<Kind>(objects: readonly Kind[], is: (object: Kind) => boolean): void {
  for (const object of objects) {
    assert.ok(is(object), JSON.stringify(object));
  }
}
