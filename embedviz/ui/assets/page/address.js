// The address holds everything that the visitor sees: page, view, texts, settings, pin, and how far positions are
// added. Nothing else is taken from page to page. When Streamlit writes the address, it does so through this script
// too. Each page, each view and each source has one entry in the browser's history; a letter or a slider's step
// changes the entry that is there.

// A page that was saved as a file has no address to write.
/** @type {AddressFacts} */
const about = JSON.parse(globalThis.document?.getElementById("ev-address")?.textContent ?? "null")
// A link that went through HTML says &amp; for &, which the server reads so too (`server/address.py`), or &#38;, of
// which no server gets what stands after #.
const AMPERSAND = /&((amp|#0*38|#x0*26)(;|%3B))+/gi
if (about)
  history.replaceState(history.state, "", location.pathname + (location.search + location.hash).replace(AMPERSAND, "&"))
const OURS = ["pin", "shown", "slide", "solved"] // no control holds these
const LINKS = ".ev-pages a, [data-testid=stPageLink-NavLink], a[data-view]"
const TEXTS = ["a", "b"]

const read = (search) => [...new URLSearchParams(search)]
const written = (pairs) => new URLSearchParams(pairs).toString()

// For each page, by its path: its own settings when it was left. Entries of the history keep them for a page that is
// loaded again.
const pages = new Map(Object.entries(globalThis.history?.state?.pages ?? {}))
// Texts that are taken to the next page although the address of this page has no room for them.
let left = globalThis.history?.state?.left ?? []

// Settings that a page has written by itself, by their names: nobody has chosen these values.
const opened = new Map(Object.entries(globalThis.history?.state?.opened ?? {}))

// A visitor's language is that of the whole visit, also on entries of the history that are older than the choice.
const spoken = new URLSearchParams(globalThis.location?.search).get("lang")

export const value = (name) => new URLSearchParams(location.search).get(name)

// How much of the positions a page shows, in percent, if its address does not say it.
export const opensAt = () => about?.opensAt[nameOf(location)] ?? 100

// Write into the address what only scripts know. A value of null is taken out of the address.
export function keep(name, text) {
  if (!about || value(name) === text) return
  const address = new URL(location.href)
  if (text === null) address.searchParams.delete(name)
  else address.searchParams.set(name, text)
  write(address)
}

const browser = about && { pushState: history.pushState, replaceState: history.replaceState }

function write(address) {
  if (address.searchParams.get("present") !== "1") address.searchParams.delete("slide")
  const named = read(address.search).map(([key, text]) => [key, nameIn(address, key, text)])
  if (written(named) !== written(read(address.search))) address.search = written(named)
  fit(address)
  remember(address)
  const how = placeOf(address) === placeOf(location) ? "replaceState" : "pushState"
  browser[how].call(
    history,
    { pages: Object.fromEntries(pages), left, opened: Object.fromEntries(opened) },
    "",
    address,
  )
}

const kept = (address) => about.keeps[nameOf(address)] ?? {}
const keeps = (address, name) => name in kept(address)
const isOwn = (address, name) => !about.travels.includes(name) || keeps(address, name)
const remember = (address) =>
  pages.set(address.pathname, written(read(address.search).filter(([name]) => isOwn(address, name))))
// The name of an option in the address. No language and no new wording changes it.
const nameIn = (address, key, text) =>
  (key === "view" ? about.views[nameOf(address)] : about.options[key])?.[text] ?? text
const placeOf = ({ pathname, search }) =>
  JSON.stringify([pathname, ...about.places.map((name) => chosen(search, name))])
const chosen = (search, name) => new URLSearchParams(search).getAll(name).filter((text) => opened.get(name) !== text)

// Streamlit writes addresses without the settings that only scripts know, so these are added here.
function writeForStreamlit(_state, _title, wanted) {
  const address = new URL(wanted ?? "", location.href)
  if (address.pathname === location.pathname) {
    for (const name of OURS) {
      const text = value(name)
      if (text !== null) address.searchParams.set(name, text)
    }
    for (const [name, text] of read(address.search))
      if (keeps(address, name) && value(name) === null) opened.set(name, text)
  }
  write(address)
}

// If an address is so long that servers would refuse it, a page that does not show the two sentences leaves them out.
function fit(address) {
  const shows = about.pages[nameOf(address)] ?? true
  const size = () => address.pathname.length + address.search.length
  for (const name of TEXTS) {
    if (shows || size() <= about.most) return
    if (address.searchParams.has(name))
      left = [...left.filter(([other]) => other !== name), [name, address.searchParams.get(name)]]
    address.searchParams.delete(name)
  }
}

const nameOf = ({ pathname }) => pathname.slice(pathname.lastIndexOf("/") + 1)

// The name of the last view of the page that a link leads to; "" if it has one view.
export const lastViewOf = (link) => Object.values(about?.views[nameOf(link)] ?? {}).at(-1) ?? ""

// The link that was met. It may be inside a component, which the document itself cannot look into.
const linkOf = (event) => event.composedPath().find((part) => part instanceof Element && part.matches(LINKS))

// A link of a lesson says the whole view that it leads to. How pages are shown and what is solved are taken along.
const isOfLesson = (link) =>
  /(^|&)lesson=[^&]/.test(link.dataset.view) || link.closest("[class*=st-key-lesson_]") !== null
/** @param {string[]} pair */
const isOfVisit = ([name]) => ["present", "lang", "embed", "embed_options", "solved"].includes(name)

// The address of the page that a link leads to, with all settings that are taken there. A link of our own also names
// the view of that page. The address of a page's first view does not name it.
function addressOf(link) {
  // Streamlit's links to the first page name no page.
  const href = (link.getAttribute("href") || ".").replace(/^[?]/, ".?")
  const address = new URL(href, location.href)
  if (isOfLesson(link)) {
    address.search = written([
      ...read(location.search).filter(isOfVisit),
      ...read(address.search).filter((pair) => !isOfVisit(pair)),
    ])
    return address
  }
  const asked = read(link.dataset.view ?? "")
  const isAsked = (name) => asked.some(([other]) => other === name)
  const isOfPage = ([name, text]) => keeps(location, name) && [opened.get(name), kept(location)[name]].includes(text)
  const isTaken = (pair) => about.travels.includes(pair[0]) && !isAsked(pair[0]) && !isOfPage(pair)
  const luggage = [...left, ...read(location.search)].filter(isTaken)
  const taken = [...luggage, ...asked].map(([name]) => name)
  const own = address.pathname === location.pathname ? read(location.search) : read(pages.get(address.pathname) ?? "")
  address.search = written([
    ...luggage,
    ...own.filter(([name]) => isOwn(address, name) && !taken.includes(name)),
    ...asked.filter(([, view]) => view),
  ])
  return address
}

// Streamlit hears of an address only when it knows the site's pages, which come with the first page.
const isListening = () => document.querySelector("[data-testid=stMain] h1") !== null

// Streamlit reads an address that the visitor comes back to whole, so all roads lead there as Back does.
function go(event) {
  const link = linkOf(event)
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const address = addressOf(link)
  if (placeOf(address) === placeOf(location) && !isOfLesson(link)) return
  event.stopPropagation()
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0) // a new page is shown from its top
  left = []
  write(address)
  if (isListening()) dispatchEvent(new PopStateEvent("popstate", { state: history.state }))
  else location.reload()
}

if (about) {
  remember(location)
  history.pushState = writeForStreamlit
  history.replaceState = writeForStreamlit
  addEventListener("click", go, true)
  // This is for visitors who open a new tab or copy the link.
  const complete = (event) => {
    const link = linkOf(event)
    if (link) link.href = addressOf(link)
  }
  for (const name of ["pointerover", "pointerdown", "focusin"]) addEventListener(name, complete, true)
  addEventListener("popstate", () => {
    keep("lang", spoken)
    left = history.state?.left ?? []
    remember(location)
    document.dispatchEvent(new CustomEvent("embedviz:address"))
  })
}
