// What names the columns of the whole way, and where order enters.

import { _, element, viewLink } from "../shared/index.js"
import { addShape, DASH, fontSize, LETTERS, textWidth, writeText } from "./parts.js"
import { FOOT, NOTE, TITLE } from "./places.js"

/** @typedef {import("./places.js").Page} Page */

export const STUB = 12 // pixels of a line before it may fork in attention

/** @param {Page} page */
export function drawHeadings(page) {
  const { words } = page.data
  const { titles, isAcross } = page.place
  for (const [name, x, y, room] of titles) {
    if (!page.names(name)) continue
    const [title, note] = words[name]
    if (!isAcross && name === "answer" && page.place.hidden)
      writeText(page, page.width, page.place.height - 6, words.hidden.replace("{n}", page.place.hidden), {
        size: 13,
        anchor: "end",
      })
    const isEmpty = name === "positions" && (page.share === 0 || page.data.positions === null)
    const said =
      name === "answer" && page.data.states.length > 1
        ? words.dotted[page.share > 0 ? 0 : 1]
        : isEmpty && page.share === 0
          ? words.nothing
          : note
    const kind = `title halo ${page.data.told?.lit.includes(name) ? "mark" : ""}`
    if (!page.hasNames)
      writeText(page, x, y, isAcross ? title : _("{name}: {said}", { name: title, said }), {
        size: isAcross ? TITLE : NOTE,
        kind,
        room,
      })
    // In a hall there is room for what the picture does not say without words.
    const isNeeded = !page.isFar || isEmpty || said !== note || name === "looks"
    if (isAcross && isNeeded && !(name === "looks" && page.hasHeads))
      writeText(page, x, y + fontSize(page, NOTE + 4), said, { size: NOTE, kind: isEmpty ? "title" : "", room })
  }
}

// The names of columns lead to the pages that are about them, with the same sentences, if there is a site around.
/** @param {Page} page */
export function placeNames(page) {
  const { view, data, place, hasNames } = page
  const box = view.root.querySelector(".names")
  const titles = hasNames ? place.titles : []
  const links = view.isLive && document.getElementById("ev-address") ? data.links : {}
  const shown = JSON.stringify(titles.map(([name]) => [data.words[name][0], links[name]]))
  if (view.names !== shown) {
    view.names = shown // the same names stay, so that they keep the focus
    box.replaceChildren(
      ...titles.map(([name]) => (links[name] ? viewLink(links[name]) : element("b", data.words[name][0]))),
    )
  }
  for (const [n, [name, x, y, room]] of titles.entries()) {
    const least = Math.min(1, room / textWidth(page, data.words[name][0], TITLE, "title")) // as in `writeText`
    Object.assign(box.children[n].style, {
      left: `${x}px`,
      top: `${y - TITLE * place.unit}px`,
      fontSize: `${least * TITLE * place.unit}px`,
    })
  }
}

// Which head's looks are drawn.
/** @param {Page} page */
export function showHeads(page) {
  const { view, data, place } = page
  const select = view.root.querySelector(".heads")
  select.hidden = !page.hasHeads
  if (!page.hasHeads) return
  if (select.length !== data.words.heads.length) {
    view.head = null
    select.replaceChildren(...data.words.heads.map((text, n) => new Option(text, n)))
  }
  select.value = view.head ?? data.head
  select.onchange = () => {
    view.head = Number(select.value)
    view.draw()
  }
  const [, x, y] = place.titles.find(([name]) => name === "looks")
  Object.assign(select.style, { left: `${x}px`, top: `${y + 3 * place.unit}px`, fontSize: `${NOTE * place.unit}px` })
}

// Which line is whose, once there can be two.
/** @param {Page} page */
export function drawKey(page) {
  const { place, roles, shows } = page
  if (!place.isAcross || !shows("positions")) return
  const y = place.top - 9 * place.unit
  LETTERS.forEach((letter, half) => {
    const x = half * 66 * place.unit
    writeText(page, x, y, letter, { size: TITLE, kind: "title" })
    addShape(page, "path", {
      d: `M${x + 15 * place.unit} ${y - 5 * place.unit}h${34 * place.unit}`,
      stroke: roles["--ink"],
      "stroke-width": 2,
      "stroke-dasharray": half ? DASH : "none",
    })
  })
}

/** @param {Page} page */
export function drawEntry(page) {
  const { state, place, data } = page
  if (!state.entry || !page.shows(state.entry === "positions" ? "positions" : "looks")) return
  const n = place.rows[0]
  const [from, to] =
    state.entry === "positions"
      ? [place.out(place.spot("vectors", n)), place.into(place.spot("positions", n))]
      : [place.out(place.spot("input", n)), place.into(place.spot("looks", n))]
  const said = data.words.enters[state.entry]
  const look = {
    stroke: page.roles["--accent"],
    "stroke-width": 2,
    "stroke-dasharray": "1 5",
    "stroke-linecap": "round",
    fill: "none",
  }
  if (place.isAcross) {
    const x = (from[0] + Math.max(to[0], from[0] + STUB * place.unit)) / 2
    addShape(page, "path", { d: `M${x} ${place.top - 4}V${place.height - FOOT * place.unit}`, ...look })
    // The names of layers stand on the right.
    const [end, anchor] = data.layers ? [x + 6 * place.unit, "end"] : [x, "middle"]
    writeText(page, end, place.top - 9 * place.unit, said, { size: TITLE, kind: "mark halo", anchor })
  } else {
    const y = from[1] + 6
    addShape(page, "path", { d: `M0 ${y}H${page.width}`, ...look })
    writeText(page, page.width, y + 15, said, { size: 13, kind: "mark halo", anchor: "end" })
  }
}
