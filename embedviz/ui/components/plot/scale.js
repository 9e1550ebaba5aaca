// Figures are made for a root font of 16 px. Where the root font is larger, as in projection, everything that is
// measured in pixels grows with it: type, lines, markers and margins.

import { numeral, SEPARATORS } from "../shared/i18n.js"
import { axisOf } from "./panels.js"
import { apartOf, plainLength } from "./type.js"

// Type of a hall, or of a reader who wants it that large, takes so much room that less is written in a figure.
export const isLarge = (factor) => factor >= 1.5
export const factorOf = (element) => parseFloat(getComputedStyle(element.ownerDocument.documentElement).fontSize) / 16

const PIXELS = new Set([
  "arrowwidth",
  "ax",
  "ay",
  "b",
  "backoff",
  "borderpad",
  "borderwidth",
  "gridwidth",
  "itemwidth",
  "l",
  "linewidth",
  "pad",
  "r",
  "size",
  "standoff",
  "t",
  "thickness",
  "ticklen",
  "tickwidth",
  "tracegroupgap",
  "width",
  "xgap",
  "xpad",
  "xshift",
  "ygap",
  "ypad",
  "yshift",
  "zerolinewidth",
])
// Of type, where the root font has 16: in a hall it can be read from the last row. What is larger need not grow as
// much.
const [LEAST, SHARE] = [0.8 * 16, 0.85]
// These keys hold data, or the layout's notes.
const DATA = new Set(["customdata", "domain", "ids", "meta", "range", "text", "tickvals", "x", "y", "z"])
// Plotly's own sizes, which hold where a figure names none.
const AXIS = { gridwidth: 1, zerolinewidth: 1, ticklen: 5 }
const DEFAULTS = { scatter: { line: { width: 2 }, marker: { size: 6 } } }

/**
 * The figure with every length in pixels times `factor`; the arrays of numbers in it are the same ones.
 * @param {Figure} figure
 * @param {number} factor
 * @returns {Figure}
 */
export function scaled({ data, layout }, factor) {
  if (factor === 1) return { data, layout }
  const traces = data.map((trace) => enlarge(withDefaults(trace), factor))
  return { data: traces, layout: scaledLayout(layout, factor) }
}

/**
 * @param {Layout} layout
 * @param {number} factor
 * @returns {Layout}
 */
function scaledLayout(layout, factor) {
  const all = Object.entries(layout).map(([name, part]) => [name, /^[xy]axis/.test(name) ? { ...AXIS, ...part } : part])
  const enlarged = enlarge(Object.fromEntries(all), factor)
  const margin = layout.meta?.margin // of its own; see panels.js
  if (margin) enlarged.meta = { ...layout.meta, margin: enlarge(margin, factor) }
  return enlarged
}

function withDefaults(trace) {
  const parts = Object.entries(DEFAULTS[trace.type] ?? {}).map(([name, part]) => [name, { ...part, ...trace[name] }])
  return { ...trace, ...Object.fromEntries(parts) }
}

function enlarge(value, factor, name = "") {
  if (PIXELS.has(name) && typeof value === "number") return value * factor
  if (PIXELS.has(name) && Array.isArray(value)) return value.map((each) => each * factor)
  if (name.endsWith("font") && typeof value.size === "number")
    return { ...value, size: (isLarge(factor) ? Math.max(LEAST, SHARE * value.size) : value.size) * factor }
  if (Array.isArray(value)) return value.map((part) => enlarge(part, factor))
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, DATA.has(key) ? part : enlarge(part, factor, key)]),
  )
}

/**
 * How long each axis of the figure is, in pixels.
 * @param {Layout} layout
 * @returns {(axis: string) => number}
 */
export function lengthsOf(layout, { clientWidth: width, clientHeight: height }) {
  const { l = 80, r = 80, t = 100, b = 80 } = layout.margin ?? {}
  const room = { x: width - l - r, y: height - t - b }
  return (name) => room[name[0]] * share(axisOf(layout, name).domain)
}

