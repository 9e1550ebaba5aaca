// The texts of all tokens, for the map.

import { put } from "./cloud_store.js"
import { unpack } from "./payload.js"

let seen = null

export function render({ data }) {
  const payload = unpack(data)
  if (payload.name === seen) return
  seen = payload.name
  put("texts", { ...payload, names: payload.names.split("\n") })
}

export function stop() {}
