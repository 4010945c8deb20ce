import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { firstThatRuns, mayBeOurs, noServer, pythonOf, reasonOf, resolved, serverCommands } from "../src/command";
import { framed } from "../src/plan";
import { PYTHON } from "./server";

const NOTHING = { path: "", python: "", isTrusted: true };
const programs = (...words: Parameters<typeof serverCommands>) => serverCommands(...words).map((each) => each.command);

test("the chosen program comes first, and alone", () => {
  const choice = { ...NOTHING, path: "~/bin/grpo-lint", python: "/usr/bin/python3", interpreter: "/venv/bin/python" };
  assert.deepEqual(serverCommands(choice, "/project", "/home/me"), [{ command: "/home/me/bin/grpo-lint", args: ["server"] }]);
});

test("then the chosen interpreter, then those of the workspace, then the search path", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "workspace-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const own = pythonOf(join(folder, ".venv"));
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, "");
  const chosen = { ...NOTHING, path: " ", python: "${workspaceFolder}/.venv/bin/python", interpreter: "/venv/bin/python" };
  assert.deepEqual(programs(chosen, "/project", "/home/me"), ["/project/.venv/bin/python"]);
  assert.deepEqual(programs({ ...chosen, python: "" }, folder, "/home/me"), ["/venv/bin/python", own, "grpo-lint"]);
  assert.deepEqual(programs({ ...NOTHING, isTrusted: false }, folder, "/home/me"), ["grpo-lint"]);
  assert.deepEqual(programs(NOTHING, undefined, "/home/me"), ["grpo-lint"]);
});

test("an interpreter does not look into the working directory", () => {
  const [command] = serverCommands({ ...NOTHING, interpreter: "/venv/bin/python" }, "/project", "/home/me");
  assert.deepEqual([command!.args[0], command!.args[1], command!.args.at(-1)], ["-I", "-c", "server"]);
});

test("the first server that says it can start is taken, and the others say why they cannot", { skip: !PYTHON }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "broken-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const [ours] = serverCommands({ ...NOTHING, python: PYTHON! }, undefined, "");
  mkdirSync(join(folder, "pygls"));
  writeFileSync(join(folder, "pygls", "__init__.py"), "raise ModuleNotFoundError('No module', name='pygls')\n");
  const broken = { ...ours!, args: ours!.args.map((word) => (word.startsWith("import site") ? `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); ${word}` : word)) };
  const missing = { command: "/nowhere/grpo-lint", args: ["server"] };
  const empty = { ...ours!, command: "/usr/bin/python3" }; // has no grpo-lint
  const { command, reasons } = await firstThatRuns([missing, empty, broken, ours!], tmpdir());
  assert.equal(command, ours);
  assert.deepEqual(reasons.slice(0, 2), ["is not there", "has no grpo-lint"]);
  assert.match(reasons[2]!, /^the server needs pygls, which is not installed: pip install/);
  assert.equal((await firstThatRuns([missing, empty], tmpdir())).command, undefined);
});

test("an older release, and a program that says nothing, are told", () => {
  assert.equal(reasonOf({ code: 2 }, "usage\ngrpo-lint: unknown option --check\n"), "has an older release of grpo-lint");
  assert.equal(reasonOf({ code: 3 }, ""), "ends with 3");
  assert.equal(reasonOf({ code: null, killed: true }, ""), "does not answer");
});

test("the server is started for what may be ours", () => {
  assert.ok(mayBeOurs("learning_rate: 1e-6\nnum_generations: 8\n") && mayBeOurs("trl GRPO --config x.yaml"));
  assert.ok(!mayBeOurs("services:\n  web:\n    image: nginx\n") && !mayBeOurs(" ".repeat(300_000) + "grpo"));
});

test("of a page only its own script is run, and nothing is loaded", () => {
  const html = framed("<html><head></head><body><script>1</script></body></html>", "untitled:</script><script>$&");
  const nonce = /script-src 'nonce-([^']+)'/.exec(html)![1]!;
  assert.ok(html.includes("default-src 'none'") && !html.includes("'unsafe-eval'"));
  assert.deepEqual([...html.matchAll(/<script([^>]*)>/g)].map((found) => found[1]), [` nonce="${nonce}"`, ` nonce="${nonce}"`]);
  assert.ok(!framed("<html><head></head></html>", "x").includes(nonce));
});

test("a relative path is one of the workspace, a mere name one of the search path", () => {
  assert.equal(resolved(".venv/bin/python", "/project", "/home/me"), "/project/.venv/bin/python");
  assert.equal(resolved("./python", "/project", "/home/me"), "/project/python");
  assert.equal(resolved("grpo-lint", "/project", "/home/me"), "grpo-lint");
});

test("only a leading tilde is the home", () => {
  assert.equal(resolved("~", undefined, "/home/me"), "/home/me");
  assert.equal(resolved("/a~/b", undefined, "/home/me"), "/a~/b");
  assert.equal(resolved("~other/b", undefined, "/home/me"), "~other/b");
});

test("a user without a server is told where it was looked for, what is wrong, and what to install", () => {
  const commands = [{ command: "/project/.venv/bin/python", args: [] }, { command: "grpo-lint", args: [] }];
  const told = noServer(commands, ["has no grpo-lint", "is not there"]);
  assert.match(told, /\(\/project\/\.venv\/bin\/python: has no grpo-lint; grpo-lint: is not there\).*pip install 'grpo-lint\[lsp\] @ git\+https:.*'/);
});

test("every command and setting that the code names is declared", () => {
  const declared = JSON.parse(readFileSync("package.json", "utf8"));
  const code = readFileSync("src/extension.ts", "utf8");
  const commands: string[] = declared.contributes.commands.map((each: { command: string }) => each.command);
  for (const command of commands) {
    assert.ok(code.includes(`"${command}"`), command);
  }
  const settings = Object.keys(declared.contributes.configuration.properties);
  for (const [, name] of code.matchAll(/affectsConfiguration\("([^"]+)"\)/g)) {
    assert.ok(settings.includes(name), name);
  }
});
