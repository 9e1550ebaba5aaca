// Which tokens of the map are lit or picked, and how the points are coloured.

import { put } from "./store.js"

export const render = ({ data }) => put("marks", data)
