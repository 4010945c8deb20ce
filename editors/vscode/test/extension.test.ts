/** The extension and the client library of VS Code as they are, before a stand-in for the editor, with the real server. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as vscode from "vscode";

import { activate, deactivate } from "../src/extension";
import { PYTHON } from "./server";

const TEXT = `# grpo-lint: dialect=trl version=1.16.0
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
`;
/** What the extension did: see stand-in.js. */
const { stage } = vscode as unknown as { stage: any };
const options = { skip: PYTHON ? false : "GRPO_LINT_PYTHON names no interpreter", timeout: 60_000 };

/** A text in the editor. */
class Document {
  readonly uri = vscode.Uri.parse("untitled:config.yaml");
  readonly fileName = "config.yaml";
  readonly languageId = "yaml";
  readonly eol = 1;
  version = 1;

  constructor(private text: string) {}

  getText(): string {
    return this.text;
  }

  async change(range: vscode.Range, text: string): Promise<void> {
    const lines = this.text.split("\n");
    const at = ({ line, character }: vscode.Position) => lines.slice(0, line).join("\n").length + Math.min(line, 1) + character;
    const [start, end] = [at(range.start), at(range.end)];
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    this.version += 1;
    await stage.events.onDidChangeTextDocument.fire({ document: this, contentChanges: [{ range, rangeOffset: start, rangeLength: end - start, text }], reason: undefined });
  }
}

test("the extension finds, explains, completes and fixes", options, async (context) => {
  const document = new Document(TEXT);
  const editor = vscode as any;
  const folder = workspaceWithTraps();
  context.after(() => rmSync(folder, { recursive: true }));
  editor.workspace.workspaceFolders = [{ uri: vscode.Uri.file(folder), name: "traps", index: 0 }];
  stage.settings = { python: PYTHON, worldSize: 7 }; // which the file does not say
  editor.workspace.textDocuments.push(document);
  editor.window.activeTextEditor = { document, selection: { active: new vscode.Position(1, 0) } };
  editor.window.visibleTextEditors.push({ document });
  editor.window.tabGroups.all.push({ tabs: [{ input: new editor.TabInputText(document.uri) }] });
  const disposables: vscode.Disposable[] = [];
  context.after(() => disposables.forEach((each) => each.dispose()));
  await activate({ subscriptions: disposables } as unknown as vscode.ExtensionContext);
  context.after(deactivate);
  assert.deepEqual(stage.shown, []);
  assert.match(stage.status.tooltip, /^grpo-lint \d+\.\d+.* runs$/);

  const token = new vscode.CancellationTokenSource().token;
  const found = () => [...stage.diagnostics.values()].flat() as vscode.Diagnostic[];
  await until(() => found().some(({ severity }) => severity === 0)); // once the settings are known
  const [diagnostic] = found();
  assert.deepEqual([diagnostic!.source, diagnostic!.range.start.line], ["grpo-lint", 1]);
  assert.ok(diagnostic!.relatedInformation!.length > 0);

  const place = new vscode.Position(1, 3);
  const ask = (what: string, method: string, ...words: unknown[]) => stage.providers[what][method](document, ...words, token);
  const hover = await ask("Hover", "provideHover", place);
  assert.match([hover.contents].flat()[0].value, /= \*\*28 completions\*\* = 3.5 prompts of 8/);
  const hints = await ask("InlayHints", "provideInlayHints", new vscode.Range(0, 0, 4, 0));
  assert.match(hints[0].label, /^update: 28 = 3.5 prompts of 8$/);
  const keys = await stage.providers.CompletionItem.provideCompletionItems(document, new vscode.Position(4, 0), token, { triggerKind: 0 });
  assert.ok((keys.items ?? keys).some(({ label }: { label: string }) => label === "beta"));

  const [lens] = await ask("CodeLens", "provideCodeLenses");
  assert.match(lens.command.title, /^TRL 1\.16\.0 GRPO on 7 processes/);
  await stage.commands.get(lens.command.command)(...lens.command.arguments);
  assert.match(stage.panel.webview.html, /One rollout makes/);
  assert.match([hover.contents].flat()[0].value, /\[Explain this run\]\(command:grpo-lint\.showPlan\)/);
  await stage.commands.get("grpo-lint.showPlan")();
  stage.commands.set("markdown.showPreviewToSide", (uri: vscode.Uri) => void stage.opened.push(uri));
  await stage.commands.get("grpo-lint.openRulePage")();
  const page = await stage.contents["grpo-lint-rule"].provideTextDocumentContent(stage.opened.pop());
  assert.match(page, /^# GRPO203 rollout-holds-whole-groups\n/);

  const actions: vscode.CodeAction[] = await ask("CodeActions", "provideCodeActions", diagnostic!.range, { diagnostics: [diagnostic], triggerKind: 1 });
  const fix = actions.find(({ isPreferred }) => isPreferred)!;
  const resolved = fix.edit ? fix : await stage.providers.CodeActions.resolveCodeAction(fix, token);
  const [edit] = resolved.edit.edits;
  await document.change(edit.range, edit.newText);
  assert.match(document.getText(), /gradient_accumulation_steps: 8/);
  await until(() => found().length === 0);
  await until(() => /"gradient_accumulation_steps", "value": "8"/.test(stage.panel.webview.html)); // the panel follows
  assert.equal(stage.panel.title, "Plan: config.yaml");

  await stage.commands.get("grpo-lint.restart")();
  assert.match(stage.status.tooltip, /runs$/);
  assert.ok(!existsSync(join(folder, "sprung")));
});

test("a server that cannot start is told in one sentence, once", { timeout: 60_000 }, async () => {
  const editor = vscode as any;
  stage.settings = { path: "/nowhere/grpo-lint" };
  stage.shown.length = 0;
  editor.workspace.textDocuments.splice(0, Infinity, new Document(TEXT));
  await activate({ subscriptions: [] } as unknown as vscode.ExtensionContext);
  await stage.events.onDidOpenTextDocument.fire(new Document(TEXT));
  assert.equal(stage.shown.length, 1);
  assert.match(stage.shown[0], /^grpo-lint cannot start \(\/nowhere\/grpo-lint: is not there\)\. Install it there \(pip install .*Select Interpreter\|Docs$/);
  assert.match(stage.status.tooltip, /does not run/);
  await deactivate();
});

/** A folder of somebody, with modules in it that Python would import if it looked there. */
function workspaceWithTraps(): string {
  const folder = mkdtempSync(join(tmpdir(), "workspace-"));
  for (const name of ["runpy", "types", "typing", "yaml", "pygls", "grpo_lint", "sitecustomize"]) {
    writeFileSync(join(folder, `${name}.py`), `open(${JSON.stringify(join(folder, "sprung"))}, "a").write(__name__)\n`);
  }
  return folder;
}

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 1000 && !condition(); round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(condition());
}
