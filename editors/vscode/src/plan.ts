/** The panel that tells the plan of the run of the file that is being edited, and follows it. */

import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

/** Asks the server for the plan of a document, as a page; undefined when it is no file that is known. */
export type Ask = (document: vscode.TextDocument) => Promise<string | undefined>;

const PAUSE = 300; // ms after the last key
const NOTHING = "Open a training config: its plan is shown here.";
const NOT_KNOWN = "This file is no training config that grpo-lint knows.";

export class PlanPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private shown: string | undefined;
  private waiting: NodeJS.Timeout | undefined;
  private readonly listeners: vscode.Disposable[];

  constructor(
    private readonly ask: Ask,
    private readonly isOurs: (document: vscode.TextDocument) => boolean,
  ) {
    this.listeners = [
      vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor?.document)),
      vscode.workspace.onDidChangeTextDocument((event) => event.document === this.document && this.soon()),
    ];
  }

  /** Open the panel beside the file, or bring it to the front. */
  async show(document: vscode.TextDocument | undefined): Promise<void> {
    if (!this.panel) {
      const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("grpo-lint.plan", "Plan", where, { enableScripts: true, localResourceRoots: [] });
      this.panel.onDidDispose(() => (this.panel = this.shown = undefined));
    } else {
      this.panel.reveal(undefined, true);
    }
    this.document = document ?? this.document;
    await this.update();
  }

  private follow(document: vscode.TextDocument | undefined): void {
    if (this.panel && document && this.isOurs(document)) {
      this.document = document;
      this.soon();
    }
  }

  private soon(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.update(), PAUSE);
  }

  private async update(): Promise<void> {
    const { panel, document } = this;
    if (!panel) {
      return;
    }
    const told = document && (await this.ask(document).catch(() => undefined));
    if (panel !== this.panel || document !== this.document) {
      return;
    }
    panel.title = document ? `Plan: ${document.fileName.split(/[\\/]/).pop()}` : "Plan";
    const name = document?.uri.toString() ?? "";
    const shown = told ?? note(document ? NOT_KNOWN : NOTHING);
    if (this.shown !== name + shown) {
      // what a reader has turned is kept as long as the plan is the same
      this.shown = name + shown;
      panel.webview.html = framed(shown, name);
    }
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.listeners.forEach((each) => each.dispose());
    this.panel?.dispose();
  }
}

/** The colours of the editor in the place of those of the page. */
const COLOURS = `:root:root { --ink: var(--vscode-editor-foreground); --soft: var(--vscode-descriptionForeground); --line: var(--vscode-panel-border, #8884);
  --back: var(--vscode-editor-background); --panel: var(--vscode-sideBar-background); --key: var(--vscode-textLink-foreground);
  --ok: var(--vscode-testing-iconPassed, #2e9b4f); --bad: var(--vscode-errorForeground); --warn: var(--vscode-editorWarning-foreground); }
body.vscode-light { color-scheme: light; } body.vscode-dark { color-scheme: dark; }`;

/** The page of a plan as the panel shows it: in the colours of the editor, nothing loaded, nothing run but the script of the page, scrolled to where the file was left. */
export function framed(page: string, name: string): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  const scroll = `const api = acquireVsCodeApi(), name = ${JSON.stringify(name).replace(/</g, "\\u003c")}, left = api.getState();
scrollTo(0, left?.name === name ? left.y : 0);
addEventListener("scroll", () => api.setState({ name, y: scrollY }));`;
  // functions, for `$` in a text would mean something else
  return page
    .replace("<head>", () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace("</head>", () => `<style>${COLOURS}</style>\n</head>`)
    .replace("<script>", () => `<script nonce="${nonce}">`)
    .replace("</body>", () => `<script nonce="${nonce}">${scroll}</script>\n</body>`);
}

/** A page that says one sentence of ours. */
function note(text: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Plan</title></head>
<body><p>${text}</p></body>
</html>`;
}
