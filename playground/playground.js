const WAIT = 250; // milliseconds without a key before a text is checked
const SEVERITIES = { 1: "error", 2: "warning", 3: "info" };

const $ = (id) => document.getElementById(id);
const worker = new Worker("worker.js", { type: "module" });
let asked = 0;
let timer;
let shown = null; // the report of the text as it stands

worker.onmessage = ({ data }) => {
  if (data.id === undefined) {
    document.body.dataset.ready = String(data.ready);
    if (data.ready) ask();
    else $("state").textContent = `Python could not be started: ${data.problem}`;
  } else if (data.id === asked) show(data.report);
};

function ask() {
  asked += 1;
  shown = null;
  const facts = Object.fromEntries(new FormData($("facts")).entries());
  worker.postMessage({ id: asked, text: $("text").value, name: $("kind").value, facts });
}

function changed() {
  shown = null;
  mark([]);
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT);
}

function show(report) {
  shown = report;
  const found = report.diagnostics ?? [];
  $("state").textContent = report.problem ?? stateOf(report, found);
  $("findings").replaceChildren(...found.map(item));
  $("plan").textContent = report.plan ?? "";
  $("more").hidden = !report.plan;
  draw(report.picture);
  mark(found);
  document.body.dataset.checked = String(asked);
}

// An image, so that nothing of the picture is part of the page.
function draw(picture) {
  $("drawn").hidden = !picture;
  if (picture) $("picture").src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
  else $("picture").removeAttribute("src");
}

function stateOf(report, found) {
  if (report.skipped) return `Not checked: ${report.skipped}.`;
  const [launch] = report.launches;
  const judged = launch ? `Judged as ${launch.dialect} ${launch.framework_version}, ${launch.world_size ?? "an unknown number of"} processes. ` : "";
  const serious = found.filter(({ severity }) => severity < 3).length;
  return judged + (serious ? `${serious} finding${serious === 1 ? "" : "s"}.` : "No problems.");
}

function item(diagnostic) {
  const element = document.createElement("li");
  element.className = SEVERITIES[diagnostic.severity];
  const place = document.createElement("button");
  place.type = "button";
  place.className = "place";
  place.textContent = `line ${diagnostic.range.start.line + 1}`;
  place.onclick = () => select(diagnostic.range);
  const page = document.createElement("a");
  page.href = `../rules/${diagnostic.data.rule}.html`;
  page.textContent = diagnostic.code;
  element.append(page, ", ", place, ": ", diagnostic.message);
  for (const fix of diagnostic.data.fixes) element.append(offer(fix));
  return element;
}

function offer(fix) {
  const applies = fix.edits.length > 0 && fix.edits.every(({ path }) => !path || path === $("kind").value);
  const element = document.createElement(applies ? "button" : "span");
  element.className = "fix";
  element.textContent = `fix: ${fix.title}`;
  if (applies) {
    element.type = "button";
    element.onclick = () => apply(fix);
  }
  return element;
}

function apply(fix) {
  if (!shown) return; // the text has changed since
  const text = $("text").value;
  const edits = fix.edits.map(({ range, newText }) => [offset(text, range.start), offset(text, range.end), newText]);
  edits.sort((one, other) => other[0] - one[0]);
  $("text").value = edits.reduce((changing, [start, end, newText]) => changing.slice(0, start) + newText + changing.slice(end), text);
  mark([]);
  ask();
}

// A place as LSP counts it, line and UTF-16 column, in a text.
function offset(text, { line, character }) {
  let start = 0;
  for (let number = 0; number < line; number += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + character, text.length);
}

function select(range) {
  const text = $("text");
  text.focus();
  text.setSelectionRange(offset(text.value, range.start), offset(text.value, range.end));
}

function mark(found) {
  const text = $("text").value;
  const spans = found
    .map(({ range, severity }) => [offset(text, range.start), offset(text, range.end), SEVERITIES[severity]])
    .sort((one, other) => one[0] - other[0]);
  const parts = [];
  let at = 0;
  for (const [start, end, severity] of spans) {
    if (start < at) continue;
    const underlined = document.createElement("mark");
    underlined.className = severity;
    underlined.textContent = text.slice(start, end);
    parts.push(text.slice(at, start), underlined);
    at = end;
  }
  $("marks").replaceChildren(...parts, `${text.slice(at)}\n`);
  scrolled();
}

function scrolled() {
  $("marks").scrollTop = $("text").scrollTop;
  $("marks").scrollLeft = $("text").scrollLeft;
}

async function examples() {
  const all = await (await fetch("examples.json")).json();
  $("example").append(...all.map(({ title }, place) => new Option(title, place)));
  $("example").onchange = () => choose(all[$("example").value]);
  choose(all[0]);
}

function choose(example) {
  if (!example) return;
  $("facts").reset();
  $("kind").value = example.kind;
  $("text").value = example.text;
  changed();
}

$("text").addEventListener("input", changed);
$("text").addEventListener("scroll", scrolled);
$("facts").addEventListener("input", changed);
$("facts").addEventListener("submit", (event) => event.preventDefault());
examples();
