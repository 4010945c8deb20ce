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
  return python.globals.get("answer");
}

ready.then(
  () => postMessage({ ready: true }),
  (problem) => postMessage({ ready: false, problem: String(problem) }),
);

onmessage = async ({ data }) => {
  const answer = await ready;
  try {
    postMessage(JSON.parse(answer(JSON.stringify(data))));
  } catch (problem) {
    postMessage({ id: data.id, report: { problem: `grpo-lint failed on this text: ${problem}` } });
  }
};
