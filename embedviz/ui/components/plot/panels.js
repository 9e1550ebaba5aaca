// Where the panels of a figure stand. A figure says what each panel needs (figures/figure.py); only here it is known
// how much room there is: on a wide screen, on a narrow one, or in large type.

import { asides, ends, headings, moveApart, signs } from "./notes.js"
import { apartOf, linesOf, plainLength, widthOf } from "./type.js"

/**
 * The layout's axis of a trace's "x" or "y2".
 * @param {Layout} layout
 * @param {string} name
 */
export const axisOf = (layout, name) => layout[`${name[0]}axis${name.slice(1)}`] ?? {}

// What the panels need is said by every figure that has any.
const metaOf = (meta) => /** @type {LayoutMeta} */ (meta)

const NUMBER = "−0.00" // what ticks say that have no names of their own
const MOST_NAMES = 4 // of a legend in one line
const BAR = 3.3 // the height of a colour bar below a panel, as a multiple of the type
const LEAST = 0.3 // of the room is for the panels, whatever stands around them

/**
 * How high a figure is where panels stand below each other, if it says so.
 * @param {Layout} layout
 * @param {boolean} isNarrow
 */
export function heightOf(layout, isNarrow) {
  const { panels } = layout.meta ?? {}
  const rems = panels && isNarrow ? remsOf(gridOf(layout, isNarrow)) : []
  const bars = layout.meta?.bars === "below" ? scalesOf(layout).length : 0
  return rems.some(Boolean) ? `${sum(rems) + (bars * BAR * layout.font.size) / 16}rem` : undefined
}

/**
 * @param {Layout} layout
 * @param {boolean} isNarrow
 */
function gridOf({ meta }, isNarrow) {
  const { columns, panels } = metaOf(meta)
  const across = Math.min(columns[Number(isNarrow)] || panels.length, panels.length)
  const cells = panels.map((panel, n) => ({
    ...panel,
    n,
    number: n ? n + 1 : "",
    row: Math.floor(n / across),
    column: n % across,
    left: 0,
    right: 0,
    above: 0,
    below: 0,
    bar: 0,
    sign: 0,
    spare: [0, 0],
  }))
  return { across, cells, rows: Math.ceil(panels.length / across) }
}

const remsOf = ({ cells, rows }) =>
  Array.from({ length: rows }, (_, row) => cells.find((cell) => cell.row === row)?.rem ?? cells.at(-1).rem)

/**
 * The layout with all panels, bars and notes in their places.
 * @param {Figure} figure
 * @returns {Layout}
 */
export function arrange({ data, layout: given }, { width = 700, height = 450 }, isNarrow, isLarge) {
  if (!given.meta?.panels) return given
  const room = { width, height, isNarrow, isLarge, size: given.font.size }
  const { legend, own } = legendOf(given, data, room)
  const grid = gridOf(given, isNarrow)
  const layout = withSharedNames(
    { ...given, ...(legend && { legend }), annotations: given.annotations.map((note) => ({ ...note })) },
    grid,
    room,
  )
  const bars = barsOf(layout, data, grid, room)
  for (const cell of grid.cells) {
    if (isNarrow || isLarge) numberRows(cell, layout, room)
    measure(cell, layout, room.size)
  }
  for (const bar of bars) {
    bar.after = bar.cell.right
    bar.cell.right += bar.need
  }
  signs(layout, grid.cells, room)
  ends(layout, grid.cells, room)
  const across = withSpareRoom(spansAcross(grid, own, room), grid, room)
  for (const cell of grid.cells) standNames(cell, layout, across.spans[cell.column], room)
  for (const bar of bars) if (bar.isBelow) layBelow(bar, room.size)
  if (legend?.orientation === "v" && !legend.x) layout.legend.x = 1 + (across.after + 0.3 * room.size) / across.length
  headings(layout, grid.cells, across, room)
  const up = spansUp(grid, own, room)
  for (const cell of grid.cells) {
    const { number, column, row } = cell
    const span = across.spans[column].map((at, n) => at + cell.spare[n])
    layout[`xaxis${number}`] = { ...layout[`xaxis${number}`], domain: shares(across, span) }
    const [top, bottom] = shares(up, up.spans[row])
    if (layout[`yaxis${number}`])
      layout[`yaxis${number}`] = { ...layout[`yaxis${number}`], domain: [1 - bottom, 1 - top] }
    moveApart(layout, cell, up.spans[row][1] - up.spans[row][0])
  }
  asides(layout, grid.cells, across, up, room)
  placeBars(layout, bars, { across, up, size: room.size })
  layout.margin = { l: across.before, r: across.after, t: up.before, b: up.after }
  layout.meta = { ...metaOf(layout.meta), margin: own, isNarrow, isLarge }
  return layout
}

