// What components share: payloads, colours, texts, addresses.

import assert from "node:assert/strict"
import test from "node:test"
import { slug } from "../../embedviz/ui/components/shared/files.js"
import { _, counted, decimals, listed, numeral } from "../../embedviz/ui/components/shared/i18n.js"
import { hasModifier } from "../../embedviz/ui/components/shared/keys.js"
import { unpack } from "../../embedviz/ui/components/shared/payload.js"
import { leadsHome } from "../../embedviz/ui/components/shared/qr.js"
import { paint } from "../../embedviz/ui/components/shared/theme.js"

test("what Python packed comes out with its arrays, of one axis and of two", () => {
  const facts = {
    text: "α",
    list: [1, 2],
    none: null,
    deep: [{ row: { at: 0, shape: [2] } }],
    rows: { at: 8, shape: [2, 2] },
  }
  const json = new TextEncoder().encode(JSON.stringify(facts))
  const padding = (4 - (json.length % 4)) % 4
  const data = new Uint8Array(4 + json.length + padding + 24).fill(32)
  new DataView(data.buffer).setUint32(0, json.length + padding, true)
  data.set(json, 4)
  data.set(new Uint8Array(Float32Array.from([1, 2, 3, 4, 5, 6]).buffer), 4 + json.length + padding)
  const { deep, rows, ...rest } = unpack(data)
  assert.deepEqual(rest, { text: "α", list: [1, 2], none: null })
  assert.deepEqual(deep, [{ row: Float32Array.from([1, 2]) }])
  assert.deepEqual(rows, [Float32Array.from([3, 4]), Float32Array.from([5, 6])])
})

test("each role in a figure becomes a colour, wherever it stands, and numbers stay the same ones", () => {
  const numbers = Float32Array.from([1, 2])
  const figure = { a: ["var(--ink)", { b: "<i style=var(--token-3)>x</i>" }], x: numbers, list: [1, 2], none: null }
  const painted = paint(figure, { "--ink": "#000", "--token-3": "red" })
  assert.deepEqual(painted.a, ["#000", { b: "<i style=red>x</i>" }])
  assert.equal(painted.x, numbers)
  assert.equal(painted.list, figure.list)
  assert.equal(painted.none, null)
})

test("a value is put in as it is, even if it looks like a name", () => {
  assert.equal(_("{a} and {b}", { a: "{b}", b: "$&" }), "{b} and $&")
  assert.equal(_("{a} and {c}", { a: 0 }), "0 and {c}")
  assert.equal(counted(1234567), "1,234,567")
})

test("a language with a comma before decimals has a narrow space between thousands", () => {
  const GERMAN = ",\u202f"
  assert.equal(numeral("1,234,567.89", GERMAN), "1\u202f234\u202f567,89")
  assert.equal(numeral("−0.5", GERMAN), "−0,5")
  assert.equal(decimals(-1.25, 1), "−1.3")
  assert.equal(listed(["0,5", "1"], GERMAN), "0,5; 1")
  assert.equal(listed(["0.5", "1"]), "0.5, 1")
})

test("a title becomes the name of a file", () => {
  assert.equal(slug("How far: A’s copies, in 2 layers and more!"), "how-far-a-s-copies-in")
  assert.equal(slug("…"), "page")
})

test("with Alt, Ctrl or Meta a key is not ours, with Shift it is", () => {
  const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: true }
  assert(!hasModifier(none))
  for (const name of ["altKey", "ctrlKey", "metaKey"]) assert(hasModifier({ ...none, [name]: true }))
})

const HOME = [
  "http://localhost:8501/",
  "http://embedviz.localhost/?a=b",
  "http://127.0.0.1:80/",
  "http://127.9.8.7/",
  "http://[::1]:8501/rope",
  "http://0.0.0.0:8501/",
]
const ELSEWHERE = [
  "https://embedviz.org/localhost",
  "http://192.168.0.7:8501/?a=127.0.0.1",
  "http://127.example/",
  "http://[2001:db8::1]/",
  "http://localhost.example/",
]

test("an address is known that leads nobody else to this machine", () => {
  assert.deepEqual([...HOME, ...ELSEWHERE].filter(leadsHome), HOME)
})
