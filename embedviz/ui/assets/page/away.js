// When a page has lost its connection for longer than a moment, this notice says so, and says what happens next.
// Streamlit's own dialog would name Streamlit and lie over the picture. A connection that came back may lead to another
// server, which knows nothing of the page until all of it runs there: Streamlit (1.67) would wait for an edit, and then
// run a part that the other server has never seen. The key R makes it run all.
import { _ } from "../../components/shared/i18n.js"

const MOMENT = 2500
const style = document.createElement("style")
style.textContent = `
.ev-away { position: fixed; left: 50%; bottom: 1rem; transform: translateX(-50%); z-index: 1000001; box-sizing: border-box;
  width: max-content; max-width: calc(100vw - 1.5rem); padding: 0.7rem 1rem; border-radius: 0.5rem; font: 1rem/1.5
  "Source Sans", system-ui, sans-serif; color: light-dark(#171a22, #eceef4); background: light-dark(#fdeee2, #3a2413);
  border: 1px solid light-dark(#d5dae2, #39414f); box-shadow: 0 2px 12px rgb(0 0 0 / 0.4); }
:root[data-away] [data-testid="stDialog"] { display: none; }`
document.head.append(style)

const notice = document.createElement("div")
notice.role = "alert"
notice.className = "ev-away"
const LOST = _("The connection is lost. Your texts and settings stand in the address; the page tries again by itself.")

const app = () => document.querySelector("[data-testid=stApp]")

function show(text) {
  notice.textContent = text
  notice.style.colorScheme = getComputedStyle(app() ?? document.body).colorScheme
  document.body.append(notice)
  document.documentElement.dataset.away = ""
}

const RERUN = { key: "r", code: "KeyR", keyCode: 82, which: 82, bubbles: true }
let hasBeenConnected = false
let isLost = false
let timer
/** @param {MutationRecord[]} changes */
const followConnection = ([{ target }]) => {
  const isConnected = /** @type {HTMLElement} */ (target).dataset.testConnectionState === "CONNECTED"
  hasBeenConnected ||= isConnected
  if (isConnected) {
    if (isLost) setTimeout(() => document.body.dispatchEvent(new KeyboardEvent("keydown", RERUN)))
    clearTimeout(timer)
    timer = undefined
    notice.remove()
    delete document.documentElement.dataset.away
  } else if (hasBeenConnected && !timer) {
    timer = setTimeout(show, MOMENT, LOST)
  }
  isLost = hasBeenConnected && !isConnected
}
new MutationObserver(followConnection).observe(document, {
  subtree: true,
  attributeFilter: ["data-test-connection-state"],
})

// A page that is not connected asks whether the server is full. If so, the page is loaded again: the visitor then gets
// the notice that the server is full, which tries again by itself. Otherwise Streamlit goes on trying. No script learns
// why a websocket was refused, so a page that has never been connected asks by a request that is refused for the same
// reason. If that comes through, a proxy lets no websocket through.
const PAUSE = 1500
const REFUSED = 2 // pauses
const UNHEARD = 8
const NOT_UPGRADED = _("No websocket reaches the server. A proxy in front of it must pass on Upgrade and Connection.")
const isConnected = () => app()?.dataset.testConnectionState === "CONNECTED"
let nUnconnected = 0

async function ask(wasConnected) {
  const connected = isConnected()
  if (!connected && !wasConnected) {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined)
    if (answer?.status === 503 && answer.headers.has("Retry-After") && !isConnected()) location.reload()
    if (answer?.status === 200) await tellWhy()
  }
  setTimeout(ask, PAUSE, connected)
}

async function tellWhy() {
  if (hasBeenConnected || !app()) return
  nUnconnected += 1
  const text =
    nUnconnected === REFUSED ? await refusal() : nUnconnected === UNHEARD && !notice.isConnected ? NOT_UPGRADED : ""
  if (text && !isConnected()) show(text)
}

async function refusal() {
  const answer = await fetch(location.href, { method: "OPTIONS" }).catch(() => undefined)
  const isOurs = answer?.status === 403 && answer.headers.get("Content-Type")?.startsWith("text/plain")
  return isOurs ? answer.text() : ""
}

setTimeout(ask, PAUSE, true)
