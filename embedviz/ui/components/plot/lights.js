// Lights up the rows, columns or points of a figure that stand for what the visitor points at, while the rest turns
// pale. `meta.ids`, for columns `meta.column_ids`, names these: the ID of a token, or a position as in "@3".
// `meta.also` names what is lit with it, such as the position of a token.

import { plain } from "../shared/elements.js"

const VEILED = 0.78 // how much of a row the background covers

/**
 * Light up these things, or nothing. Returns a promise that is kept when Plotly has finished.
 * @param {Plot} plot
 * @param {Lit[]} ids
 */
export function light(plot, ids) {
  const { root } = plot
  plot.lit = ids
  root.dataset.lit = ids.join(" ")
  const veils = ids.length ? root.data.flatMap((trace) => veilsOver(trace, ids, plot.roles["--surface"])) : []
  const work = [window.Plotly.relayout(root, { shapes: [...plot.shapes, ...veils] })]
  const linked = root.data.flatMap((trace, n) => (trace.type === "scatter" && trace.meta?.ids ? [n] : []))
  if (linked.length)
    work.push(window.Plotly.restyle(root, transposed(linked.map((n) => changesOf(plot, n, ids))), linked))
  return Promise.all(work)
}

/**
 * @param {TraceMeta} meta
 * @param {number} n
 * @param {Lit[]} lit
 */
const isLit = ({ ids = [], also }, n, lit) => lit.some((id) => id === ids[n] || Boolean(also?.[n].includes(id)))
/**
 * @param {TraceMeta} meta
 * @param {Lit[]} lit
 */
const litOf = (meta, lit) => (meta.ids ?? []).map((_, n) => isLit(meta, n, lit))

// Plotly itself makes everything pale that is not selected, except lines.
/**
 * @param {Plot} plot
 * @param {number} n
 * @param {Lit[]} lit
 */
function changesOf(plot, n, lit) {
  const trace = plot.figure.data[n]
  const chosen = litOf(trace.meta ?? {}, lit).flatMap((is, k) => (is ? [k] : []))
  return { selectedpoints: lit.length ? chosen : null, ...linesOf(plot, n, lit) }
}

// Lines of points that are not lit are left out, since together they would hide the lit ones.
/**
 * @param {Plot} plot
 * @param {number} n
 * @param {Lit[]} lit
 */
function linesOf(plot, n, lit) {
  if (!plot.figure.data[n].mode?.includes("lines")) return {}
  const { x, y } = masked(plot.at(n), lit)
  return { x, y }
}

/**
 * @param {Trace} trace
 * @param {Lit[]} lit
 * @returns {Trace}
 */
export function masked(trace, lit) {
  if (!lit.length || !trace.meta?.ids || !trace.mode?.includes("lines")) return trace
  const are = litOf(trace.meta, lit)
  const kept = Object.fromEntries(
    ["x", "y"].map((axis) => [axis, trace[axis].map((value, n) => (are[n] ? value : NaN))]),
  )
  return { ...trace, ...kept }
}

// One list of values for each property that any of the traces changes.
function transposed(changes) {
  const names = [...new Set(changes.flatMap((change) => Object.keys(change)))]
  return Object.fromEntries(names.map((name) => [name, changes.map((change) => change[name])]))
}

// The parts of a heatmap that the background covers: the rows that are not lit or, where columns can be lit too, the
// cells that are in no lit row and in no lit column.
/**
 * @param {Trace} trace
 * @param {Lit[]} lit
 * @param {string} colour
 */
function veilsOver(trace, lit, colour) {
  if (trace.type !== "heatmap" || !trace.meta?.ids) return []
  const { meta, xaxis, yaxis } = trace
  const shape = { type: "rect", xref: xaxis, yref: yaxis, line: { width: 0 }, fillcolor: colour, opacity: VEILED }
  const rows = darkRuns(litOf(meta, lit)).map(([y0, y1]) => ({ y0, y1 }))
  const columns = meta.column_ids
    ? darkRuns(meta.column_ids.map((id) => lit.includes(id))).map(([x0, x1]) => ({ x0, x1 }))
    : [{ xref: `${xaxis} domain`, x0: 0, x1: 1 }]
  return rows.flatMap((row) => columns.map((column) => ({ ...shape, ...row, ...column })))
}

// The stretches of cells in which nothing is lit, each with its beginning and its end.
function darkRuns(are) {
  const runs = []
  are.forEach((is, n) => {
    if (is) return
    if (runs.at(-1)?.[1] === n - 0.5) runs.at(-1)[1] = n + 0.5
    else runs.push([n - 0.5, n + 0.5])
  })
  return runs
}

/**
 * The tokens at a point of a figure: one token, or both tokens at a cell that belongs to two.
 * @param {{ data: Trace, pointNumber: number, pointIndex?: number, x: unknown, y: unknown }} point
 */
export function idsAt({ data: { type, meta, y, x }, pointNumber, pointIndex, y: row, x: column }) {
  if (!meta?.ids) return []
  const ids = [meta.ids[type === "heatmap" ? y.indexOf(row) : (pointIndex ?? pointNumber)]]
  if (type === "heatmap" && meta.column_ids) ids.push(meta.column_ids[x.indexOf(column)])
  return [...new Set(ids.filter((id) => id != null))]
}

// The name of each token of a figure, by its ID. The names are read when they are needed, which is when a token is
// pinned.
/** @param {Figure} figure */
export const namesIn = ({ data }) => ({
  get(id) {
    for (const { meta, hovertext, y } of data) {
      const name = (hovertext ?? y)?.[meta?.ids?.indexOf(id) ?? -1]
      if (typeof name === "string") return plain(name)
    }
  },
})
