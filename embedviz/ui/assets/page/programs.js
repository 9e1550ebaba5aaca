// Programs scroll sideways, so the keyboard must reach them; Streamlit leaves that to the browser.

import { reachable } from "../../components/shared/elements.js"
import { _ } from "../../components/shared/i18n.js"
import { on } from "../../components/shared/instances.js"

const watched = new WeakSet()

export function reachPrograms() {
  document.querySelectorAll("details[open]").forEach((target) => opened({ target })) // before this was loaded
  return on(document, "toggle", opened, true) // folds open; the event does not bubble
}

// A program is written again when its colours have been worked out, and after an edit.
function opened({ target }) {
  name(target)
  if (watched.has(target)) return
  watched.add(target)
  new MutationObserver(() => name(target)).observe(target, { childList: true, subtree: true })
}

function name(fold) {
  fold.querySelectorAll('[data-testid="stCode"] pre:not([tabindex])').forEach((block) => {
    reachable(block, _("Program"))
  })
}
