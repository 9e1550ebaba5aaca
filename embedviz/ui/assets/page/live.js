// Streamlit's text area waits for Ctrl+Enter or for the focus to leave; this presses Ctrl+Enter as soon as
// the typing pauses.

const PAUSE = 250

// The text area with this label updates while one types; returns what ends that.
export function live(label) {
  let timer = 0
  const wait = ({ target, isComposing }) => {
    if (target.tagName !== "TEXTAREA" || target.getAttribute("aria-label") !== label) return
    clearTimeout(timer)
    if (!isComposing) timer = setTimeout(() => target.dispatchEvent(enter()), PAUSE)
  }
  const events = ["input", "compositionend"]
  events.forEach((name) => document.addEventListener(name, wait))
  return () => {
    clearTimeout(timer)
    events.forEach((name) => document.removeEventListener(name, wait))
  }
}

const enter = () => new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true })
