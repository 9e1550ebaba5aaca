// What Python packed: JSON, then float32 arrays; see `pack` in component.py.

export function unpack(data) {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true)
  const payload = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)))
  const arrays = data.slice(4 + length).buffer
  return revive(payload, arrays)
}

function revive(value, arrays) {
  if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((part) => revive(part, arrays))
  if (value === null || typeof value !== "object") return value
  if ("at" in value) return view(value, arrays)
  for (const key in value) value[key] = revive(value[key], arrays)
  return value
}

function view({ at, shape }, arrays) {
  const values = new Float32Array(
    arrays,
    at,
    shape.reduce((a, b) => a * b, 1),
  )
  if (shape.length === 1) return values
  const [rows, columns] = shape
  return Array.from({ length: rows }, (_, n) => values.subarray(n * columns, (n + 1) * columns))
}
