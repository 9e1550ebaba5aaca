// One figure as a picture for a slide, or as the numbers it is drawn from.

import { _, plain, save, slug } from "../shared/index.js"
import { arrange } from "./panels.js"
import { factorOf, scaled } from "./scale.js"

const SLIDE = { width: 960, height: 540 } // of 16 : 9; a PNG is twice as large

export async function picture(root, format) {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color")
  // A picture for a slide has one size, however large the type on the screen is.
  const shown = scaled({ data: root.data, layout: root.layout }, 1 / factorOf(root))
  const { isNarrow, isLarge } = shown.layout.meta ?? {}
  const layout = { ...arrange(shown, SLIDE, isNarrow, isLarge), paper_bgcolor: background, autosize: false, ...SLIDE }
  const figure = { data: shown.data, layout, config: { staticPlot: true } }
  const size = { ...SLIDE, scale: format === "png" ? 2 : 1 }
  const url = await window.Plotly.toImage(figure, { format, ...size })
  const body = await (await fetch(url)).blob()
  save(`${slug(titleOf(root))}.${format}`, [body], body.type)
}

// The first words of the figure's text alternative.
export const titleOf = (root) =>
  root
    .getAttribute("aria-label")
    .split(/[.,:;]\s/)[0]
    .replace(/\.$/, "")

// The numbers as tables: { title, head, rows }, one for each trace that has any.
export const tables = (root) => root.data.filter(hasNumbers).map(tableOf)

const hasNumbers = ({ type, y, z, hoverinfo }) =>
  type === "heatmap" ? z?.length > 0 : hoverinfo !== "skip" && y?.length > 0 && y[0] !== null

function tableOf(trace, n) {
  if (trace.type === "heatmap") {
    const columns = trace.x ?? Array.from(trace.z[0], (_, column) => column)
    const all = Array.from(trace.z, (row, k) => [trace.y?.[k] ?? k, ...row])
    const rows = all.filter(([name]) => String(name).trim()) // what has no name is the room between two sentences
    return { title: trace.name ?? _("Panel {n}", { n: n + 1 }), head: ["", ...columns], rows }
  }
  const names = trace.hovertext ?? trace.text
  const rows = Array.from(trace.x, (x, k) => [names?.[k] ?? k, x, trace.y[k]])
  return { title: trace.name ?? _("Line {n}", { n: n + 1 }), head: ["", "x", "y"], rows }
}

export function csv(root) {
  const lines = tables(root).flatMap(({ title, head, rows }) => [[title], head, ...rows, []])
  const text = lines.map((line) => line.map(quote).join(",")).join("\r\n")
  save(`${slug(titleOf(root))}.csv`, ["\ufeff", text], "text/csv")
}

// A spreadsheet would run a text that starts like a formula.
function quote(value) {
  if (typeof value === "number") return String(value)
  const text = plain(String(value))
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
