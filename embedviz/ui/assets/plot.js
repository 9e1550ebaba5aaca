// One Plotly figure that is redrawn in place, lights up with the rest of the page, and moves as
// positions are added.

import { flip } from "./frames.js"
import { added, leave, listen, lit, pin, point, turned } from "./link.js"
import { unpack } from "./payload.js"
import { factorOf, legible, scaled } from "./scale.js"
import { _ } from "./texts.js"
import { paint, palette } from "./theme.js"

const CONFIG = { displaylogo: false, responsive: false, displayModeBar: false, scrollZoom: false }
const NARROW = 620 // pixels; a figure that fills 1280 at 200 % has 608
const plots = new WeakMap()
let library

function plotly(address) {
  if (window.Plotly) return window.Plotly
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = new URL(address, document.baseURI).href
    script.onload = () => resolve(window.Plotly)
    script.onerror = () => reject(new Error(_("Plotly did not load")))
    document.head.append(script)
  })
  return library
}

export async function render({ data, parentElement }) {
  const root = parentElement.querySelector(".ev-plot")
  const payload = unpack(data)
  const plot = plots.get(root) ?? start(root)
  plot.payload = payload
  root.style.height ||= payload.height
  root.setAttribute("aria-label", payload.alt)
  const Plotly = await plotly(payload.plotly)
  if (isFar(root)) await idle()
  if (plot.payload !== payload || !root.isConnected) return
  await draw(plot, Plotly)
}

export function stop({ parentElement }) {
  const root = parentElement.querySelector(".ev-plot")
  const plot = plots.get(root)
  if (!plot) return
  plots.delete(root)
  plot.stops.forEach((end) => end())
  // Plotly finishes a drawing in later steps, which fail if the figure is gone by then.
  plot.work.then(() => plots.has(root) || window.Plotly?.purge(root))
}

// Keeps in mind what Plotly is still busy with.
function busy(plot, work) {
  plot.work = Promise.allSettled([plot.work, work])
  return work
}

function start(root) {
  const plot = { root, stops: [], figure: null, drawn: 0, work: Promise.resolve() }
  plots.set(root, plot)
  const observer = new ResizeObserver(() => plot.figure && root.clientWidth && resize(plot))
  observer.observe(root)
  plot.stops.push(
    () => observer.disconnect(),
    listen("embedviz:hover", ({ ids }) => plot.figure && light(plot, ids)),
    listen("embedviz:amount", ({ share }) => plot.figure && move(plot, share)),
    listen("embedviz:frame", ({ at }) => plot.figure && busy(plot, flip(plot, at))),
  )
  return plot
}

async function draw(plot, Plotly) {
  const { root, payload } = plot
  const first = plot.figure === null
  plot.factor = factorOf(root)
  plot.figure = scaled(paint({ data: payload.data, layout: payload.layout }, palette(root)), plot.factor)
  plot.ends = plot.figure.data.map(coordinates)
  plot.starts = plot.figure.data.map((trace) => startOf(trace, plot.ends))
  const data = added() === 1 ? plot.figure.data : plot.figure.data.map((trace, n) => between(trace, n, plot, added()))
  plot.narrow = isNarrow(root, plot.factor)
  root.style.height = forWidth(plot)?.height ?? payload.height
  const layout = { ...plot.figure.layout, ...forWidth(plot), autosize: true, height: undefined }
  const figure = legible({ data, layout }, plot.factor, root)
  await busy(plot, Plotly.react(root, figure.data, figure.layout, CONFIG))
  if (plots.get(root) !== plot) return
  if (turned() !== Infinity) busy(plot, flip(plot, turned()))
  if (first) link(root)
  if (lit().length) light(plot, lit())
  root.dataset.drawn = ++plot.drawn
}

function resize(plot) {
  const factor = factorOf(plot.root)
  // In projection what fits depends on the room.
  if (factor === 1 && plot.factor === 1 && isNarrow(plot.root, 1) === plot.narrow) busy(plot, window.Plotly.Plots.resize(plot.root))
  else draw(plot, window.Plotly)
}

// What nobody sees yet may wait until what is on the screen is drawn.
const isFar = (root) => root.getBoundingClientRect().top > window.innerHeight
const idle = () => new Promise((act) => (window.requestIdleCallback ?? setTimeout)(act))

const isNarrow = (root, factor) => root.clientWidth < NARROW * factor
// What a figure changes of its layout where there is little room.
const forWidth = ({ narrow, figure }) => (narrow ? figure.layout.meta?.narrow : undefined)

