// Every page lives one level below the start: Streamlit need not try out where its server is.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", document.baseURI).href }
