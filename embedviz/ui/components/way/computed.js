// The picture of the whole way of two sentences through the small GPT, computed where it is seen: what pair.py, words.py
// and picture.py make, for a page without a server. What is said comes from Python as sentences with places (browser.py).

import { _, filled, joined, paragraph } from "../shared/i18n.js"
import { forward } from "./gpt.js"

const ROUNDING = 1e-4 // as in embedviz/layers/trace.py
const SAME = 1e-5 // of two probabilities, likewise
const EXACT = 1e-9 // a distance that only the order of a sum makes
const LEAST_THREAD = 0.2 // as in picture.py
const MOST_BARS = 3

/** @typedef {{ text: string, id: number, span: [number, number] }} Word */

/**
 * The words and marks of a text, each with its ID, -1 if the model does not know it.
 * @param {SmallGpt} model
 * @param {string} text
 * @returns {Word[]}
 */
export const wordsOf = (model, text) =>
  Array.from(text.matchAll(new RegExp(model.word, "g")), ({ 0: word, index }) => ({
    text: word,
    id: model.vocabulary.indexOf(word),
    span: [index, index + word.length],
  }))

/**
 * Why the model cannot read a sentence, or "" if it can.
 * @param {SmallGpt} model
 * @param {OwnWay} own
 */
export function refusal(model, { refusals }, text) {
  const words = wordsOf(model, text)
  const unknown = [...new Set(words.filter(({ id }) => id < 0).map(({ text }) => text))].sort()
  if (!words.length) return refusals.empty
  if (unknown.length) return filled(refusals.unknown, { unknown: unknown.join(", ") })
  return words.length > model.context_length ? filled(refusals.long, { n: words.length }) : ""
}

/**
 * All that is drawn of two sentences that the model can read, and the headlines without positions and with them.
 * @param {SmallGpt} model
 * @param {OwnWay & WayOfRun} own what is said of any sentences, and what of this model
 * @param {string} name of the model
 * @param {string[]} texts
 * @returns {{ data: WayData, claims: string[], read: string[][] }}
 */
export function wayOf(model, own, name, texts) {
  const asked = texts.map((text) => text.trim().split(/\s+/).join(" "))
  const question = own.questions.find((end) => asked.every((text) => rightWord(own, `${text} ${end}`))) ?? ""
  const [a, b] = asked.map((text) => wordsOf(model, `${text} ${question}`))
  const pairs = pairsOf(a, b)
  const traces = own.shares.map((share) => traced(model, a, b, pairs, share / 100))
  const full = traces[traces.length - 1]
  const [layer, head] = mostDifferentHead(full, pairs)
  const ids = [...new Set([...a, ...b].map(({ id }) => id))]
  const rows = rowsOf(own, a, b, pairs, ids)
  const vectors = rows.map(({ id }) => model.weights["token_embedding.weight"][id])
  const positions =
    model.positions === "learned" ? [a, b].flatMap((words) => words.map((_word, n) => positionAt(model, n))) : null
  const inputs = [a, b].flatMap((words) =>
    words.flatMap(({ id }, n) =>
      [...model.weights["token_embedding.weight"][id]].map(
        (value, k) => value + (positions ? positionAt(model, n)[k] : 0),
      ),
    ),
  )
  const said = { a, b, pairs, question, ids, rows, layer, likeliest: likeliest(model, own, question, ids, traces) }
  const n_layers = full.a.attentions.length
  const states = traces.map((trace, n) => stateOf(model, own, trace, own.shares[n], said))
  const data = {
    words: columnsOf(own, visibleEnd(a), head),
    sentences: [],
    rows,
    vectors,
    positions,
    limit: limitOf(own, [...vectors.flatMap((row) => [...row]), ...inputs]),
    limit_after: limitOf(
      own,
      states.flatMap(({ after }) => after[0]),
    ),
    head,
    bars: said.likeliest.length + 1,
    layers: n_layers > 1 ? n_layers : 0,
    states,
    models: question ? modelsNear(own, name) : [],
    links: {},
  }
  return {
    data,
    claims: [states[0], states[states.length - 1]].map(({ headline = "" }) => headline),
    read: [a, b].map(textsOf),
  }
}

/** @returns {WayData["models"]} */
const modelsNear = ({ models }, name) => models.map(([other, label]) => [other, label, other === name])
const textsOf = (words) => words.map(({ text }) => text)
const visibleEnd = (words) => words[words.length - 1].text
const positionAt = (model, n) => model.weights["position_embedding.weight"][n]

