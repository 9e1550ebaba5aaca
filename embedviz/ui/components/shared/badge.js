// The badge names the pinned token. It is a button that releases the token. Escape and a click on an empty place
// release it as well.

import { _ } from "./i18n.js"
import { element } from "./elements.js"
import { hasModifier } from "./keys.js"
import { listen, lit, release } from "./link.js"

const TAKEN = "a, button, input, label, select, summary, textarea, dialog, [role=dialog], [role=listbox], [role=option]"
const STILL = 5 // pixels; a pointer that goes further drags
const style = element(
  "style",
  `
.ev-pin { position: fixed; right: clamp(0.75rem, 2.5vw, 3rem); bottom: 1rem; z-index: 1000; max-width: calc(100vw - 1.5rem);
  padding: 0.35rem 0.8rem; border-radius: 2rem; font: 600 1rem/1.4 "Source Sans", system-ui, sans-serif; cursor: pointer;
  overflow: hidden; text-overflow: ellipsis; white-space: pre; color: light-dark(#ffffff, #0f1218);
  background: light-dark(#171a22, #eceef4); border: 2px solid light-dark(#ffffff, #0f1218);
  box-shadow: 0 2px 12px rgb(0 0 0 / 0.4); }
.ev-pin:focus-visible { outline: 3px solid #2a7de1; outline-offset: 1px; }
.ev-pin[hidden] { display: none; }
:root[data-pinned] [data-testid=stMainBlockContainer] { padding-bottom: 4rem; }
.ev-said { position: fixed; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }`,
)
const badge = element("button", "", "ev-pin")
const status = element("div", "", "ev-said")
status.role = "status"
badge.hidden = true
badge.onclick = release
document.head.append(style)
document.body.append(badge, status)

listen("embedviz:pin", ({ names }) => {
  const wasThere = !badge.hidden
  const all = names.join(" · ")
  badge.hidden = !names.length
  document.documentElement.toggleAttribute("data-pinned", !badge.hidden)
  badge.style.colorScheme = getComputedStyle(document.querySelector("[data-testid=stApp]") ?? document.body).colorScheme
  badge.replaceChildren(_("Pinned: {token}", { token: `\u2068${all}\u2069` }), " ×")
  badge.setAttribute("aria-label", _("Release the pin: {token}", { token: all }))
  const said = names.length
    ? _("{token} is pinned. Escape lets go.", { token: all })
    : wasThere
      ? _("Nothing is pinned any more.")
      : ""
  if (said) status.textContent = said
})

// The page's own uses of Escape come first. They mark the event as used.
addEventListener("keydown", (event) => {
  if (
    event.key !== "Escape" ||
    hasModifier(event) ||
    event.defaultPrevented ||
    !lit().length ||
    document.querySelector("dialog[open], [role=dialog], [role=listbox]")
  )
    return
  event.preventDefault()
  release()
})

let from // where the pointer went down, and what was pinned then
addEventListener("pointerdown", ({ clientX, clientY }) => (from = { x: clientX, y: clientY, ids: lit() }), true)
addEventListener("click", (event) => {
  if (!from || !lit().length || lit() !== from.ids) return
  const isDrag = Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL
  const isTaken = event.composedPath().some((part) => part instanceof Element && part.matches(TAKEN))
  if (!isDrag && !isTaken) release()
})
