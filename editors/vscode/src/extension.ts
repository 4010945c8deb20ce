import { existsSync } from "node:fs";
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

import { firstThatRuns, install, mayBeOurs, noServer, pythonOf, serverCommands, type Command } from "./command";
import { PlanPanel } from "./plan";

/** Files, texts that are not saved yet, and cells of notebooks. A diff shows the other side under a scheme of its own, and it is not checked. */
const LANGUAGES = ["yaml", "shellscript", "json", "python", "dockerfile", "makefile", "dockercompose", "github-actions-workflow"]; // other extensions name the last two
const SELECTOR = [
  ...["file", "untitled"].flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language }))),
  { scheme: "vscode-notebook-cell", language: "python" },
];
const PLAN_COMMAND = "grpo-lint.plan"; // of the server
const FIX_COMMAND = "grpo-lint.fixAllFiles"; // of the server
const RULE_COMMAND = "grpo-lint.rule"; // of the server
const RULE_SCHEME = "grpo-lint-rule";
const EXPLAIN_COMMAND = "grpo-lint.showPlan"; // of the extension; hovers link to it
const DOCS = "https://github.com/grpo-lint/grpo-lint/blob/main/docs/editors.md";
const INSTALL = "Install";
const SELECT = "Select Interpreter";
const READ = "Docs";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let status: vscode.StatusBarItem;
let panel: PlanPanel;
let hasComplained = false;
let isStarting = false;
let restarting: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("grpo-lint", { log: true });
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 0);
  status.command = "grpo-lint.showLog";
  panel = new PlanPanel(planOf, isOurs);
  context.subscriptions.push(
    log,
    status,
    panel,
    vscode.commands.registerCommand("grpo-lint.restart", restart),
    vscode.commands.registerCommand("grpo-lint.showLog", () => log.show()),
    vscode.commands.registerCommand(EXPLAIN_COMMAND, explain),
    vscode.commands.registerCommand("grpo-lint.openRulePage", openRulePage),
    vscode.commands.registerCommand("grpo-lint.fixWorkspace", fixWorkspace),
    vscode.workspace.registerTextDocumentContentProvider(RULE_SCHEME, { provideTextDocumentContent: ({ path }) => pageOf(path.replace(/\.md$/, "")) }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("grpo-lint.path") || event.affectsConfiguration("grpo-lint.python")) {
        await restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidOpenTextDocument(startFor),
    vscode.workspace.onDidChangeTextDocument((event) => startFor(event.document)),
    vscode.window.onDidChangeActiveTextEditor(showStatus),
  );
  if (vscode.workspace.textDocuments.some(needsServer)) {
    await start();
  }
}

export async function deactivate(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.dispose();
}

/** One after the other: trust that is granted also changes the settings in force, and a client that is ended while it starts complains. */
function restart(): Promise<void> {
  restarting = restarting.then(startAnew, startAnew);
  return restarting;
}

async function startAnew(): Promise<void> {
  hasComplained = false;
  isStarting = true; // a file that is opened meanwhile starts none
  await deactivate().catch((error: unknown) => log.warn(String(error)));
  await start();
}

/** Start the server when the first file is there that may be ours. */
async function startFor(document: vscode.TextDocument): Promise<void> {
  if (!client && !isStarting && !hasComplained && needsServer(document)) {
    await start();
  }
}

function isOurs(document: vscode.TextDocument): boolean {
  return SELECTOR.some(({ scheme, language }) => document.uri.scheme === scheme && document.languageId === language);
}

function needsServer(document: vscode.TextDocument): boolean {
  return isOurs(document) && mayBeOurs(document.getText());
}

async function start(): Promise<void> {
  isStarting = true;
  try {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const commands = await candidates(folder);
    const { command, reasons } = await firstThatRuns(commands, __dirname);
    await (command ? connect(command) : offerHelp(commands, reasons, folder));
  } finally {
    isStarting = false;
  }
}

async function candidates(folder: vscode.Uri | undefined): Promise<Command[]> {
  const settings = vscode.workspace.getConfiguration("grpo-lint", folder);
  const choice = {
    path: settings.get<string>("path", ""),
    python: settings.get<string>("python", ""),
    interpreter: await interpreterOfWorkspace(folder),
    isTrusted: vscode.workspace.isTrusted,
  };
  return serverCommands(choice, folder?.fsPath, homedir());
}

async function connect({ command, args }: Command): Promise<void> {
  const server: ServerOptions = { command, args, options: { cwd: __dirname } }; // ours: Windows looks there for a program before the search path
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: log,
    markdown: { isTrusted: { enabledCommands: [EXPLAIN_COMMAND] } },
    middleware: {
      executeCommand: async (name, words, next) => (name === PLAN_COMMAND ? explain() : next(name, words)),
    },
  };
  client = new LanguageClient("grpo-lint", "grpo-lint", server, options);
  client.registerFeature(new Abilities());
  client.onDidChangeState((event) => tell(event.newState));
  tell(State.Starting);
  try {
    await client.start();
  } catch (error) {
    tell(State.Stopped);
    log.error(`The server did not start (${command}): ${String(error)}`);
    void vscode.window.showErrorMessage(`grpo-lint did not start: ${String(error)}`, "Show Log").then((chosen) => chosen && log.show());
  }
}

