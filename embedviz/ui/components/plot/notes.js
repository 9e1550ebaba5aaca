// The words around the panels of a figure: headings, the names of lines at their ends, signs, and words beside a panel.

import { bare, linesOf, plainLength, widthOf } from "./type.js"

/**
 * @param {Layout} layout
 * @param {string} role
 * @returns {{ note: Note & { font: Type }, n: number }[]}
 */
const notesOf = ({ annotations, meta }, role) =>
  (meta?.roles[role] ?? []).map((n) => ({ note: /** @type {Note & { font: Type }} */ (annotations[n]), n }))
const panelOf = (note, cells) => cells.find(({ number }) => note.xref.split(" ")[0] === `x${number}`)
const HEADING = 0.92 // a heading may come closer to the next one than names to each other
const HIGH = 1.3 // a line of words, as a multiple of its type
const BESIDE = 12 // pixels between a panel and the words beside it

// A sign stands between two panels, before the names of the second one's rows. On a narrow screen a heading has it.
/** @param {Layout} layout */
export function signs(layout, cells, { isNarrow, size }) {
  for (const { note } of notesOf(layout, "sign")) {
    const cell = panelOf(note, cells)
    const heading = layout.annotations[cell.n]
    if (isNarrow && note.text)
      heading.text = `<span style="color:${note.font.color};font-size:1.15em">${note.text}</span> ${heading.text}`
    if (isNarrow) note.text = ""
    cell.sign = note.text ? 0.6 * plainLength(note.text) * note.font.size : 0
    note.xshift = -cell.left - 0.3 * size - cell.sign / 2
  }
}

// The names of lines stand at their ends, from the lowest up and then from the top down, so that none touches another.
// If they would take too much of the width, shorter names do, large type breaks them, or they stand in rows below the
// panel.
/** @param {Layout} layout */
export function ends(layout, cells, { width, isNarrow, isLarge, size }) {
  const all = notesOf(layout, "end")
  if (!all.length) return
  const { shorts = {} } = layout.meta ?? {}
  if (isNarrow || isLarge) for (const { note, n } of all) note.text = shorts[n] ?? note.text
  const most = (0.4 * width) / new Set(all.map(({ note }) => note.xref)).size
  if (isLarge)
    for (const { note } of all)
      if (widthOf(note.text, note.font.size) > most) Object.assign(note, { text: broken(note.text), align: "left" })
  const need = Math.max(...all.map(({ note }) => widthOf(bare(note.text), note.font.size) + note.xshift)) + 0.5 * size
  // As it was arranged before, for another size.
  const isBelow = need > 0.45 * width || all[0].note.yref.endsWith("domain")
  for (const { note } of all) {
    const cell = panelOf(note, cells)
    if (!isBelow) cell.right = Math.max(cell.right, need)
    else {
      Object.assign(note, {
        x: 0,
        xshift: 0,
        y: 0,
        yref: `${note.yref.split(" ")[0]} domain`,
        yanchor: "top",
        align: "left",
        yshift: -cell.below,
      })
      cell.below += HIGH * note.font.size * linesOf(note.text).length
    }
  }
}

// The room of a name, as a multiple of its type: names are farther apart than the lines of one are.
const highOf = (lines) => (lines > 1 ? 1.1 * HIGH * lines : 1.15)

// Moves the names at the ends of a panel's lines apart. length: that of its upright axis in pixels. If there is no room
// for all names, those whose lines end nearest to another one have none.
/** @param {Layout} layout */
export function moveApart(layout, { number }, length) {
  const { range: [low, high] = [] } = layout[`yaxis${number}`] ?? {}
  const notes = notesOf(layout, "end")
    .map(({ note }) => note)
    .filter(({ yref }) => yref === `y${number}`)
  const all = notes.map((note) => ({
    note,
    high: highOf(linesOf(note.text).length) * note.font.size,
    at: ((note.y - low) / (high - low)) * length,
    to: 0,
  }))
  if (!all.length) return
  all.sort((a, b) => a.at - b.at)
  while (all.length > 1 && all.reduce((sum, name) => sum + name.high, 0) > length) {
    const ways = all.slice(1).map((name, n) => name.at - all[n].at)
    const [left] = all.splice(ways.indexOf(Math.min(...ways)), 1)
    left.note.text = ""
  }
  let floor = -Infinity
  for (const name of all) {
    const half = name.high / 2
    name.to = Math.max(name.at, floor + half)
    floor = name.to + half
  }
  // The highest name may stand at the panel's upper edge with its first line.
  let ceiling = length + (highOf(1) * all[all.length - 1].note.font.size) / 2
  for (const name of all.reverse()) {
    const half = name.high / 2
    name.to = Math.min(name.to, ceiling - half)
    ceiling = name.to - half
  }
  for (const { note, at, to } of all) note.yshift = to - at
}