// The right answer to a question of the language; null if it is none.
function rightWord({ forms }, said) {
  for (const [pattern, answer] of forms) {
    const groups = said.match(new RegExp(pattern))?.groups
    if (groups && groups.n !== groups.m) return groups[answer]
  }
  return null
}

// Each token of A with its copy in B: the first of a word with the first, and so on.
function pairsOf(a, b) {
  const named = (words) =>
    words.map(({ id }, n) => `${id} ${words.slice(0, n).filter((each) => each.id === id).length}`)
  const inB = named(b)
  return named(a).flatMap((name, i) => (inB.includes(name) ? [[i, inB.indexOf(name)]] : []))
}

/** @returns {WayRow[]} */
function rowsOf({ colours }, a, b, pairs, ids) {
  const copies = new Map(pairs.map(([i, j]) => [i, j]))
  const alone = b.map((_word, j) => j).filter((j) => ![...copies.values()].includes(j))
  const all = [...a.map((_word, i) => [i, copies.get(i) ?? null]), ...alone.map((j) => [null, j])]
  return all.map(([i, j]) => {
    const { text, id } = i === null ? b[j] : a[i]
    const n = ids.indexOf(id)
    const places = [i, j === null ? null : a.length + j]
    return {
      text,
      id,
      colour: n % colours,
      again: Math.floor(n / colours),
      nth: [i, j],
      places: /** @type {[number, number]} */ (places),
    }
  })
}

const squares = (a, b) => a.reduce((all, value, n) => all + (value - b[n]) ** 2, 0)

// Both sentences through the model at a share of its positions, and where their copies part.
function traced(model, a, b, pairs, share) {
  const [one, other] = [a, b].map((words) =>
    forward(
      model,
      words.map(({ id }) => id),
      words.map((_word, n) => Array.from({ length: model.context_length }, (_each, at) => (at === n ? share : 0))),
    ),
  )
  const apart = pairs.map(() => [])
  one.states.forEach((state, layer) => {
    const between = (i, j) => Math.sqrt(squares(state[i], other.states[layer][j]))
    const others = a.flatMap((first, i) =>
      b.flatMap((second, j) => (first.id === second.id ? [] : [between(i, j) ** 2])),
    )
    const unlike = others.length ? Math.sqrt(others.reduce((all, each) => all + each, 0) / others.length) : NaN
    pairs.forEach(([i, j], n) => {
      const distance = between(i, j)
      apart[n].push(distance < EXACT ? 0 : distance / unlike)
    })
  })
  const differ = apart.map((row) => row.map((each, layer) => !(each <= (layer ? ROUNDING : 0))))
  const isOne = one.chances.every((chance, n) => Math.abs(chance - other.chances[n]) <= SAME)
  const parts = differ.some((row) => row.some(Boolean))
  const isInside = model.positions === "rope" && share > 0
  const entry = differ.some(([input]) => input) ? "positions" : !parts ? null : isInside ? "attention" : "mask"
  return { a: one, b: other, apart, differ, isOne, entry }
}

// The layer and the head in which the last token looks most differently at the copies of A and of B.
function mostDifferentHead({ a, b }, pairs) {
  let [best, most] = [[pairs.length ? 0 : a.attentions.length - 1, 0], 0]
  a.attentions.forEach((heads, layer) =>
    heads.forEach((looks, head) => {
      const [in_a, in_b] = [looks[looks.length - 1], b.attentions[layer][head].slice(-1)[0]]
      const sum = pairs.reduce((all, [i, j]) => all + Math.abs(in_a[i] - in_b[j]), 0)
      const apart = Math.round(sum * 1e6) // of two that only rounding parts, the first
      if (apart > most) [best, most] = [[layer, head], apart]
    }),
  )
  return best
}

// The words whose bars are drawn: those that a question may be answered with, or else the likeliest.
function likeliest({ vocabulary }, { nouns }, question, ids, traces) {
  if (question) return ids.filter((id) => nouns.includes(vocabulary[id]))
  const chance = vocabulary.map((_word, n) => Math.max(...traces.flatMap(({ a, b }) => [a.chances[n], b.chances[n]])))
  return [...chance.keys()].sort((n, m) => chance[m] - chance[n]).slice(0, MOST_BARS)
}

const quoted = (word) => _("“{word}”", { word })

