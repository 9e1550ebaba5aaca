// One text and the tokens of several tokenizers: pointing at a piece of the text, or at a token, lights up
// everything that covers the same characters.

import { live } from "./live.js"
import {
  _,
  element,
  marked,
  once,
  palette,
  reachable,
  rove,
  runAs,
  runsLeft,
  tokenColour,
} from "../../embedviz/ui/components/shared/index.js"

const views = new WeakMap()
const hasLetter = (text) => /\p{L}/u.test(text)

/** @param {Component<SegmentsData>} component */
export function render({ data, parentElement }) {
  const root = parentElement.querySelector(".segments")
  const before = views.get(root)
  const pinned = before?.text === data.text ? before.pinned : null
  const view = { root, roles: palette(root), text: data.text, pinned, parts: [] }
  views.set(root, view)
  root.replaceChildren(...(data.text ? [whole(data, view), ...data.rows.map((row) => rowOf(row, view))] : []))
  light(view, pinned)
  once(parentElement, () => [live(data.field)])
}

function whole({ pieces }, view) {
  const line = reachable(element("p", "", "text"), _("The text"))
  line.dir = "auto"
  let left = runsLeft(pieces.texts.join(""))
  pieces.texts.forEach((text, n) => {
    if (hasLetter(text)) left = runsLeft(text)
    const piece = element("span", breakable(text), pieces.differs[n] ? "piece differs" : "piece")
    piece.classList.toggle("left", left) // the text runs to the left, so the piece begins at its right
    line.append(part(piece, pieces.spans[n], view))
  })
  return line
}

function rowOf({ name, read_by, numbers, note, tokens }, view) {
  const notes = [read_by ? element("p", read_by, "more") : "", note ? element("p", note, "note") : ""]
  const list = element("ol", [...grouped(tokens, view)])
  runAs(list, [view.text])
  list.setAttribute("aria-label", _("Tokens of {name}", { name }))
  rove(list, "button")
  const [count, ...more] = numbers.split(" · ")
  const counted = element("p", [count, element("span", more.map((each) => ` · ${each}`).join(""), "more")])
  return element("section", [element("div", [element("h2", name), counted, ...notes], "head"), list])
}

// The chips of a row. Those that are bytes of the same character, or of several that they tie together, are in one
// frame.
function* grouped(tokens, view) {
  /** @type {ReturnType<typeof framed> | null} */
  let group = null
  for (const n of tokens.ids.keys()) {
    const [start, end] = tokens.spans[n]
    const item = chip(tokens, n, view)
    if (!tokens.partial[n]) yield item
    else if (group && start < group.end) group.add(item, end)
    else {
      group = framed(item, start, end, view)
      yield group.frame
    }
    if (!tokens.partial[n]) group = null
  }
}

function framed(item, start, end, { text }) {
  const [chips, name] = [element("span", [...item.childNodes], "chips"), element("span", "", "bytes")]
  name.dir = "auto"
  const say = () => {
    name.textContent = _("bytes of {text}", { text: [...text].slice(start, group.end).join("").trim() })
  }
  const group = {
    frame: element("li", [chips, name], "group"),
    end,
    add(more, last) {
      chips.append(...more.childNodes)
      group.end = last
      say()
    },
  }
  say()
  return group
}

function chip({ ids, texts, spans, partial, starts, ends, stays, colours }, n, view) {
  const kinds = [partial[n] && "part", starts[n] && "starts", ends[n] && "ends", stays[n] && "stays"]
  const text = element("span", breakable(texts[n]), "token")
  text.dir = partial[n] ? "ltr" : "auto" // bytes are written out
  const button = element("button", [text, element("span", String(ids[n]), "id")], kinds.filter(Boolean).join(" "))
  if (colours.length) button.style.setProperty("--word", tokenColour(view.roles, colours[n]))
  button.setAttribute("aria-label", nameOf(partial[n], { text: texts[n], id: ids[n] }))
  return element("li", [part(button, spans[n], view)])
}

const nameOf = (isPart, parts) => (isPart ? _("bytes {text}, ID {id}", parts) : _("{text}, ID {id}", parts))

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
// A token that is nothing but the added space covers no character, so it lights up alone.
const covers = (a, b) => a.target === b.target || (a.start < b.end && b.start < a.end)

function light({ parts, pinned }, span) {
  for (const other of parts) {
    other.target.classList.toggle("lit", span !== null && covers(other, span))
    if (other.target.tagName === "BUTTON") other.target.setAttribute("aria-pressed", String(same(pinned, other)))
  }
}

// A line may break after the marks for what cannot be seen.
const breakable = (text) => marked(text).flatMap((piece, n) => (n % 2 ? [piece, element("wbr")] : [piece]))