// Plotly knows no place beyond 1, where rounding might lead.
const shares = ({ length }, span) => span.map((at) => Math.min(1, at / length))

// What a figure says of its margins stays, such as the room for a legend above it or under it. In large type, a legend
// of many names would take several lines there, and stands beside the panels.
/**
 * @param {Layout} layout
 * @param {Trace[]} data
 */
function legendOf({ legend, margin, meta }, data, { isLarge }) {
  const own = meta?.margin ?? margin ?? {}
  const names = data.filter(({ showlegend = true }) => showlegend)
  const isAround = legend?.y >= 1 || legend?.yref === "container"
  if (!isLarge || !isAround || names.length <= MOST_NAMES) return { legend, own }
  const { t, b, ...rest } = own
  return { legend: { ...legend, orientation: "v", y: 1, yref: "paper", yanchor: "top" }, own: rest }
}

/**
 * Names and titles of axes stand once where panels share them. In large type, rows have names and columns do without.
 * @param {Layout} layout
 */
function withSharedNames(layout, { cells, across }, { isLarge }) {
  const { once } = metaOf(layout.meta)
  for (const { n, number, column } of cells) {
    const isLowest = n + across >= cells.length
    const [x, y] = [`xaxis${number}`, `yaxis${number}`]
    if (once.includes("x")) layout[x] = { ...layout[x], showticklabels: isLowest && !isLarge }
    if (once.includes("y")) layout[y] = { ...layout[y], showticklabels: column === 0 }
    if (once.includes("title") && !isLowest) layout[x] = { ...layout[x], title: { text: "" } }
  }
  return layout
}

// What a panel's axes need beside it and below it.
function measure(cell, layout, size) {
  const [x, y] = [layout[`xaxis${cell.number}`], layout[`yaxis${cell.number}`]]
  if (y && y.visible !== false) cell[y.side === "right" ? "right" : "left"] = widest(y, size) + titleOf(y, size)
  if (x.visible !== false) cell.below = lowest(x, size) + titleOf(x, size)
}

// Rows whose names, such as "4 the cat sat", would take a third of the room have their numbers alone.
function numberRows({ number }, layout, { width, size }) {
  const [name, axis] = [`yaxis${number}`, layout[`yaxis${number}`]]
  if (axis?.type !== "category" || axis.ticktext || !axis.tickvals.every((text) => /^\d+ /.test(text))) return
  if (widest(axis, size) > 0.3 * width)
    layout[name] = { ...axis, ticktext: axis.tickvals.map((text) => text.split(" ")[0]) }
}

const PLACE = /(^|>|\u2068)([ABC]?)(\d+) ([^<]*)/ // what a name such as "A4 ␣the" begins with, and the rest

