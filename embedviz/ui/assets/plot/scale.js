// Figures are made for a root font of 16 px. Where it is larger (in projection), all that is measured in pixels
// grows with it: type, lines, markers, margins.

export const factorOf = (element) => parseFloat(getComputedStyle(element.ownerDocument.documentElement).fontSize) / 16

const PIXELS = new Set([
  "arrowwidth", "ax", "ay", "b", "borderpad", "borderwidth", "gridwidth", "itemwidth", "l", "linewidth", "pad", "r",
  "size", "standoff", "t", "thickness", "ticklen", "tickwidth", "tracegroupgap", "width", "xgap", "xpad", "xshift",
  "ygap", "ypad", "yshift", "zerolinewidth",
])
// What is data, and the layout's notes, among which `narrow` is a layout again.
const DATA = new Set(["customdata", "domain", "ids", "meta", "range", "text", "tickvals", "x", "y", "z"])
// Plotly's own sizes, where a figure names none.
const AXIS = { gridwidth: 1, zerolinewidth: 1, ticklen: 5 }
const USUAL = { scatter: { line: { width: 2 }, marker: { size: 6 } } }

// The figure with every length in pixels times `factor`; the arrays of numbers in it are the same ones.
export function scaled({ data, layout }, factor) {
  if (factor === 1) return { data, layout }
  const traces = data.map((trace) => grown(withUsual(trace), factor))
  return { data: traces, layout: scaledLayout(layout, factor) }
}

function scaledLayout(layout, factor) {
  const all = Object.entries(layout).map(([name, part]) => [name, /^[xy]axis/.test(name) ? { ...AXIS, ...part } : part])
  const found = grown(Object.fromEntries(all), factor)
  const narrow = layout.meta?.narrow
  if (narrow) found.meta = { ...layout.meta, narrow: scaledLayout(narrow, factor) }
  return found
}

function withUsual(trace) {
  const usual = Object.entries(USUAL[trace.type] ?? {}).map(([name, part]) => [name, { ...part, ...trace[name] }])
  return { ...trace, ...Object.fromEntries(usual) }
}

function grown(value, factor, name = "") {
  if (PIXELS.has(name) && typeof value === "number") return value * factor
  if (PIXELS.has(name) && Array.isArray(value)) return value.map((each) => each * factor)
  if (Array.isArray(value)) return value.map((part) => grown(part, factor))
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, DATA.has(key) ? part : grown(part, factor, key)]))
}

// Numbers stand in cells only where they can be read. Large type takes room: fewer names at an axis where they would touch.
export function legible({ data, layout }, factor, { clientWidth: width, clientHeight: height }) {
  const { l = 80, r = 80, t = 100, b = 80 } = layout.margin ?? {}
  const room = { x: width - l - r, y: height - t - b }
  const length = (name) => room[name[0]] * share(axisOf(layout, name).domain)
  const fitted = data.map((trace) => (trace.type === "heatmap" ? fit(trace, length, layout.font.size, factor) : trace))
  if (factor === 1) return { data: fitted, layout }
  const axes = Object.keys(layout).filter((name) => /^[xy]axis/.test(name))
  const thinned = axes.map((name) => [name, thin(layout[name], length(name), layout.font.size, name[0] === "y")])
  return { data: apart(fitted, layout, room), layout: { ...layout, ...Object.fromEntries(thinned) } }
}

// The layout's axis of a trace's "x", "x1" or "y2", or by its full name: the first may be called with 1 or without.
function axisOf(layout, name) {
  const [, letter, number] = /^([xy])(?:axis)?(\d*)$/.exec(name)
  return (number > 1 ? layout[`${letter}axis${number}`] : layout[`${letter}axis1`] ?? layout[`${letter}axis`]) ?? {}
}

const share = (domain) => (domain ? domain[1] - domain[0] : 1)

function thin(axis, length, usual, upright) {
  const { tickvals, ticktext } = axis
  if (!tickvals?.length) return axis
  const type = axis.tickfont?.size ?? usual
  const widest = Math.max(...(ticktext ?? tickvals).map((text) => plainLength(text)))
  const slanted = Math.abs(axis.tickangle ?? 0) > 30
  const needed = upright || slanted ? 1.12 * type : (0.55 * widest + 0.8) * type
  const between = length / Math.max(axis.range ? Math.abs(axis.range[1] - axis.range[0]) / step(tickvals) : tickvals.length, 1)
  const every = axis.type === "log" ? 1 : Math.ceil(needed / between - 0.02)
  if (!(every > 1)) return axis
  const kept = (list) => list?.filter((_, n) => n % every === 0)
  return { ...axis, tickvals: kept(tickvals), ticktext: kept(ticktext) }
}

const step = (values) => (values.length > 1 ? Math.abs(values[1] - values[0]) : 1)
const plainLength = (text) => String(text).replace(/<[^>]*>/g, "").replace(/&\w+;/g, "x").length

// Of labels that would cover one another the first stays; all are still there to point at. Those that move have places
// of their own.
function apart(data, layout, room) {
  const taken = []
  return data.map((trace) => {
    if (trace.type !== "scatter" || !trace.mode?.includes("text") || !Array.isArray(trace.text) || trace.meta?.frames) return trace
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

// From the number of a point to its place in pixels, if the axes say where they end.
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

const SMALLEST = 11 // pixels
const LEAST = 18 / 24 // of the root font: what can be read from the last row

function fit(trace, length, usual, factor) {
  if (!trace.texttemplate || !trace.z?.length) return trace
  const [columns, rows] = [trace.z[0].length, trace.z.length]
  const across = length(trace.xaxis ?? "x") / columns
  const down = length(trace.yaxis ?? "y") / rows
  const decimals = Number(/\.(\d)f/.exec(trace.texttemplate)?.[1] ?? 0)
  const characters = Math.max(...trace.z.map((row) => Math.max(...row.map((value) => Math.abs(value) || 0)))).toFixed(decimals).length + 1
  const wanted = trace.textfont?.size ?? usual
  const size = Math.min(wanted, across / (0.52 * characters), down / 1.15)
  if (size < (factor === 1 ? SMALLEST : LEAST * 16 * factor)) return { ...trace, texttemplate: "" }
  return { ...trace, textfont: { ...trace.textfont, size } }
}