/** @returns {WayState} */
function stateOf(model, own, trace, share, said) {
  const { a, b, pairs, question, ids, rows, layer } = said
  const [one, other] = [trace.a, trace.b]
  const endsDiffer = visibleEnd(a) !== visibleEnd(b)
  const moved = [...new Set(pairs.flatMap(([i, j]) => (i === j ? [] : [a[i].text])))]
  const found = [trace.entry ?? "", Number(trace.isOne), Number(endsDiffer)]
  const parted = trace.differ.flatMap((row) => row.flatMap((differs, at) => (differs && at ? [at] : [])))
  const where = filled(pairs.length ? own.entries[[...found, moved.length > 1 ? 2 : 1].join()] : "", {
    words: joined(moved.map(quoted)),
    last: visibleEnd(a),
    b: visibleEnd(b),
    n: trace.differ.filter((row) => row[row.length - 1]).length,
    layer: Math.min(...parted),
  })
  const isHidden = trace.entry === "mask" && (trace.isOne || endsDiffer)
  const at = new Map(rows.flatMap(({ nth: [i] }, n) => (i === null ? [] : [[i, n]])))
  const pairAt = new Map(pairs.map(([i], n) => [i, n]))
  return {
    share,
    headline: own.headlines[kindOf(a, b, pairs)] ?? own.headlines[[Number(share > 0), ...found].join()],
    look: paragraph([where, own.model, question && filled(own.asked, { question })]),
    entry: isHidden ? null : trace.entry,
    one: trace.isOne,
    looks: one.attentions[layer].map((looks, head) => {
      const lasts = [looks, other.attentions[layer][head]].map((each) => each[each.length - 1])
      return rows.flatMap(({ nth }) => nth.map((n, half) => (n === null ? -1 : lasts[half][n])))
    }),
    apart: rows.map(({ nth: [i] }) =>
      one.states.map((_state, layer) => {
        const n = pairAt.get(i)
        if (n === undefined || Number.isNaN(trace.apart[n][layer])) return -1
        return trace.differ[n][layer] ? trace.apart[n][layer] : 0
      }),
    ),
    threads: one.attentions.flatMap((heads, layer) =>
      a.flatMap((_looking, i) =>
        a.flatMap((_seen, j) => {
          const weight = heads.reduce((all, looks) => all + looks[i][j], 0) / heads.length
          return i !== j && weight >= LEAST_THREAD ? [[layer, at.get(i), at.get(j), weight]] : []
        }),
      ),
    ),
    after: [one, other].map(({ states }) => states[states.length - 1].slice(-1)[0].slice(0, own.numbers)),
    answers: [one, other].map(({ chances }, half) => {
      const bars = said.likeliest.map((id) => [
        model.vocabulary[id],
        ids.includes(id) ? ids.indexOf(id) % own.colours : null,
        chances[id],
      ])
      const rest = [own.others, null, Math.max(0, 1 - bars.reduce((all, bar) => all + bar[2], 0))]
      const right = rightWord(own, textsOf([a, b][half]).join(" "))
      const best = model.vocabulary[chances.indexOf(Math.max(...chances))]
      return [
        question.replace(/^[ ,]+|[ ,]+$/g, "") || own.next,
        right === null ? null : best === right,
        [...bars, rest],
      ]
    }),
    alike: 0,
    unrelated: null,
  }
}

// Whether B has A's words in another order, or why that is not compared: as `Case` in words.py.
function kindOf(a, b, pairs) {
  if (textsOf(a).join(" ") === textsOf(b).join(" ")) return "same"
  if (!pairs.length) return "apart"
  return a.length === b.length && pairs.length === a.length ? "orders" : "words"
}

// The names of the columns, with the last word and the head that is drawn.
function columnsOf({ words }, token, head) {
  const fill = (value) =>
    typeof value === "string" ? filled(value, { token }) : Array.isArray(value) ? value.map(fill) : value
  const all = Object.fromEntries(Object.entries(words).map(([name, value]) => [name, fill(value)]))
  return all.heads.length ? { ...all, looks: [all.looks[0], all.heads[head]] } : all
}

// The limit at which colours end, as `limit_of` in theme.py: a percentile between two of the sorted numbers.
function limitOf({ percentile }, numbers) {
  const sorted = numbers.map(Math.abs).sort((a, b) => a - b)
  const at = (percentile / 100) * (sorted.length - 1)
  const [low, high] = [Math.floor(at), Math.ceil(at)].map((n) => sorted[n])
  return low + (high - low) * (at % 1)
}

/**
 * A text after two of its words have changed places; as it was if one of them is no part of it, such as the question.
 * @param {SmallGpt} model
 * @param {number[]} places
 */
export function swapped(model, text, places) {
  const words = wordsOf(model, text)
  const [first, second] = places.toSorted((a, b) => a - b).map((n) => words[n])
  if (!first || !second || first === second) return text
  const [[from, to], [start, end]] = [first.span, second.span]
  return text.slice(0, from) + second.text + text.slice(to, start) + first.text + text.slice(end)
}
