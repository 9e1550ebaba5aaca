// Every page lives one level below the start: Streamlit need not try out where its server is.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", document.baseURI).href }
// The site's policy forbids WebAssembly. A library of Streamlit's would try it and then do without, but Firefox would complain.
window.WebAssembly = undefined
