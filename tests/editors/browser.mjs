/**
 * A walk through a real window of VS Code: code-server, the extension as it is packaged, and Chromium without a screen.
 *
 *     node tests/editors/browser.mjs TOOLS VSIX PYTHON [PICTURES]
 *
 * TOOLS is a folder whose node_modules hold code-server and playwright-core (see .ci/browser), PYTHON an interpreter with
 * grpo-lint[lsp]; pictures of the window are written into the folder PICTURES. Says each step, and fails at the first that
 * does not show what it should.
 */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [tools, vsix, python, pictures] = process.argv.slice(2).map((word) => resolve(word));
const { chromium } = createRequire(join(tools, "node_modules", "x"))("playwright-core");
const CODE = join(tools, "node_modules", "code-server", "out", "node", "entry.js");
const PATIENCE = 60_000;
const DOCUMENTED = resolve("docs/pictures");

const BAD = `# grpo-lint: dialect=trl version=1.16.0 world-size=7
learning_rate: 1.0e-6
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
`;

const home = mkdtempSync(join(tmpdir(), "grpo-lint-window-"));
const folder = join(home, "project");
const user = join(home, "data", "User");
mkdirSync(folder);
mkdirSync(user, { recursive: true });
writeFileSync(join(folder, "config.yaml"), BAD);
writeFileSync(join(folder, "misspelt.yaml"), "# grpo-lint: version=4.6.0 world-size=8\nrlhf_type: grpo\nnum_generations: 8\nper_device_train_batch_size: 8\ntrain_type: lora\n");
const CALL = "from trl import GRPOConfig\n# grpo-lint: version=1.16.0 world-size=7\nargs = GRPOConfig(\n    num_generations=8,\n    per_device_train_batch_size=1,\n    gradient_accumulation_steps=4,\n)\n";
writeFileSync(join(folder, "train.py"), CALL);
const cells = [["markdown", "# A run"], ["code", "import os"], ["code", CALL]].map(([kind, source]) =>
  kind === "code" ? { cell_type: kind, metadata: {}, outputs: [], execution_count: null, source } : { cell_type: kind, metadata: {}, source });
writeFileSync(join(folder, "train.ipynb"), JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 4 }));
writeFileSync(join(folder, "compose.yaml"), "services:\n  web:\n    image: nginx\n");
const settings = (own) =>
  writeFileSync(
    join(user, "settings.json"),
    JSON.stringify({
      "workbench.startupEditor": "none", "editor.lightbulb.enabled": "on", "telemetry.telemetryLevel": "off",
      "extensions.ignoreRecommendations": true, "workbench.tips.enabled": false, "git.enabled": false, "files.autoSave": "off", "editor.minimap.enabled": false,
      "editor.hover.delay": 200, "chat.commandCenter.enabled": false, ...own,
    }),
  );
settings({ "grpo-lint.python": python });

const PATH = process.env.PATH.split(":").filter((each) => !existsSync(join(each, "grpo-lint"))).join(":"); // the settings alone name a server
const environment = { ...process.env, PATH, HOME: home, XDG_DATA_HOME: join(home, "share"), XDG_CONFIG_HOME: join(home, "config") };
const words = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions"), "--config", join(home, "config.yaml"), "--auth", "none",
  "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
writeFileSync(join(home, "config.yaml"), "cert: false\n");
execFileSync(process.execPath, [CODE, ...words, "--install-extension", vsix], { env: environment, stdio: "pipe" });

const port = await new Promise((done) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => done(port));
  });
});
let said = "";
/** Starts code-server with more words, and waits until it answers. */
async function serve(...more) {
  const started = spawn(process.execPath, [CODE, ...words, ...more, "--bind-addr", `127.0.0.1:${port}`, folder], { env: environment, stdio: "pipe", detached: true });
  started.stdout.on("data", (data) => (said += data));
  started.stderr.on("data", (data) => (said += data));
  await until(async () => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false), "code-server answers");
  return started;
}
/** Ends a server and all that it has started. */
async function end(started) {
  const gone = new Promise((done) => started.once("exit", done));
  try {
    process.kill(-started.pid);
  } catch {
    return; // it has ended
  }
  await gone;
}
let server;

let browser, page;
async function step(name, work) {
  const started = Date.now();
  try {
    await work();
  } catch (error) {
    if (pictures && page) await page.screenshot({ path: join(pictures, "failed.png") }).catch(() => undefined);
    throw new Error(`${name}: ${error.message}\n${said.slice(-2000)}`);
  }
  console.log(`ok ${name} (${Date.now() - started} ms)`);
}
async function until(condition, what) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
const shot = async (name) => pictures && (await page.screenshot({ path: join(pictures, `${name}.png`) }));
/** A picture of the documentation: it is old where other words are on the screen than when it was taken. With WRITE_PICTURES it is
 * taken anew, with these words beside it. */
