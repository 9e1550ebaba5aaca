// A button such as "Settings" opens a sheet, which Streamlit puts at the end of the page, where Tab comes last. Here
// the focus goes into the sheet when a key opens it, and back to the button from the last field or when the sheet
// closes.

import { hasModifier } from "../../components/shared/keys.js"

const BUTTON = "[data-testid=stPopoverButton]"
const BODY = "[data-testid=stPopoverBody]"
const FIELDS = "a[href], button, input, select, textarea, summary, [tabindex]"
/** @type {HTMLElement | null} */
let opener = null

const fields = (body) => [...body.querySelectorAll(FIELDS)].filter((field) => !field.disabled && field.tabIndex >= 0)

document.addEventListener(
  "keydown",
  (event) => {
    if (hasModifier(event)) return
    const { key, target, shiftKey } = event
    if (!(target instanceof Element)) return
    const button = /** @type {HTMLElement | null} */ (target.closest(BUTTON))
    const body = target.closest(BODY)
    if (button && (key === "Enter" || key === " ") && button.getAttribute("aria-expanded") !== "true") {
      opener = button
      enter()
    } else if (body && opener && key === "Escape") {
      setTimeout(() => document.querySelector(BODY) || opener?.focus())
    } else if (body && opener && key === "Tab" && target === fields(body).at(shiftKey ? 0 : -1)) {
      event.preventDefault()
      opener.focus()
    }
  },
  true,
)

// Waits until the sheet is there, as long as the focus stays where it was.
function enter() {
  const body = document.querySelector(BODY)
  if (body) fields(body)[0]?.focus({ focusVisible: true })
  if (document.activeElement === opener) requestAnimationFrame(enter)
}
