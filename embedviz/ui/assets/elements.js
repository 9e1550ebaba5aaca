// An element of the page made by hand. Text only: what users typed is never read as HTML.

export function element(tag, text = "", kind = "") {
  const made = document.createElement(tag)
  made.textContent = text
  if (kind) made.className = kind
  return made
}