async function documented(name, words) {
  const place = join(DOCUMENTED, name);
  const told = words.map((each) => each.replace(/[\s\u00a0]+/g, " ").trim()).filter(Boolean).join("\n") + "\n";
  if (process.env.WRITE_PICTURES) {
    await page.screenshot({ path: `${place}.png` });
    writeFileSync(`${place}.txt`, told);
  } else if (!existsSync(`${place}.txt`)) {
    console.log(`# ${place}.png is not compared: no words are beside it; .ci/browser --write takes both`);
  } else if (readFileSync(`${place}.txt`, "utf-8") !== told) {
    throw new Error(`${place}.png is old: .ci/browser --write takes it anew. On the screen now:\n${told}`);
  }
}
/** The text of an editor as it is shown; blanks are no-break spaces there. */
const shown = async () => (await page.locator(".part.editor .view-lines").first().innerText()).replace(/\u00a0/g, " ");
const squiggles = (kind) => page.locator(`.part.editor .squiggly-${kind}`).count();
/** Opens the input with `keys` and types `text` into it. A page or a file that is still being drawn may take the focus away, and the
 * input closes: then it is opened again. */
async function ask(keys, text) {
  const input = page.locator(".quick-input-widget input");
  await until(async () => {
    await page.keyboard.press(keys);
    return input.fill(text, { timeout: 5000 }).then(() => true, () => page.keyboard.press("Escape"));
  }, `the input of ${keys} takes ${text}`);
}
async function command(name) {
  await ask("F1", `>${name}`);
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor({ timeout: PATIENCE });
  await page.keyboard.press("Enter");
}
/** The file is clicked, since the list may be filtered late, and Enter would open what stands first in it until then. */
async function openFile(name) {
  const tab = page.locator(`.tab.active[data-resource-name="${name}"]`);
  for (let attempt = 1; ; attempt++) {
    const timeout = attempt < 4 ? 5000 : PATIENCE;
    await ask("Control+P", name);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click({ timeout }).catch(() => {});
    const opened = await tab.waitFor({ timeout }).then(() => true, (error) => (attempt < 4 ? false : Promise.reject(error)));
    if (opened) return;
    await page.keyboard.press("Escape");
  }
}
async function goTo(place) {
  await ask("Control+G", `:${place}`);
  await page.keyboard.press("Enter");
}

