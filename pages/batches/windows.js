// A text as a flow of tokens with the windows of one batch drawn over it, and the batch's IDs below.

import {
  _,
  element,
  hasModifier,
  palette,
  reachable,
  rove,
  tokenColour,
} from "../../embedviz/ui/components/shared/index.js"

const views = new WeakMap()

/** @param {Component<WindowsData>} component */
export function render({ data, parentElement }) {
  const root = parentElement.querySelector(".windows")
  const known = views.has(root)
  views.set(root, { data, chosen: null })
  root.replaceChildren(flow(data), tables(data, palette(root)))
  if (!known) listen(root)
}

function listen(root) {
  const on = (names, act) => names.forEach((name) => root.addEventListener(name, act))
  on(["pointerover", "focusin"], ({ target }) => light(root, target.closest("[data-window]"), target.closest("table")))
  on(["pointerleave", "focusout"], () => light(root, views.get(root).chosen))
  on(["click"], ({ target }) => choose(root, target.closest("td")))
  on(
    ["keydown"],
    (event) =>
      event.key === "Enter" && !event.repeat && !hasModifier(event) && choose(root, event.target.closest("td")),
  )
}

// What is chosen stays lit while nothing is pointed at. A second click lets it go.
function choose(root, cell) {
  if (!cell) return
  const view = views.get(root)
  view.chosen?.classList.remove("chosen")
  view.chosen = view.chosen === cell ? null : cell
  view.chosen?.classList.add("chosen")
  light(root, cell, cell.closest("table"))
}

function light(root, cell, table) {
  if (!cell) return mark(root, null)
  if (table) scrollTo(root, Number(cell.dataset.start))
  mark(root, Number(cell.dataset.window), cell.dataset.step === undefined ? null : Number(cell.dataset.step))
}

function flow({ tokens, starts, max_length: length, first }) {
  const list = reachable(element("div", "", "flow"), _("The text, cut into tokens"))
  tokens.forEach(({ text }, n) => {
    const place = first + n
    const owners = starts.flatMap((start, window) => (place >= start && place < start + length ? [window] : []))
    const token = element("span", "", "token")
    token.classList.add(owners.length > 1 ? "shared" : owners.length ? `in${owners[0] % 2}` : "outside")
    token.dataset.place = place
    if (owners.length) token.dataset.window = owners[owners.length - 1]
    const begins = starts.indexOf(place)
    if (begins >= 0) token.append(element("sup", String(begins), "number"))
    token.append(worded("", text))
    list.append(token)
  })
  return list
}

// A token has its colour in both tables, and what both have in their first rows is framed, so that one sees the targets
// stand one place before the inputs.
function tables({ inputs, targets, names, target_names: targetNames, starts, colours }, roles) {
  const colourOf = (id) => tokenColour(roles, colours[id])
  const last = inputs[0].length - 1
  const isInTargets = (step) => step > 0
  const isInInputs = (step) => step < last
  const wanted = table(_("targets, one token later"), targets, targetNames, starts, colourOf, isInInputs)
  return element("div", [table(_("inputs"), inputs, names, starts, colourOf, isInTargets), wanted], "pair")
}

// isInOther: whether the first row of the other table has the token at this step, too.
function table(title, rows, names, starts, colourOf, isInOther) {
  const lines = rows.map((row, window) => {
    const start = starts[window]
    const head = gridPart("th", String(window), "rowheader", { window, start })
    const cells = row.map((id, step) => {
      const parts = [worded("text", names[window][step]), element("span", String(id), "id")]
      parts[0].style.setProperty("--colour", colourOf(id))
      const cell = gridPart("td", parts, "gridcell", { window, step, start })
      cell.classList.toggle("stretch", window === 0 && isInOther(step))
      return cell
    })
    return gridPart("tr", [head, ...cells], "row")
  })
  // A grid, since its cells are chosen from.
  const box = gridPart("table", [element("caption", title), element("tbody", lines)], "grid")
  box.setAttribute("aria-label", title)
  box.style.setProperty("--columns", rows[0].length) // Firefox would make a table as wide as its content endlessly wide
  rove(box, "th, td", rows[0].length + 1)
  return box
}

// The role is set here, since the style would take it away.
function gridPart(tag, content, role, notes = {}) {
  const made = element(tag, content)
  made.setAttribute("role", role)
  Object.assign(made.dataset, notes)
  return made
}

/**
 * A window lights its inputs and underlines its targets, in the text and in both tables.
 * @param {number | null} window
 * @param {number | null} [step]
 */
function mark(root, window, step = null) {
  const { starts, max_length: length } = views.get(root).data
  const start = window === null ? -1 : starts[window]
  for (const token of root.querySelectorAll(".token")) {
    const place = Number(token.dataset.place) - start
    const inside = window !== null && place >= 0 && place < length
    const aimed = window !== null && place >= 1 && place <= length
    token.classList.toggle("lit", step === null ? inside : inside && place === step)
    token.classList.toggle("aim", step === null ? aimed : aimed && place === step + 1)
  }
  for (const cell of root.querySelectorAll("td, th")) {
    const own = Number(cell.dataset.window) === window
    cell.classList.toggle(
      "lit",
      own && (step === null || cell.dataset.step === undefined || Number(cell.dataset.step) === step),
    )
  }
}

// Bring a window into view without moving the page.
function scrollTo(root, start) {
  const flow = root.querySelector(".flow")
  const token = flow.querySelector(`[data-place="${start}"]`)
  if (!token) return
  const top = token.offsetTop - flow.offsetTop
  if (top < flow.scrollTop || top > flow.scrollTop + flow.clientHeight - token.offsetHeight) flow.scrollTop = top
}

// The text of this element runs in its own direction and leaves its neighbours where they are.
function worded(kind, text) {
  const word = element("span", text, kind)
  word.dir = "auto"
  return word
}
