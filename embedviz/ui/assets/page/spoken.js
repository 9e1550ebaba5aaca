// Streamlit has words of its own, in English alone. Those that are heard of its fields are said in the page's language
// here, whenever a field has come or a sheet has opened. Those that are seen are in site.css.

import { _ } from "../../components/shared/i18n.js"

const HELP = "Help for "
const SAID = { "Clear value": _("Clear value"), Increment: _("Increment"), Decrement: _("Decrement"), Open: _("Open") }
const FIELDS = [`[aria-label^="${HELP}"]`, ...Object.keys(SAID).map((label) => `[aria-label="${label}"]`)].join()

const translateLabels = () =>
  document.querySelectorAll(FIELDS).forEach((field) => {
    const label = field.getAttribute("aria-label") ?? ""
    field.setAttribute("aria-label", SAID[label] ?? _("Help for {field}", { field: label.slice(HELP.length) }))
  })
const changes = { subtree: true, childList: true, attributeFilter: ["aria-expanded"] }
if (document.documentElement.lang !== "en") {
  let frame = 0 // the fields are gone through once a frame, however much has changed
  const schedule = () => {
    if (frame) return
    frame = requestAnimationFrame(() => {
      frame = 0
      translateLabels()
    })
  }
  translateLabels()
  new MutationObserver(schedule).observe(document, changes)
}