// Names of columns, such as "A4 ␣the", stand upright where they have room, in one line or in two. In large type without
// room for slanted ones, they are numbers, as those of rows are.
function standNames(cell, layout, [start, end], { size, isLarge }) {
  const [name, axis] = [`xaxis${cell.number}`, layout[`xaxis${cell.number}`]]
  if (!axis.tickangle) return
  const names = namesOf(axis)
  const room = (1.02 * (end + cell.spare[1] - start - cell.spare[0])) / names.length / typeOf(axis, size)
  const written = (as) => names.map((text) => text.replace(PLACE, as))
  const upright = [names, written("$1$2$3<br>$4")].find((texts) => apartOf(texts, isLarge) <= room)
  const ticktext = upright ?? (isLarge && room < 1.5 ? written("$1$3") : names)
  if (!upright && ticktext.every((text, n) => text === names[n])) return
  layout[name] = { ...axis, ticktext, tickangle: 0 }
  cell.below = 0
  measure(cell, layout, size)
}

const titleOf = ({ title }, size) => (title?.text ? 1.6 * (title.font?.size ?? size) : 0)
const typeOf = ({ tickfont }, size) => tickfont?.size ?? size
const namesOf = ({ ticktext, tickvals }) => Array.from(ticktext ?? tickvals ?? [NUMBER])
const mostLines = (axis) => Math.max(1, ...namesOf(axis).map((name) => linesOf(name).length))
const widest = (axis, size) =>
  axis.showticklabels === false
    ? 0
    : Math.max(0, ...namesOf(axis).map((name) => widthOf(name, typeOf(axis, size)))) + 0.3 * size

function lowest(axis, size) {
  if (axis.showticklabels === false) return 0
  const type = typeOf(axis, size)
  return Math.abs(axis.tickangle ?? 0) > 30
    ? 0.71 * widest(axis, size) + type
    : (0.3 + 1.3 * mostLines(axis)) * type + (axis.ticks === "outside" ? axis.ticklen : 0)
}

const scalesOf = (layout) => Object.keys(layout).filter((name) => /^coloraxis/.test(name) && layout[name].colorbar)

// Each bar stands beside the last panel that has its colours. A narrow screen has no room for it there, and large type
// has none between three panels. If the figure says so, it lies below a narrow panel. `after`: the room between panel
// and bar for names of rows that stand at the right.
/**
 * @param {Layout} layout
 * @param {Trace[]} data
 */
function barsOf(layout, data, { cells, across }, { isNarrow, isLarge, size }) {
  return scalesOf(layout).flatMap((name) => {
    const { colorbar } = layout[name]
    const cell = cells.findLast(({ number }) =>
      data.some((trace) => trace.coloraxis === name && trace.xaxis === `x${number}`),
    )
    const isUpright = colorbar.orientation !== "h"
    const isBetween = cell && isLarge && across > 2 && cell.column < across - 1 && isUpright
    const isBelow = Boolean(cell) && layout.meta?.bars === "below" && isNarrow && !isLarge
    const isShown = Boolean(cell) && (isBelow || !(isNarrow || isBetween))
    layout[name] = { ...layout[name], showscale: isShown }
    const words = widthOf(longest(colorbar), size)
    return isShown
      ? [
          {
            name,
            cell,
            isBelow,
            words,
            after: 0,
            need: isBelow || !isUpright ? 0 : 1.4 * colorbar.thickness + words + 0.5 * size,
          },
        ]
      : []
  })
}

// Room for a bar below the names of a panel's columns. under: where it begins, in pixels below the panel.
function layBelow(bar, size) {
  bar.under = bar.cell.below + 0.2 * size
  bar.cell.below += BAR * size
  bar.cell.bar += BAR * size
}

const longest = ({ ticktext = [NUMBER] }) => ticktext.reduce((a, b) => (plainLength(b) > plainLength(a) ? b : a))

function placeBars(layout, bars, { across, up, size }) {
  for (const { name, cell, need, after, under, words } of bars) {
    const { colorbar } = layout[name]
    const [left, right] = shares(
      across,
      across.spans[cell.column].map((at, n) => (under && !n ? at - cell.left : at)),
    )
    if (under) {
      const lowest = 1 - shares(up, up.spans[cell.row])[1]
      Object.assign(layout[name], {
        colorbar: {
          ...colorbar,
          orientation: "h",
          x: (left + right) / 2,
          xanchor: "center",
          len: right - left - words / across.length,
          y: lowest - under / up.length,
          yanchor: "top",
        },
      })
      continue
    }
    layout[name] = {
      ...layout[name],
      colorbar: { ...colorbar, x: need ? right + (after + 0.4 * size) / across.length : right },
    }
  }
}

