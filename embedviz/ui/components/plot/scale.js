// Figures are made for a root font of 16 px. Where the root font is larger, as in projection, everything that is
// measured in pixels grows with it: type, lines, markers and margins.

import { axisOf, headed, plainLength, spread } from "./panels.js"

export const factorOf = (element) => parseFloat(getComputedStyle(element.ownerDocument.documentElement).fontSize) / 16

const PIXELS = new Set([
  "arrowwidth", "ax", "ay", "b", "borderpad", "borderwidth", "gridwidth", "itemwidth", "l", "linewidth", "pad", "r",
  "size", "standoff", "t", "thickness", "ticklen", "tickwidth", "tracegroupgap", "width", "xgap", "xpad", "xshift",
  "ygap", "ypad", "yshift", "zerolinewidth",
])
// Of type, where the root font has 16: in a hall it can be read from the last row. What is larger need not grow as much.
const [LEAST, SHARE] = [0.8 * 16, 0.85]
// These keys hold data, or the layout's notes. Among the notes, `narrow` is a layout again.
const DATA = new Set(["customdata", "domain", "ids", "meta", "range", "text", "tickvals", "x", "y", "z"])
// Plotly's own sizes, which hold where a figure names none.
const AXIS = { gridwidth: 1, zerolinewidth: 1, ticklen: 5 }
const USUAL = { scatter: { line: { width: 2 }, marker: { size: 6 } } }

// The figure with every length in pixels times `factor`; the arrays of numbers in it are the same ones.
export function scaled({ data, layout }, factor) {
  if (factor === 1) return { data, layout }
  const shown = factor > 1 ? mainNames(data) : data
  const traces = shown.map((trace) => grown(withUsual(trace), factor))
  return { data: traces, layout: scaledLayout(layout, factor) }
}

function scaledLayout(layout, factor) {
  const all = Object.entries(layout).map(([name, part]) => [name, /^[xy]axis/.test(name) ? { ...AXIS, ...part } : part])
  const found = grown(Object.fromEntries(all), factor)
  const narrow = layout.meta?.narrow
  if (narrow) found.meta = { ...layout.meta, narrow: scaledLayout(narrow, factor) }
  return found
}

// In 3-D it cannot be known which names will cover others, so only the main names stay.
function mainNames(data) {
  const largest = Math.max(...data.map(({ textfont }) => textfont?.size ?? 0))
  const isAside = ({ type, textfont }) => type === "scatter3d" && textfont?.size < largest
  return data.map((trace) => (isAside(trace) ? { ...trace, mode: trace.mode.replace("+text", "") } : trace))
}

function withUsual(trace) {
  const usual = Object.entries(USUAL[trace.type] ?? {}).map(([name, part]) => [name, { ...part, ...trace[name] }])
  return { ...trace, ...Object.fromEntries(usual) }
}

function grown(value, factor, name = "") {
  if (PIXELS.has(name) && typeof value === "number") return value * factor
  if (PIXELS.has(name) && Array.isArray(value)) return value.map((each) => each * factor)
  if (name.endsWith("font") && typeof value.size === "number") return { ...value, size: (factor > 1 ? Math.max(LEAST, SHARE * value.size) : value.size) * factor }
  if (Array.isArray(value)) return value.map((part) => grown(part, factor))
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, DATA.has(key) ? part : grown(part, factor, key)]))
}

// Numbers stand in cells only where they can be read. Large type takes room: fewer names at an axis where they would touch.
export function legible({ data, layout: own }, factor, { clientWidth: width, clientHeight: height }) {
  const across = ({ margin: { l = 80, r = 80 } = {} }) => width - l - r
  const layout = factor === 1 ? own : withoutLegend(headed(spread(own, width), width), height)
  const { t = 100, b = 80 } = layout.margin ?? {}
  const room = { x: across(layout), y: height - t - b }
  const length = (name) => room[name[0]] * share(axisOf(layout, name).domain)
  const fitted = data.map((trace) => (trace.type === "heatmap" ? fit(trace, length, layout.font.size, factor) : trace))
  if (factor === 1) return { data: fitted, layout }
  const axes = Object.keys(layout).filter((name) => /^[xy]axis/.test(name))
  const thinned = axes.map((name) => {
    const axis = titled(layout[name], name, length, layout.font.size)
    return [name, thin(axis, length(name), layout.font.size, name[0] === "y")]
  })
  const annotations = layout.annotations?.map((each) => (fits(each, layout, length) ? each : { ...each, text: "" }))
  return { data: apart(fitted, layout, room), layout: { ...layout, annotations, ...Object.fromEntries(thinned) } }
}

// Below a low picture a legend would take more room than the picture.
function withoutLegend(layout, height) {
  const { legend, margin, font } = layout
  if (legend?.yref !== "container" || height > 12 * font.size) return layout
  return { ...layout, showlegend: false, margin: { ...margin, b: Math.min(margin.b, 2.8 * font.size) } }
}

// Words in a row of a picture need type that is no higher than the row.
function fits({ yref, font }, layout, length) {
  if (!/^y\d*$/.test(yref ?? "")) return true
  const { range, tickvals } = axisOf(layout, yref)
  const rows = range ? Math.abs(range[1] - range[0]) : tickvals?.length ?? 1
  return length(yref) / rows > 0.95 * (font?.size ?? layout.font.size)
}

const share = (domain) => (domain ? domain[1] - domain[0] : 1)

