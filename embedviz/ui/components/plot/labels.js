// The names of a figure's points. A trace has `meta.beside` if its names may stand on any side of their points, or
// `meta.around` if they may also be farther away. Lines lead to those from the trace before it.

import { AROUND, SIDES, boxOf, dot, overlap, placeLabels } from "../shared/labels.js"
import { axisOf } from "./panels.js"
import { isLarge } from "./scale.js"
import { widthOf } from "./type.js"

const NEAR = 13 // where large type would fill the room between a name and its point
const LEAD = 0.2 // of a name's box, above the word and below it, which may be covered
const HIDDEN = " " // Plotly never again draws a text that was empty once
const UP = { top: -1, middle: 0, bottom: 1 }
const ASIDE = { left: -1, center: 0, right: 1 }
/** @param {number[]} way */
const nameOf = ([right, down]) =>
  `${Object.keys(UP).find((name) => UP[name] === down)} ${Object.keys(ASIDE).find((name) => ASIDE[name] === right)}`
const wayOf = (side = "middle center") => [ASIDE[side.split(" ")[1]], UP[side.split(" ")[0]], 0]

/**
 * The figure with all names in their places. lengths: a function from an axis to its length in pixels.
 * @param {Figure} figure
 * @param {(axis: string) => number} lengths
 * @param {number} factor
 * @returns {Figure}
 */
export function labelled({ data, layout }, lengths, factor) {
  const placed = around(beside(data, layout, lengths), layout, lengths, factor)
  return { data: isLarge(factor) ? apart(placed, layout, lengths) : placed, layout }
}

/**
 * Turns numbers of a trace's axes into pixels from the left and the top, if the axes say where they end, and back.
 * @param {Trace} trace
 * @param {Layout} layout
 * @param {(axis: string) => number} lengths
 * @param {Numbers[]} [ranges]
 */
function planeOf(trace, layout, lengths, ranges) {
  const axes = ["x", "y"].map((letter) => trace[`${letter}axis`] ?? letter)
  const ends = ranges ?? axes.map((name) => axisOf(layout, name).range)
  if (axes.some((name, k) => !ends[k] || axisOf(layout, name).type === "log")) return null
  const room = axes.map((name) => lengths(name))
  const [[left, right], [low, high]] = ends
  return {
    room,
    pixels: (x, y) => [((x - left) / (right - left)) * room[0], ((high - y) / (high - low)) * room[1]],
    /** @param {number[]} place */
    numbers: ([x, y]) => [left + (x / room[0]) * (right - left), high - (y / room[1]) * (high - low)],
  }
}

/** @typedef {import("../shared/labels.js").Label} Label */
/** @typedef {NonNullable<ReturnType<typeof planeOf>>} Plane */

const sizeOf = (text, type) => [widthOf(text, type), 1.1 * type]

/**
 * @param {Trace} trace
 * @param {number} n
 * @param {Plane} plane
 * @param {Layout} layout
 * @param {Partial<Label>} [more]
 * @returns {Label}
 */
function labelOf(trace, n, plane, layout, more) {
  const type = trace.textfont?.size ?? layout.font.size
  return {
    at: plane.pixels(trace.x[n], trace.y[n]),
    size: sizeOf(trace.text[n], type),
    aside: (trace.marker?.size ?? 0) / 2 + 3,
    ways: SIDES,
    ...more,
  }
}

/**
 * @param {Trace[]} data
 * @param {Layout} layout
 * @param {(axis: string) => number} lengths
 */
function beside(data, layout, lengths) {
  const traces = data.filter(({ meta }) => meta?.beside)
  const plane = traces.length ? planeOf(traces[0], layout, lengths) : null
  if (!plane) return data
  const labels = traces.flatMap((trace) => trace.text.map((_, n) => labelOf(trace, n, plane, layout)))
  const marks = labels.map(({ at, aside }) => dot(at, aside - 2))
  const lines = data.filter(({ mode }) => mode?.startsWith("lines")).flatMap((trace) => along(trace, plane))
  const sides = placeLabels(labels, [...marks, ...lines], plane.room).map((place) => nameOf(SIDES[place?.way ?? 0]))
  return data.map((trace) =>
    traces.includes(trace) ? { ...trace, textposition: sides.splice(0, trace.text.length) } : trace,
  )
}

