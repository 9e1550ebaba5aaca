// One Plotly figure that is redrawn in place, lights up with the rest of the page, and moves as
// positions are added.

import {
  SEPARATORS,
  _,
  isHall,
  leave,
  listen,
  lit,
  now,
  registerTokens,
  onResize,
  once,
  paint,
  palette,
  pin,
  point,
  tall,
} from "../shared/index.js"
import "../shared/badge.js"
import { blend, flip, play } from "./frames.js"
import { idsAt, light, masked, namesIn } from "./lights.js"
import { labelled } from "./labels.js"
import { movable } from "./moving.js"
import { arrange, heightOf } from "./panels.js"
import { factorOf, isLarge, legible, lengthsOf, scaled } from "./scale.js"

const CONFIG = { displaylogo: false, responsive: false, displayModeBar: false, scrollZoom: false }
// Plotly would hide labels that leave the figure. To find out, it measures all labels of an axis again for each of
// them.
const LABELS = { ticklabeloverflow: "allow" }
const TEMPLATE = {
  layout: { separators: SEPARATORS, xaxis: LABELS, yaxis: LABELS, coloraxis: { colorbar: LABELS } },
}
const LOOKS = 50 // milliseconds, Plotly's HOVERMINTIME
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

/** @param {Component<PlotData>} component */
export async function render({ data: payload, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".ev-plot")
  const plot = plots.get(root) ?? start(root, parentElement)
  plot.asked = payload
  plot.pick = ({ curveNumber, x, y }) => payload.picks && setTriggerValue("picked", [curveNumber, x, y])
  root.style.height ||= heightOf(payload.layout, isNarrow(root, factorOf(root))) ?? tall(payload.height)
  delete root.dataset.waits // what stands below knows its place
  root.setAttribute("aria-label", payload.alt)
  const Plotly = await plotly(payload.plotly)
  if (isFar(root)) await whenIdle()
  if (plot.asked !== payload || !root.isConnected) return
  await draw(plot, Plotly)
}

/** @param {Plot} plot */
function stop({ root, work }) {
  plots.delete(root)
  registerTokens(root, null)
  // Plotly finishes a drawing in later steps, which fail if the figure is gone by then.
  work.then(() => plots.has(root) || window.Plotly?.purge(root))
}

// Remembers the drawing that Plotly is still busy with.
/**
 * @template Work
 * @param {Plot} plot
 * @param {Work} work
 */
function track(plot, work) {
  plot.work = Promise.allSettled([plot.work, work])
  return work
}

function start(root, parentElement) {
  // What was asked for last is shown once it is drawn. A figure that has no room is stale: it is drawn when its room
  // changes, and does not move before.
  const begun = { root, figure: null, drawn: 0, lit: [], isStale: false, work: Promise.resolve() }
  const plot = /** @type {Plot} */ (/** @type {unknown} */ (begun))
  plot.at = (n) => between(plot.figure.data[n], n, plot, now("amount") / 100)
  plots.set(root, plot)
  const isThere = () => plot.figure && !plot.isStale
  once(parentElement, () => [
    onResize(root, () => plot.figure && root.clientWidth && resize(plot)),
    listen("embedviz:hover", ({ ids }) => isThere() && track(plot, light(plot, ids))),
    listen("embedviz:amount", ({ at }) => isThere() && move(plot, at / 100)),
    listen("embedviz:snapshot", ({ at }) => isThere() && track(plot, flip(plot, at))),
    () => stop(plot),
  ])
  return plot
}