try {
  server = await serve("--disable-workspace-trust");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });

  await step("the window opens", async () => {
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".monaco-workbench .part.sidebar").waitFor({ timeout: PATIENCE });
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "config.yaml" }).first().waitFor({ timeout: PATIENCE });
  });
  await step("nothing is started for a file of others", async () => {
    await openFile("compose.yaml");
    await page.waitForTimeout(2000);
    if (await page.locator(".statusbar-item", { hasText: "grpo-lint" }).count()) throw new Error("the status item is shown");
  });
  await step("a finding is seen", async () => {
    await openFile("config.yaml");
    await until(() => squiggles("error"), "a squiggle");
    await page.locator(".statusbar-item", { hasText: "grpo-lint" }).waitFor({ timeout: PATIENCE });
  });
  await step("hints stand whole behind the batch keys, a line above the launch", async () => {
    await until(async () => (await shown()).includes("update: 28 = 3.5 prompts of 8"), "the hint");
    await until(async () => /TRL 1\.16\.0 GRPO on 7 processes/.test(await page.locator(".part.editor").innerText()), "the lens");
  });
  await step("a key is explained", async () => {
    await goTo("3:5");
    await command("Show or Focus Hover");
    await until(async () => /size of a group/.test(await page.locator(".monaco-hover").allInnerTexts().then((all) => all.join(" "))), "the hover");
    await page.locator(".monaco-hover a", { hasText: "Explain this run" }).first().waitFor({ timeout: PATIENCE });
    await shot("vscode-hover");
    await page.keyboard.press("Escape");
  });
  await step("the page of a rule opens beside the file", async () => {
    await command("grpo-lint: Open the Rule Page");
    await page.locator(".tab", { hasText: "GRPO203.md" }).first().waitFor({ timeout: PATIENCE });
    await shot("vscode-rule");
    await command("View: Close All Editors in Group");
    await command("View: Focus First Editor Group");
  });
  await step("half of a line takes nothing away", async () => {
    await goTo("6:1");
    await page.keyboard.type("bet");
    await until(async () => (await shown()).includes("bet"), "the typed word");
    await page.waitForTimeout(1500);
    if ((await squiggles("error")) < 2) throw new Error(`${await squiggles("error")} squiggles`); // the finding, and the half line
    if (!(await shown()).includes("update: 28 = 3.5 prompts of 8")) throw new Error("the hint is gone");
    await shot("vscode-half-typed");
    await page.keyboard.press("Escape");
    for (let n = 0; n < 3; n++) await page.keyboard.press("Backspace");
  });
  await step("a quick fix is applied without a second question, from the start of the line", async () => {
    await goTo("3:1");
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row", { hasText: "Set gradient_accumulation_steps to 8" }).first().waitFor({ timeout: PATIENCE });
    await shot("vscode-fixes");
    await documented("vscode", [await shown(), ...(await page.locator(".action-widget .monaco-list-row").allInnerTexts())]);
    await page.keyboard.press("Enter"); // the preferred fix is the first
    await until(async () => (await shown()).includes("gradient_accumulation_steps: 8"), "the changed text");
    await until(async () => !(await squiggles("error")), "the finding to vanish");
  });
  await step("the plan follows the cursor's file", async () => {
    await command("grpo-lint: Explain This Run");
    const inPanel = async (selector) => {
      for (const frame of page.frames()) {
        const told = await frame.locator(selector).allInnerTexts().catch(() => []);
        if (told.length) return told.join("\n");
      }
      return "";
    };
    await until(async () => /One rollout makes 56 completions/.test(await inPanel(".answer")), "the plan");
    await until(async () => (await Promise.all(page.frames().map((frame) => frame.locator(".picture svg rect").count().catch(() => 0)))).some((boxes) => boxes > 50), "the picture");
    await shot("vscode-plan");
    await documented("vscode-plan", [await shown(), ...(await inPanel(".answer")).split("\n"), ...(await inPanel(".judged")).split("\n")]);
    const panel = (await Promise.all(page.frames().map(async (frame) => [frame, await frame.locator(".knobs").count().catch(() => 0)]))).find(([, count]) => count)[0];
    await panel.locator('label[data-knob="num_generations"] input[type=number]').fill("4");
    await until(async () => /14 prompts x 4/.test(await inPanel(".answer")), "what another size of a group would do");
    await command("View: Focus First Editor Group"); // or the file would be opened above the panel
    await openFile("misspelt.yaml");
    await until(async () => /ms-swift 4\.6\.0/.test(await inPanel(".judged")), "the plan of the other file");
  });
  await step("a finding is seen in Python, and in the cell of a notebook", async () => {
    await openFile("train.py");
    await until(async () => /GRPOConfig/.test(await shown()) && (await squiggles("error")) === 1, "a squiggle in Python");
    await openFile("train.ipynb");
    await until(async () => (await page.locator(".notebookOverlay .squiggly-error").count()) === 1, "a squiggle in a cell");
    await until(async () => /update: 28 = 3.5/.test((await page.locator(".notebookOverlay").innerText()).replace(/\u00a0/g, " ")), "the hint in the cell");
    await shot("vscode-notebook");
    await openFile("misspelt.yaml");
  });
  await step("the whole workspace is fixed", async () => {
    await command("grpo-lint: Fix All in the Workspace");
    await until(async () => (await page.locator(".part.editor").innerText()).replace(/\u00a0/g, " ").includes("tuner_type"), "the corrected key");
  });
  await step("what is saved is what was seen", async () => {
    await command("File: Save All");
    await until(() => readFileSync(join(folder, "config.yaml"), "utf8") === BAD.replace("steps: 4", "steps: 8"), "the saved file");
  });
  await step("without a server one message says what can be done", async () => {
    settings({ "grpo-lint.python": process.env.OTHER_PYTHON ?? "/usr/bin/python3" });
    await page.reload();
    const toast = page.locator(".notifications-toasts .notification-list-item", { hasText: "grpo-lint cannot start" });
    await toast.first().waitFor({ timeout: PATIENCE });
    await page.waitForTimeout(1000);
    if ((await toast.count()) !== 1) throw new Error(`${await toast.count()} messages`);
    const buttons = await toast.locator(".monaco-button").allInnerTexts();
    for (const wanted of ["Install", "Select Interpreter", "Docs"]) {
      if (!buttons.includes(wanted)) throw new Error(`no button ${wanted}: ${buttons}`);
    }
    await shot("vscode-no-server");
  });
  await step("in a folder that is not trusted the interpreter that it names is not started", async () => {
    await end(server);
    settings({ "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" });
    mkdirSync(join(folder, ".vscode"));
    writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify({ "grpo-lint.python": python }));
    writeFileSync(join(folder, "untrusted.yaml"), BAD);
    server = await serve();
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).first().waitFor({ timeout: PATIENCE });
    await openFile("untrusted.yaml");
    await page.locator(".notifications-toasts .notification-list-item", { hasText: "grpo-lint cannot start" }).first().waitFor({ timeout: PATIENCE });
    if (await squiggles("error")) throw new Error("a finding is seen");
    await shot("vscode-restricted");
  });
  await step("once it is trusted the findings come", async () => {
    await command("Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor .monaco-button", { hasText: "Trust" }).first().click({ timeout: PATIENCE });
    await openFile("untrusted.yaml");
    await until(() => squiggles("error"), "a squiggle");
    await shot("vscode-trusted");
    const complaints = await page.locator(".notifications-toasts .notification-list-item", { hasText: /connection|initialization failed/ }).allInnerTexts();
    if (complaints.length) throw new Error(complaints.join("; "));
  });
} catch (error) {
  console.error(`not ok ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser?.close();
  if (server) await end(server);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
