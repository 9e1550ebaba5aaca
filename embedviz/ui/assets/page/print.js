// A page that is printed has another width than its window, and pictures have the size that was measured for them. So
// they are fitted to the paper, and to the window again afterwards. Chromium and Safari say when the page has the width
// of the paper. Firefox does not, and prints the page as it is after `beforeprint`: there it gets a width that all
// paper has. Pictures hear of it by `onResize` (shared/instances.js), whose listeners come after these.

const PAPER = "44rem" // of A4 and of Letter, with their margins
const sheet = document.getElementById("ev-print")
const { style } = document.documentElement
const print = matchMedia("print")

addEventListener("beforeprint", () => {
  sheet.media = "all"
  style.setProperty("--ev-paper", PAPER)
})
print.addEventListener("change", () => style.removeProperty("--ev-paper"))
addEventListener("afterprint", () => {
  sheet.media = "print"
  style.removeProperty("--ev-paper")
})
