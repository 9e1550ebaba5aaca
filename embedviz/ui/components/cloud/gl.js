// Draws points by WebGL, or without it by the canvas's own means. The points go to the graphics memory once;
// another colour, another part or another light sends none of them again.

import { projector } from "./camera.js"

const VERTEX = `
attribute vec2 place; attribute vec4 colour;
uniform vec2 centre, scale, pan; uniform float size;
varying vec4 shade;
void main() {
  gl_Position = vec4((place - centre) * scale + pan, 0.0, 1.0);
  gl_PointSize = size;
  shade = colour;
}`
const FRAGMENT = `
precision mediump float;
varying vec4 shade;
void main() {
  vec2 from = gl_PointCoord - 0.5;
  if (dot(from, from) > 0.25) discard;
  gl_FragColor = vec4(shade.rgb * shade.a, shade.a);
}`

export function painter(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true })
  if (!gl) return flatPainter(canvas)
  return glPainter(canvas, gl)
}

function glPainter(canvas, gl) {
  const program = link(gl)
  const [places, colours, chosen] = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()]
  const at = (name) => gl.getUniformLocation(program, name)
  const where = Object.fromEntries(["centre", "scale", "pan", "size"].map((name) => [name, at(name)]))
  let count = 0
  let nChosen = 0
  gl.useProgram(program)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  bind(gl, program, "place", places, 2, gl.FLOAT)
  bind(gl, program, "colour", colours, 4, gl.UNSIGNED_BYTE)
  return {
    kind: "webgl",
    points(values) {
      count = values.length / 2
      gl.bindBuffer(gl.ARRAY_BUFFER, places)
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW)
    },
    colours(codes, palette, rows, strength) {
      gl.bindBuffer(gl.ARRAY_BUFFER, colours)
      gl.bufferData(gl.ARRAY_BUFFER, bytes(codes, palette, rows, strength), gl.DYNAMIC_DRAW)
      nChosen = rows.length
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, chosen)
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(rows), gl.DYNAMIC_DRAW)
    },
    paint(view, size, litSize, ratio) {
      gl.viewport(0, 0, canvas.width, canvas.height)
      gl.clearColor(0, 0, 0, 0)
      gl.clear(gl.COLOR_BUFFER_BIT)
      gl.uniform2fv(where.centre, view.centre)
      const scale = view.fits * view.zoom * 2
      gl.uniform2f(where.scale, scale / view.width, scale / view.height)
      gl.uniform2f(where.pan, (2 * view.pan[0]) / view.width, (-2 * view.pan[1]) / view.height)
      gl.uniform1f(where.size, size * ratio)
      gl.drawArrays(gl.POINTS, 0, count)
      if (!nChosen) return
      gl.uniform1f(where.size, litSize * ratio)
      gl.drawElements(gl.POINTS, nChosen, gl.UNSIGNED_INT, 0)
    },
    end: () => gl.getExtension("WEBGL_lose_context")?.loseContext(),
  }
}

function link(gl) {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ]) {
    const shader = gl.createShader(type)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  return program
}

function bind(gl, program, name, buffer, size, type) {
  const place = gl.getAttribLocation(program, name)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.enableVertexAttribArray(place)
  gl.vertexAttribPointer(place, size, type, type === gl.UNSIGNED_BYTE, 0, 0)
}

// Four bytes a point. strength: how opaque those are that are not lit.
function bytes(codes, palette, rows, strength) {
  const rgba = new Uint8Array(codes.length * 4)
  const words = new Uint32Array(rgba.buffer)
  const word = (alpha) => palette.map(([r, g, b]) => new Uint32Array(Uint8Array.of(r, g, b, alpha).buffer)[0])
  const [usual, bright] = [word(255 * strength), word(255)]
  for (let k = 0; k < codes.length; k++) words[k] = usual[codes[k]]
  for (const row of rows) words[row] = bright[codes[row]]
  return rgba
}

function flatPainter(canvas) {
  const context = canvas.getContext("2d")
  let [values, codes, palette, lit, strength] = [new Float32Array(0), [], [], [], 1]
  return {
    kind: "canvas",
    points: (given) => (values = given),
    colours: (...given) => ([codes, palette, lit, strength] = given),
    paint(view, size, litSize, ratio) {
      const place = projector(view)
      const dot = (k, wide) => {
        const [x, y] = place(values[2 * k], values[2 * k + 1])
        context.fillRect((x - wide / 2) * ratio, (y - wide / 2) * ratio, wide * ratio, wide * ratio)
      }
      context.clearRect(0, 0, canvas.width, canvas.height)
      context.globalAlpha = strength
      palette.forEach((colour, code) => {
        context.fillStyle = `rgb(${colour})`
        for (let k = 0; k < codes.length; k++) if (codes[k] === code) dot(k, size)
      })
      context.globalAlpha = 1
      for (const k of lit) {
        context.fillStyle = `rgb(${palette[codes[k]]})`
        dot(k, litSize)
      }
    },
    end() {},
  }
}
