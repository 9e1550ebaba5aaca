// What the whole way is made of: shapes, texts, lines and strips, and how a row looks.

import { shape, tokenColour } from "../shared/index.js"
import { halves, isMoved, STRIP } from "./places.js"

/** @typedef {import("./places.js").Page} Page */

export const LETTERS = ["A", "B"]
export const DASH = "7 5"

/**
 * @param {Page} page
 * @param {keyof SVGElementTagNameMap} tag
 * @param {Record<string, unknown>} attributes
 * @param {number} [row]
 * @param {string | number} [text]
 */
export function addShape(page, tag, attributes, row, text) {
  const part = shape(tag, attributes)
  if (row !== undefined) part.dataset.row = String(row)
  if (text !== undefined) part.textContent = String(text)
  page.parts.push(part)
  return part
}

// A text is made smaller if it is wider than its room.
/**
 * @param {any} page
 * @param {number} x
 * @param {number} y
 * @param {string | number} text
 * @param {{ size?: number, kind?: string, anchor?: string, colour?: string, row?: number, room?: number }} [look]
 */
export function writeText(
  page,
  x,
  y,
  text,
  { size = 14, kind = "", anchor = "start", colour, row, room = Infinity } = {},
) {
  const least = room < Infinity ? Math.min(1, room / textWidth(page, text, size, kind)) : 1
  const part = addShape(
    page,
    "text",
    { x, y, "font-size": least * fontSize(page, size), class: kind, "text-anchor": anchor },
    row,
    text,
  )
  if (colour) part.style.fill = colour
  return part
}

/** @param {Page} page */
export const fontSize = ({ place }, size) => size * place.unit * place.size

// How wide a text of this size will be, in pixels.
/** @param {Page} page */
export function textWidth(page, text, size, kind = "") {
  const { view } = page
  view.pen ??= document.createElement("canvas").getContext("2d")
  view.family ??= getComputedStyle(view.root).fontFamily
  view.pen.font = `${/title|mark/.test(kind) ? 700 : 400} ${fontSize(page, size)}px ${view.family}`
  return view.pen.measureText(text).width
}

/**
 * @param {any} page
 * @param {number[]} from
 * @param {number[]} to
 * @param {{ n?: number, half?: number | null, colour: string, wide?: number, opacity?: number }} look
 */
export function drawLine(page, [x1, y1], [x2, y2], { n, half, colour, wide = 2, opacity = 1 }) {
  const [bx, by] = page.place.isAcross ? [(x2 - x1) / 2, 0] : [0, (y2 - y1) / 2]
  const d = `M${x1} ${y1}C${x1 + bx} ${y1 + by} ${x2 - bx} ${y2 - by} ${x2} ${y2}`
  const look = { d, fill: "none", stroke: colour }
  // A broad line in dashes would flicker: it has them in its middle, as a road has.
  const isBroad = half === 1 && wide > 4
  if (half !== 1 || isBroad) addShape(page, "path", { ...look, "stroke-width": wide, "stroke-opacity": opacity }, n)
  if (half !== 1) return
  const ink = isBroad ? { class: "lane" } : { stroke: colour, "stroke-opacity": opacity }
  addShape(page, "path", { ...look, ...ink, "stroke-width": Math.min(wide, 2), "stroke-dasharray": DASH }, n)
}

/** @param {Page} page */
export function addStrip(page, { x, y, wide }, n, values, title, limit = page.data.limit) {
  const tall = STRIP * page.place.unit * page.place.stretch
  page.strips.push({ x, y: y - tall / 2, wide, tall, values, row: n, title, limit })
}

/** @param {Page} page */
export const colourOf = ({ roles }, row) => (isMoved(row) ? tokenColour(roles, row.colour) : roles["--faint"])

// Whether a row has two lines from the positions on, and where these run: one beside the other.
/** @param {Page} page */
export const hasTwoLines = ({ data, share }, row) =>
  data.positions !== null && share > 0 && isMoved(row) && halves(row).length === 2

export const laneOf = (isTwo, half) => (isTwo ? 2 * half - 1 : 0)
