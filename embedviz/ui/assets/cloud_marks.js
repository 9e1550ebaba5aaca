// What of the map is lit, picked and coloured, and how.

import { put } from "./cloud_store.js"
import { unpack } from "./payload.js"

export const render = ({ data }) => put("marks", unpack(data))

export function stop() {}
