// The data from which the map of a vocabulary is drawn. It has three parts: the points, the texts of the tokens, and
// the marks, which say what is lit, picked and coloured. Each part is sent only when it changes.

import { tell } from "../shared/link.js"

const parts = {}

export const get = (name) => parts[name]

export function put(name, value) {
  parts[name] = value
  tell("embedviz:cloud", { name })
}
