// Where everything of the whole way stands, in pixels, beside each other on a wide screen and down on a phone.

export const PHONE = 880 // pixels, below which names of columns have no room side by side
const MOST_DOWN = 3 // rows on a phone besides the last one
const MOST_STRETCHED = 1.35 // times that a row is as tall, in a window with room
const FAR = 1.25 // times that all type is larger where a hall has to read it
export const [TOP, FOOT] = [64, 22] // pixels above the rows, for headings and for where order enters, and below them
export const [STRIP, NEAR, ROOM] = [16, 21, 26] // pixels: a strip, two strips of one row, a row
export const [TITLE, NOTE, NUMBER] = [15, 13, 13.5] // pixels of the columns' headings, and of the answers' chances

/**
 * One drawing: what is drawn at a share of the positions. Of what is told, parts that come later are not asked for.
 * @typedef {{ data: Omit<WayData, "told"> & { told?: WayToldData["told"] }, state: WayState, share: number, roles: Record<string, string>,
 *   [key: string]: any }} Page
 */

// Where the picture begins in the window while nothing is scrolled: what comes or goes above moves it.
export const topOf = ({ root }) => {
  const { scrollTop = 0 } = document.querySelector("[data-testid=stMain]") ?? {}
  return Math.round(root.querySelector(".picture").getBoundingClientRect().top + scrollTop)
}

// Whether the picture takes what the words of the tour leave to it, and is drawn anew when that changes.
/** @param {Page} page */
export const hasRoom = ({ data, width }) => Boolean(data.told) && width >= PHONE

// Where everything stands, in pixels: `spot` says where a part of a row is, by its left end, its middle and its width,
// `out` where a line leaves it and `into` where one reaches it. On a phone the way leads from top to bottom, and only
// the rows that differ and the last one are drawn.
/** @param {Page} page */
export function placesOf(page) {
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

export const isMoved = ({ nth: [a, b] }) => a !== b

export const halves = ({ nth: [a, b] }) => (a === null ? [1] : b === null ? [0] : [0, 1])

export const lastRow = ({ rows }, half) =>
  rows.reduce(
    (best, row, n) => (row.nth[half] !== null && row.nth[half] >= (rows[best]?.nth[half] ?? -1) ? n : best),
    0,
  )
