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
