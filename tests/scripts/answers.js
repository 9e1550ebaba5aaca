// Answers what Python tests ask, one line for each question; see node.py.

import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

for await (const line of createInterface({ input: process.stdin })) {
  const answer = {}
  try {
    const [script, name, given] = JSON.parse(line)
    const module = await import(pathToFileURL(script).href)
    answer.value = await module[name](...given)
  } catch (error) {
    answer.error = error.stack
  }
  console.log(JSON.stringify(answer))
}
