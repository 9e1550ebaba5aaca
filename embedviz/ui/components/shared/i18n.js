// The texts of the scripts in the page's language; see embedviz/base/i18n.py. English needs none.

// Without a document, as in tests, all is English.
const page = globalThis.document
const texts = JSON.parse(page?.getElementById("ev-texts")?.textContent ?? "{}")

// What stands before decimals and between thousands, as Plotly takes both; see `numeral` there.
export const SEPARATORS = new Intl.NumberFormat(page?.documentElement.lang || "en").format(0.5).includes(",")
  ? ",\u202f"
  : ".,"

// A number that is written in English, as the page's language writes it.
/** @param {string} written */
export const numeral = (written, [decimal, thousands] = SEPARATORS) =>
  written.replace(/[.,]/g, (sign) => (sign === "." ? decimal : thousands))

/** @param {number} n */
export const counted = (n) => numeral(n.toLocaleString("en"))

// A number with so many decimals, and with a minus sign as in print.
/** @param {number} n */
export const decimals = (n, digits) => numeral(n.toFixed(digits)).replace("-", "−")

// Several numbers. Where each may hold a comma, there is more than a comma between them.
/** @param {string[]} numbers */
export const listed = (numbers, [decimal] = SEPARATORS) => numbers.join(decimal === "," ? "; " : ", ")

// A text with the values in the places of their names. A value is put in as it is.
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => apart(values[name]) ?? place)

// In a language that runs to the left, a number with its signs keeps its direction.
const apart = (value) => (page?.dir === "rtl" && /^[−+≤≥]?\s?\d/.test(String(value)) ? `\u2066${value}\u2069` : value)

// The text in the page's language, likewise.
export const _ = (text, values = {}) => filled(texts[text] ?? text, values)

// A text that has another meaning elsewhere. context: a few words that say which meaning it has here.
export const pgettext = (context, text, values = {}) => filled(texts[`${context}\u0004${text}`] ?? text, values)

// A name, and after a colon what is said of it.
export const labelValue = (name, value) => _("{name}: {said}", { name, said: value })

// Several words for a sentence, with "and" before the last, and several sentences, as in embedviz/base/i18n.py.
export const joined = (words) =>
  words.length < 2
    ? words.join("")
    : _("{words} and {last}", { words: enumerated(words.slice(0, -1)), last: words.at(-1) })
const enumerated = (all) => all.reduce((words, next) => _("{words}, {next}", { words, next }))
export function paragraph(sentences) {
  const [first = "", ...others] = sentences.filter(Boolean)
  return others.reduce((text, next) => _("{text} {next}", { text, next }), first)
}
