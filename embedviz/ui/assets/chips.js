// The tokens of a sentence, each with its position and ID.

import { element } from "./elements.js"
import { isPinned, leave, listen, pin, point } from "./link.js"
import { unpack } from "./payload.js"
import { rove } from "./roving.js"
import { palette } from "./theme.js"

const stops = new WeakMap()

export function render({ data: packed, parentElement }) {
  const data = unpack(packed)
  const list = parentElement.querySelector("ol")
  const roles = palette(list)
  list.setAttribute("aria-label", data.label)
  list.replaceChildren(...data.chips.map((chip) => (chip.pad ? padOf(chip) : chipOf(chip, roles))))
  rove(list, "button")
  if (!stops.has(list)) stops.set(list, listen("embedviz:hover", ({ ids }) => light(list, ids)))
}

export function stop({ parentElement }) {
  const list = parentElement.querySelector("ol")
  stops.get(list)?.()
  stops.delete(list)
}

function padOf({ position, text }) {
  const item = element("li", "", "pad")
  item.append(span("position", position), span("id", text))
  return item
}

function chipOf({ id, position, text, colour, part, name }, roles) {
  const button = element("button")
  button.type = "button"
  button.dataset.id = id
  button.style.setProperty("--colour", roles[`--token-${colour}`])
  button.setAttribute("aria-label", name)
  button.setAttribute("aria-pressed", String(isPinned([id])))
  button.append(span("position", position), span(part ? "text part" : "text", text), span("id", id))
  button.onpointerenter = button.onfocus = () => point([id])
  button.onpointerleave = button.onblur = leave
  button.onclick = () => pin([id])
  const item = element("li")
  item.append(button)
  return item
}

function span(kind, text) {
  if (!kind.startsWith("text")) return element("span", text, kind)
  const word = element("span", "", kind)
  word.dir = kind === "text" ? "auto" : "ltr" // bytes are written out
  // Marks for what cannot be seen are paler than the word.
  const pieces = String(text).split(/([␣⏎⇥␍⍽]+)/)
  word.append(...pieces.map((piece, n) => element("span", piece, n % 2 ? "mark" : "")))
  return word
}

function light(list, ids) {
  for (const button of list.querySelectorAll("button")) {
    const on = ids.includes(Number(button.dataset.id))
    button.classList.toggle("lit", on)
    button.classList.toggle("dim", ids.length > 0 && !on)
    button.setAttribute("aria-pressed", String(isPinned([Number(button.dataset.id)])))
  }
}
