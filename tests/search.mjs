// node search.mjs SITE < ["words", ...]: the pages that the search of a built site finds for each, the best first. The theme's own worker is
// asked, and gets what docs/search.js makes of the words.
import { readFileSync, readdirSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { pathToFileURL } from "node:url"

const [SETUP, QUERY] = [0, 2] // messages of the worker
const site = process.argv[2]
const { wordsOf } = (await import(pathToFileURL(`${site}/search.js`))).default

let handler, answered
const worker = { console: { ...console, warn() {} }, addEventListener: (_, found) => (handler = found), postMessage: message => answered(message) }
worker.self = worker
const folder = `${site}/assets/javascripts/workers`
const name = readdirSync(folder).find(each => /^search\..*\.js$/.test(each))
runInContext(readFileSync(`${folder}/${name}`, "utf8"), createContext(worker))

const ask = (type, data) => new Promise(done => { answered = done; handler({ data: { type, data } }) })
await ask(SETUP, { ...JSON.parse(readFileSync(`${site}/search/search_index.json`, "utf8")), options: { suggest: false } })
const found = []
for (const words of JSON.parse(readFileSync(0, "utf8"))) {
  const { data } = await ask(QUERY, wordsOf(words))
  found.push(data.items.map(page => page[0].location.split("#")[0]))
}
console.log(JSON.stringify(found))