function thin(axis, length, usual, upright) {
  const { tickvals, ticktext } = axis
  const type = axis.tickfont?.size ?? usual
  if (!tickvals?.length) return { ...axis, nticks: Math.max(2, Math.floor(length / ((upright ? 1.7 : 2.6) * type))) }
  const widest = Math.max(...(ticktext ?? tickvals).map((text) => plainLength(text)))
  const slanted = Math.abs(axis.tickangle ?? 0) > 30
  const needed = upright || slanted ? 1.12 * type : (0.55 * widest + 0.8) * type
  if (axis.type === "log") return spaced(axis, length, needed)
  const between = length / Math.max(axis.range ? Math.abs(axis.range[1] - axis.range[0]) / step(tickvals) : tickvals.length, 1)
  const every = Math.ceil(needed / between - 0.02)
  if (!(every > 1)) return axis
  const kept = (list) => list?.filter((_, n) => n % every === 0)
  return { ...axis, tickvals: kept(tickvals), ticktext: kept(ticktext) }
}

// Keeps the ticks of a logarithmic axis that are far enough from the tick before them.
function spaced(axis, length, needed) {
  const at = Array.from(axis.tickvals, Math.log10)
  const unit = length / (Math.max(...at) - Math.min(...at))
  let before = -Infinity
  const kept = at.map((place) => (place - before) * unit >= needed && ((before = place), true))
  const only = (list) => list && Array.from(list).filter((_, n) => kept[n])
  return { ...axis, tickvals: only(axis.tickvals), ticktext: only(axis.ticktext) }
}

// A title that is longer than its axis is left out, since it could not be read. A title below a low panel is left out
// as well, since it would stand in the panel. The text at the pointer says what the axis means. If the title is
// upright, the names of the other axis take some of its room.
function titled(axis, name, length, size) {
  const { text = "", font } = axis.title ?? {}
  const isUpright = name[0] === "y"
  const room = isUpright ? length(name) - 2 * size : length(name)
  const isLow = !isUpright && length(axis.anchor ?? "y") < 7 * size
  return text && (isLow || 0.5 * plainLength(text) * (font?.size ?? size) > room) ? { ...axis, title: { text: "" } } : axis
}

const step = (values) => (values.length > 1 ? Math.abs(values[1] - values[0]) : 1)

// When labels would cover one another, only the first stays, but all points can still be pointed at. Labels that move
// are apart in the place where they come to rest.
function apart(data, layout, room) {
  const taken = []
  return data.map((trace) => {
    if (trace.type !== "scatter" || !trace.mode?.includes("text") || !Array.isArray(trace.text)) return trace
    const panel = `${trace.xaxis ?? "x"} ${trace.yaxis ?? "y"}`
    const place = placer(trace, layout, room)
    if (!place) return trace
    const size = trace.textfont?.size ?? layout.font.size
    const text = trace.text.map((label, n) => {
      const side = Array.isArray(trace.textposition) ? trace.textposition[n] : trace.textposition
      const box = boxOf(place(n), side ?? "middle center", 0.5 * size * plainLength(label), size, trace.marker?.size ?? 0)
      if (taken.some((other) => other.panel === panel && overlap(box, other.box))) return ""
      taken.push({ panel, box })
      return label
    })
    return { ...trace, text }
  })
}

// Turns the number of a point into its place in pixels, if the axes say where they end.
function placer(trace, layout, room) {
  const axes = ["x", "y"].map((letter) => axisOf(layout, trace[`${letter}axis`] ?? letter))
  if (axes.some(({ range, type }) => !range || type === "log")) return null
  return (n) => axes.map(({ range: [low, high], domain }, k) => {
    const letter = "xy"[k]
    const at = ((trace[letter][n] - low) / (high - low)) * room[letter] * share(domain)
    return k ? -at : at
  })
}

function boxOf([x, y], side, width, height, marker) {
  const [up, aside] = side.split(" ")
  const [away, gap] = [marker / 2 + 2, marker / 2 + 3]
  const left = aside === "right" ? x + gap : aside === "left" ? x - gap - width : x - width / 2
  const top = up === "top" ? y - away - height : up === "bottom" ? y + away : y - height / 2
  return [left, top, left + width, top + height]
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] - 2 && b[1] < a[3] - 2

const SMALLEST = 11 // pixels of a number in a cell

function fit(trace, length, usual, factor) {
  if (!trace.texttemplate || !trace.z?.length) return trace
  const [columns, rows] = [trace.z[0].length, trace.z.length]
  const across = length(trace.xaxis ?? "x") / columns
  const down = length(trace.yaxis ?? "y") / rows
  const largest = Math.max(...trace.z.map((row) => Math.max(...row.map((value) => Math.abs(value) || 0))))
  const wanted = trace.textfont?.size ?? usual
  const [, decimals = 0] = /\.(\d)f/.exec(trace.texttemplate) ?? []
  // Fewer digits are better than smaller digits.
  for (let digits = Number(decimals); digits >= (factor === 1 ? decimals : Math.min(decimals, 1)); digits--) {
    const size = Math.min(wanted, across / (0.52 * (largest.toFixed(digits).length + 1)), down / 1.15)
    const template = trace.texttemplate.replace(/\.\df/, `.${digits}f`)
    if (size >= (factor === 1 ? SMALLEST : LEAST * factor)) return { ...trace, texttemplate: template, textfont: { ...trace.textfont, size } }
  }
  return { ...trace, texttemplate: "" }
}
