// The texts of all tokens, for the map.

import { put } from "./store.js"

/** @type {string | undefined} */
let seen

/** @param {Component<CloudTexts>} component */
export function render({ data: payload }) {
  if (payload.name === seen) return
  seen = payload.name
  put("texts", { ...payload, names: payload.names.split("\n") })
}
