// The page in a real headless Chromium: `python playground/build.py FOLDER`, then PLAYGROUND=FOLDER npm test.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, readdir, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const FOLDER = process.env.PLAYGROUND;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

let server;
let browser;
let page;
const asked = [];

before(async () => {
  server = createServer(async (request, response) => {
    const path = join(FOLDER, normalize(new URL(request.url, "http://x").pathname));
    try {
      const body = await readFile(path);
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 1100 });
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (problem) => assert.fail(String(problem)));
  const start = Date.now();
  await page.goto(`http://127.0.0.1:${server.address().port}/index.html`);
  await page.waitForSelector("body[data-ready=true]", { timeout: 120_000 });
  await page.waitForSelector("#findings li", { timeout: 120_000 });
  console.log(`ready, with the first findings, after ${Date.now() - start} ms`); // told, not judged: the machine may be busy
});

after(async () => {
  await browser?.close();
  server?.close();
});

const findings = () => page.$$eval("#findings li", (items) => items.map((item) => item.textContent));

async function checked(act) {
  const before = await page.$eval("body", (body) => body.dataset.checked);
  await act();
  await page.waitForFunction((old) => document.body.dataset.checked !== old, { timeout: 60_000 }, before);
}

async function write(text, kind = "config.yaml") {
  await checked(() =>
    page.evaluate(
      (value, name) => {
        document.getElementById("kind").value = name;
        const area = document.getElementById("text");
        area.value = value;
        area.dispatchEvent(new Event("input"));
      },
      text,
      kind,
    ),
  );
}

test("the example has its finding, and its key is marked", async () => {
  assert.match((await findings())[0], /GRPO203.*does not hold whole groups of 8/s);
  assert.equal(await page.$eval("#marks mark.error", (mark) => mark.textContent), "num_generations");
  assert.equal(await page.$eval("#drawn", (figure) => figure.hidden), true); // nothing that comes out even
});

test("a fix changes the text, and the finding is gone", async () => {
  await checked(() => page.click("#findings button.fix"));
  assert.match(await page.$eval("#text", (area) => area.value), /gradient_accumulation_steps: 8/);
  assert.deepEqual(await findings(), []);
  assert.match(await page.$eval("#state", (state) => state.textContent), /No problems/);
  const drawn = await page.$eval("#picture", (image) => image.decode().then(() => [image.naturalWidth, decodeURIComponent(image.src)]));
  assert.ok(drawn[0] > 600 && /One rollout makes 56 completions/.test(drawn[1]));
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT, fullPage: true });
});

test("a fact from the fields counts", async () => {
  await write("model_name_or_path: m\nnum_generations: 8\nper_device_train_batch_size: 4\nreward_funcs: [accuracy_reward]\ndataset_name: d\nbeta: 0.04\n");
  await checked(() => page.type("[name=world_size]", "3"));
  assert.match((await findings()).join(), /GRPO203/);
});

test("a launch script is read as a script", async () => {
  await page.evaluate(() => document.getElementById("facts").reset());
  await write("NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 7 --per_device_train_batch_size 1 --reward_funcs accuracy\n", "train.sh");
  assert.match((await findings()).join(), /GRPO203/);
});

test("broken and hostile texts are answered", async () => {
  for (const text of ["a: [", "\u0000", "{".repeat(3000), "x".repeat(300_000), "\ud800: 1"]) await write(text);
  await write("services: {}");
  assert.equal(await page.$eval("#drawn", (figure) => figure.hidden), true);
  await write("num_generations: 8");
});

test("the page asks nobody else and is small", async () => {
  assert.deepEqual(asked.filter((url) => !url.startsWith("http://127.0.0.1:") && !url.startsWith("data:")), []);
  let bytes = 0;
  for (const name of await readdir(FOLDER, { recursive: true })) bytes += (await stat(join(FOLDER, name))).size * !(await stat(join(FOLDER, name))).isDirectory();
  console.log(`${(bytes / 1e6).toFixed(1)} MB`);
  assert.ok(bytes <= 15 * 2 ** 20);
});
