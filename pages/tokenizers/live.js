// Streamlit's text area waits until the visitor presses Ctrl+Enter or leaves the field. This script presses Ctrl+Enter
// as soon as the typing pauses.

const PAUSE = 250

// Lets the text area with this label update during typing. Returns a function that ends this.
export function live(label) {
  let timer = 0
  /** @param {any} event */
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
