// The address is what the visitor sees, written down: page, view, texts, settings, pin, how far positions are shown. It is
// all that goes from page to page, and Streamlit's own writing passes through here too. A page has one entry in the
// browser's history and so has a view; a letter or a slider's step changes the entry that is there.

// A page that was saved as a file has no address to write.
const about = JSON.parse(document.getElementById("ev-address")?.textContent ?? "null")
const OURS = ["pin", "shown"] // of these the server knows nothing
const LINKS = "[data-testid=stTopNavLink], [data-testid=stTopNavDropdownLink], [data-testid=stSidebarNavLink], [data-testid=stPageLink-NavLink]"
const TEXTS = ["a", "b"]

const read = (search) => [...new URLSearchParams(search)]
const written = (pairs) => new URLSearchParams(pairs).toString()

// By the path of a page: what belonged to it when it was left. Entries of the history keep it, for who loads the page again.
const pages = new Map(Object.entries(history.state?.pages ?? {}))
// Texts that go along although the address of this page has no room for them.
let left = history.state?.left ?? []

export const value = (name) => new URLSearchParams(location.search).get(name)

// Note what only scripts know of; null takes it out of the address.
export function keep(name, text) {
  if (!about || value(name) === text) return
  const address = new URL(location.href)
  if (text === null) address.searchParams.delete(name)
  else address.searchParams.set(name, text)
  write(address)
}

const browser = { pushState: history.pushState, replaceState: history.replaceState }

function write(address) {
  if (read(address.search).some(([key, text]) => named(key, text) !== text)) {
    address.search = written(read(address.search).map(([key, text]) => [key, named(key, text)]))
  }
  fit(address)
  remember(address)
  const how = placeOf(address) === placeOf(location) ? "replaceState" : "pushState"
  browser[how].call(history, { pages: Object.fromEntries(pages), left }, "", address)
}

const remember = ({ pathname, search }) => pages.set(pathname, written(read(search).filter(([name]) => !about.travels.includes(name))))
// An option by its name, which no language and no new wording changes.
const named = (key, text) => about.options[key]?.[text] ?? text
const placeOf = ({ pathname, search }) => JSON.stringify([pathname, ...about.places.map((name) => new URLSearchParams(search).getAll(name))])

// What Streamlit writes knows nothing of what only scripts know.
function writeForStreamlit(_state, _title, wanted) {
  const address = new URL(wanted ?? "", location.href)
  if (address.pathname === location.pathname) {
    for (const name of OURS) if (value(name) !== null) address.searchParams.set(name, value(name))
  }
  write(address)
}

// A page that does not show the two sentences leaves them out of an address that servers would refuse.
function fit(address) {
  const shows = about.pages[nameOf(address)] ?? true
  const size = () => address.pathname.length + address.search.length
  for (const name of TEXTS) {
    if (shows || size() <= about.most) return
    if (address.searchParams.has(name)) left = [...left.filter(([other]) => other !== name), [name, address.searchParams.get(name)]]
    address.searchParams.delete(name)
  }
}

const nameOf = ({ pathname }) => pathname.slice(pathname.lastIndexOf("/") + 1)

// The address of the page that a link leads to, with all that goes along.
function addressOf(link) {
  const address = new URL(link.href)
  const luggage = [...left, ...read(location.search)].filter(([name]) => about.travels.includes(name))
  const own = address.pathname === location.pathname ? read(location.search) : read(pages.get(address.pathname) ?? "")
  address.search = written([...luggage, ...own.filter(([name]) => !about.travels.includes(name))])
  return address
}

// Streamlit reads an address that the visitor comes back to whole, so all roads lead there as Back does.
function go(event) {
  const link = event.target.closest?.(LINKS)
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const address = addressOf(link)
  if (address.pathname === location.pathname) return
  event.stopPropagation()
  leaveMenu(link)
  left = []
  write(address)
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }))
}

// A menu that opens over the page closes, as it does for Streamlit; a page is read from its top.
function leaveMenu(link) {
  link.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }))
  link.closest("[data-testid=stSidebar]")?.querySelector("[data-testid=stSidebarCollapseButton] button")?.click()
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}

if (about) {
  remember(location)
  history.pushState = writeForStreamlit
  history.replaceState = writeForStreamlit
  addEventListener("click", go, true)
  // For a new tab, and for who copies the link.
  const complete = ({ target }) => {
    const link = target.closest?.(LINKS)
    if (link) link.href = addressOf(link)
  }
  for (const name of ["pointerover", "pointerdown", "focusin"]) addEventListener(name, complete, true)
  addEventListener("popstate", () => {
    left = history.state?.left ?? []
    remember(location)
    document.dispatchEvent(new CustomEvent("embedviz:address"))
  })
}
