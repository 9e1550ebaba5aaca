// A page that is not connected asks whether the server is full. If so, the page is loaded again: the visitor then gets
// the notice that the server is full, which tries again by itself. Otherwise Streamlit goes on trying.
{
  const PAUSE = 1500
  const isConnected = () =>
    document.querySelector('[data-testid="stApp"]')?.dataset.testConnectionState === "CONNECTED"

  const look = async wasConnected => {
    const connected = isConnected()
    if (!connected && !wasConnected) {
      const { status, headers } = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => ({}))
      if (status === 503 && headers.has("Retry-After") && !isConnected()) location.reload()
    }
    setTimeout(look, PAUSE, connected)
  }
  setTimeout(look, PAUSE, true)
}
// A connection that came back may lead to another server, which knows nothing of the page until all of it runs there:
// Streamlit (1.67) would wait for an edit, and then run a part that the other server has never seen.
{
  let lost
  const look = ([{ target }]) => {
    const isThere = target.dataset.testConnectionState === "CONNECTED"
    if (isThere && lost) {
      const key = { key: "r", code: "KeyR", keyCode: 82, which: 82, bubbles: true }
      setTimeout(() => document.body.dispatchEvent(new KeyboardEvent("keydown", key)))
    }
    lost = isThere ? false : lost === false || lost
  }
  new MutationObserver(look).observe(document, { subtree: true, attributeFilter: ["data-test-connection-state"] })
}
