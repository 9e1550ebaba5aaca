// A page that is printed has another width than its window, and pictures have the size that was measured for them. They
// hear of it by `onResize` (shared/instances.js), from browsers that say when a page has the width of its paper.
// Firefox does not: it prints the page as it is after `beforeprint`. So there it gets the style of paper (print.css)
// before, and a width that all paper has.

if (CSS.supports("-moz-appearance", "none")) {
  const sheet = /** @type {HTMLLinkElement} */ (document.getElementById("ev-print"))
  const { style } = document.documentElement
  addEventListener("beforeprint", () => {
    sheet.media = "all"
    style.setProperty("--ev-paper", "44rem") // of A4 and of Letter, with their margins
  })
  addEventListener("afterprint", () => {
    sheet.media = "print"
    style.removeProperty("--ev-paper")
  })
}
