// A button in the page's header: the link to what is on screen, the page as a file, each figure as a picture.

import "./popovers.js" // here, since the button is on every page

// Loaded when the panel is first opened: few visitors share, all wait for what a page loads.
const pictures = () => import("./pictures.js")
const standalone = () => import("./standalone.js")

const MOST_ROWS = 200
const MOST_COLUMNS = 40
const stops = new WeakMap()

export function render({ parentElement }) {
  const [button, panel] = ["button", ".panel"].map((name) => parentElement.querySelector(name))
  if (stops.has(button)) return
  const open = (is) => {
    panel.hidden = !is
    button.setAttribute("aria-expanded", String(is))
    if (is) fill(parentElement)
  }
  button.onclick = () => open(panel.hidden)
  parentElement.querySelector(".link").onclick = ({ target }) => done(target, copy())
  parentElement.querySelector(".page").onclick = ({ target }) => done(target, standalone().then(({ savePage }) => savePage()))
  const leave = (event) => event.composedPath().includes(panel) || event.composedPath().includes(button) || open(false)
  const dialog = parentElement.querySelector("dialog")
  const escape = ({ key }) => key === "Escape" && !panel.hidden && !dialog.open && (open(false), button.focus())
  document.addEventListener("pointerdown", leave)
  document.addEventListener("keydown", escape)
  stops.set(button, () => {
    document.removeEventListener("pointerdown", leave)
    document.removeEventListener("keydown", escape)
  })
}

export function stop({ parentElement }) {
  const button = parentElement.querySelector("button")
  stops.get(button)?.()
  stops.delete(button)
}

// Without HTTPS browsers keep the clipboard closed to scripts, but not to a selection.
async function copy() {
  if (navigator.clipboard) return navigator.clipboard.writeText(location.href)
  const field = document.createElement("textarea")
  field.value = location.href
  document.body.append(field)
  field.select()
  const copied = document.execCommand("copy")
  field.remove()
  if (!copied) throw new Error("the browser did not copy")
}

async function done(button, work) {
  button.dataset.label ??= button.textContent
  button.disabled = true
  const result = await work.then(() => "Done", (error) => `Failed: ${error.message}`)
  button.disabled = false
  button.textContent = result
  setTimeout(() => (button.textContent = button.dataset.label), 2000)
}

async function fill(parentElement) {
  const how = await pictures()
  const figures = [...document.querySelectorAll(".ev-plot[data-drawn]")]
  parentElement.querySelector("ul").replaceChildren(...figures.map((root) => entry(root, parentElement, how)))
}

function entry(root, parentElement, { csv, picture, plain, tables, titleOf }) {
  const title = titleOf(root)
  const item = document.createElement("li")
  const name = document.createElement("span")
  name.textContent = title
  const action = (label, act) => {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = label
    button.setAttribute("aria-label", `${label}: ${title}`)
    button.onclick = () => done(button, Promise.resolve().then(act))
    return button
  }
  item.append(
    name,
    action("PNG", () => picture(root, "png")),
    action("SVG", () => picture(root, "svg")),
    action("CSV", () => csv(root)),
    action("Table", () => show(parentElement, title, root.getAttribute("aria-label"), tables(root).map((part) => tableOf(part, plain)))),
  )
  return item
}

function show(parentElement, title, says, tables) {
  const dialog = parentElement.querySelector("dialog")
  dialog.querySelector("h2").textContent = title
  dialog.querySelector(".says").textContent = says
  dialog.querySelector(".tables").replaceChildren(...tables)
  dialog.querySelector("button").onclick = () => dialog.close()
  dialog.showModal()
}

function tableOf({ title, head, rows }, plain) {
  const table = document.createElement("table")
  const caption = table.createCaption()
  const cut = rows.length > MOST_ROWS || head.length > MOST_COLUMNS
  const size = `${rows.length} × ${head.length - 1}`
  caption.textContent = cut ? `${title}, ${size}; the first ${MOST_ROWS} × ${MOST_COLUMNS - 1} at most, all in the CSV` : `${title}, ${size}`
  const line = (cells, kind, section) => {
    const row = section.insertRow()
    cells.slice(0, MOST_COLUMNS).forEach((value, n) => {
      const cell = document.createElement(kind === "th" || n === 0 ? "th" : "td")
      cell.scope = kind === "th" ? "col" : n === 0 ? "row" : ""
      cell.textContent = typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : plain(String(value))
      row.append(cell)
    })
  }
  line(head, "th", table.createTHead())
  const body = table.createTBody()
  rows.slice(0, MOST_ROWS).forEach((row) => line(row, "td", body))
  return table
}
