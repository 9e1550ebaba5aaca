// The map as a file: PNG as it stands on the screen, SVG with every point in it.

import { projector } from "./cloud_camera.js"

export async function picture(map, kind) {
  const content = kind === "png" ? await png(map) : new Blob([svg(map)], { type: "image/svg+xml" })
  const link = document.createElement("a")
  link.href = URL.createObjectURL(content)
  link.download = `vocabulary.${kind}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

// Called in the same task as the painting: afterwards the browser may forget what WebGL has drawn.
function png({ canvas, over, theme }) {
  const whole = document.createElement("canvas")
  ;[whole.width, whole.height] = [canvas.width, canvas.height]
  const context = whole.getContext("2d")
  context.fillStyle = theme["--surface"]
  context.fillRect(0, 0, whole.width, whole.height)
  context.drawImage(canvas, 0, 0)
  context.drawImage(over, 0, 0)
  return new Promise((resolve) => whole.toBlob(resolve, "image/png"))
}

function svg(map) {
  const { view, points, ids, codes, shades, labels, theme, marks, factor } = map
  const place = projector(view)
  const lit = new Set(map.lit)
  const dots = (rows, width, opacity) => {
    const paths = shades.map(() => [])
    for (const row of rows) {
      const [x, y] = place(points[3 * row], points[3 * row + 1], points[3 * row + 2])
      paths[codes[row]].push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`)
    }
    const open = `<g fill="none" stroke-linecap="round" stroke-width="${width}" stroke-opacity="${opacity}">`
    const drawn = paths.map((path, n) => (path.length ? `<path stroke="rgb(${shades[n]})" d="${path.join("")}"/>` : ""))
    return `${open}${drawn.join("")}</g>`
  }
  const size = factor * Math.max(1.6, Math.min(7, 520 / Math.sqrt(ids.length)))
  const words = labels.map(
    ({ text, x, y, kind }) =>
      `<text x="${x.toFixed(1)}" y="${(y + 4 * factor).toFixed(1)}" font-size="${(kind === "strong" ? 15 : 12.5) * factor}">${plain(text)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${view.height}">`,
    `<title>${plain(marks.alt)}</title><rect width="100%" height="100%" fill="${theme["--surface"]}"/>`,
    dots(ids.keys(), size, lit.size ? 0.32 : 0.75),
    dots(lit, Math.max(size * 1.7, 6 * factor), 1),
    `<g font-family="sans-serif" fill="${theme["--ink"]}">${words.join("")}</g></svg>`,
  ].join("")
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const plain = (text) => text.replace(/[&<>"]/g, (char) => ENTITIES[char]).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
