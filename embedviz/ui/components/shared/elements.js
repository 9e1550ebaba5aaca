// Elements of the page made by hand. Text only: what users typed is never read as HTML.

/**
 * content: a text, or a list of elements and texts. kind: its class.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string | number | (Node | string)[]} [content]
 */
export function element(tag, content = "", kind = "") {
  const node = document.createElement(tag)
  if (Array.isArray(content)) node.append(...content)
  else node.textContent = String(content)
  if (kind) node.className = kind
  if (tag === "button") node.setAttribute("type", "button")
  return node
}

/**
 * @template {Element} Kind
 * @param {Kind} part
 * @param {Record<string, unknown>} attributes
 */
export function set(part, attributes) {
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, String(value))
  return part
}

/**
 * A part of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 */
export const shape = (tag, attributes) => set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes)

/**
 * A cell of a table. scope: what it names, "row" or "col", if it does.
 * @param {"td" | "th"} tag
 */
export function cell(tag, text, scope = "") {
  const node = element(tag, text)
  if (scope) node.scope = scope
  return node
}

// A text in pieces. Every second piece holds the marks for characters that cannot be seen, and is paler than the words.
export const marked = (text) =>
  String(text)
    .split(/([␣⏎⇥␍⍽]+)/)
    .map((piece, n) => element("span", piece, n % 2 ? "mark" : ""))

/**
 * A link to a view, as links.py makes it. `page/address.js` takes the visitor there, with the settings that travel.
 * @param {Link} link
 */
export function viewLink({ text, address, query, rel = "" }) {
  const link = element("a", text)
  link.href = new URL(`./${address}${query.endsWith("=") ? "" : `?${query}`}`, document.baseURI).href
  Object.assign(link, { rel }).dataset.view = query
  return link
}

/**
 * Such links, but none in a page that was saved as a file: beside it there is no site.
 * @param {Link[]} [links]
 */
export const viewLinks = (links = []) => (document.getElementById("ev-address") ? links.map(viewLink) : [])

const FIRST = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

// Whether a text runs to the left, which its first letter says.
export const runsLeft = (text) => RIGHT_TO_LEFT.test(FIRST.exec(text)?.[0] ?? "")

// A row of tokens runs as their text does, whatever the language around it.
/**
 * @param {HTMLElement} row
 * @param {string[]} texts
 */
export function runAs(row, texts) {
  row.dir = runsLeft(texts.join("")) ? "rtl" : "ltr"
}

// A part that scrolls must be reached by keyboard, and must have a name.
export function reachable(part, label) {
  part.tabIndex = 0
  part.setAttribute("role", "group")
  part.setAttribute("aria-label", label)
  return part
}

// A height as a part of the window's, which in a frame is the height of another window (assets/page/site.css).
export const tall = (height) => height.replace(/([\d.]+)vh/g, "calc($1 * var(--ev-vh, 1vh))")

export function openDialog(dialog) {
  dialog.querySelector("button").onclick = () => dialog.close()
  dialog.showModal()
}

// A label as a reader sees it. For Plotly it is written with tags and entities, and with marks for the direction of
// words.
/** @type {HTMLTextAreaElement | undefined} */
let reader
export function plain(text) {
  reader ??= document.createElement("textarea")
  reader.innerHTML = text.replace(/<[^>]*>/g, "").replace(/[\u2068\u2069\u200e]/g, "")
  return reader.value
}
