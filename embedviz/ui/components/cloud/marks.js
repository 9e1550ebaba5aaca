// Which tokens of the map are lit or picked, and how the points are coloured.

import { put } from "./store.js"

/** @param {Component<CloudMarks>} component */
export const render = ({ data }) => put("marks", data)