function link(root) {
  root.on("plotly_hover", ({ points }) => point(idsAt(points[0])))
  root.on("plotly_unhover", leave)
  root.on("plotly_click", ({ points }) => pin(idsAt(points[0])))
}

function idsAt({ data: { type, meta, y, x }, pointNumber, pointIndex, y: row, x: column }) {
  if (!meta?.ids) return []
  const at = pointIndex ?? pointNumber
  if (type !== "heatmap") return [meta.ids[at]]
  const ids = [meta.ids[y.indexOf(row)]]
  if (meta.column_ids) ids.push(meta.column_ids[x.indexOf(column)])
  return [...new Set(ids.filter((id) => id != null))]
}

// Lighting ------------------------------------------------------------------------------------------

function light(plot, ids) {
  const { root, figure } = plot
  root.dataset.lit = ids.join(" ")
  const lights = ids.length ? root.data.flatMap((trace) => frames(trace, ids, figure.layout, plot.factor)) : []
  busy(plot, window.Plotly.relayout(root, { shapes: [...(figure.layout.shapes ?? []), ...lights] }))
  const flat = indices(root, (trace) => trace.type === "scatter" && trace.meta?.ids)
  if (flat.length) {
    const chosen = flat.map((n) => (ids.length ? matches(root.data[n].meta.ids, ids) : null))
    busy(plot, window.Plotly.restyle(root, { selectedpoints: chosen }, flat))
  }
  const deep = indices(root, (trace) => trace.type === "scatter3d" && trace.meta?.ids)
  if (deep.length) {
    const sizes = deep.map((n) => {
      const usual = figure.data[n].marker.size
      return usual.map((size, k) => (ids.includes(root.data[n].meta.ids[k]) ? size * 1.8 : size))
    })
    busy(plot, window.Plotly.restyle(root, { "marker.size": sizes }, deep))
  }
}

const indices = (root, test) => root.data.flatMap((trace, n) => (test(trace) ? [n] : []))
const matches = (all, ids) => all.flatMap((id, n) => (ids.includes(id) ? [n] : []))

function frames(trace, ids, layout, factor) {
  if (trace.type !== "heatmap" || !trace.meta?.ids) return []
  const line = { color: layout.font.color, width: 2 * factor }
  const base = { type: "rect", xref: trace.xaxis, yref: trace.yaxis, line, fillcolor: "rgba(0,0,0,0)" }
  const rows = matches(trace.meta.ids, ids).map((k) => ({
    ...base, xref: `${trace.xaxis} domain`, x0: 0, x1: 1, y0: k - 0.5, y1: k + 0.5,
  }))
  const columns = matches(trace.meta.column_ids ?? [], ids).map((k) => ({
    ...base, yref: `${trace.yaxis} domain`, y0: 0, y1: 1, x0: k - 0.5, x1: k + 0.5,
  }))
  return [...rows, ...columns]
}

// Moving: everything between its start, without positions, and its end, with them. --------------------

function move(plot, share) {
  const moving = plot.starts.flatMap((from, n) => (from ? [n] : []))
  if (!moving.length) return
  const traces = moving.map((n) => between(plot.figure.data[n], n, plot, share))
  const update = {}
  for (const axis of ["x", "y", "z"]) {
    const values = traces.map((trace, k) => (plot.starts[moving[k]][axis] ? trace[axis] : undefined))
    if (values.some((value) => value !== undefined)) update[axis] = values
  }
  busy(plot, window.Plotly.restyle(plot.root, update, moving))
}

function between(trace, n, plot, share) {
  const [from, to] = [plot.starts[n], plot.ends[n]]
  if (!from) return trace
  const moved = Object.keys(from).map((axis) => [axis, blend(from[axis], to[axis], share)])
  return { ...trace, ...Object.fromEntries(moved) }
}

function blend(from, to, share) {
  if (Array.isArray(from)) return from.map((row, n) => blend(row, to[n], share))
  return from.map((value, n) => value + share * (to[n] - value))
}

function startOf(trace, ends) {
  const meta = trace.meta ?? {}
  if (meta.start) return coordinates(meta.start)
  return meta.start_trace === undefined ? null : ends[meta.start_trace]
}

function coordinates(holder) {
  const axes = holder.type === "heatmap" ? ["z"] : ["x", "y", "z"]
  return Object.fromEntries(axes.filter((axis) => numeric(holder[axis])).map((axis) => [axis, holder[axis]]))
}

const numeric = (values) => ArrayBuffer.isView(values) || ArrayBuffer.isView(values?.[0])