/** @param {Plot} plot */
async function draw(plot, Plotly) {
  const { root, asked: payload } = plot
  const first = !root._fullLayout
  plot.isStale = plot.figure !== null && !root.clientWidth // Plotly cannot measure what is not shown
  if (plot.isStale) return
  plot.payload = payload
  plot.factor = factorOf(root)
  plot.roles = palette(root)
  const { data: own, layout: asMade } = scaled(
    paint({ data: payload.data, layout: payload.layout }, plot.roles),
    plot.factor,
  )
  const narrow = isNarrow(root, plot.factor)
  root.style.height = heightOf(asMade, narrow) ?? tall(payload.height)
  const size = sizeOf(root)
  plot.size = `${size.width} ${size.height} ${plot.factor}`
  const layout = {
    ...arrange({ data: own, layout: asMade }, size, narrow, isLarge(plot.factor)),
    ...size,
    template: TEMPLATE,
  }
  plot.figure = labelled({ data: own, layout }, lengthsOf(layout, root), plot.factor)
  plot.ends = plot.figure.data.map(coordinates)
  plot.starts = plot.figure.data.map(startOf)
  const share = now("amount") / 100
  const data = plot.figure.data.map((trace, n) => between(trace, n, plot, share))
  const figure = legible({ data, layout: annotated(plot.figure) }, plot.factor, root)
  plot.shapes = figure.layout.shapes ?? []
  plot.isStale = isCramped(figure.layout, size)
  if (plot.isStale) return
  // Plotly keeps the room that a legend took at another size, when its type may have been larger.
  if (!first && root._fullLayout.height !== size.height) root._fullLayout._reservedMargin = {}
  // It leaves the marks of a legend where they stood beside type of another size, too, and places the legend itself
  // before it knows the new margins.
  const resized = !first && root._fullLayout.legend?.itemwidth !== figure.layout.legend?.itemwidth
  if (resized) root.querySelector(".legend")?.remove()
  if (!first && turnsBars(root._fullLayout, figure.layout))
    for (const ticks of root.querySelectorAll(".cbaxis")) ticks.replaceChildren()
  await track(plot, Plotly.react(root, figure.data, figure.layout, CONFIG))
  if (resized) await track(plot, Plotly.redraw(root))
  if (plots.get(root) !== plot) return
  enlargeMarks(root, plot.factor)
  if (first) {
    link(root)
    movable(root, () => draw(plot, window.Plotly))
  }
  if (plot.isStale) return
  if (now("snapshot") !== Infinity) track(plot, flip(plot, now("snapshot")))
  root.parentElement.querySelector(".ev-reset").hidden = true
  registerTokens(root, namesIn(plot.figure))
  if (lit().length || plot.lit.length) track(plot, light(plot, lit()))
  root.dataset.drawn = ++plot.drawn
  if (first) play(plot, (at) => track(plot, flip(plot, at)))
}

// Plotly's marks in a legend have 12 pixels, or 16 at the most, however large the type beside them is.
function enlargeMarks(root, factor) {
  for (const mark of root.querySelectorAll(".legendpoints path")) {
    const [place] = mark.getAttribute("transform").split(" scale")
    mark.setAttribute("transform", `${place} scale(${Math.max(1, 0.75 * factor)})`)
  }
}

// Whether a colour bar that stood will lie, or the other way round: Plotly would leave the names of its ticks behind.
const turnsBars = (before, after) =>
  Object.keys(after).some((name) => {
    const [was, is] = [before, after].map((layout) => layout[name]?.colorbar)
    return /^coloraxis/.test(name) && was && was.orientation !== (is?.orientation ?? "v")
  })

// What fits depends on the room, and so does where panels and names stand.
/** @param {Plot} plot */
function resize(plot) {
  const { width, height } = sizeOf(plot.root)
  if (plot.isStale || plot.size !== `${width} ${height} ${factorOf(plot.root)}`) draw(plot, window.Plotly)
}

