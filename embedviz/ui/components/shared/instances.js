// Which components are on the page, and what each of them was given. A page that is saved as a file is made from this.

import { unpack } from "./payload.js"

const instances = new Map()
const ends = new Map()
const views = new WeakMap()

// Returns the component with its data as the page has given them.
export function record(name, component) {
  const { parentElement, data } = component
  const html = instances.get(parentElement)?.html ?? withoutStyles(parentElement)
  instances.set(parentElement, { name, html, data })
  return { ...component, data: data && unpack(data) }
}

export function forget({ parentElement }) {
  instances.delete(parentElement)
  ends.get(parentElement)?.forEach((end) => end())
  ends.delete(parentElement)
  views.delete(parentElement)
}

// What a component keeps from drawing to drawing. It is made when the component is first drawn.
export function viewOf(parentElement, make) {
  if (!views.has(parentElement)) views.set(parentElement, make())
  return views.get(parentElement)
}

// Runs the function that a component begins with when it is first drawn. Those that this one returns are run when the
// component is removed.
export function once(parentElement, begin) {
  if (!ends.has(parentElement)) ends.set(parentElement, begin())
}

// Listens to an element, the document or the window. Returns a function that ends this.
export function on(target, name, act, how) {
  target.addEventListener(name, act, how)
  return () => target.removeEventListener(name, act, how)
}

/** @type {MediaQueryList | undefined} */
let paper

// Calls a function whenever an element has another size. Returns a function that ends this. Paper has another width
// than the window, and what is not drawn at once comes too late for it; atOnce: what to call then, if that is another
// function.
export function onResize(element, act, atOnce = act) {
  // One query for all: browsers tell the oldest first.
  paper ??= matchMedia("print")
  const observer = new ResizeObserver(act)
  observer.observe(element)
  const ends = [on(window, "beforeprint", atOnce), on(paper, "change", atOnce), on(window, "afterprint", atOnce)]
  return () => {
    observer.disconnect()
    ends.forEach((end) => end())
  }
}

// In the order of the page: { name, html, css, data, element }.
export function onPage() {
  return [...instances]
    .filter(([root, { name }]) => name !== "embedviz/ui/components/share/share" && hostOf(root).isConnected)
    .map(([root, instance]) => ({ ...instance, css: stylesOf(root), element: hostOf(root) }))
    .sort((a, b) => (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
}

const hostOf = (root) => (root.getRootNode() instanceof ShadowRoot ? root.getRootNode().host : root)

function withoutStyles(root) {
  const copy = document.createElement("div")
  copy.innerHTML = root.innerHTML
  copy.querySelectorAll("style, script").forEach((part) => part.remove())
  return copy.innerHTML.trim()
}

function stylesOf(root) {
  const scope = root.getRootNode() instanceof ShadowRoot ? root.getRootNode() : root.parentElement.parentElement
  return [...scope.querySelectorAll("style")].map((style) => style.textContent).join("\n")
}
