// Every page is one level below the start, so Streamlit need not try out where its server is.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", document.baseURI).href }
// The site's policy forbids WebAssembly. A library of Streamlit's would try it and go on without it, but Firefox would
// report an error.
window.WebAssembly = undefined
