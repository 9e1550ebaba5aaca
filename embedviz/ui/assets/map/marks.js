// What of the map is lit, picked and coloured, and how.

import { unpack } from "../shared/payload.js"
import { put } from "./store.js"

export const render = ({ data }) => put("marks", unpack(data))
