// Panels side by side in large type. The words between two panels get the room that they need, and the panels get the
// rest. Headings that would touch each other are written shorter.

// The length of a text in letters, of which Chinese, Japanese and Korean ones are twice as wide as others.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g
export const plainLength = (text) => String(text).replace(/<[^>]*>/g, "").replace(/&\w+;/g, "x").replace(WIDE, "xx").length

// The layout's axis of a trace's "x", "x1" or "y2", or by its full name: the first may be called with 1 or without.
export function axisOf(layout, name) {
  const [, letter, number] = /^([xy])(?:axis)?(\d*)$/.exec(name)
  return (number > 1 ? layout[`${letter}axis${number}`] : layout[`${letter}axis1`] ?? layout[`${letter}axis`]) ?? {}
}

const LETTER = 0.52 // the width of a letter, as a share of the height of the type
const NUMBER = "−0.00" // what ticks say that have no names of their own

export function spread(layout, whole) {
  const named = (letter) => Object.keys(layout).filter((name) => name.startsWith(`${letter}axis`))
  const domains = named("x").map((name) => layout[name].domain ?? [0, 1])
  const spans = [...new Map(domains.map((span) => [span.join(), span])).values()].sort((a, b) => a[0] - b[0])
  if (!spans.length || spans.some(([start], n) => n && start < spans[n - 1][1])) return layout
  const size = layout.font.size
  const needs = spans.map(() => 0)
  for (const axis of named("y").map((name) => layout[name])) {
    const at = (axisOf(layout, axis.anchor ?? "x").domain ?? [0, 1]).join()
    const n = spans.findIndex((span) => span.join() === at)
    if (n >= 0 && axis.side !== "right") needs[n] = Math.max(needs[n], widthOf(axis, size))
  }
  const margin = { l: 80, r: 80, ...layout.margin }
  margin.l = Math.min(margin.l, needs[0] + 0.5 * size) // no more than what stands there
  const width = whole - margin.l - margin.r
  const between = spans.map(([start], n) => (n ? standing(layout, spans[n - 1][1], start, size) + 0.5 * size : -margin.l))
  const gaps = needs.map((need, n) => Math.max(0, need + between[n]) / width)
  const last = spans.at(-1)[1]
  const share = (last - gaps.reduce((a, b) => a + b)) / spans.reduce((sum, [start, end]) => sum + end - start, 0)
  if (share <= 0) return layout
  const found = []
  for (const [n, [start, end]] of spans.entries()) {
    const left = (found.at(-1)?.[1] ?? 0) + gaps[n]
    found.push([left, left + share * (end - start)])
  }
  return { ...moved(layout, spans, found, needs.map((need) => need / width)), margin }
}

// The words of an axis beside its panel.
function widthOf(axis, size) {
  const type = axis.tickfont?.size ?? size
  const texts = axis.ticktext ?? axis.tickvals ?? [NUMBER]
  const labels = axis.showticklabels === false || axis.visible === false ? 0 : Math.max(0, ...Array.from(texts, plainLength)) * LETTER * type + 0.3 * type
  return labels + (axis.title?.text ? 1.5 * (axis.title.font?.size ?? size) : 0)
}

const bars = (layout) => Object.keys(layout).filter((name) => /^coloraxis/.test(name) && layout[name].colorbar)
const inGap = (x, left, right) => x > left && x < right

// The width of signs and colour bars between two panels.
function standing(layout, left, right, size) {
  const signs = (layout.annotations ?? []).filter(({ x, xref }) => xref === "paper" && inGap(x, left, right))
  const bar = bars(layout).some((name) => inGap(layout[name].colorbar.x, left, right))
  return Math.max(0, ...signs.map(({ text, font }) => plainLength(text) * 0.7 * (font?.size ?? size))) + (bar ? 3 * size : 0)
}

function moved(layout, spans, found, needs) {
  const place = (x) => {
    const n = spans.findIndex(([, end]) => x <= end + 1e-9)
    if (n < 0) return found.at(-1)[1] + x - spans.at(-1)[1]
    const [[start, end], [left, right]] = [spans[n], found[n]]
    if (x >= start - 1e-9) return left + ((x - start) / (end - start)) * (right - left)
    const [before, free] = n ? [spans[n - 1][1], found[n - 1][1]] : [0, 0]
    return free + ((x - before) / (start - before)) * Math.max(left - needs[n] - free, 0)
  }
  const onPaper = (each, names) => (each.xref === "paper" ? { ...each, ...Object.fromEntries(names.map((name) => [name, place(each[name])])) } : each)
  const parts = Object.entries(layout).map(([name, part]) => {
    if (name.startsWith("xaxis")) return [name, { ...part, domain: (part.domain ?? [0, 1]).map(place) }]
    if (bars(layout).includes(name)) return [name, { ...part, colorbar: { ...part.colorbar, x: place(part.colorbar.x ?? 1.02) } }]
    return [name, part]
  })
  const all = Object.fromEntries(parts)
  if (all.annotations) all.annotations = all.annotations.map((each) => onPaper(each, ["x"]))
  if (all.shapes) all.shapes = all.shapes.map((each) => onPaper(each, ["x0", "x1"]))
  return all
}

// If a heading would touch the next one, only its words before the colon are shown, or it is broken into two lines, for
// which there is room.
export function headed(layout, whole) {
  const { annotations: all, font, margin } = layout
  if (!all) return layout
  const width = whole - (margin?.l ?? 80) - (margin?.r ?? 80)
  const annotations = all.map((each) => shorter(each, all, width, font.size))
  const isTall = annotations.some(({ text }, n) => text !== all[n].text && text.includes("<br>"))
  return { ...layout, annotations, margin: isTall ? { ...margin, t: (margin?.t ?? 100) + 1.3 * font.size } : margin }
}

function shorter(heading, all, width, usual) {
  const beside = all.filter(({ xref, y }) => xref === heading.xref && y === heading.y).map(({ x }) => Math.abs(x - heading.x))
  const room = Math.min(width, ...beside.filter((distance) => distance > 0).map((distance) => distance * width))
  const isLong = (text) => LETTER * plainLength(text) * (heading.font?.size ?? usual) > room
  if (heading.xref !== "paper" || !isLong(heading.text)) return heading
  const [first] = heading.text.split(": ")
  if (first !== heading.text) return { ...heading, text: first }
  const middle = heading.text.lastIndexOf(" ", Math.ceil(heading.text.length / 2) + 2)
  return middle > 0 ? { ...heading, text: `${heading.text.slice(0, middle)}<br>${heading.text.slice(middle + 1)}` } : heading
}
