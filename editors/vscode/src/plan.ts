/** The panel that tells the plan of the run of the file that is being edited, and follows it. */

import * as vscode from "vscode";

/** Asks the server for the plan of a document; undefined when it is no config that is known. */
export type Ask = (document: vscode.TextDocument) => Promise<string | undefined>;

const PAUSE = 300; // ms after the last key
const NOTHING = "Open a training config: its plan is told here.";

export class PlanPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
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
      this.panel = vscode.window.createWebviewPanel("grpo-lint.plan", "Plan", where, { enableScripts: false });
      this.panel.onDidDispose(() => (this.panel = undefined));
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
    if (panel === this.panel && document === this.document) {
      panel.title = document ? `Plan: ${document.fileName.split(/[\\/]/).pop()}` : "Plan";
      panel.webview.html = page(told ?? (document ? "This file is no training config that grpo-lint knows." : NOTHING));
    }
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.listeners.forEach((each) => each.dispose());
    this.panel?.dispose();
  }
}

/** The page of a plan: nothing of a file is taken for HTML, and nothing is loaded or run. */
export function page(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); color: var(--vscode-editor-foreground); }
</style>
<title>Plan</title>
</head>
<body><pre>${escaped}</pre></body>
</html>`;
}