// Numbers stand in cells only where they can be read. Large type takes room: fewer names at an axis where they would
// touch.
/**
 * @param {Figure} figure
 * @param {number} factor
 * @returns {Figure}
 */
export function legible({ data, layout: own }, factor, root) {
  const layout = isLarge(factor) ? withoutLowLegend(own, root.clientHeight) : own
  const length = lengthsOf(layout, root)
  const fitted = data.map((trace) =>
    trace.type === "heatmap" ? fitNumbers(trace, length, layout.font.size, factor) : trace,
  )
  const axes = Object.keys(layout).filter((name) => /^[xy]axis/.test(name))
  const thinned = axes.map((name) => [name, thinTicks(layout, name, length, factor)])
  const annotations = isLarge(factor)
    ? layout.annotations?.map((each, n) => (hasRoomForNote(each, n, layout, length) ? each : { ...each, text: "" }))
    : layout.annotations
  return { data: fitted, layout: { ...layout, annotations, ...Object.fromEntries(thinned) } }
}

// Below a low picture a legend would take more room than the picture.
function withoutLowLegend(layout, height) {
  const { legend, margin, font } = layout
  if (legend?.yref !== "container" || height > 12 * font.size) return layout
  return { ...layout, showlegend: false, margin: { ...margin, b: Math.min(margin.b, 2.8 * font.size) } }
}

// Words in a row of a picture need type that is no higher than the row.
/**
 * @param {Note} note
 * @param {number} n
 * @param {Layout} layout
 */
function hasRoomForNote({ yref, font }, n, layout, length) {
  if (layout.meta?.roles?.end?.includes(n) || !/^y\d*$/.test(yref ?? "")) return true
  const { range, tickvals } = axisOf(layout, yref)
  const rows = range ? Math.abs(range[1] - range[0]) : (tickvals?.length ?? 1)
  return length(yref) / rows > 0.95 * (font?.size ?? layout.font.size)
}

const share = (domain) => (domain ? domain[1] - domain[0] : 1)

/** @param {Layout} layout */
function thinTicks(layout, name, lengths, factor) {
  const { size: fontSize } = layout.font
  const [upright, length] = [name[0] === "y", lengths(name.replace("axis", ""))]
  const axis = isLarge(factor) ? fitTitle(layout, name, lengths) : layout[name]
  const { tickvals, ticktext } = axis
  const slanted = Math.abs(axis.tickangle ?? 0) > 30
  // Type of the usual size is small enough for names in rows.
  if (!isLarge(factor) && (upright || slanted || !tickvals?.length || axis.type === "log")) return axis
  const type = axis.tickfont?.size ?? fontSize
  if (!tickvals?.length) return { ...axis, nticks: Math.max(2, Math.floor(length / ((upright ? 1.7 : 2.6) * type))) }
  const needed = (upright ? 1.12 : slanted ? 1.5 : apartOf(ticktext ?? tickvals, isLarge(factor))) * type
  if (axis.type === "log") return spaceTicks(axis, length, needed)
  const between =
    length / Math.max(axis.range ? Math.abs(axis.range[1] - axis.range[0]) / step(tickvals) : tickvals.length, 1)
  const every = Math.ceil(needed / between - 0.02)
  if (!(every > 1)) return axis
  const kept = (list) => list?.filter((_, n) => n % every === 0)
  return { ...axis, tickvals: kept(tickvals), ticktext: kept(ticktext) }
}

// Keeps the ticks of a logarithmic axis that are far enough from the tick before them.
function spaceTicks(axis, length, needed) {
  const at = Array.from(axis.tickvals, Math.log10)
  const unit = length / (Math.max(...at) - Math.min(...at))
  let before = -Infinity
  const kept = at.map((place) => {
    const isFar = (place - before) * unit >= needed
    if (isFar) before = place
    return isFar
  })
  const only = (list) => list && Array.from(list).filter((_, n) => kept[n])
  return { ...axis, tickvals: only(axis.tickvals), ticktext: only(axis.ticktext) }
}

