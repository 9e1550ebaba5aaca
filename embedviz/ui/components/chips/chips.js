// The tokens of a sentence, each with its position and ID.

import {
  BORDERS,
  element,
  isPinned,
  leave,
  listen,
  lit,
  marked,
  registerTokens,
  once,
  palette,
  pin,
  point,
  rove,
  runAs,
  tokenColour,
} from "../shared/index.js"
import "../shared/badge.js"

/** @param {Component<ChipsData>} component */
export function render({ data, parentElement }) {
  const list = parentElement.querySelector("ol")
  const roles = palette(list)
  list.setAttribute("aria-label", data.label)
  runAs(
    list,
    data.chips.map(({ text }) => text),
  )
  list.classList.toggle("even", data.even)
  const places = data.chips.filter((chip) => chip.pad || chip.share === undefined).length
  list.style.setProperty("--places", String(places))
  list.style.setProperty("--next", String(places + 1))
  list.replaceChildren(
    ...data.chips.map((chip) => (chip.pad ? element("li", labels(chip), "pad") : chipOf(chip, roles))),
  )
  rove(list, "button")
  registerTokens(parentElement, new Map(data.chips.filter((chip) => !chip.pad).map(({ id, text }) => [id, text])))
  light(list, lit())
  once(parentElement, () => [
    listen("embedviz:hover", ({ ids }) => light(list, ids)),
    () => registerTokens(parentElement, null),
  ])
}

const labels = ({ position, text }) => [element("span", position, "position"), element("span", text)]

/** @param {Chip} chip */
export function chipOf({ id, position, text, colour, again, part, joined, name, share, tone }, roles) {
  const button = element("button", [
    element("span", position, "position"),
    wordOf(text, part),
    share === undefined ? element("span", id, "id") : element("span", share, "share"),
  ])
  button.dataset.id = String(id)
  button.dataset.position = String(position)
  button.style.setProperty("--colour", tokenColour(roles, colour))
  button.style.borderStyle = BORDERS[again % BORDERS.length]
  button.setAttribute("aria-label", name)
  button.onpointerenter = button.onfocus = () => point([id])
  button.onpointerleave = button.onblur = leave
  button.onclick = () => pin([id])
  return element("li", [button], share !== undefined ? `next ${tone}` : joined ? "joined" : "")
}

export function wordOf(text, part) {
  const word = element("span", marked(text), part ? "text part" : "text")
  word.dir = part ? "ltr" : "auto" // bytes are written out, from left to right
  return word
}

export function light(list, ids) {
  for (const button of list.querySelectorAll("button")) {
    const id = Number(button.dataset.id)
    const on = ids.includes(id) || ids.includes(`@${button.dataset.position}`)
    button.classList.toggle("lit", on)
    button.classList.toggle("dim", ids.length > 0 && !on)
    button.setAttribute("aria-pressed", String(isPinned(id)))
  }
}
