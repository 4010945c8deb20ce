// Python runs here, beside the page, so that typing never waits for it.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = start();

async function start() {
  const packages = fetch("packages.zip").then((answer) => answer.arrayBuffer());
  const glue = fetch("engine.py").then((answer) => answer.text());
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  python.unpackArchive(new Uint8Array(await packages), "zip", { extractDir: "/lib/grpo-lint" });
  python.runPython("import sys; sys.path.insert(0, '/lib/grpo-lint')");
  python.runPython(await glue);
  return python.globals.get("check");
}

ready.then(
  () => postMessage({ ready: true }),
  (problem) => postMessage({ ready: false, problem: String(problem) }),
);

onmessage = async ({ data: { id, text, name, facts } }) => {
  const check = await ready;
  try {
    postMessage({ id, report: JSON.parse(check(text, name, JSON.stringify(facts))) });
  } catch (problem) {
    postMessage({ id, report: { problem: `grpo-lint failed on this text: ${problem}` } });
  }
};
