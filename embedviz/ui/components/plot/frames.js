// Figures that move with the snapshots of a training. A trace's `meta.frames` holds the values that move, in one row
// for each snapshot. Lines that grow with the snapshots have as many places for each point as `meta.ways` says, and a
// gap. The layout's `meta` has the name of each snapshot in `names`, the places of these names in `headings`, and the
// ends of the axes at each snapshot in `ranges`.
//
// A figure whose layout's `meta` has `plays`, in seconds, goes through its frames once when it comes, to the last one,
// in which it is drawn. Its notes may move along: `meta.notes` holds their places, as a trace's frames do.

import { _ } from "../shared/i18n.js"
import { broken } from "./notes.js"

/**
 * Shows the figure at a snapshot. Between two snapshots, points are on the straight line between their places.
 * @param {Plot} plot
 * @param {number} at
 */
export function flip(plot, at) {
  const moving = plot.figure.data.flatMap(({ meta }, n) => (meta?.frames || meta?.ways ? [n] : []))
  if (!moving.length) return
  /** @type {Record<string, unknown[]>} */
  const update = {}
  moving.forEach((n, k) => {
    const trace = plot.figure.data[n]
    for (const [name, values] of Object.entries(traceChanges(trace, plot.payload.data[n], at))) {
      update[name] ??= moving.map(() => undefined)
      update[name][k] = values
    }
  })
  return window.Plotly.update(
    plot.root,
    update,
    { ...nameChanges(plot, at), ...rangeChanges(plot, at), ...noteChanges(plot, at) },
    moving,
  )
}

/**
 * Plotly writes into the traces that it is given, so whole lines are taken from the payload.
 * @param {Trace} trace
 * @param {Trace} payload
 * @param {number} at
 */
function traceChanges({ meta, z }, { x, y }, at) {
  const { frames = {}, ways } = meta ?? {}
  if (ways) return { x: trails(x, ways, at), y: trails(y, ways, at) }
  return Object.fromEntries(
    Object.entries(frames).map(([name, rows]) => [
      name,
      name === "z" ? asRows(frameAt(rows, at), z[0].length) : frameAt(rows, at),
    ]),
  )
}

// The way of each point so far: its places at the snapshots that are over, its present place, and a gap.
function trails(values, n, at) {
  if (at >= n - 1) return values.slice() // whole, as they are drawn at first
  const [before, share] = [Math.floor(at), at % 1]
  return Array.from({ length: values.length / (n + 1) }, (_, k) => {
    const own = values.slice(k * (n + 1), k * (n + 1) + n)
    return [
      ...own.slice(0, before + 1),
      share ? own[before] + share * (own[before + 1] - own[before]) : own[before],
      null,
    ]
  }).flat()
}

/**
 * Goes through all frames once, unless the visitor wants no motion. What is drawn meanwhile ends it. show: what shows a
 * frame.
 * @param {Plot} plot
 * @param {(at: number) => void} show
 */
export function play(plot, show) {
  const { plays, frames = 1, names } = plot.figure.layout.meta ?? {}
  if (!plays || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  const [{ drawn }, began] = [plot, performance.now()]
  const step = (moment) => {
    if (plot.drawn !== drawn || !plot.root.isConnected) return
    const time = Math.min(1, Math.max(0, moment - began) / (1000 * plays))
    show(time * ((names?.length ?? frames) - 1))
    if (time < 1) requestAnimationFrame(step)
    else plot.root.setAttribute("aria-label", plot.payload.alt)
  }
  requestAnimationFrame(step)
}

/**
 * @param {Plot} plot
 * @param {number} at
 */
const noteChanges = ({ figure }, at) =>
  Object.fromEntries(
    Object.entries(figure.layout.meta?.notes ?? {}).flatMap(([n, frames]) =>
      Object.entries(frames).map(([name, values]) => [`annotations[${n}].${name}`, frameAt(values, at)]),
    ),
  )

/**
 * @param {Plot} plot
 * @param {number} at
 */
const rangeChanges = ({ figure }, at) =>
  Object.fromEntries(
    Object.entries(figure.layout.meta?.ranges ?? {}).map(([axis, rows]) => [`${axis}.range`, [...frameAt(rows, at)]]),
  )

/**
 * @param {Plot} plot
 * @param {number} at
 */
function nameChanges({ root, payload, figure }, at) {
  const { names, headings = [], isNarrow } = figure.layout.meta ?? {}
  if (!names) return {}
  const name = names[Math.round(Math.min(at, names.length - 1))]
  root.setAttribute("aria-label", _("{text} {next}", { text: payload.alt, next: _("On screen: {name}.", { name }) }))
  // What else a heading says, such as the sign that it has on a narrow screen, stays. One that was broken breaks again.
  const last = names[names.length - 1]
  /** @param {Note} note */
  const now = ({ text }) => (text.includes(last) ? text.replace(last, name) : broken(name, isNarrow))
  return Object.fromEntries(headings.map((n) => [`annotations[${n}].text`, now(figure.layout.annotations[n])]))
}

function frameAt(rows, wanted) {
  const at = Math.min(wanted, rows.length - 1)
  const [from, share] = [rows[Math.floor(at)], at % 1]
  return share ? blend(from, rows[Math.floor(at) + 1], share) : from
}

// Numbers, or rows of numbers, at this share of the way from one to the other.
export function blend(from, to, share) {
  if (typeof from === "number") return from + share * (to - from)
  if (Array.isArray(from)) return from.map((row, n) => blend(row, to[n], share))
  return from.map((value, n) => value + share * (to[n] - value))
}

/**
 * The distance of two vectors at a share of the positions between 0 and 1: it follows from their distances before and
 * after these are added, and from that of what is added. The same holds for the root mean square of many.
 */
export const distanceAt = (share, before, after, added) =>
  Math.sqrt(Math.max(0, (1 - share) * before ** 2 + share * after ** 2 - share * (1 - share) * added ** 2))

const asRows = (values, width) =>
  Array.from({ length: values.length / width }, (_, n) => values.subarray(n * width, (n + 1) * width))