const largest = (cells, side) => Math.max(0, ...cells.map((cell) => cell[side]))
const sum = (values) => values.reduce((a, b) => a + b, 0)

function spansAcross({ cells, across }, { l, r }, { width, isLarge, size }) {
  const columns = Array.from({ length: across }, (_, column) => cells.filter((cell) => cell.column === column))
  const apart = (isLarge ? 0.4 : 1.2) * size
  const gapBetween = (before, after) =>
    largest(before, "right") +
    largest(after, "left") +
    largest(after, "sign") +
    largest(after, "gap") * size +
    ([...before, ...after].some(({ joins }) => joins) ? 0 : apart)
  const gaps = columns.slice(1).map((column, n) => gapBetween(columns[n], column))
  const weights = columns.map(([first]) => first?.width ?? cells[0].width)
  return divide(weights, gaps, width, [
    l ?? largest(columns[0], "left") + largest(columns[0], "sign") + 0.4 * size,
    r ?? Math.max(largest(columns.at(-1), "right"), 0.6 * size),
  ])
}

// Below each other, panels that need much less at a side than others do are wider there.
function withSpareRoom(across, { cells, across: n }, { size }) {
  const spareOf = (spare, all) => (n === 1 && spare > 4 * size ? Math.min(spare, all) : 0)
  const spares = (side, all) =>
    cells.map((cell) => spareOf(largest(cells, side) - Math.max(cell[side], 0.6 * size), all))
  const [left, right] = [spares("left", across.before), spares("right", across.after)]
  const [before, after] = [Math.max(...left), Math.max(...right)]
  cells.forEach((cell, k) => (cell.spare = [-left[k], right[k]]))
  const spans = across.spans.map((span) => span.map((at) => at + before))
  return { spans, length: across.length + before + after, before: across.before - before, after: across.after - after }
}

function spansUp({ cells, rows: n_rows }, { t, b }, { height, isNarrow, size }) {
  const rows = Array.from({ length: n_rows }, (_, row) => cells.filter((cell) => cell.row === row))
  const ends = [t ?? largest(rows[0], "above") + 0.5 * size, b ?? largest(rows.at(-1), "below") + 0.3 * size]
  const under = ({ column, row }) => rows[row + 1].find((cell) => cell.column === column)?.above ?? 0
  const gaps = rows.slice(1).map((_, n) => Math.max(...rows[n].map((cell) => cell.below + under(cell))) + 0.3 * size)
  const rems = isNarrow ? remsOf({ cells, rows: n_rows }) : []
  const around = (row) => largest(row, "above") + largest(row, "below") - largest(row, "bar")
  const free = height - sum(rows.map((row) => largest(row, "bar")))
  const weights = rows.map((row, n) => (rems[n] ? Math.max((rems[n] / sum(rems)) * free - around(row), 1) : 1))
  return divide(weights, gaps, height, ends)
}

// Parts of a length with gaps between them: where each begins and ends. What they need around them gives way before
// they have no room at all.
/**
 * @param {number[]} weights
 * @param {number[]} gaps
 * @param {number} whole
 * @param {number[]} around
 */
function divide(weights, gaps, whole, [before, after]) {
  const needed = before + after + sum(gaps)
  const less = needed ? Math.min(1, ((1 - LEAST) * whole) / needed) : 1
  const length = whole - less * (before + after)
  const unit = (length - less * sum(gaps)) / sum(weights)
  let at = 0
  const spans = weights.map((weight, n) => {
    const start = at + (n ? less * gaps[n - 1] : 0)
    at = start + weight * unit
    return [start, at]
  })
  return { spans, length, before: less * before, after: less * after }
}
