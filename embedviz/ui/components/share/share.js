// A button in the page's header: the link to what is on screen, the page as a file, each figure as a picture.

import "../../assets/page/popovers.js" // imported here, since the button Share is on every page
import { reachPrograms } from "../../assets/page/programs.js"
import "../../assets/page/spoken.js"
import {
  _,
  cell,
  drawCode,
  element,
  hasModifier,
  lit,
  numeral,
  on,
  once,
  openDialog,
  pgettext,
  plain,
  labelValue,
  unreachable,
} from "../shared/index.js"
import { showLanguages } from "./languages.js"

// This is loaded when the panel is first opened: few visitors share, but all of them wait for what a page loads.
const pictures = () => import("../plot/pictures.js")
const standalone = () => import("./standalone.js")
const embedding = () => import("./embedding.js")
const taking = () => import("./taking.js")

const MOST_ROWS = 200
const MOST_COLUMNS = 40
let watching // the page, while the panel is open
// Which press of the button "QR code" waits for its code; the last code stays in the data, and is shown once.
let asked = 0

/** @param {Component<ShareData | null>} component */
export function render({ data, parentElement, setTriggerValue }) {
  const { presenting = false, code } = data ?? {}
  parentElement.querySelector(".leave").hidden = !presenting
  for (const name of [".project", ".language"]) parentElement.querySelector(name).hidden = presenting
  if (asked && code?.asked === asked) showCode(parentElement, code)
  once(parentElement, () => begin(parentElement, setTriggerValue))
}

function begin(parentElement, setTriggerValue) {
  const [button, panel, out] = [".open", ".panel", ".leave"].map((name) => parentElement.querySelector(name))
  panel.querySelector(".version").textContent = document.querySelector("meta[name=generator]")?.getAttribute("content")
  const open = (is) => {
    panel.hidden = !is
    button.setAttribute("aria-expanded", String(is))
    watching?.disconnect()
    if (is) fill(parentElement)
  }
  showLanguages(parentElement.querySelector(".language"))
  button.onclick = () => open(panel.hidden)
  parentElement.querySelector(".link").onclick = ({ target }) => showOutcome(target, copy())
  parentElement.querySelector(".bare").onclick = ({ target }) =>
    showOutcome(target, copy(addressAfter((names) => names.set("hide", "all"))))
  parentElement.querySelector(".code").onclick = () => {
    asked = Date.now()
    // Phones in a hall open the page as it is for them.
    setTriggerValue("code", {
      address: addressAfter((names) => ["present", "slide"].forEach((name) => names.delete(name))),
      asked,
    })
  }
  const frame = parentElement.querySelector("dialog.frame")
  parentElement.querySelector(".embed").onclick = () =>
    embedding().then(({ openFrame }) => openFrame(frame, (at, html) => showOutcome(at, copy(html, frame))))
  parentElement.querySelector(".project").onclick = () => {
    open(false)
    setTriggerValue("project", true)
  }
  out.onclick = () => setTriggerValue("leave", true)
  parentElement.querySelector(".page").onclick = ({ target }) =>
    showOutcome(
      target,
      standalone().then(({ savePage }) => savePage()),
    )
  const leave = (event) => event.composedPath().includes(panel) || event.composedPath().includes(button) || open(false)
  const closeByKey = (event) => {
    if (
      event.key !== "Escape" ||
      hasModifier(event) ||
      event.defaultPrevented ||
      parentElement.querySelector("dialog[open]")
    )
      return
    if (!panel.hidden) {
      open(false)
      button.focus()
      event.preventDefault()
    } else if (!out.hidden && !lit().length && !document.querySelector("[role=dialog], [role=listbox]")) out.click()
  }
  // A press is heard before what takes it for itself, as Streamlit's switches do.
  return [reachPrograms(), on(document, "pointerdown", leave, true), on(document, "keydown", closeByKey)]
}

// Without HTTPS, browsers do not let scripts write to the clipboard, but they let them copy a selection.
// place: where a selection can be, which is in no page behind a dialog.
async function copy(text = location.href, place = document.body) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement("textarea")
  field.value = text
  place.append(field)
  field.select()
  const copied = document.execCommand("copy")
  field.remove()
  if (!copied) throw new Error(_("the browser did not copy"))
}

// The address of this page after a change of its parameters.
function addressAfter(change) {
  const address = new URL(location.href)
  change(address.searchParams)
  return address.href
}

