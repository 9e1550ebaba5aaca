// The texts of the scripts in the page's language; see embedviz/base/i18n.py. English needs none.

// Without a document, as in tests, all is English.
const page = globalThis.document
const texts = JSON.parse(page?.getElementById("ev-texts")?.textContent ?? "{}")

// What stands between thousands: a narrow space where a comma marks decimals, which keep their point; see `counted`
// there.
export const THOUSANDS = new Intl.NumberFormat(page?.documentElement.lang || "en").format(0.5).includes(",")
  ? "\u202f"
  : ","

export const counted = (n) => n.toLocaleString("en").replaceAll(",", THOUSANDS)

// A text with the values in the places of their names. A value is put in as it is.
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place)

// The text in the page's language, likewise.
export const _ = (text, values = {}) => filled(texts[text] ?? text, values)

// A name, and after a colon what is said of it.
export const labelValue = (name, value) => _("{name}: {said}", { name, said: value })

// Several words for a sentence, with "and" before the last, and several sentences, as in embedviz/base/i18n.py.
export const joined = (words) =>
  words.length < 2 ? words.join("") : _("{words} and {last}", { words: listed(words.slice(0, -1)), last: words.at(-1) })
const listed = (all) => all.reduce((words, next) => _("{words}, {next}", { words, next }))
export function paragraph(sentences) {
  const [first = "", ...others] = sentences.filter(Boolean)
  return others.reduce((text, next) => _("{text} {next}", { text, next }), first)
}
