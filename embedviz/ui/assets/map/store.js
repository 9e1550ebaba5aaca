// What the map of a vocabulary is drawn from. Its parts come apart, so that each is sent only when it changes:
// the points, the texts of the tokens, and the marks (what is lit, picked and coloured, and how).

const parts = {}

export const get = (name) => parts[name]

export function put(name, value) {
  parts[name] = value
  document.dispatchEvent(new CustomEvent("embedviz:cloud", { detail: { name } }))
}
