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
notice.textContent = _("The connection is lost. Your texts and settings stand in the address; the page tries again by itself.")

const RERUN = { key: "r", code: "KeyR", keyCode: 82, which: 82, bubbles: true }
let wasConnected = false
let isLost = false
let timer
const look = ([{ target }]) => {
  const isConnected = target.dataset.testConnectionState === "CONNECTED"
  wasConnected ||= isConnected
  if (isConnected) {
    if (isLost) setTimeout(() => document.body.dispatchEvent(new KeyboardEvent("keydown", RERUN)))
    clearTimeout(timer)
    timer = undefined
    notice.remove()
    delete document.documentElement.dataset.away
  } else if (wasConnected && !timer) {
    timer = setTimeout(() => {
      notice.style.colorScheme = getComputedStyle(target).colorScheme
      document.body.append(notice)
      document.documentElement.dataset.away = ""
    }, MOMENT)
  }
  isLost = wasConnected && !isConnected
}
new MutationObserver(look).observe(document, { subtree: true, attributeFilter: ["data-test-connection-state"] })

// A page that is not connected asks whether the server is full. If so, the page is loaded again: the visitor then gets
// the notice that the server is full, which tries again by itself. Otherwise Streamlit goes on trying.
const PAUSE = 1500
const isConnected = () => document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState === "CONNECTED"

async function ask(wasConnected) {
  const connected = isConnected()
  if (!connected && !wasConnected) {
    const { status, headers } = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => ({}))
    if (status === 503 && headers.has("Retry-After") && !isConnected()) location.reload()
  }
  setTimeout(ask, PAUSE, connected)
}
setTimeout(ask, PAUSE, true)
