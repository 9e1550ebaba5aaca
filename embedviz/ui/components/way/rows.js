// The rows of the whole way, from a token to its input vector; the sentences before them, and what is asked for.

import { shape, tokenColour } from "../shared/index.js"
import { addStrip, colourOf, drawLine, hasTwoLines, LETTERS, laneOf, writeText } from "./parts.js"
import { halves, NOTE } from "./places.js"

/** @typedef {import("./places.js").Page} Page */

/** @param {Page} page */
export function drawRow(page, row, n) {
  const { place } = page
  const { spot, out, into } = place
  const [colour, isFork, first] = [colourOf(page, row), hasTwoLines(page, row), halves(row)[0]]
  const added = page.share > 0 ? page.data.positions : null
  if (!page.shows("vectors")) return
  const vector = spot("vectors", n)
  drawLine(page, out(spot("tokens", n)), into(vector), { n, colour, half: first })
  addStrip(page, vector, n, page.data.vectors[n], page.data.words.vectors[0])
  if (place.isAcross && added && page.shows("positions"))
    drawLine(page, out(vector), forksAt(page, vector, n), { n, colour, half: isFork ? 0 : first })
  for (const half of isFork ? [0, 1] : [first]) {
    const lane = laneOf(isFork, half)
    const [position, input] = [spot("positions", n, lane), spot("input", n, lane)]
    if (added && page.shows("positions")) {
      drawLine(page, forksAt(page, vector, n), into(position), { n, colour, half })
      if (place.isAcross) writeSign(page, position, n, "+")
      addStrip(
        page,
        position,
        n,
        added[row.places[half]].map((value) => value * page.share),
        `${LETTERS[half]} ${row.nth[half]}`,
      )
      if (page.shows("input")) drawLine(page, out(position), into(input), { n, colour, half })
      const [from, to] = [out(position), into(input)]
      const said = isFork ? `${LETTERS[half]}${row.nth[half]}` : row.nth[half]
      if (place.isAcross)
        writeText(page, (from[0] + to[0]) / 2 - 6, from[1] + 4.5, said, {
          size: NOTE,
          kind: "halo",
          anchor: "middle",
          row: n,
        })
    } else if (page.shows("input")) drawLine(page, out(vector), into(input), { n, colour, half })
    if (!page.shows("input")) continue
    addStrip(page, input, n, inputOf(page, row, n, half), page.data.words.input[0])
    if (added && place.isAcross) writeSign(page, input, n, "=")
  }
}

// Where a line forks if a position is added: in the middle between two strips, where the mark is.
/** @param {Page} page */
function forksAt({ place }, vector, n) {
  const [x, y] = place.out(vector)
  return place.isAcross ? [(x + place.spot("positions", n).x) / 2, y] : [x, y]
}

// Before a strip: that it is added, or comes out.
/** @param {Page} page */
const writeSign = (page, { x, y }, n, text) =>
  writeText(page, x - 7, y + 4.5, text, { kind: "title halo", anchor: "middle", row: n })

/** @param {Page} page */
function inputOf({ data, share }, row, n, half) {
  const place = row.places[half]
  return data.vectors[n].map((value, k) => value + (data.positions ? share * data.positions[place][k] : 0))
}

// Both sentences as they are written; what stands elsewhere in B is in its colour.
/** @param {Page} page */
export function drawSentences(page) {
  const { data, place, roles, width } = page
  const longest = Math.max(...data.sentences.map((parts) => parts.reduce((n, [text]) => n + text.length, 2)))
  const size = Math.min(40 * place.unit, width / (0.56 * longest))
  data.sentences.forEach((parts, half) => {
    const y = place.isAcross ? place.height * (0.25 + 0.3 * half) : 40 + 60 * half
    const line = writeText(page, 0, y, "", { size: size / place.unit, kind: "sentence" })
    const letter = shape("tspan", { x: "0.28em", "text-anchor": "middle" }) // B is wider than A
    letter.textContent = LETTERS[half]
    const words = shape("tspan", { x: "0.95em" })
    words.append(
      ...parts.map(([text, colour]) => {
        const part = shape("tspan", colour === null ? {} : { class: "title" })
        part.textContent = text
        if (colour !== null) part.style.fill = tokenColour(roles, colour)
        return part
      }),
    )
    line.append(letter, " ", words)
  })
}

// Question marks, in place of what is asked for.
/** @param {Page} page */
export function drawQuestions({ data, place, parts }) {
  const { asked = [] } = data.told ?? {}
  const areas = asked.filter((name) => name !== "after" || !data.layers).map((name) => place.area(name))
  if (!areas.length) return
  const [left, top] = [0, 1].map((k) => Math.min(...areas.map((area) => area[k])))
  const [right, bottom] = [0, 1].map((k) => Math.max(...areas.map((area) => area[k] + area[k + 2])))
  const box = shape("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 8, class: "unknown" })
  const size = Math.min(110 * place.unit, bottom - top)
  const sign = shape("text", {
    x: (left + right) / 2,
    y: (top + bottom) / 2 + size * 0.36,
    "font-size": size,
    "text-anchor": "middle",
    class: "title mark",
  })
  sign.textContent = "?"
  parts.push(box, sign)
}
