// The menu of pages. The stations of the road stand in a row where they fit, and the pages beside it open below them.
// Where they do not fit, one button opens all of them.

import { hasModifier } from "../../components/shared/keys.js"

const menu = /** @type {HTMLElement} */ (document.querySelector(".ev-pages"))
const [skip, ...buttons] = menu.querySelectorAll("button")
const [all, more] = buttons
const road = /** @type {HTMLOListElement} */ (menu.querySelector("ol"))
const links = [...menu.querySelectorAll("a")]
const TO_RIGHT = document.dir === "rtl" ? -1 : 1
const STEPS = { ArrowRight: TO_RIGHT, ArrowDown: 1, ArrowLeft: -TO_RIGHT, ArrowUp: -1 }

const isSeen = (element) => element.checkVisibility()
const isOpen = () => menu.classList.contains("open")

skip.onclick = () => document.querySelector("[data-testid=stMain]")?.focus()
for (const button of buttons) button.onclick = () => open(!isOpen())
menu.addEventListener("click", ({ target }) => target instanceof Element && target.closest("a") && open(false))
menu.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) open(false)
})
menu.addEventListener("keydown", go)
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || hasModifier(event) || !isOpen()) return
  open(false)
  buttons.find(isSeen)?.focus()
})
addEventListener("pointerdown", ({ target }) => menu.contains(/** @type {Node} */ (target)) || open(false), true)
addEventListener("popstate", mark)
new ResizeObserver(fold).observe(menu)
document.fonts.addEventListener("loadingdone", fold) // which may be after the row has been measured in another font

function open(is) {
  const focused = document.activeElement
  menu.classList.toggle("open", is)
  for (const button of buttons) button.ariaExpanded = String(is)
  if (focused && menu.contains(focused) && !isSeen(focused)) buttons.find(isSeen)?.focus()
}

// Arrow keys lead from name to name, and from a button into what it opens.
function go(event) {
  const step = STEPS[event.key]
  if (!step || hasModifier(event) || event.shiftKey) return
  event.preventDefault()
  if (event.key === "ArrowDown" && buttons.includes(event.target)) open(true)
  const stops = [...menu.querySelectorAll("a, button:not(.ev-skip)")].filter(isSeen)
  stops.at((stops.indexOf(event.target) + step) % stops.length)?.focus()
}

function mark() {
  open(false)
  const here = links.find(({ pathname }) => pathname === location.pathname)
  const before = links.find(({ ariaCurrent }) => ariaCurrent)
  if (!here || here === before) return
  before?.removeAttribute("aria-current")
  here.ariaCurrent = "page"
  if (before) all.ariaLabel = (all.ariaLabel ?? "").replace(before.textContent, here.textContent)
  all.textContent = here.textContent
  more.querySelector("b")?.replaceChildren(road.contains(here) ? "" : here.textContent)
  fold()
}

function fold() {
  menu.classList.remove("folded")
  menu.classList.toggle("folded", road.scrollWidth > road.clientWidth)
}