// A title that is longer than its axis is written shorter or left out, since it could not be read. A title below a low
// panel is left out as well if it would stand in the panel. The text at the pointer says what the axis means. If the
// title is upright, the names of the other axis take some of its room.
/** @param {Layout} layout */
function fitTitle(layout, name, length) {
  const [axis, { shorts = {} }, isUpright] = [layout[name], layout.meta ?? {}, name[0] === "y"]
  const size = axis.title?.font?.size ?? layout.font.size
  const room = length(name.replace("axis", "")) - (isUpright ? 2 * layout.font.size : 0)
  const isLow = !isUpright && length(axis.anchor ?? "y") < 7 * layout.font.size && !hasRoomBelow(layout, axis, size)
  const text = [axis.title?.text ?? "", shorts[name] ?? "", ""].find((each) => 0.5 * plainLength(each) * size <= room)
  return axis.title?.text ? { ...axis, title: { ...axis.title, text: isLow ? "" : text } } : axis
}

// Whether the margin below the lowest panels has kept the room for the names of their columns and for a title.
/** @param {Layout} layout */
function hasRoomBelow(layout, { anchor = "y", tickfont }, size) {
  const { font, margin } = layout
  const [lowest] = axisOf(layout, anchor).domain ?? [0]
  return lowest < 0.001 && margin?.b >= 1.6 * ((tickfont?.size ?? font.size) + size)
}

const step = (values) => (values.length > 1 ? Math.abs(values[1] - values[0]) : 1)

const SMALLEST = 11 // pixels of a number in a cell

/** @param {Trace} trace */
function fitNumbers(trace, length, fontSize, factor) {
  if (!trace.texttemplate || !trace.z?.length) return trace
  const [columns, rows] = [trace.z[0].length, trace.z.length]
  const across = length(trace.xaxis ?? "x") / columns
  const down = length(trace.yaxis ?? "y") / rows
  const largest = Math.max(...trace.z.map((row) => Math.max(...row.map((value) => Math.abs(value) || 0))))
  const wanted = trace.textfont?.size ?? fontSize
  const decimals = trace.text
    ? decimalsOf(trace.text.flat().find(Boolean))
    : Number(/\.(\d)f/.exec(trace.texttemplate)?.[1] ?? 0)
  // Fewer digits are better than smaller digits, as long as two of the largest number are left.
  const least = !isLarge(factor) ? decimals : Math.min(decimals, Number(largest < 10))
  for (let digits = decimals; digits >= least; digits--) {
    const size = Math.min(wanted, across / (0.52 * (largest.toFixed(digits).length + 1)), down / 1.15)
    const written = trace.text
      ? { text: rewritten(trace, digits) }
      : { texttemplate: trace.texttemplate.replace(/\.\df/, `.${digits}f`) }
    if (size >= (isLarge(factor) ? LEAST * factor : SMALLEST))
      return { ...trace, ...written, textfont: { ...trace.textfont, size } }
  }
  return { ...trace, texttemplate: "" }
}

const DECIMALS = new RegExp(`[${SEPARATORS[0]}](\\d+)(?=<|$)`)
const decimalsOf = (number = "") => DECIMALS.exec(number)?.[1].length ?? 0

// The numbers that stand in cells, with as many decimals, and in their colours.
/** @param {Trace} trace */
const rewritten = ({ text, z }, digits) =>
  text.map((row, i) =>
    row.map((cell, j) => {
      const number = z[i][j]
        .toFixed(digits)
        .replace(/^-(?=[0.]*$)/, "")
        .replace("-", "−")
      return cell.replace(/[^<>]+(?=<|$)/, numeral(number))
    }),
  )
