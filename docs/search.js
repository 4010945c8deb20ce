// A pasted error message is searched by its words, in texts and not in titles: the search of the theme refuses "ValueError:", and looks for all
// words that begin with "be".
// The separators are those of the index (mkdocs.yml).
const SEPARATOR = /[\s\-,;:!?=*+~^|&<>(){}[\]"'`/\\]+|\.(?!\d)/
const COMMON = new Set("a an and are as at be been but by can for from got has have if in is it not of on or should than that the then this to was when where which will with".split(" "))
const SENTENCE = 4 // from so many words on, words are whole; fewer are still being typed

function wordsOf(text) {
  const words = text.split(SEPARATOR).filter(word => word && !/^[\d.]+$/.test(word) && !/Error$|^Traceback$|^File$|^line$/.test(word))
  if (words.length < SENTENCE) return text.split(SEPARATOR).filter(word => word).join(" ")
  const telling = words.filter(word => !COMMON.has(word.toLowerCase()))
  return [...new Set(telling)].slice(0, 40).map(word => `text:${word}^${word.includes("_") ? 2 : 1}`).join(" ")
}

if (typeof Worker !== "undefined") {
  const QUERY = 2 // the message of the theme to its worker that asks
  const send = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (message, ...rest) {
    const asked = message && message.type === QUERY && typeof message.data === "string"
    return send.call(this, asked ? { ...message, data: wordsOf(message.data) } : message, ...rest)
  }
}

if (typeof module !== "undefined") module.exports = { wordsOf }
