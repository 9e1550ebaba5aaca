// What both sentences end in: the chances of the next words, or, for an encoder, how alike the sentences are.

import { _, decimals, numeral, tokenColour } from "../shared/index.js"
import { LEAST } from "./looks.js"
import { addShape, drawLine, fontSize, LETTERS, textWidth, writeText } from "./parts.js"
import { NOTE, NUMBER, TITLE } from "./places.js"

/** @typedef {import("./places.js").Page} Page */

/** @param {Page} page */
export function drawAnswers(page) {
  const { state, place, roles, data } = page
  const other = data.states[page.share > 0 ? 0 : data.states.length - 1]
  const [tall, bar] = [25 * place.unit, 16 * place.unit]
  const isAlike = state.one && state.answers.some((each) => each[1] === false)
  state.answers.forEach(([name, isRight, bars], half) => {
    const [x, wide, top] = place.slots[half]
    const begin = x + (place.isAcross ? wide * 0.28 : 60)
    const room = x + wide - begin - textWidth(page, "> 0.99", NUMBER, "title") - 8 // of a bar, beside its number
    const verdict = isRight === null ? "" : isRight ? (isAlike ? data.words.same : data.words.right) : data.words.wrong
    const asked = _("{name}: {said}", { name: LETTERS[half], said: name })
    const [long, short] = [textWidth(page, asked, TITLE, "title"), textWidth(page, verdict, NOTE, "title")]
    // The verdict, where both have no room in one line.
    const above = long + short + 8 > wide ? fontSize(page, NOTE + 4) : 0
    writeText(page, x, top, asked, { size: TITLE, kind: "title", room: wide })
    const ink = isAlike ? roles["--ink"] : `var(--st-${isRight ? "green" : "red"}-text-color)`
    if (verdict)
      writeText(page, x + wide, top - above, verdict, {
        size: NOTE,
        kind: "title halo",
        anchor: "end",
        colour: ink,
        room: wide,
      })
    bars.forEach(([text, colour, chance], n) => {
      const y = top + tall * (n + 1)
      const ink = colour === null ? roles["--faint"] : tokenColour(roles, colour)
      writeText(page, begin - 7, y, text, {
        size: 14,
        room: begin - x - 7,
        kind: colour === null ? "" : "title",
        anchor: "end",
        colour: colour === null ? "" : ink,
      })
      const before = other.answers[half][2][n][2]
      const box = { x: begin, y: y - 13 * place.unit, height: bar, rx: 2 }
      if (other !== state)
        addShape(page, "rect", {
          ...box,
          width: Math.max(1, room * before),
          fill: "none",
          stroke: ink,
          "stroke-dasharray": "2 3",
        })
      addShape(page, "rect", { ...box, width: Math.max(1, room * chance), fill: ink })
      // Beside both bars: on a dotted line no number can be read.
      const end = begin + room * Math.max(chance, before)
      writeText(page, end + 6, y, chanceText(chance), { size: NUMBER, kind: "title halo" })
    })
    if (page.ends && place.isAcross)
      drawLine(page, page.ends[half], [x - 8, top - 5 * place.unit], {
        colour: roles["--ink"],
        half: page.isSame ? 0 : half,
        wide: 1.5,
      })
  })
}

const chanceText = (chance) =>
  chance > 0.995 ? `> ${decimals(0.99, 2)}` : chance < LEAST ? `< ${decimals(0.01, 2)}` : decimals(chance, 2)

// For an encoder: how alike the sentences are, beside an unrelated one, on a ruler.
/** @param {Page} page */
export function drawRuler(page) {
  const { state, place, roles, data } = page
  const [x, wide, top] = place.slots[0]
  const other = data.states[page.share > 0 ? 0 : data.states.length - 1]
  const y = top + 40 * place.unit
  const room = wide - 16
  const at = (value) => x + 8 + Math.max(0, Math.min(1, value)) * room
  addShape(page, "path", {
    d: `M${at(0)} ${y}H${at(1)}M${at(0)} ${y - 5}v10M${at(0.5)} ${y - 4}v8M${at(1)} ${y - 5}v10`,
    fill: "none",
    stroke: roles["--ink"],
    "stroke-width": 1.5,
  })
  ;[0, 0.5, 1].forEach((value) =>
    writeText(page, at(value), y + 20 * place.unit, numeral(String(value)), { size: 13, anchor: "middle" }),
  )
  if (other !== state)
    addShape(page, "circle", {
      cx: at(other.alike),
      cy: y,
      r: 7 * place.unit,
      fill: "none",
      stroke: roles["--accent"],
      "stroke-dasharray": "2 3",
    })
  addShape(page, "circle", { cx: at(state.alike), cy: y, r: 7 * place.unit, fill: roles["--accent"] })
  writeText(page, at(1), y - 16 * place.unit, `A ↔ B ${decimals(state.alike, 3)}`, {
    size: 16,
    kind: "title",
    anchor: "end",
  })
  if (!state.unrelated) return
  for (const value of state.unrelated)
    addShape(page, "circle", { cx: at(value), cy: y, r: 5 * place.unit, fill: roles["--faint"] })
  writeText(page, x, y + 44 * place.unit, data.words.unrelated, { size: 13 })
  writeText(page, x, y + 61 * place.unit, state.unrelated.map((value) => decimals(value, 3)).join(" · "), {
    size: 14,
    kind: "title",
  })
}
