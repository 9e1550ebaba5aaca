// Streamlit has words of its own, in English alone. Those that are heard of its fields are said in the page's language
// here, whenever a field has come or a sheet has opened. Those that are seen are in site.css. The numbers of its sliders
// are written in the page's language here, too.

import { _, numeral } from "../../components/shared/i18n.js"

const HELP = "Help for "
const SAID = { "Clear value": _("Clear value"), Increment: _("Increment"), Decrement: _("Decrement"), Open: _("Open") }
const FIELDS = [`[aria-label^="${HELP}"]`, ...Object.keys(SAID).map((label) => `[aria-label="${label}"]`)].join()

const translateLabels = () =>
  document.querySelectorAll(FIELDS).forEach((field) => {
    const label = field.getAttribute("aria-label") ?? ""
    field.setAttribute("aria-label", SAID[label] ?? _("Help for {field}", { field: label.slice(HELP.length) }))
  })
const SHOWN = '[data-testid="stSliderThumbValue"], [data-testid^="stSliderTickBar"]'
const HEARD = '[data-testid="stSlider"] [aria-valuetext]'
const written = (said) => (/^-?\d+\.\d+$/.test(said) ? numeral(said) : said)
// Streamlit writes the next number over this one, since it remembers its own.
const translateNumbers = () => {
  for (const shown of document.querySelectorAll(SHOWN)) {
    const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const said = written(text.nodeValue)
      if (said !== text.nodeValue) text.nodeValue = said
    }
  }
  for (const heard of document.querySelectorAll(HEARD)) {
    const said = written(heard.getAttribute("aria-valuetext"))
    if (said !== heard.getAttribute("aria-valuetext")) heard.setAttribute("aria-valuetext", said)
  }
}
const changes = {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ["aria-expanded", "aria-valuetext"],
}
if (document.documentElement.lang !== "en") {
  let frame = 0 // the fields are gone through once a frame, however much has changed
  const schedule = () => {
    if (frame) return
    frame = requestAnimationFrame(() => {
      frame = 0
      translateLabels()
      translateNumbers()
    })
  }
  translateLabels()
  translateNumbers()
  new MutationObserver(schedule).observe(document, changes)
}