/**
 * Boxes along lines that names should not cover. A gap follows the two points of each line.
 * @param {Trace} line
 * @param {Plane} plane
 */
function along({ x, y }, { pixels }) {
  const starts = Array.from({ length: Math.floor(x.length / 3) }, (_, n) => 3 * n)
  return starts.flatMap((n) =>
    [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95].map((share) =>
      dot(pixels(x[n] + share * (x[n + 1] - x[n]), y[n] + share * (y[n + 1] - y[n])), 2),
    ),
  )
}

// Names of points that move: at each snapshot a name leaves its place only where it would cover something. In large
// type one that has no room is left out, and so is its line.
/**
 * @param {Trace[]} data
 * @param {Layout} layout
 * @param {(axis: string) => number} lengths
 * @param {number} factor
 */
function around(data, layout, lengths, factor) {
  const at = data.findIndex(({ meta }) => meta?.around)
  const { frames } = data[at]?.meta ?? {}
  const { ranges } = layout.meta ?? {}
  if (!frames || !ranges) return data
  const [trace, { x, y }] = [data[at], frames]
  const ways = isLarge(factor) ? AROUND.filter(([, , far]) => far <= NEAR) : AROUND
  /** @type {Record<string, Rows>[]} */
  const [names, lines] = [
    { x: [], y: [] },
    { x: [], y: [] },
  ]
  /** @type {(number | undefined)[]} */
  let was = []
  x.forEach((_, n) => {
    const row = x.length === 1 ? ranges.xaxis.length - 1 : n
    const plane = planeOf(trace, layout, lengths, [ranges.xaxis[row], ranges.yaxis[row]])
    if (!plane) return
    const labels = trace.text.map((_, k) =>
      labelOf({ ...trace, x: x[n], y: y[n] }, k, plane, layout, {
        ways,
        aside: 7 * factor,
        unit: factor,
        was: was[k],
        isOptional: isLarge(factor),
      }),
    )
    const places = placeLabels(
      labels,
      labels.map((label) => dot(label.at, 5 * factor)),
      plane.room,
    )
    was = places.map((place) => place?.way)
    const middles = places.map((place) =>
      place ? plane.numbers([(place.box[0] + place.box[2]) / 2, (place.box[1] + place.box[3]) / 2]) : [NaN, NaN],
    )
    const ends = places.map((place, k) => (place?.line ? plane.numbers(place.line) : [x[n][k], y[n][k]]))
    for (const [k, axis] of ["x", "y"].entries()) {
      names[axis].push(Float32Array.from(middles, (middle) => middle[k]))
      lines[axis].push(Float32Array.from(ends.flatMap((end, m) => [[x, y][k][n][m], end[k], NaN])))
    }
  })
  /** @type {(own: Trace, frames: Record<string, Rows>) => Trace} */
  const moving = (own, frames) => ({ ...own, x: frames.x.at(-1), y: frames.y.at(-1), meta: { ...own.meta, frames } })
  return data.with(at, moving(trace, names)).with(at - 1, moving(data[at - 1], lines))
}

/**
 * Where names of large type would cover one another, only the first stays, but all points can still be pointed at.
 * @param {Trace[]} data
 * @param {Layout} layout
 * @param {(axis: string) => number} lengths
 */
function apart(data, layout, lengths) {
  /** @type {{ panel: string, box: number[] }[]} */
  const taken = []
  return data.map((trace) => {
    const plane =
      trace.type === "scatter" &&
      trace.mode?.includes("text") &&
      Array.isArray(trace.text) &&
      planeOf(trace, layout, lengths)
    if (!plane) return trace
    const panel = `${trace.xaxis ?? "x"} ${trace.yaxis ?? "y"}`
    const text = trace.text.map((label, n) => {
      const side = Array.isArray(trace.textposition) ? trace.textposition[n] : trace.textposition
      const [left, top, right, bottom] = boxOf(labelOf(trace, n, plane, layout), wayOf(side))
      const lead = LEAD * (bottom - top)
      const box = [left, top + lead, right, bottom - lead]
      if (taken.some((other) => other.panel === panel && overlap(box, other.box))) return HIDDEN
      taken.push({ panel, box })
      return label
    })
    return { ...trace, text }
  })
}