// Words beside a panel that is square. In large type, and on a narrow screen with several panels in a row, there is
// more room for them below it, in one line.
/** @param {Layout} layout */
export function asides(layout, cells, across, up, { isLarge, isNarrow }) {
  const [notes, [left, right]] = [notesOf(layout, "aside"), across.spans[0]]
  const widest = Math.max(
    0,
    ...notes.flatMap(({ note }) => linesOf(note.text).map((line) => widthOf(line, note.font.size))),
  )
  const isBelow = isLarge || (across.spans.length > 1 && (isNarrow || widest > 0.45 * (right - left)))
  for (const { note, n } of notes) {
    const cell = panelOf(note, cells)
    const [[left, right], [top, bottom]] = [across.spans[cell.column], up.spans[cell.row]]
    const [wide, high] = [right - left - (isBelow ? 0 : widest), (isBelow ? 0.78 : 1) * (bottom - top)]
    const side = Math.min(wide, high)
    const [x, y] = [isBelow ? left + (wide - side) / 2 : left, top + (high - side) / 2]
    const domains = {
      x: [x / across.length, Math.min(1, (x + side) / across.length)],
      y: [Math.max(0, 1 - (y + side) / up.length), 1 - y / up.length],
    }
    for (const [letter, domain] of Object.entries(domains))
      layout[`${letter}axis${cell.number}`] = { ...layout[`${letter}axis${cell.number}`], domain }
    if (isBelow) Object.assign(note, { text: layout.meta?.shorts[n], x: 0.5, xanchor: "center", y: 0, yanchor: "top" })
    else note.xshift = BESIDE
  }
}

// If one heading would touch the next, all that have a shorter text show it. Others break: a legend stands below its
// title, and in large type, where there is no room for it, the title stands alone.
/** @param {Layout} layout */
export function headings(layout, cells, { spans, after, length }, { isNarrow }) {
  const { shorts = {} } = layout.meta ?? {}
  const all = notesOf(layout, "heading").map(({ note }, n) => ({ note, n, cell: cells[n] }))
  const isLong = ({ note, cell }) =>
    note.text && HEADING * widthOf(bare(note.text), note.font.size) > roomOf(cell, spans)
  const areShort = all.some(isLong) && all.some(({ n }) => n in shorts)
  for (const each of all) {
    const { note, n, cell } = each
    if (areShort && shorts[n]) note.text = shorts[n]
    if (isLong(each)) note.text = broken(note.text, isNarrow)
    if (note.text) cell.above = HIGH * note.font.size * linesOf(note.text).length
    const own = spans[cell.column].map((at, k) => at + cell.spare[k])
    if (cell.column === spans.length - 1) note.xshift = -Math.max(0, beyond(note, own) - after - length + own[1])
  }
}

// From the beginning of a panel to that of the next one.
function roomOf({ column, spare }, spans) {
  const [start, end] = spans[column]
  return column + 1 < spans.length ? spans[column + 1][0] - start : end + spare[1] - start - spare[0]
}

// How far a heading goes beyond the right end of its panel, in pixels.
/**
 * @param {Note & { font: Type }} note
 * @param {number[]} span
 */
const beyond = ({ text, font, xanchor }, [start, end]) =>
  (widthOf(bare(text), font.size) - (end - start)) * (xanchor === "left" ? 1 : 0.5)

// In two lines, about as long as each other: a space or a hyphen that is in no tag is where a heading may break.
export function broken(text, isNarrow) {
  const [, first, colon, rest] = /(.*?)(: |：)(.*)/.exec(text) ?? []
  if (colon) return isNarrow ? `${first}${colon.trim()}<br>${rest}` : first
  const middle = text.length / 2
  const [at] = [...text.matchAll(/[ -](?![^<]*>)/g)]
    .map(({ index }) => index)
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  return at > 0 ? `${text.slice(0, at + 1).trimEnd()}<br>${text.slice(at + 1)}` : text
}
