// In a frame of another site a page is as high as it needs to be, and says so to the page around it each time that this
// changes. In projection a slide is as high as the frame, and nothing is said.

export {} // nothing, but so it is a module

const PAGE = "[data-testid=stMainBlockContainer]"
const isPresented = () => new URLSearchParams(location.search).get("present") === "1"

let page
const sizes = new ResizeObserver(() => {
  const height = Math.ceil(page.getBoundingClientRect().height)
  // Whoever may show the page may know it.
  if (height && !isPresented()) parent.postMessage({ embedviz: { height } }, "*")
})
new MutationObserver(() => {
  const main = document.querySelector(PAGE)
  if (main === page) return
  sizes.disconnect()
  page = main
  if (page) sizes.observe(page)
}).observe(document, { childList: true, subtree: true })
