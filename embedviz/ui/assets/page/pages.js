// The menu of pages. It is a row of links where they fit, and a button that opens a list where they do not.

const menu = document.querySelector(".ev-pages")
const [skip, button] = menu.querySelectorAll("button")
const list = menu.querySelector("ul")
const links = [...menu.querySelectorAll("a")]

skip.onclick = () => document.querySelector("[data-testid=stMain]")?.focus()
button.onclick = () => open(button.ariaExpanded !== "true")
addEventListener("keydown", ({ key }) => key === "Escape" && button.ariaExpanded === "true" && (open(false), button.focus()))
addEventListener("pointerdown", ({ target }) => menu.contains(target) || open(false))
addEventListener("popstate", mark)
new ResizeObserver(fold).observe(menu)
document.fonts.addEventListener("loadingdone", fold) // which may be after the row has been measured in another font

function open(is) {
  button.ariaExpanded = String(is)
}

function mark() {
  const here = links.find(({ pathname }) => pathname === location.pathname)
  const before = links.find(({ ariaCurrent }) => ariaCurrent)
  if (!here || here === before) return
  before?.removeAttribute("aria-current")
  here.ariaCurrent = "page"
  if (before) button.textContent = button.textContent.replace(before.textContent, here.textContent)
  open(false)
}

function fold() {
  menu.classList.remove("folded")
  menu.classList.toggle("folded", list.scrollWidth > list.clientWidth)
}
