// The tokens of the whole way, which can be dragged across each other.

import { element, leave, point, tokenColour } from "../shared/index.js"
import { isMoved } from "./places.js"

/** @typedef {import("./places.js").Page} Page */

/** @param {Page} page */
export function placeChips(page) {
  const { view, place, data, roles } = page
  const box = view.root.querySelector(".chips")
  const tall = 24 * place.unit * place.stretch
  const rows = page.shows("tokens") ? place.rows : []
  while (box.children.length > rows.length) box.lastChild.remove()
  while (box.children.length < rows.length) box.append(element("button"))
  for (const [k, n] of rows.entries()) {
    const button = box.children[k] // stays the same, so that it keeps the focus
    const row = data.rows[n]
    const word = element("span", row.text, "word")
    const [a, b] = row.nth
    const says = a === b ? `${a}` : [a === null ? "" : `A ${a}`, b === null ? "" : `B ${b}`].filter(Boolean).join("\n")
    button.replaceChildren(word, element("small", says))
    button.classList.toggle("moved", isMoved(row))
    const high = isMoved(row) ? tall * 1.5 : tall
    const { x, y, wide } = place.spot("tokens", n)
    Object.assign(button.style, {
      left: `${x}px`,
      width: `${wide}px`,
      top: `${y - high / 2}px`,
      height: `${high}px`,
      fontSize: `${15 * Math.sqrt(place.size) * place.unit}px`,
    })
    button.style.setProperty("--colour", tokenColour(roles, row.colour))
    button.dataset.row = n
    button.setAttribute("aria-pressed", String(view.held === n))
    button.classList.toggle("held", view.held === n)
    if (view.isLive) button.title = data.words.swap
    button.onpointerenter = button.onfocus = () => point([row.id])
    button.onpointerleave = button.onblur = leave
    button.onpointerdown = (event) => drag(view, n, event)
    button.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      pickUp(view, n)
    }
  }
}

// The first token that is taken is held, and the second one changes places with it, in B.
function pickUp(view, n) {
  if (!view.isLive) return
  const [one, other] = [view.held, n]
  view.held = one === null ? n : null
  if (one !== null && one !== other) swap(view, one, other)
  view.draw()
}

function drag(view, n, { pointerId, clientY: start, button, target }) {
  if (button || !view.isLive) return
  const chip = target.closest("button")
  /** @type {HTMLElement | undefined} */
  let to
  chip.setPointerCapture(pointerId)
  chip.onpointermove = ({ clientY }) => {
    if (Math.abs(clientY - start) < 5) return
    chip.classList.add("held")
    chip.style.translate = `0 ${clientY - start}px`
    const all = [...chip.parentElement.children]
    to = all.find((each) => each !== chip && inside(each, clientY))
    for (const each of all) each.classList.toggle("target", each === to)
  }
  chip.onpointerup = chip.onpointercancel = ({ type }) => {
    chip.onpointermove = chip.onpointerup = null
    chip.style.translate = ""
    chip.classList.remove("held")
    if (to && type === "pointerup") swap(view, n, Number(to.dataset.row))
    view.draw()
  }
}

const inside = (part, y) => {
  const { top, bottom } = part.getBoundingClientRect()
  return y >= top && y <= bottom
}

function swap({ data, send }, one, other) {
  const places = [one, other].map((n) => data.rows[n].nth[1])
  if (!places.includes(null)) send("swapped", places)
}
