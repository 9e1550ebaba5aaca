// Figures that move with the snapshots of a training: what moves stands in a trace's `meta.frames`, one row
// a snapshot; what each is called in the layout's `meta.names`, and where that stands in `meta.headings`.

import { _ } from "../shared/i18n.js"

// Shows the figure at a snapshot; between two of them on the straight line.
export function flip(plot, at) {
  const moving = plot.figure.data.flatMap((trace, n) => (trace.meta?.frames ? [n] : []))
  if (!moving.length) return
  const update = {}
  moving.forEach((n, k) => {
    const trace = plot.figure.data[n]
    for (const [name, rows] of Object.entries(trace.meta.frames)) {
      update[name] ??= moving.map(() => undefined)
      const values = between(rows, Math.min(at, rows.length - 1))
      update[name][k] = name === "z" ? folded(values, trace.z[0].length) : values
    }
  })
  return window.Plotly.update(plot.root, update, named(plot, at), moving)
}

function named({ root, payload, figure }, at) {
  const { names, headings } = figure.layout.meta ?? {}
  if (!names) return {}
  const name = names[Math.round(Math.min(at, names.length - 1))]
  root.setAttribute("aria-label", `${payload.alt} ${_("On screen: {name}.", { name })}`)
  return Object.fromEntries(headings.map((n) => [`annotations[${n}].text`, name]))
}

function between(rows, at) {
  const [from, share] = [rows[Math.floor(at)], at % 1]
  return share ? blend(from, rows[Math.floor(at) + 1], share) : from
}

// Numbers, or rows of numbers, at this share of the way from one to the other.
export function blend(from, to, share) {
  if (Array.isArray(from)) return from.map((row, n) => blend(row, to[n], share))
  return from.map((value, n) => value + share * (to[n] - value))
}

const folded = (values, width) =>
  Array.from({ length: values.length / width }, (_, n) => values.subarray(n * width, (n + 1) * width))
