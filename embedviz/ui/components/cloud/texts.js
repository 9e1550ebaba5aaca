// The texts of all tokens, for the map.

import { unpack } from "../shared/payload.js"
import { put } from "./store.js"

let seen = null

export function render({ data }) {
  const payload = unpack(data)
  if (payload.name === seen) return
  seen = payload.name
  put("texts", { ...payload, names: payload.names.split("\n") })
}
