// The whole way of two sentences in one picture. Where the vectors of A and B are identical there is one line; where
// they differ there are two, A solid and B dashed. Its width says nothing but how much a token is looked at.

import {
  _,
  decimals,
  element,
  isHall,
  viewLink,
  leave,
  listen,
  lit,
  move,
  now,
  numeral,
  on,
  once,
  onResize,
  palette,
  playsByItself,
  point,
  set,
  shape,
  tokenColour,
  viewOf,
} from "../shared/index.js"

const COLUMNS = ["sentences", "tokens", "vectors", "positions", "input", "looks", "after", "answer"] // as in picture.py
const LETTERS = ["A", "B"]
const WIDE = 12 // pixels of a look whose weight is 1
const DASH = "7 5"
const FAINTEST = 0.02 // a weight that is drawn
const LARGE = 0.05 // a weight that is written
const LEAST = 0.005 // a weight or a chance that is written 0.00
const [PAUSE, PLAYS] = [1600, 2000] // milliseconds: without positions, and until all of them are there
const LEADS = 700 // milliseconds from one step of the story to the next
const PHONE = 880 // pixels, below which names of columns have no room side by side
const [TOP, FOOT] = [64, 22] // pixels above the rows, for headings and for where order enters, and below them
const MOST_DOWN = 3 // rows on a phone besides the last one
const MOST_STRETCHED = 1.35 // times that a row is as tall, in a window with room
const [STRIP, NEAR, ROOM] = [16, 21, 26] // pixels: a strip, two strips of one row, a row
const [TITLE, NOTE, NUMBER] = [15, 13, 13.5] // pixels of the columns' headings, and of the answers' chances
const FAR = 1.25 // times that all type is larger where a hall has to read it
/**
 * One drawing: what is drawn at a share of the positions. Of what is told, parts that come later are not asked for.
 * @typedef {{ data: Omit<WayData, "told"> & { told?: WayToldData["told"] }, state: WayState, share: number, roles: Record<string, string>,
 *   [key: string]: any }} Page
 */

const STUB = 12 // pixels of a line before it may fork in attention

/** @param {Component<WayData | WayToldData>} component */
export function render({ data, parentElement, setTriggerValue, name }) {
  const root = parentElement.querySelector(".way")
  const view = viewOf(parentElement, () => start(root))
  view.data = data
  view.send = setTriggerValue
  view.isLive = name !== undefined && !data.told // not in a page that was saved as a file, nor where it is told
  view.roles = { ...palette(root), "--lit": getComputedStyle(root).getPropertyValue("--st-secondary-background-color") }
  root.style.setProperty("--ev-pale", view.roles["--faint"])
  const slider = root.querySelector("input")
  slider.step = 100 / Math.max(1, data.states.length - 1)
  root.classList.toggle("told", Boolean(data.told))
  const isFixed = data.states.length < 2 // this model has no positions to switch
  for (const part of root.querySelectorAll(".switch, .share")) part.hidden = isFixed
  root.querySelector(".fixed").textContent = isFixed ? data.words.fixed : ""
  root
    .querySelector(".models")
    .replaceChildren(
      ...((view.isLive && data.models) || []).map(([name, text, isHere]) => modelButton(view, name, text, isHere)),
    )
  if (data.told) leadToShare(view)
  else draw(view)
  once(parentElement, () => [
    listen("embedviz:amount", () => draw(view)),
    listen("embedviz:hover", ({ ids }) => light(view, ids)),
    listen("embedviz:step", (asked) => answerStep(view, asked)),
    on(document, "keydown", ({ key }) => key === "Escape" && closeNumbers(view)),
    onResize(root.querySelector(".picture"), () => draw(view)),
    // In a hall it has the room from where it begins to the end of the window.
    on(window, "resize", () => isHall(root) && draw(view)),
    // The page's head and all that stands above may grow or shrink without anything else changing its size.
    ...[
      root,
      ...document.querySelectorAll("[data-testid=stMainBlockContainer], .st-key-frame_head, .st-key-frame_body"),
    ].map((part) => onResize(part, () => isHall(root) && topOf(view) !== view.top && draw(view))),
  ])
}

// Where the picture begins in the window while nothing is scrolled: what comes or goes above moves it.
const topOf = ({ root }) => {
  const { scrollTop = 0 } = document.querySelector("[data-testid=stMain]") ?? {}
  return Math.round(root.querySelector(".picture").getBoundingClientRect().top + scrollTop)
}

// The models in which order enters elsewhere, one press apart.
function modelButton(view, name, text, isHere) {
  const button = element("button", text)
  button.setAttribute("aria-pressed", String(isHere))
  button.onclick = () => view.send("model", name)
  return button
}

