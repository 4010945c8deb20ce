/**
 * Stands in for the editor, so that the extension and the client library of VS Code run as they are, in Node: as much of its
 * interface as they need to open a file, and to ask and show what a user would. `stage` holds what they did.
 */

const { URI } = require("vscode-uri");

class Disposable {
  constructor(end = () => undefined) {
    this.dispose = end;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(value) {
    return Promise.all([...this.listeners].map((listener) => listener(value)));
  }
  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };
  cancel() {}
  dispose() {}
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(...places) {
    const [start, end] = places.length === 4 ? [new Position(places[0], places[1]), new Position(places[2], places[3])] : places;
    Object.assign(this, { start, end });
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
  contains(other) {
    return other.value === this.value || other.value.startsWith(`${this.value}.`);
  }
  static Empty = new CodeActionKind("");
}
for (const [name, value] of Object.entries({ QuickFix: "quickfix", Refactor: "refactor", RefactorRewrite: "refactor.rewrite", Source: "source", SourceFixAll: "source.fixAll" })) {
  CodeActionKind[name] = new CodeActionKind(value);
}

class WorkspaceEdit {
  edits = [];
  set(uri, edits) {
    this.edits.push(...edits.flat());
  }
  replace(uri, range, newText) {
    this.edits.push({ range, newText });
  }
}

/** A class whose objects only hold what they are made of. */
function plain(...names) {
  return class {
    constructor(...values) {
      names.forEach((name, place) => (this[name] = values[place]));
    }
  };
}

const stage = {
  settings: {},
  providers: {}, // by the name of the function that took them
  diagnostics: new Map(),
  commands: new Map(),
  shown: [],
  opened: [],
  status: undefined,
  events: {},
  contents: {}, // by the scheme of their documents
};

/** Functions that an interface offers; whatever else is asked of it is an event, or a function that gives something to dispose. */
function offering(own) {
  return new Proxy(own, {
    get(target, name) {
      if (!(name in target)) {
        target[name] = String(name).startsWith("onDid") || String(name).startsWith("onWill") ? (stage.events[name] = new EventEmitter()).event : () => new Disposable();
      }
      return target[name];
    },
  });
}

const channel = offering({ name: "log", show() {}, dispose() {}, append() {}, appendLine() {}, logLevel: 2 });
const workspace = offering({
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: undefined,
  isTrusted: true,
  registerTextDocumentContentProvider: (scheme, provider) => ((stage.contents[scheme] = provider), new Disposable()),
  getConfiguration: (section) => ({
    get: (name, otherwise) => (section === "grpo-lint" ? stage.settings[name] : name === "grpo-lint" ? stage.settings : undefined) ?? otherwise,
  }),
});
const window = offering({
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: offering({ all: [] }),
  createOutputChannel: () => channel,
  createStatusBarItem: () => (stage.status = { show() {}, hide() {}, dispose() {} }),
  createWebviewPanel: () => (stage.panel = { webview: { html: "" }, onDidDispose() {}, reveal() {}, dispose() {} }),
  withProgress: (where, work) => work(),
  showErrorMessage: async (message) => void stage.shown.push(message),
  showWarningMessage: async (message, ...buttons) => void stage.shown.push([message, ...buttons].join("|")),
  showInformationMessage: async (message) => void stage.shown.push(message),
});
const languages = offering({
  match: (selector, document) =>
    selector.some(({ language, scheme }) => language === document.languageId && scheme === document.uri.scheme) ? 10 : 0,
  getDiagnostics: (uri) => stage.diagnostics.get(uri.toString()) ?? [],
  createDiagnosticCollection: () => ({
    set: (uri, found) => void stage.diagnostics.set(uri.toString(), found),
    delete: (uri) => void stage.diagnostics.delete(uri.toString()),
    has: (uri) => stage.diagnostics.has(uri.toString()),
    get: (uri) => stage.diagnostics.get(uri.toString()),
    clear() {},
    dispose() {},
  }),
});
for (const what of ["CodeActions", "CompletionItem", "Hover", "InlayHints", "CodeLens", "DocumentSymbol"]) {
  languages[`register${what}Provider`] = (selector, provider) => ((stage.providers[what] = provider), new Disposable());
}
const commands = offering({
  registerCommand: (name, run) => (stage.commands.set(name, run), new Disposable()),
  executeCommand: (name, ...words) => stage.commands.get(name)?.(...words),
});

module.exports = {
  stage,
  version: "1.91.0",
  workspace,
  window,
  languages,
  commands,
  extensions: { getExtension: () => undefined },
  env: { appName: "stand-in", language: "en", openExternal: async (uri) => void stage.opened.push(uri) },
  Uri: URI,
  Disposable,
  EventEmitter,
  CancellationTokenSource,
  CancellationError: class extends Error {},
  Position,
  Range,
  CodeActionKind,
  WorkspaceEdit,
  Location: plain("uri", "range"),
  Diagnostic: plain("range", "message", "severity"),
  DiagnosticRelatedInformation: plain("location", "message"),
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  TextEdit: Object.assign(plain("range", "newText"), { replace: (range, newText) => ({ range, newText }) }),
  CodeAction: plain("title", "kind"),
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  CodeLens: plain("range", "command"),
  CompletionItem: plain("label", "kind"),
  CompletionItemKind: {},
  CompletionItemTag: { Deprecated: 1 },
  CompletionList: plain("items", "isIncomplete"),
  CompletionTriggerKind: { Invoke: 0, TriggerCharacter: 1, TriggerForIncompleteCompletions: 2 },
  DocumentSymbol: plain("name", "detail", "kind", "range", "selectionRange"),
  SymbolInformation: plain("name", "kind", "containerName", "location"),
  SymbolKind: {},
  SymbolTag: { Deprecated: 1 },
  Hover: plain("contents", "range"),
  InlayHint: plain("position", "label", "kind"),
  InlayHintKind: { Type: 1, Parameter: 2 },
  InlayHintLabelPart: plain("value"),
  MarkdownString: class {
    value = "";
    constructor(value = "") {
      this.value = value;
    }
    appendMarkdown(more) {
      this.value += more;
      return this;
    }
    appendCodeblock(more) {
      this.value += more;
      return this;
    }
  },
  SnippetString: plain("value"),
  RelativePattern: plain("base", "pattern"),
  StatusBarAlignment: { Left: 1, Right: 2 },
  ViewColumn: { Beside: -2 },
  ProgressLocation: { Window: 10, Notification: 15 },
  FileType: { File: 1, Directory: 2 },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
  TabInputText: plain("uri"),
};
/** What is never made, and yet has to be there: others are derived from it, or it is looked into. */
for (const name of ["CallHierarchyItem", "DocumentLink", "TypeHierarchyItem", "TabInputTextDiff", "TabInputCustom"]) {
  module.exports[name] = plain();
}
