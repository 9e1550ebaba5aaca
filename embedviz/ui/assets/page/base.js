// Where scripts run, the page does not say that it needs them.
document.documentElement.dataset.scripts = ""
// Every page is one level below the start, so Streamlit need not try out where its server is.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", document.baseURI).href }
// In a sandboxed frame without an address of its own browsers run this script, but no module, and so they draw no page.
if (window.origin === "null") {
  const { framed } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset
  addEventListener("DOMContentLoaded", () =>
    document.getElementById("root")?.setAttribute("data-loading", framed ?? ""),
  )
}
// Streamlit would load all of its icons at the start, 0.4 MB. The few that the pages have come as soon as one is shown.
const loadFont = document.fonts.load.bind(document.fonts)
document.fonts.load = (font, ...text) =>
  font.includes("Material Symbols") ? Promise.resolve([]) : loadFont(font, ...text)
// The site's policy forbids WebAssembly. A library of Streamlit's would try it and go on without it, but Firefox would
// report an error.
Object.assign(window, { WebAssembly: undefined })

// `embed=true` is what Streamlit, too, calls a page in a frame of another site; `embed=1` means the same.
document.documentElement.toggleAttribute("data-embed", /[?&;]embed=(1|true)(&|$)/.test(location.search))
if (document.documentElement.hasAttribute("data-embed")) {
  history.replaceState(
    history.state,
    "",
    location.pathname + location.search.replace(/([?&;]embed=)1(?=&|$)/, "$1true") + location.hash,
  )
  import("./framed.js")
}