function start(root) {
  const view = { root, held: null }
  requestAnimationFrame(() => play(view))
  const slider = root.querySelector("input")
  slider.oninput = () => move("amount", Number(slider.value))
  for (const button of root.querySelectorAll(".switch button"))
    button.onclick = () => move("amount", Number(button.dataset.at))
  root
    .querySelector(".picture")
    .addEventListener("click", ({ target }) => target.closest(".numbers, [data-strip]") || closeNumbers(view))
  return view
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches

// What is told has a share of the positions of its own, which a step of the story leads to.
function leadToShare(view) {
  cancelAnimationFrame(view.frame)
  const { share: goal } = view.data.told
  const from = isStill() ? goal : (view.share ?? goal)
  let began
  const step = (moment) => {
    began ??= moment
    const time = from === goal ? 1 : Math.min(1, (moment - began) / LEADS)
    view.share = from + (goal - from) * time
    draw(view)
    if (time < 1 && view.root.isConnected) view.frame = requestAnimationFrame(step)
  }
  step(performance.now())
}

// It plays once when somebody comes: off, then on. Any press ends it.
function play(view) {
  if (view.data.told || !playsByItself()) return
  let last = 0
  let began
  const step = (moment) => {
    if (!view.root.isConnected || now("amount") !== last) return // the visitor has begun to play
    began ??= moment
    const time = Math.max(0, Math.min(1, (moment - began - PAUSE) / PLAYS))
    if (time) {
      last = Math.round(100 * time * time * (3 - 2 * time))
      move("amount", last)
    }
    if (time < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

// In a hall a key that leads on adds the positions first, and one that leads back takes them away.
function answerStep({ root, data }, asked) {
  if (data.told) return
  const goal = asked.step > 0 ? 100 : 0
  if (data.states.length < 2 || now("amount") === goal || !root.checkVisibility()) return
  asked.isTaken = true
  move("amount", goal)
}

// The computed state that is nearest to a share.
const stateAt = ({ states }, share) =>
  states.reduce((best, each) => (Math.abs(each.share - share) < Math.abs(best.share - share) ? each : best))

function draw(view) {
  const { root, data } = view
  const width = root.querySelector(".picture").clientWidth
  if (!width) return
  const share = data.told ? view.share : now("amount")
  const state = stateAt(data, share)
  root.querySelector(".look").replaceChildren(element("strong", state.look ?? ""), ` ${data.words.key}`)
  root.querySelector("input").value = share
  root.querySelector("output").textContent = _("{n} %", { n: Math.round(share) })
  for (const button of root.querySelectorAll(".switch button"))
    button.setAttribute("aria-pressed", String(share > 0 === button.dataset.at > 0))
  const page = { view, data, state, share: share / 100, roles: view.roles, width, parts: [], strips: [] }
  page.inHall = isHall(root)
  page.isFar = page.inHall || Boolean(data.told) // what a hall has to read has larger type, and no fields and links
  page.hasHeads = data.words.heads.length > 1 && !page.isFar && width >= PHONE
  if (hasRoom(page)) root.querySelector(".picture").style.height = "var(--tour-room, 60vh)"
  page.place = placesOf(page)
  page.hasNames = page.place.isAcross && !page.isFar
  const [until, asked] = [COLUMNS.indexOf(data.told?.until ?? "answer"), data.told?.asked ?? []]
  page.shows = (name) => COLUMNS.indexOf(name) <= until
  page.names = (name) => page.shows(name) || asked.includes(name)
  paintAll(page)
}

// Whether the picture takes what the words of the tour leave to it, and is drawn anew when that changes.
/** @param {Page} page */
const hasRoom = ({ data, width }) => Boolean(data.told) && width >= PHONE

// Where everything stands, in pixels: `spot` says where a part of a row is, by its left end, its middle and its width,
// `out` where a line leaves it and `into` where one reaches it. On a phone the way leads from top to bottom, and only
// the rows that differ and the last one are drawn.
/** @param {Page} page */
function placesOf(page) {
  return page.width < PHONE ? placesDown(page) : placesAcross(page)
}

/** @param {Page} page */
function placesAcross({ view, data, width, isFar, inHall }) {
  const least = data.bars ? 2 * (46 + 25 * data.bars) : 150 // pixels for what it ends in
  const size = isFar ? FAR : 1
  const above = TOP + (size - 1) * (TITLE + NOTE + 16) // the last is where order enters
  const tallest =
    above +
    Math.max(
      least,
      data.rows.reduce((all, row) => all + tallOf(row), 0),
    ) +
    FOOT // at a unit of 1
  const picture = view.root.querySelector(".picture")
  view.top = topOf(view)
  const hall = inHall ? innerHeight - view.top - 8 : Infinity
  // Even if the picture begins below the window.
  const room = Math.max(0.4, (data.told ? picture.clientHeight : hall) / tallest)
  const unit = Math.min(inHall ? 1.8 : 1.5, room, Math.max(inHall ? 1 : 0.85, width / 1180))
  // Rows lie farther apart where there is room.
  const stretch = Number.isFinite(room) ? Math.max(1, Math.min(MOST_STRETCHED, room / unit)) : 1
  const columns = data.layers
    ? {
        tokens: [0, 0.115],
        vectors: [0.14, 0.11],
        positions: [0.285, 0.11],
        input: [0.43, 0.11],
        looks: [0.56, 0.22],
        answer: [0.83, 0.17],
      }
    : {
        tokens: [0, 0.115],
        vectors: [0.14, 0.115],
        positions: [0.29, 0.115],
        input: [0.445, 0.115],
        looks: [0.565, 0.125],
        after: [0.69, 0.115],
        answer: [0.835, 0.165],
      }
  const x = Object.fromEntries(
    Object.entries(columns).map(([name, [left, wide]]) => [name, [left * width, wide * width]]),
  )
  const top = above * unit
  let at = top
  const y = data.rows.map((row) => {
    const tall = tallOf(row) * unit * stretch
    at += tall
    return at - tall / 2
  })
  const spot = (name, n, lane = 0) => ({
    x: x[name][0],
    y: y[n] + (lane * NEAR * unit * stretch) / 2,
    wide: x[name][1],
  })
  const out = ({ x, y, wide }) => [x + wide, y]
  const into = ({ x, y }) => [x, y]
  const edges = [...Object.values(x).map(([left]) => left), width + 8]
  // The names of attention and of what comes out of it have no room side by side where type is larger.
  const titles = Object.entries(x).map(([name, [left]], n) => {
    const [down, next] = [isFar && name === "after" ? NOTE + 4 : 0, isFar && name === "looks" && x.after ? 2 : 1]
    return [name, left, (TITLE + down) * size * unit, edges[n + next] - left - 8]
  })
  const [left, wide] = x.looks
  const along = (n, step, gap) => [left + 8 + step * (wide - 16), y[n] + gap]
  const height = (above + FOOT + (tallest - above - FOOT) * stretch) * unit
  const slots = [0, 1].map((half) => [...x.answer, top + (half * (height - top)) / 2 + 20 * unit])
  const area = (name) => {
    const left = Math.max(1, x[name][0] - 4)
    return [left, top - 4, Math.min(width - 1, x[name][0] + x[name][1] + 4) - left, height - top]
  }
  return {
    unit,
    size,
    stretch,
    titles,
    spot,
    out,
    into,
    along,
    height,
    slots,
    area,
    isAcross: true,
    rows: data.rows.map((_row, n) => n),
    top,
  }
}

/** @param {Page} page */
function placesDown({ data, width }) {
  const [unit, last] = [1, lastRow(data, 0)]
  const moved = data.rows.flatMap((row, n) => (isMoved(row) && n !== last ? [n] : [])).slice(0, MOST_DOWN)
  const rows = [
    ...(moved.length
      ? moved
      : data.rows
          .map((_row, n) => n)
          .filter((n) => n !== last)
          .slice(0, MOST_DOWN)),
    last,
  ]
  const wide = (width - 10 * (rows.length - 1)) / rows.length
  const y = { tokens: 20, vectors: 84, positions: 156, input: 232, looks: 268, after: 392 }
  const end = data.layers ? 420 : 442
  const spot = (name, n, lane = 0) => ({ x: rows.indexOf(n) * (wide + 10), y: y[name] + (lane * NEAR) / 2, wide, lane })
  const half = STRIP / 2
  // Two lines of a row run beside each other, and each passes the other's strip.
  const middle = ({ x, wide, lane }) => x + wide * (lane ? 0.5 + lane * 0.28 : 0.5)
  const out = (part) => [middle(part), part.y + (part.y === y.tokens ? 16 : half)]
  const into = (part) => [middle(part), part.y - half]
  const titles = Object.entries(y).flatMap(([name, at]) =>
    name === "tokens" || (name === "after" && data.layers) ? [] : [[name, 0, name === "looks" ? at + 4 : at - 24]],
  )
  const along = (n, step, gap) => [spot("input", n).x + wide / 2 + gap, 296 + step * 90]
  const tall = data.bars ? 30 + 25 * data.bars : 130
  const slots = [0, 1].map((n) => [0, width, end + 16 + n * tall])
  const height = end + 34 + tall * (data.bars ? 2 : 1)
  const ends = { tokens: 44, vectors: 100, positions: 172, input: 248, looks: 376, after: 420, answer: height }
  const area = (name) => [
    0,
    y[name] === undefined ? end : y[name] - 16,
    width,
    ends[name] - (y[name] === undefined ? end : y[name] - 16),
  ]
  return {
    unit,
    size: 1,
    stretch: 1,
    titles: [...titles, ["answer", 0, end - 4]],
    spot,
    out,
    into,
    along,
    height,
    slots,
    area,
    isAcross: false,
    rows,
    top: 40,
    hidden: data.rows.length - rows.length,
  }
}

const tallOf = (row) => (isMoved(row) ? ROOM * 1.65 : ROOM)
const isMoved = ({ nth: [a, b] }) => a !== b
const halves = ({ nth: [a, b] }) => (a === null ? [1] : b === null ? [0] : [0, 1])

/** @param {Page} page */
function paintAll(page) {
  const { view, place, state } = page
  const { root } = view
  if (!hasRoom(page)) root.querySelector(".picture").style.height = `${place.height}px`
  for (const part of root.querySelectorAll("canvas, svg")) part.style.height = `${place.height}px`
  if (!page.shows("tokens")) drawSentences(page)
  else for (const n of place.rows) drawRow(page, page.data.rows[n], n)
  if (page.shows("looks")) page.data.layers ? drawLayers(page) : drawLooks(page)
  if (page.shows("answer")) page.data.bars ? drawAnswers(page) : drawRuler(page)
  drawQuestions(page)
  drawHeadings(page)
  placeNames(page)
  showHeads(page)
  drawKey(page)
  drawEntry(page)
  const svg = root.querySelector("svg")
  set(svg, {
    viewBox: `0 0 ${page.width} ${place.height}`,
    "aria-label": page.data.told?.alt ?? `${state.headline}. ${state.look}`,
  })
  svg.replaceChildren(...page.parts)
  paintStrips(page)
  placeChips(page)
  light(view, lit())
  const { host } = root.getRootNode()
  if (host) host.dataset.drawn = Number(host.dataset.drawn ?? 0) + 1 // says, as figures do, that it is drawn
}

// Parts -----------------------------------------------------------------------------------------------

/**
 * @param {Page} page
 * @param {keyof SVGElementTagNameMap} tag
 * @param {Record<string, unknown>} attributes
 * @param {number} [row]
 * @param {string | number} [text]
 */
function addShape(page, tag, attributes, row, text) {
  const part = shape(tag, attributes)
  if (row !== undefined) part.dataset.row = String(row)
  if (text !== undefined) part.textContent = String(text)
  page.parts.push(part)
  return part
}

// A text is made smaller if it is wider than its room.
/**
 * @param {any} page
 * @param {number} x
 * @param {number} y
 * @param {string | number} text
 * @param {{ size?: number, kind?: string, anchor?: string, colour?: string, row?: number, room?: number }} [look]
 */
function writeText(page, x, y, text, { size = 14, kind = "", anchor = "start", colour, row, room = Infinity } = {}) {
  const least = room < Infinity ? Math.min(1, room / textWidth(page, text, size, kind)) : 1
  const part = addShape(
    page,
    "text",
    { x, y, "font-size": least * fontSize(page, size), class: kind, "text-anchor": anchor },
    row,
    text,
  )
  if (colour) part.style.fill = colour
  return part
}

/** @param {Page} page */
const fontSize = ({ place }, size) => size * place.unit * place.size

// How wide a text of this size will be, in pixels.
/** @param {Page} page */
function textWidth(page, text, size, kind = "") {
  const { view } = page
  view.pen ??= document.createElement("canvas").getContext("2d")
  view.family ??= getComputedStyle(view.root).fontFamily
  view.pen.font = `${/title|mark/.test(kind) ? 700 : 400} ${fontSize(page, size)}px ${view.family}`
  return view.pen.measureText(text).width
}

/**
 * @param {any} page
 * @param {number[]} from
 * @param {number[]} to
 * @param {{ n?: number, half?: number | null, colour: string, wide?: number, opacity?: number }} look
 */
function drawLine(page, [x1, y1], [x2, y2], { n, half, colour, wide = 2, opacity = 1 }) {
  const [bx, by] = page.place.isAcross ? [(x2 - x1) / 2, 0] : [0, (y2 - y1) / 2]
  const d = `M${x1} ${y1}C${x1 + bx} ${y1 + by} ${x2 - bx} ${y2 - by} ${x2} ${y2}`
  const look = { d, fill: "none", stroke: colour }
  // A broad line in dashes would flicker: it has them in its middle, as a road has.
  const isBroad = half === 1 && wide > 4
  if (half !== 1 || isBroad) addShape(page, "path", { ...look, "stroke-width": wide, "stroke-opacity": opacity }, n)
  if (half !== 1) return
  const ink = isBroad ? { class: "lane" } : { stroke: colour, "stroke-opacity": opacity }
  addShape(page, "path", { ...look, ...ink, "stroke-width": Math.min(wide, 2), "stroke-dasharray": DASH }, n)
}

/** @param {Page} page */
function drawHeadings(page) {
  const { words } = page.data
  const { titles, isAcross } = page.place
  for (const [name, x, y, room] of titles) {
    if (!page.names(name)) continue
    const [title, note] = words[name]
    if (!isAcross && name === "answer" && page.place.hidden)
      writeText(page, page.width, page.place.height - 6, words.hidden.replace("{n}", page.place.hidden), {
        size: 13,
        anchor: "end",
      })
    const isEmpty = name === "positions" && (page.share === 0 || page.data.positions === null)
    const said =
      name === "answer" && page.data.states.length > 1
        ? words.dotted[page.share > 0 ? 0 : 1]
        : isEmpty && page.share === 0
          ? words.nothing
          : note
    const kind = `title halo ${page.data.told?.lit.includes(name) ? "mark" : ""}`
    if (!page.hasNames)
      writeText(page, x, y, isAcross ? title : _("{name}: {said}", { name: title, said }), {
        size: isAcross ? TITLE : NOTE,
        kind,
        room,
      })
    // In a hall there is room for what the picture does not say without words.
    const isNeeded = !page.isFar || isEmpty || said !== note || name === "looks"
    if (isAcross && isNeeded && !(name === "looks" && page.hasHeads))
      writeText(page, x, y + fontSize(page, NOTE + 4), said, { size: NOTE, kind: isEmpty ? "title" : "", room })
  }
}

// The names of columns lead to the pages that are about them, with the same sentences, if there is a site around.
/** @param {Page} page */
function placeNames(page) {
  const { view, data, place, hasNames } = page
  const box = view.root.querySelector(".names")
  const titles = hasNames ? place.titles : []
  const links = view.isLive && document.getElementById("ev-address") ? data.links : {}
  const shown = JSON.stringify(titles.map(([name]) => [data.words[name][0], links[name]]))
  if (view.names !== shown) {
    view.names = shown // the same names stay, so that they keep the focus
    box.replaceChildren(
      ...titles.map(([name]) => (links[name] ? viewLink(links[name]) : element("b", data.words[name][0]))),
    )
  }
  for (const [n, [name, x, y, room]] of titles.entries()) {
    const least = Math.min(1, room / textWidth(page, data.words[name][0], TITLE, "title")) // as in `writeText`
    Object.assign(box.children[n].style, {
      left: `${x}px`,
      top: `${y - TITLE * place.unit}px`,
      fontSize: `${least * TITLE * place.unit}px`,
    })
  }
}

// Which head's looks are drawn.
/** @param {Page} page */
function showHeads(page) {
  const { view, data, place } = page
  const select = view.root.querySelector(".heads")
  select.hidden = !page.hasHeads
  if (!page.hasHeads) return
  if (select.length !== data.words.heads.length) {
    view.head = null
    select.replaceChildren(...data.words.heads.map((text, n) => new Option(text, n)))
  }
  select.value = view.head ?? data.head
  select.onchange = () => {
    view.head = Number(select.value)
    draw(view)
  }
  const [, x, y] = place.titles.find(([name]) => name === "looks")
  Object.assign(select.style, { left: `${x}px`, top: `${y + 3 * place.unit}px`, fontSize: `${NOTE * place.unit}px` })
}

/** @param {Page} page */
const colourOf = ({ roles }, row) => (isMoved(row) ? tokenColour(roles, row.colour) : roles["--faint"])
// Whether a row has two lines from the positions on, and where these run: one beside the other.
/** @param {Page} page */
const hasTwoLines = ({ data, share }, row) =>
  data.positions !== null && share > 0 && isMoved(row) && halves(row).length === 2
const laneOf = (isTwo, half) => (isTwo ? 2 * half - 1 : 0)

/** @param {Page} page */
function drawRow(page, row, n) {
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

/** @param {Page} page */
function addStrip(page, { x, y, wide }, n, values, title, limit = page.data.limit) {
  const tall = STRIP * page.place.unit * page.place.stretch
  page.strips.push({ x, y: y - tall / 2, wide, tall, values, row: n, title, limit })
}

// Both sentences as they are written; what stands elsewhere in B is in its colour.
/** @param {Page} page */
function drawSentences(page) {
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
function drawQuestions({ data, place, parts }) {
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

// Looks of the last token -----------------------------------------------------------------------------

/** @param {Page} page */
function drawLooks(page) {
  const { view, data, state, place, roles } = page
  const { spot, out, into, isAcross } = place
  const last = [lastRow(data, 0), lastRow(data, 1)]
  const isSame = state.one && last[0] === last[1]
  const looked = state.looks[view.head ?? data.head]
  const stub = isAcross ? STUB * place.unit : 0
  const ends = [0, 1].map((half) => spot("after", last[half], last[0] === last[1] ? laneOf(!isSame, half) : 0))
  for (const n of place.rows) {
    const row = data.rows[n]
    const isFork = hasTwoLines(page, row)
    const weights = [2 * n, 2 * n + 1].map((k) => looked[k])
    const isOne = halves(row).length === 2 && isSame && Math.abs(weights[0] - weights[1]) < LEAST
    const ink = isMoved(row) ? tokenColour(roles, row.colour) : roles["--ink"]
    const said = []
    for (const half of isOne ? [0] : halves(row)) {
      const [x, y] = out(spot("input", n, laneOf(isFork, half)))
      const from = [x + stub, y]
      if (stub) drawLine(page, [x, y], from, { n, half: isFork ? half : halves(row)[0], colour: colourOf(page, row) })
      if (weights[half] < FAINTEST) continue
      const colour = n === last[half] ? roles["--ink"] : tokenColour(roles, row.colour)
      drawLine(page, from, into(ends[half]), {
        n,
        half,
        colour,
        wide: Math.max(0.75, weights[half] * WIDE * place.unit),
        opacity: 0.85,
      })
      if (weights[half] < LARGE) continue
      said.push([from, weights[half], `${isOne ? "" : `${LETTERS[half]} `}${decimals(weights[half], 2)}`])
    }
    said.forEach(([[x, y], weight, text], k) => {
      const above = (weight * WIDE * place.unit) / 2 + 4
      const [dx, dy] = isAcross ? [4, isFork || k === 0 ? -above : 15 * place.unit] : [0, 60]
      writeText(page, x + dx, y + dy, text, {
        size: NOTE,
        kind: "title halo",
        anchor: isAcross ? "start" : "middle",
        colour: ink,
        row: n,
      })
    })
  }
  for (const half of isSame ? [0] : [0, 1]) {
    const n = last[half]
    const from = out(spot("input", n, laneOf(hasTwoLines(page, data.rows[n]), half)))
    drawLine(page, from, into(ends[half]), { n, half, colour: roles["--faint"], wide: 1.25 })
    if (isAcross && half === 0)
      writeText(page, from[0] + 6, from[1] + 15 * place.unit, data.words.itself, { size: 13, kind: "halo", row: n })
    addStrip(page, ends[half], n, state.after[half], data.words.after[0], data.limit_after)
    const [x, y] = [ends[half].x, ends[half].y]
    const high = ((half ? 1 : -1) * STRIP * place.unit * place.stretch) / 2
    if (!isSame)
      writeText(page, x + ends[half].wide / 2, y + high + (half ? 13 : -4) * place.unit, LETTERS[half], {
        size: 13,
        kind: "title halo",
        anchor: "middle",
        row: n,
      })
  }
  page.ends = ends.map(out)
  page.isSame = isSame
}

const lastRow = ({ rows }, half) =>
  rows.reduce(
    (best, row, n) => (row.nth[half] !== null && row.nth[half] >= (rows[best]?.nth[half] ?? -1) ? n : best),
    0,
  )

// Layers: how far copies are apart, on one ruler ---------------------------------------------------------

/** @param {Page} page */
function drawLayers(page) {
  const { data, state, place, roles } = page
  const { spot, out, along } = place
  const unit = ROOM * place.unit * 0.95 // pixels that are 1
  const at = (n, layer, side = 0) => along(n, layer / data.layers, side * Math.max(0, state.apart[n][layer]) * unit)
  if (place.isAcross)
    for (let layer = 1; layer <= data.layers; layer++) {
      const said = layer === 1 || data.layers < 4 ? data.words.layer.replace("{n}", layer) : layer
      writeText(page, at(0, layer)[0], place.top + 3, said, { size: NOTE, anchor: "middle" })
    }
  const end = lastRow(data, 0)
  for (const [layer, looking, seen, weight] of state.threads) {
    if (!place.rows.includes(looking) || !place.rows.includes(seen)) continue
    drawLine(page, at(seen, layer), at(looking, layer + 1), {
      n: looking,
      colour: roles["--faint"],
      wide: weight * WIDE * 0.35 * place.unit,
      opacity: isMoved(data.rows[looking]) || looking === end ? 0.5 : 0.15,
    })
  }
  for (const n of place.rows) {
    const row = data.rows[n]
    const colour = n === end ? roles["--ink"] : colourOf(page, row)
    const isOne = halves(row).length === 2 && state.apart[n].every((each) => !each)
    for (const half of isOne ? [0] : halves(row)) {
      const side = halves(row).length === 2 ? half - 0.5 : 0
      const points = Array.from({ length: data.layers + 1 }, (_each, layer) => at(n, layer, side))
      drawLine(page, out(spot("input", n, laneOf(hasTwoLines(page, row), half))), points[0], { n, half, colour })
      points.slice(1).forEach((to, layer) => drawLine(page, points[layer], to, { n, half, colour }))
    }
  }
  if (!place.isAcross) return
  if (page.data.bars) page.ends = [0, 1].map((half) => at(lastRow(data, half), data.layers, half - 0.5))
  page.isSame = state.one
  const x = along(0, 1, 0)[0] + 24
  const left = x - textWidth(page, data.words.ruler, NOTE) - 10
  addShape(page, "path", {
    d: `M${left - 3} ${place.height - unit - 1}h6m-3 0v${unit}m-3 0h6`,
    fill: "none",
    stroke: roles["--ink"],
    "stroke-width": 1.5,
  })
  writeText(page, x, place.height - 8, data.words.ruler, { size: NOTE, anchor: "end" })
}

// Answers ------------------------------------------------------------------------------------------------

/** @param {Page} page */
function drawAnswers(page) {
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
function drawRuler(page) {
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

// Which line is whose, once there can be two.
/** @param {Page} page */
function drawKey(page) {
  const { place, roles, shows } = page
  if (!place.isAcross || !shows("positions")) return
  const y = place.top - 9 * place.unit
  LETTERS.forEach((letter, half) => {
    const x = half * 66 * place.unit
    writeText(page, x, y, letter, { size: TITLE, kind: "title" })
    addShape(page, "path", {
      d: `M${x + 15 * place.unit} ${y - 5 * place.unit}h${34 * place.unit}`,
      stroke: roles["--ink"],
      "stroke-width": 2,
      "stroke-dasharray": half ? DASH : "none",
    })
  })
}

// Where order enters -------------------------------------------------------------------------------------

/** @param {Page} page */
function drawEntry(page) {
  const { state, place, data } = page
  if (!state.entry || !page.shows(state.entry === "positions" ? "positions" : "looks")) return
  const n = place.rows[0]
  const [from, to] =
    state.entry === "positions"
      ? [place.out(place.spot("vectors", n)), place.into(place.spot("positions", n))]
      : [place.out(place.spot("input", n)), place.into(place.spot("looks", n))]
  const said = data.words.enters[state.entry]
  const look = {
    stroke: page.roles["--accent"],
    "stroke-width": 2,
    "stroke-dasharray": "1 5",
    "stroke-linecap": "round",
    fill: "none",
  }
  if (place.isAcross) {
    const x = (from[0] + Math.max(to[0], from[0] + STUB * place.unit)) / 2
    addShape(page, "path", { d: `M${x} ${place.top - 4}V${place.height - FOOT * place.unit}`, ...look })
    // The names of layers stand on the right.
    const [end, anchor] = data.layers ? [x + 6 * place.unit, "end"] : [x, "middle"]
    writeText(page, end, place.top - 9 * place.unit, said, { size: TITLE, kind: "mark halo", anchor })
  } else {
    const y = from[1] + 6
    addShape(page, "path", { d: `M0 ${y}H${page.width}`, ...look })
    writeText(page, page.width, y + 15, said, { size: 13, kind: "mark halo", anchor: "end" })
  }
}

// Strips -------------------------------------------------------------------------------------------------

/** @param {Page} page */
function paintStrips({ view, strips, data, roles, width, place }) {
  const canvas = view.root.querySelector("canvas")
  const ratio = window.devicePixelRatio || 1
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(place.height * ratio) })
  const context = canvas.getContext("2d")
  context.scale(ratio, ratio)
  context.fillStyle = roles["--lit"]
  for (const name of data.told?.lit ?? []) if (!data.layers || name !== "after") context.fillRect(...place.area(name))
  const dim = dimmed(view)
  for (const { x, y, wide, tall, values, row, limit } of strips) {
    context.globalAlpha = dim(row) ? 0.18 : 1
    values.forEach((value, n) => {
      context.fillStyle = shadeOf(value / limit, roles)
      const [from, to] = [n, n + 1].map((k) => Math.round((x + (k / values.length) * wide) * ratio) / ratio)
      context.fillRect(from, y, to - from, tall)
    })
    context.strokeStyle = roles["--grid"]
    context.strokeRect(x, y, wide, tall)
  }
  view.strips = strips
  const svg = view.root.querySelector("svg")
  for (const [n, each] of strips.entries()) {
    const hit = shape("rect", {
      x: each.x,
      y: each.y,
      width: each.wide,
      height: each.tall,
      fill: "transparent",
      "data-strip": n,
    })
    hit.style.cursor = "pointer"
    hit.onclick = () => openNumbers(view, each)
    hit.onpointerenter = () => point([data.rows[each.row].id])
    hit.onpointerleave = leave
    svg.append(hit)
  }
}

// The scale DIVERGING of figures/theme.py in ten steps.
function shadeOf(value, roles) {
  const n = Math.min(9, Math.max(0, Math.floor((value + 1) * 5)))
  return Math.abs(value) < 0.04 ? roles["--surface"] : roles[`--diverging-${n}`]
}

function openNumbers(view, { x, y, tall, values, row, title }) {
  const box = view.root.querySelector(".numbers")
  const list = element(
    "ol",
    [...values].map((value) => element("li", decimals(value, 3))),
  )
  box.replaceChildren(element("b", `${view.data.rows[row].text} · ${title}`), list)
  box.hidden = false
  const width = view.root.querySelector(".picture").clientWidth
  Object.assign(box.style, { left: `${Math.min(x, width - 300)}px`, top: `${y + tall + 4}px` })
}

const closeNumbers = ({ root }) => (root.querySelector(".numbers").hidden = true)

// Tokens, which can be dragged across each other ------------------------------------------------------------

/** @param {Page} page */
function placeChips(page) {
  const { view, place, data, roles } = page
  const box = view.root.querySelector(".chips")
  const tall = 24 * place.unit * place.stretch
  const rows = page.shows("tokens") ? place.rows : []
  while (box.children.length > rows.length) box.lastChild.remove()
  while (box.children.length < rows.length) box.append(element("button"))
  for (const [k, n] of rows.entries()) {
    const button = box.children[k] // stays the same, so that it keeps the focus
    const row = data.rows[n]
    const word = element("span", row.text, "word")
    const [a, b] = row.nth
    const says = a === b ? `${a}` : [a === null ? "" : `A ${a}`, b === null ? "" : `B ${b}`].filter(Boolean).join("\n")
    button.replaceChildren(word, element("small", says))
    button.classList.toggle("moved", isMoved(row))
    const high = isMoved(row) ? tall * 1.5 : tall
    const { x, y, wide } = place.spot("tokens", n)
    Object.assign(button.style, {
      left: `${x}px`,
      width: `${wide}px`,
      top: `${y - high / 2}px`,
      height: `${high}px`,
      fontSize: `${15 * Math.sqrt(place.size) * place.unit}px`,
    })
    button.style.setProperty("--colour", tokenColour(roles, row.colour))
    button.dataset.row = n
    button.setAttribute("aria-pressed", String(view.held === n))
    button.classList.toggle("held", view.held === n)
    if (view.isLive) button.title = data.words.swap
    button.onpointerenter = button.onfocus = () => point([row.id])
    button.onpointerleave = button.onblur = leave
    button.onpointerdown = (event) => drag(view, n, event)
    button.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      pickUp(view, n)
    }
  }
}

// The first token that is taken is held, and the second one changes places with it, in B.
function pickUp(view, n) {
  if (!view.isLive) return
  const [one, other] = [view.held, n]
  view.held = one === null ? n : null
  if (one !== null && one !== other) swap(view, one, other)
  draw(view)
}

function drag(view, n, { pointerId, clientY: start, button, target }) {
  if (button || !view.isLive) return
  const chip = target.closest("button")
  /** @type {HTMLElement | undefined} */
  let to
  chip.setPointerCapture(pointerId)
  chip.onpointermove = ({ clientY }) => {
    if (Math.abs(clientY - start) < 5) return
    chip.classList.add("held")
    chip.style.translate = `0 ${clientY - start}px`
    const all = [...chip.parentElement.children]
    to = all.find((each) => each !== chip && inside(each, clientY))
    for (const each of all) each.classList.toggle("target", each === to)
  }
  chip.onpointerup = chip.onpointercancel = ({ type }) => {
    chip.onpointermove = chip.onpointerup = null
    chip.style.translate = ""
    chip.classList.remove("held")
    if (to && type === "pointerup") swap(view, n, Number(to.dataset.row))
    draw(view)
  }
}

const inside = (part, y) => {
  const { top, bottom } = part.getBoundingClientRect()
  return y >= top && y <= bottom
}

function swap({ data, send }, one, other) {
  const places = [one, other].map((n) => data.rows[n].nth[1])
  if (!places.includes(null)) send("swapped", places)
}

// Pointing -----------------------------------------------------------------------------------------------

const dimmed =
  ({ data, ids = [] }) =>
  (row) =>
    ids.length > 0 && data.rows.some(({ id }) => ids.includes(id)) && !ids.includes(data.rows[row].id)

function light(view, ids) {
  view.ids = ids
  const dim = dimmed(view)
  for (const part of view.root.querySelectorAll("[data-row]"))
    part.classList.toggle("dim", dim(Number(part.dataset.row)))
}
