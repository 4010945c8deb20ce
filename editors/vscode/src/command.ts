/** How the server is started. Knows nothing of the editor, so that it can be tested without one. */

import { isAbsolute, join } from "node:path";

export interface Choice {
  /** The program grpo-lint, empty when it was not chosen. */
  path: string;
  /** A Python interpreter, empty when it was not chosen. */
  python: string;
  /** The interpreter that the Python extension has chosen, undefined when there is none. */
  interpreter?: string;
}

export interface Command {
  command: string;
  args: string[];
}

const INSTALL = "pip install 'grpo-lint[lsp]'";
/** After `-I`, which lets Python look neither into the working directory nor where PYTHONPATH says; what `pip install --user` brought is ours, too. */
const START = "import site; site.addsitedir(site.getusersitepackages()); from grpo_lint.cli.start import console; console()";

/** The command for the server: what was chosen, else the interpreter of the workspace, else what is on the search path. */
export function serverCommand(choice: Choice, folder: string | undefined, home: string): Command {
  if (choice.path.trim()) {
    return { command: resolved(choice.path, folder, home), args: ["server"] };
  }
  const python = choice.python.trim() || choice.interpreter;
  if (python) {
    return { command: resolved(python, folder, home), args: ["-I", "-c", START, "server"] };
  }
  return { command: "grpo-lint", args: ["server"] };
}

/** A path as it is meant: `${workspaceFolder}` and `~` filled in, below the folder when it is relative. A mere name is looked up on the search path. */
export function resolved(path: string, folder: string | undefined, home: string): string {
  const filled = path.trim().replace(/\$\{workspaceFolder\}/g, folder ?? "").replace(/^~(?=$|[\\/])/, home);
  return folder && /[\\/]/.test(filled) && !isAbsolute(filled) ? join(folder, filled) : filled;
}

/** What to tell a user whose server does not start. */
export function whyNot(command: Command, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The server did not start (${[command.command, ...command.args].join(" ")}): ${reason}. It needs ${INSTALL}; set grpo-lint.path or grpo-lint.python to where that is.`;
}
