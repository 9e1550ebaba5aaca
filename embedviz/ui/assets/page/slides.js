// In projection a page shows one view at a time, like slides: arrow keys, and the keys of a presenter's remote control,
// lead to the next one and back. The tour has steps instead, and what has the focus may use the keys itself.

const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key]
  const isFree = event.composedPath()[0].matches("body, main, [data-testid=stMain]")
  if (!step || !isFree || new URLSearchParams(location.search).get("present") !== "1") return
  const views = [...document.querySelectorAll(".st-key-frame_views [role=radio]")]
  const next = views[views.findIndex((view) => view.ariaChecked === "true" || view.checked) + step]
  if (!next) return
  event.preventDefault()
  next.click()
})