/** There is no server: say so once, with what can be done about it. */
async function offerHelp(commands: Command[], reasons: string[], folder: vscode.Uri | undefined): Promise<void> {
  tell(State.Stopped);
  const told = noServer(commands, reasons);
  log.warn(told);
  if (hasComplained) {
    return;
  }
  hasComplained = true;
  const python = commands.find((each) => each.python)?.python;
  const buttons = [...(python && existsSync(python) && vscode.workspace.isTrusted ? [INSTALL] : []), SELECT, READ];
  // not awaited: nobody has to answer
  void vscode.window.showWarningMessage(told, ...buttons).then(async (chosen) => {
    if (chosen === INSTALL && python) {
      await installInto(python);
    } else if (chosen === SELECT) {
      await selectInterpreter(folder);
    } else if (chosen === READ) {
      await vscode.env.openExternal(vscode.Uri.parse(DOCS));
    }
  });
}

async function installInto(python: string): Promise<void> {
  const where = { location: vscode.ProgressLocation.Notification, title: `grpo-lint is installed for ${python}` };
  try {
    log.info(await vscode.window.withProgress(where, () => install(python, __dirname)));
    await restart();
  } catch (error) {
    log.error(String(error));
    void vscode.window.showErrorMessage("grpo-lint could not be installed; the log says why.", "Show Log").then((chosen) => chosen && log.show());
  }
}

/** Let the Python extension choose, where there is one, else the user in the settings; the choice restarts the server. */
async function selectInterpreter(folder: vscode.Uri | undefined): Promise<void> {
  if (vscode.extensions.getExtension("ms-python.python")) {
    await vscode.commands.executeCommand("python.setInterpreter");
    await restart();
    return;
  }
  const picked = await vscode.window.showOpenDialog({
    title: "The Python interpreter with grpo-lint[lsp], or the folder of its environment",
    defaultUri: folder,
    canSelectFiles: true,
    canSelectFolders: process.platform !== "win32",
  });
  if (picked?.[0]) {
    const { type } = await vscode.workspace.fs.stat(picked[0]);
    const path = type & vscode.FileType.Directory ? pythonOf(picked[0].fsPath) : picked[0].fsPath;
    await vscode.workspace.getConfiguration("grpo-lint", folder).update("python", path, vscode.ConfigurationTarget.Global);
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
  showStatus(vscode.window.activeTextEditor);
}

/** The status is shown beside files that are checked. */
function showStatus(editor: vscode.TextEditor | undefined): void {
  if (status.text && editor && isOurs(editor.document)) {
    status.show();
  } else {
    status.hide();
  }
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

// --- commands

async function explain(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  await panel.show(document && isOurs(document) ? document : undefined);
}

async function planOf(document: vscode.TextDocument): Promise<string | undefined> {
  const uri = client?.code2ProtocolConverter.asUri(document.uri);
  const answer: unknown = await client?.sendRequest("workspace/executeCommand", { command: PLAN_COMMAND, arguments: [{ uri, format: "html" }] });
  return typeof answer === "string" ? answer : undefined;
}

/** The page of a rule in Markdown, as the server writes it. */
async function pageOf(code: string): Promise<string | undefined> {
  const answer: unknown = await client?.sendRequest("workspace/executeCommand", { command: RULE_COMMAND, arguments: [code] }).catch(() => undefined);
  return typeof answer === "string" ? answer : undefined;
}

/** Open the page of the rule that the cursor's line breaks beside the file; that of the site where the server has none. */
async function openRulePage(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const line = editor?.selection.active.line;
  const found = editor ? vscode.languages.getDiagnostics(editor.document.uri) : [];
  const here = found.find((each) => each.source === "grpo-lint" && each.range.start.line === line) ?? found.find((each) => each.source === "grpo-lint");
  const code = here?.code;
  if (typeof code === "object" && (await pageOf(String(code.value)))) {
    await vscode.commands.executeCommand("markdown.showPreviewToSide", vscode.Uri.from({ scheme: RULE_SCHEME, path: `${code.value}.md` }));
  } else if (typeof code === "object" && code.target) {
    await vscode.env.openExternal(code.target);
  } else {
    void vscode.window.showInformationMessage("grpo-lint has found nothing in this file.");
  }
}

async function fixWorkspace(): Promise<void> {
  if (!client?.isRunning()) {
    await start();
  }
  const answer: unknown = await client?.sendRequest("workspace/executeCommand", { command: FIX_COMMAND, arguments: [] });
  if (typeof answer === "string") {
    void vscode.window.showInformationMessage(answer);
  }
}

/** Tells the server that its answer to the command for a plan is shown, and that hovers may link to it. */
class Abilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, [PLAN_COMMAND]: true, "grpo-lint.explainCommand": EXPLAIN_COMMAND, "grpo-lint.suggestCommand": "editor.action.triggerSuggest" };
  }

  initialize(): void {}

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {}
}
