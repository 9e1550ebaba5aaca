// The map as a file: PNG as it stands on the screen, SVG with every point in it.

import { save } from "../shared/files.js"
import { placer, sizes } from "./camera.js"
import { asides, isLarge, LINE_WIDTH, lines } from "./overlay.js"

export async function picture(map, kind) {
  save(
    `vocabulary.${kind}`,
    [kind === "png" ? await png(map) : svg(map)],
    kind === "png" ? "image/png" : "image/svg+xml",
  )
}

// Called in the same task as the painting: afterwards the browser may forget what WebGL has drawn.
function png({ canvas, over, theme }) {
  const whole = document.createElement("canvas")
  ;[whole.width, whole.height] = [canvas.width, canvas.height]
  const context = /** @type {CanvasRenderingContext2D} */ (whole.getContext("2d"))
  context.fillStyle = theme["--surface"]
  context.fillRect(0, 0, whole.width, whole.height)
  context.drawImage(canvas, 0, 0)
  context.drawImage(over, 0, 0)
  return new Promise((resolve) => whole.toBlob(resolve, "image/png"))
}

function svg(map) {
  const { view, ids, codes, shades, labels, theme, marks, factor, strength } = map
  const place = placer(map)
  const lit = new Set(map.lit)
  const dots = (rows, width, opacity) => {
    const paths = shades.map(() => [])
    for (const row of rows) {
      const [x, y] = place(row)
      paths[codes[row]].push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`)
    }
    const open = `<g fill="none" stroke-linecap="round" stroke-width="${width}" stroke-opacity="${opacity}">`
    const drawn = paths.map((path, n) => (path.length ? `<path stroke="rgb(${shades[n]})" d="${path.join("")}"/>` : ""))
    return `${open}${drawn.join("")}</g>`
  }
  const [size, litSize] = sizes(ids.length, factor)
  const words = labels.map(
    ({ text, x, y, kind }) =>
      `<text x="${x.toFixed(1)}" y="${(y + 4 * factor).toFixed(1)}" font-size="${(isLarge(kind) ? 15 : 12.5) * factor}">${escaped(text)}</text>`,
  )
  const ways = (pairs) => pairs.map(([from, to]) => `M${from.map(Math.round)}L${to.map(Math.round)}`).join("")
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${view.height}">`,
    `<title>${escaped(marks.alt)}</title><rect width="100%" height="100%" fill="${theme["--surface"]}"/>`,
    dots(ids.keys(), size, strength),
    `<path class="near" fill="none" stroke="${theme["--ink"]}" stroke-width="${LINE_WIDTH * factor}" d="${ways(lines(map))}"/>`,
    dots(lit, litSize, 1),
    `<path fill="none" stroke="${theme["--faint"]}" d="${ways(asides(map))}"/>`,
    `<g font-family="sans-serif" fill="${theme["--ink"]}">${words.join("")}</g></svg>`,
  ].join("")
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: a file of XML may not hold them
const UNPRINTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g
const escaped = (text) => text.replace(/[&<>"]/g, (char) => ENTITIES[char]).replace(UNPRINTED, "")
