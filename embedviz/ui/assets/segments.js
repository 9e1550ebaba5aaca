// One text and the tokens of several tokenizers: pointing at a piece of the text, or at a token, lights up
// everything that covers the same characters.

import { hasLetter, runsLeft } from "./direction.js"
import { element } from "./elements.js"
import { live } from "./live.js"
import { unpack } from "./payload.js"
import { rove } from "./roving.js"

const views = new WeakMap()

export function render({ data: packed, parentElement }) {
  const root = parentElement.querySelector(".segments")
  const data = unpack(packed)
  const before = views.get(root)
  const pinned = before?.text === data.text ? before.pinned : null
  const view = { root, text: data.text, pinned, parts: [], stop: before?.stop ?? live(data.field) }
  views.set(root, view)
  root.replaceChildren(...(data.text ? [whole(data, view), ...data.rows.map((row) => rowOf(row, view))] : []))
  light(view, pinned)
}

export function stop({ parentElement }) {
  const root = parentElement.querySelector(".segments")
  views.get(root)?.stop()
  views.delete(root)
}

function whole({ pieces }, view) {
  const line = element("p", "", "text")
  line.tabIndex = 0 // it scrolls, so the keyboard must reach it
  line.setAttribute("role", "group")
  line.setAttribute("aria-label", "The text")
  line.dir = "auto"
  let left = runsLeft(pieces.texts.join(""))
  pieces.texts.forEach((text, n) => {
    if (hasLetter(text)) left = runsLeft(text)
    const piece = element("span", "", pieces.differs[n] ? "piece differs" : "piece")
    piece.classList.toggle("left", left) // its beginning is at its right
    piece.append(...marked(text))
    line.append(part(piece, pieces.spans[n], view))
  })
  return line
}

function rowOf({ name, numbers, note, tokens }, view) {
  const row = element("section")
  const head = element("div", "", "head")
  head.append(element("h2", name), element("p", numbers))
  if (note) head.append(element("p", note, "note"))
  const list = element("ol")
  list.setAttribute("aria-label", `Tokens of ${name}`)
  list.append(...tokens.ids.map((_, n) => chip(tokens, n, view)))
  rove(list, "button")
  row.append(head, list)
  return row
}

function chip({ ids, texts, spans, partial, starts, ends }, n, view) {
  const kinds = [partial[n] && "part", starts[n] && "starts", ends[n] && "ends"]
  const button = element("button", "", kinds.filter(Boolean).join(" "))
  button.type = "button"
  button.setAttribute("aria-label", `${partial[n] ? "bytes " : ""}${texts[n]}, ID ${ids[n]}`)
  const text = element("span", "", "token")
  text.dir = partial[n] ? "ltr" : "auto" // bytes are written out
  text.append(...marked(texts[n]))
  button.append(text, element("span", String(ids[n]), "id"))
  const item = element("li")
  item.append(part(button, spans[n], view))
  return item
}

// Pointing lights up, leaving lets go, a click or a tap keeps the light on until the next one.
function part(target, [start, end], view) {
  const span = { start, end, target }
  view.parts.push(span)
  target.onpointerenter = target.onfocus = () => light(view, span)
  target.onpointerleave = target.onblur = () => light(view, view.pinned)
  target.onclick = () => {
    view.pinned = same(view.pinned, span) ? null : { start, end }
    light(view, view.pinned)
  }
  return target
}

const same = (a, b) => a !== null && a.start === b.start && a.end === b.end
// A token of nothing but the added space covers no character: it lights up alone.
const covers = (a, b) => a.target === b.target || (a.start < b.end && b.start < a.end)

function light({ parts, pinned }, span) {
  for (const other of parts) {
    other.target.classList.toggle("lit", span !== null && covers(other, span))
    if (other.target.tagName === "BUTTON") other.target.setAttribute("aria-pressed", String(same(pinned, other)))
  }
}

// Marks for what cannot be seen are paler than the words; a line may break after them.
function marked(text) {
  const parts = text.split(/([␣⏎⇥␍⍽]+)/).map((piece, n) => element("span", piece, n % 2 ? "mark" : ""))
  return parts.flatMap((shown, n) => (n % 2 ? [shown, document.createElement("wbr")] : [shown]))
}
