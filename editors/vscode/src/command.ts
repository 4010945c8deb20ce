/** How the server is found and started. Knows nothing of the editor, so that it can be tested without one. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";

export interface Choice {
  /** The program grpo-lint, empty when it was not chosen. */
  path: string;
  /** A Python interpreter, empty when it was not chosen. */
  python: string;
  /** The interpreter that the Python extension has chosen, undefined when there is none. */
  interpreter?: string;
  /** Whether programs of the workspace may be run. */
  isTrusted: boolean;
}

export interface Command {
  command: string;
  args: string[];
  /** The interpreter that is started, undefined for a program. */
  python?: string;
}

const PACKAGE = "grpo-lint[lsp] @ git+https://github.com/grpo-lint/grpo-lint"; // as in the pages; an index has none
const INSTALL = `pip install '${PACKAGE}'`;
/** After `-I`, which lets Python look neither into the working directory nor where PYTHONPATH says; what `pip install --user` brought is ours, too. */
const SITE = "import site; site.addsitedir(site.getusersitepackages()); ";
const START = `${SITE}from grpo_lint.cli.start import console; console()`;
/** Environments that lie in a workspace under these names. */
const ENVIRONMENTS = [".venv", "venv"];

/** The commands for the server, the best first: what was chosen alone, else the interpreters of the workspace and what is on the search path. */
export function serverCommands(choice: Choice, folder: string | undefined, home: string): Command[] {
  if (choice.path.trim()) {
    return [program(resolved(choice.path, folder, home))];
  }
  if (choice.python.trim()) {
    return [started(resolved(choice.python, folder, home))];
  }
  const pythons = choice.interpreter ? [choice.interpreter] : [];
  if (folder && choice.isTrusted) {
    pythons.push(...ENVIRONMENTS.map((name) => pythonOf(join(folder, name))).filter(existsSync));
  }
  return [...[...new Set(pythons)].map(started), program("grpo-lint")];
}

function program(command: string): Command {
  return { command, args: ["server"] };
}

function started(python: string): Command {
  return { command: python, args: ["-I", "-c", START, "server"], python };
}

/** The interpreter of an environment. */
export function pythonOf(environment: string): string {
  return process.platform === "win32" ? join(environment, "Scripts", "python.exe") : join(environment, "bin", "python");
}

/** The first command whose server says that it can start, and why those before it cannot. */
export async function firstThatRuns(commands: Command[], cwd: string): Promise<{ command?: Command; reasons: string[] }> {
  const reasons: string[] = [];
  for (const command of commands) {
    const reason = await asked(command, cwd);
    if (reason === undefined) {
      return { command, reasons };
    }
    reasons.push(reason);
  }
  return { reasons };
}

/** Why a server cannot start, in its own words where it has some; undefined when it can. */
function asked({ command, args }: Command, cwd: string): Promise<string | undefined> {
  return new Promise((resolve) =>
    execFile(command, [...args, "--check"], { cwd, timeout: 20_000 }, (error, _, err) => resolve(error ? reasonOf(error, err) : undefined)),
  );
}

/** What the end of a program says about it: `server --check` tells in one line; older releases do not know the option. */
export function reasonOf(error: { code?: unknown; killed?: boolean }, err: string): string {
  const last = err.trim().split("\n").at(-1)?.trim() ?? "";
  if (error.code === "ENOENT" || error.code === "EACCES") {
    return "is not there";
  }
  if (error.killed) {
    return "does not answer";
  }
  if (/No module named '?grpo_lint/.test(last)) {
    return "has no grpo-lint";
  }
  if (/--check/.test(last)) {
    return "has an older release of grpo-lint";
  }
  return last.replace(/^grpo-lint: (error: )?/, "") || `ends with ${String(error.code)}`;
}

/** Install the server into the environment of an interpreter. Resolves to what pip printed; rejects with it when it fails. */
export function install(python: string, cwd: string): Promise<string> {
  const words = ["-I", "-m", "pip", "install", "--disable-pip-version-check", PACKAGE];
  return new Promise((resolve, reject) =>
    execFile(python, words, { cwd, timeout: 600_000 }, (error, out, err) => (error ? reject(new Error(`${out}${err}`.trim() || error.message)) : resolve(out))),
  );
}

/** A path as it is meant: `${workspaceFolder}` and `~` filled in, below the folder when it is relative. A mere name is looked up on the search path. */
export function resolved(path: string, folder: string | undefined, home: string): string {
  const filled = path.trim().replace(/\$\{workspaceFolder\}/g, folder ?? "").replace(/^~(?=$|[\\/])/, home);
  return folder && /[\\/]/.test(filled) && !isAbsolute(filled) ? join(folder, filled) : filled;
}

/** What to tell a user who has no server: where it was looked for, what is wrong there, and the command that helps. */
export function noServer(commands: Command[], reasons: string[] = []): string {
  const tried = commands.map((each, index) => (reasons[index] ? `${each.command}: ${reasons[index]}` : each.command)).join("; ");
  return `grpo-lint cannot start (${tried}). Install it there (${INSTALL}), or say where it is.`;
}

const WORDS = /num_generations|rlhf_type|grpo|rloo|adv_estimator|actor_rollout_ref/i;
const LOOKED_AT = 200_000;

/** Whether a text may be a config or a script of ours: for others the server is not even started. */
export function mayBeOurs(text: string): boolean {
  return WORDS.test(text.slice(0, LOOKED_AT));
}