async function showOutcome(button, work) {
  button.dataset.label ??= button.textContent
  button.disabled = true
  const result = await work.then(
    () => _("Done"),
    (error) => _("Failed: {why}", { why: error.message }),
  )
  button.disabled = false
  button.textContent = result
  setTimeout(() => (button.textContent = button.dataset.label), 2000)
}

// Shows what is on the page now, and adds what comes while the panel is open. The last parts of a page come after its
// figures.
async function fill(parentElement) {
  const [how, { files, maps }] = await Promise.all([pictures(), taking()])
  const panel = parentElement.querySelector(".panel")
  const list = panel.querySelector("ul")
  let shown
  const showLines = () => {
    const figures = [...document.querySelectorAll(".ev-plot[data-drawn]")].map((root) =>
      figure(root, parentElement, how),
    )
    const lines = [...files(), ...maps(how), ...figures]
    const names = JSON.stringify(lines.map(({ title, actions }) => [title, Object.keys(actions)]))
    if (names === shown) return
    shown = names
    const focused = list.getRootNode().activeElement?.ariaLabel
    list.replaceChildren(...lines.map(({ title, actions }) => entry(title, actions)))
    ;[...list.querySelectorAll("button")].find(({ ariaLabel }) => ariaLabel === focused)?.focus()
  }
  showLines()
  if (panel.hidden) return
  let waiting
  watching?.disconnect()
  watching = new MutationObserver(() => {
    if (waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      showLines()
    }, 200)
  })
  watching.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-drawn", "data-loaded"] })
}

function figure(root, parentElement, { csv, picture, tables, titleOf }) {
  const title = titleOf(root)
  const table = () => show(parentElement, title, root.getAttribute("aria-label"), tables(root).map(tableOf))
  const actions = {
    PNG: () => picture(root, "png"),
    SVG: () => picture(root, "svg"),
    CSV: () => csv(root),
    [pgettext("of numbers, to read", "Table")]: table,
  }
  return { title, actions }
}

function entry(title, actions) {
  const action = (label, act) => {
    const button = element("button", label)
    button.setAttribute("aria-label", labelValue(label, title))
    button.onclick = () => showOutcome(button, Promise.resolve().then(act))
    return button
  }
  return element("li", [element("span", title), ...Object.entries(actions).map(([label, act]) => action(label, act))])
}

function show(parentElement, title, says, tables) {
  const dialog = parentElement.querySelector("dialog.figure")
  dialog.querySelector("h2").textContent = title
  dialog.querySelector(".says").textContent = says
  dialog.querySelector(".tables").replaceChildren(...tables)
  openDialog(dialog)
}

/**
 * @param {any} parentElement
 * @param {NonNullable<ShareData["code"]>} code
 */
function showCode(parentElement, { address, problem = "", rows = [] }) {
  asked = 0
  const dialog = parentElement.querySelector("dialog.whole")
  const drawing = dialog.querySelector("svg")
  drawing.toggleAttribute("hidden", !rows.length)
  drawCode(drawing, rows)
  const warning = problem || unreachable(address)
  dialog.querySelector(".problem").textContent = warning
  dialog.querySelector(".problem").hidden = !warning
  dialog.querySelector(".address").textContent = address
  if (!dialog.open) openDialog(dialog)
}

function tableOf({ title, head, rows }) {
  const cut = rows.length > MOST_ROWS || head.length > MOST_COLUMNS
  const size = `${rows.length} × ${head.length - 1}`
  const rest = _("the first {rows} × {columns} at most, all in the CSV", { rows: MOST_ROWS, columns: MOST_COLUMNS - 1 })
  const shown = (value) =>
    typeof value === "number" && !Number.isInteger(value) ? numeral(value.toFixed(4)) : plain(String(value))
  const line = (values, cellOf) =>
    element(
      "tr",
      values.slice(0, MOST_COLUMNS).map((value, n) => cellOf(shown(value), n)),
    )
  // The corner names neither a row nor a column.
  const names = line(head, (text) => (text === "" ? cell("td", "") : cell("th", text, "col")))
  const lines = rows
    .slice(0, MOST_ROWS)
    .map((row) => line(row, (text, n) => (n ? cell("td", text) : cell("th", text, "row"))))
  const caption = element(
    "caption",
    cut ? _("{title}, {size}; {rest}", { title, size, rest }) : _("{title}, {size}", { title, size }),
  )
  return element("table", [caption, element("thead", [names]), element("tbody", lines)])
}
