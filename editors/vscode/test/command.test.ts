import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { resolved, serverCommand, whyNot } from "../src/command";

test("the chosen program comes first", () => {
  const choice = { path: "~/bin/grpo-lint", python: "/usr/bin/python3", interpreter: "/venv/bin/python" };
  assert.deepEqual(serverCommand(choice, "/project", "/home/me"), { command: "/home/me/bin/grpo-lint", args: ["server"] });
});

test("then the chosen interpreter, then that of the workspace, then the search path", () => {
  const chosen = { path: " ", python: "${workspaceFolder}/.venv/bin/python", interpreter: "/venv/bin/python" };
  assert.equal(serverCommand(chosen, "/project", "/home/me").command, "/project/.venv/bin/python");
  assert.equal(serverCommand({ ...chosen, python: "" }, "/project", "/home/me").command, "/venv/bin/python");
  assert.deepEqual(serverCommand({ path: "", python: "" }, undefined, "/home/me"), { command: "grpo-lint", args: ["server"] });
});

test("an interpreter does not look into the working directory", () => {
  const { args } = serverCommand({ path: "", python: "/venv/bin/python" }, "/project", "/home/me");
  assert.deepEqual([args[0], args[1], args.at(-1)], ["-I", "-c", "server"]);
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

test("a server that does not start says what to install", () => {
  const told = whyNot({ command: "grpo-lint", args: ["server"] }, new Error("spawn grpo-lint ENOENT"));
  assert.match(told, /grpo-lint server.*ENOENT.*pip install 'grpo-lint\[lsp\]'/s);
});

test("every command and setting that the code names is declared", () => {
  const declared = JSON.parse(readFileSync("package.json", "utf8"));
  const code = readFileSync("src/extension.ts", "utf8");
  const commands: string[] = declared.contributes.commands.map((each: { command: string }) => each.command);
  for (const command of commands) {
    assert.ok(code.includes(`registerCommand("${command}"`), command);
  }
  const settings = Object.keys(declared.contributes.configuration.properties);
  for (const [, name] of code.matchAll(/affectsConfiguration\("([^"]+)"\)/g)) {
    assert.ok(settings.includes(name), name);
  }
});
