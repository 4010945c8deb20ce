/** The real server, asked by the library that VS Code speaks with: it has to accept every object. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";

import {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DiagnosticTag,
  DocumentSymbol,
  Hover,
  InlayHint,
  StreamMessageReader,
  StreamMessageWriter,
  TextEdit,
  WorkspaceEdit,
  createProtocolConnection,
  type ClientCapabilities,
  type InitializeResult,
} from "vscode-languageserver-protocol/node";

const PYTHON = process.env.GRPO_LINT_PYTHON;
const URI = "file:///nowhere/config.yaml";
const TEXT = `# grpo-lint: dialect=trl version=0.28.0 world-size=7
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
max_prompt_length: 512
num_iteratons: 2
`;
const CAPABILITIES: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: true } } },
  textDocument: {
    diagnostic: {},
    publishDiagnostics: {
      relatedInformation: true,
      codeDescriptionSupport: true,
      dataSupport: true,
      tagSupport: { valueSet: [DiagnosticTag.Deprecated, DiagnosticTag.Unnecessary] },
    },
    codeAction: { dataSupport: true, isPreferredSupport: true, resolveSupport: { properties: ["edit"] } },
  },
};

const options = { skip: PYTHON ? false : "GRPO_LINT_PYTHON names no interpreter", timeout: 60_000 };

test("vscode-languageserver-protocol accepts every object", options, async (context) => {
  const server = spawn(PYTHON!, ["-m", "grpo_lint", "server"], { stdio: ["pipe", "pipe", "inherit"] });
  context.after(() => server.kill());
  const ended = new Promise<number | null>((resolve) => server.on("exit", resolve));
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.listen();
  const answer: InitializeResult = await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: CAPABILITIES });
  assert.equal(answer.capabilities.textDocumentSync && typeof answer.capabilities.textDocumentSync === "object" && answer.capabilities.textDocumentSync.change, 2);
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri: URI, languageId: "yaml", version: 1, text: TEXT } });
  const textDocument = { uri: URI };
  const everything = { start: { line: 0, character: 0 }, end: { line: 6, character: 0 } };

  const { items } = await connection.sendRequest<{ items: unknown[] }>("textDocument/diagnostic", { textDocument });
  all(items, Diagnostic.is);
  const actions = await connection.sendRequest<unknown[]>("textDocument/codeAction", { textDocument, range: everything, context: { diagnostics: items } });
  for (const action of actions) {
    const complete: unknown = await connection.sendRequest("codeAction/resolve", action); // one without an edit is none for `is`
    assert.ok(CodeAction.is(complete) && WorkspaceEdit.is(complete.edit), JSON.stringify(complete));
    for (const change of complete.edit.documentChanges ?? []) {
      all("edits" in change ? change.edits : [], TextEdit.is);
    }
  }
  const hover = await connection.sendRequest("textDocument/hover", { textDocument, position: { line: 1, character: 2 } });
  assert.ok(Hover.is(hover), JSON.stringify(hover));
  const completion = await connection.sendRequest<{ items: unknown[] }>("textDocument/completion", { textDocument, position: { line: 6, character: 0 } });
  all(completion.items, (item: CompletionItem) => typeof item.label === "string" && TextEdit.is(item.textEdit));
  all(await connection.sendRequest("textDocument/inlayHint", { textDocument, range: everything }), InlayHint.is);
  all(await connection.sendRequest("textDocument/codeLens", { textDocument }), CodeLens.is);
  all(await connection.sendRequest("textDocument/documentSymbol", { textDocument }), DocumentSymbol.is);

  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
});

function all(objects: readonly unknown[], is: (object: never) => boolean): void {
  assert.ok(objects.length > 0);
  for (const object of objects) {
    assert.ok(is(object as never), JSON.stringify(object));
  }
}