// A figure that nobody sees yet may wait until the figures on the screen are drawn; a page may never be idle by itself.
const isFar = (root) => root.getBoundingClientRect().top > window.innerHeight
const whenIdle = () =>
  new Promise((act) => ("requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 500 }) : setTimeout(act)))

// Left to itself, Plotly would measure a figure after its margins were chosen, when a projection may have come or gone.
const sizeOf = ({ clientWidth, clientHeight }) =>
  clientWidth ? { width: clientWidth, height: clientHeight } : { autosize: true }

/**
 * Plotly may fail where its margins leave little room, as they do in a hall for a moment while slides change.
 * @param {Layout} layout
 * @param {{ height?: number }} size
 */
const isCramped = ({ margin: { t = 100, b = 80 } = {}, font }, { height = Infinity }) => height < t + b + font.size

// A hall's screen counts as wide, however large the type is.
const isNarrow = (root, factor) => root.clientWidth < (isHall(root) ? root.clientHeight : NARROW * factor)

function link(root) {
  // What a pointer is at may be replaced by a drawing: then Plotly does not hear that it leaves, and finds it there
  // again.
  root.on("plotly_hover", ({ points }) => root.matches(":hover") && point(idsAt(points[0])))
  root.on("plotly_unhover", leave)
  // Plotly writes numbers in cells with a hyphen, and those on axes with a minus.
  const write = () =>
    root.querySelectorAll(".heatmap-label text").forEach((text) => {
      if (text.textContent.startsWith("-")) text.textContent = text.textContent.replace("-", "−")
    })
  root.on("plotly_afterplot", write)
  write()
  root.addEventListener("mouseleave", leave)
  const choose = (plotlyPoint) => {
    pin(idsAt(plotlyPoint))
    plots.get(root)?.pick(plotlyPoint)
  }
  let isHeard = false
  root.on("plotly_click", ({ points }) => {
    isHeard = true
    choose(points[0])
  })
  // Plotly looks at most every 50 ms at what is below the pointer, and says nothing of a click before it has looked; it
  // does look then, though. The event that is heard here follows each of its clicks.
  root.addEventListener("click", async ({ target }) => {
    const isMissed = !isHeard && target.matches(".nsewdrag")
    isHeard = false
    if (!isMissed) return
    await new Promise((act) => setTimeout(act, 2 * LOOKS))
    if (root._hoverdata) choose(root._hoverdata[0])
  })
}

// Moving: everything between its start, without positions, and its end, with them. --------------------

/**
 * @param {Plot} plot
 * @param {number} share
 */
function move(plot, share) {
  const moving = plot.starts.flatMap((from, n) => (from ? [n] : []))
  if (!moving.length) return
  const traces = moving.map((n) => masked(between(plot.figure.data[n], n, plot, share), plot.lit))
  const update = {}
  for (const name of ["x", "y", "z", "mode"]) {
    const values = traces.map((trace, k) =>
      name === "mode" || plot.starts[moving[k]]?.[name] ? trace[name] : undefined,
    )
    if (values.some((value) => value !== undefined)) update[name] = values
  }
  track(plot, window.Plotly.update(plot.root, update, {}, moving))
}

/**
 * @param {Trace} trace
 * @param {number} n
 * @param {Plot} plot
 * @param {number} share
 * @returns {Trace}
 */
function between(trace, n, plot, share) {
  const [from, to] = [plot.starts[n], plot.ends[n]]
  if (!from) return trace
  if (share === 1) return { ...trace, ...to } // a copy: Plotly writes into what it is given
  const moved = Object.fromEntries(Object.keys(from).map((axis) => [axis, blend(from[axis], to[axis], share)]))
  // While nothing is added, all copies of a token lie on it, and their labels and arrowheads would cover its own.
  return share || !trace.mode ? { ...trace, ...moved } : { ...trace, ...moved, mode: trace.mode.split("+")[0] }
}

// Plotly writes into what it is given.
/** @param {Plot["figure"]} figure */
const annotated = ({ layout }) => ({ ...layout, annotations: (layout.annotations ?? []).map((note) => ({ ...note })) })

/** @param {Trace} trace */
const startOf = ({ meta }) => (meta?.start ? coordinates(meta.start) : null)

/**
 * @param {Coordinates | Trace} holder
 * @returns {Coordinates}
 */
function coordinates(holder) {
  const axes = holder.type === "heatmap" ? ["z"] : ["x", "y"]
  return Object.fromEntries(axes.filter((axis) => numeric(holder[axis])).map((axis) => [axis, holder[axis]]))
}

const numeric = (values) => ArrayBuffer.isView(values) || ArrayBuffer.isView(values?.[0])
