import { homedir } from "node:os";

import * as vscode from "vscode";
import {
  LanguageClient,
  State,
  type ClientCapabilities,
  type FeatureState,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";

import { serverCommand, whyNot } from "./command";

const LANGUAGES = [
  { language: "yaml" },
  { language: "shellscript" },
  { language: "json" },
];
const PLAN_COMMAND = "grpo-lint.plan"; // of the server; its answer is shown in a document beside the file
const PLAN_SCHEME = "grpo-lint-plan";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let status: vscode.StatusBarItem;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("grpo-lint", { log: true });
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 0);
  status.command = "grpo-lint.showLog";
  const plans = new Plans();
  context.subscriptions.push(
    log,
    status,
    plans,
    vscode.workspace.registerTextDocumentContentProvider(PLAN_SCHEME, plans),
    vscode.commands.registerCommand("grpo-lint.restart", () => restart(plans)),
    vscode.commands.registerCommand("grpo-lint.showLog", () => log.show()),
    vscode.commands.registerCommand("grpo-lint.showPlan", () => showPlanOfActiveFile(plans)),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("grpo-lint.path") || event.affectsConfiguration("grpo-lint.python")) {
        await restart(plans);
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => restart(plans)),
  );
  await start(plans);
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

async function restart(plans: Plans): Promise<void> {
  await deactivate();
  await start(plans);
}

async function start(plans: Plans): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const settings = vscode.workspace.getConfiguration("grpo-lint", folder);
  const choice = {
    path: settings.get<string>("path", ""),
    python: settings.get<string>("python", ""),
    interpreter: await interpreterOfWorkspace(folder),
  };
  const command = serverCommand(choice, folder?.fsPath, homedir());
  const server: ServerOptions = { ...command, options: { cwd: __dirname } }; // ours: Windows looks there for a program before the search path
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES,
    outputChannel: log,
    middleware: {
      executeCommand: async (name, words, next) => {
        const answer: unknown = await next(name, words);
        if (name === PLAN_COMMAND && typeof answer === "string") {
          await plans.show(answer);
        }
        return answer;
      },
    },
  };
  client = new LanguageClient("grpo-lint", "grpo-lint", server, options);
  client.registerFeature(new ShowsPlan());
  client.onDidChangeState((event) => tell(event.newState));
  tell(State.Starting);
  try {
    await client.start();
  } catch (error) {
    tell(State.Stopped);
    const message = whyNot(command, error);
    log.error(message);
    void vscode.window.showErrorMessage(message);
  }
}

function tell(state: State): void {
  const [icon, words] = {
    [State.Starting]: ["$(loading~spin)", "grpo-lint starts"],
    [State.Running]: ["$(check)", `grpo-lint ${client?.initializeResult?.serverInfo?.version ?? ""} runs`],
    [State.Stopped]: ["$(error)", "grpo-lint does not run; the log says why"],
  }[state];
  status.text = `${icon} grpo-lint`;
  status.tooltip = words;
  status.show();
}

/** The interpreter that the Python extension has chosen for the workspace; undefined without that extension. */
async function interpreterOfWorkspace(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    const api = (await extension.activate()) as {
      environments?: { getActiveEnvironmentPath(resource?: vscode.Uri): { path: string } };
    };
    return api.environments?.getActiveEnvironmentPath(folder).path;
  } catch (error) {
    log.warn(`the Python extension does not say its interpreter: ${String(error)}`);
    return undefined;
  }
}

async function showPlanOfActiveFile(plans: Plans): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !client?.isRunning()) {
    void vscode.window.showInformationMessage("Open a training config first; grpo-lint tells the plan of its run.");
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const answer: unknown = await client.sendRequest("workspace/executeCommand", { command: PLAN_COMMAND, arguments: [{ uri }] });
  await plans.show(typeof answer === "string" ? answer : "This file is no training config that grpo-lint knows.");
}

/** Tells the server that its answer to the command for a plan is shown, and need not be told as a message. */
class ShowsPlan implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, [PLAN_COMMAND]: true };
  }

  initialize(): void {}

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {}
}

/** The plan of a run, in a read-only document beside the file. */
class Plans implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly uri = vscode.Uri.from({ scheme: PLAN_SCHEME, path: "/plan.txt" });
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private text = "";

  provideTextDocumentContent(): string {
    return this.text;
  }

  async show(text: string): Promise<void> {
    this.text = text;
    this.changed.fire(this.uri);
    const document = await vscode.workspace.openTextDocument(this.uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  dispose(): void {
    this.changed.dispose();
  }
}
