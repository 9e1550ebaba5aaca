// The menu of languages. Another language is another page from the server, which the address describes in full.

import { keep } from "../../assets/page/address.js"

export function showLanguages(label) {
  const names = Object.entries(JSON.parse(document.getElementById("ev-languages")?.textContent ?? "{}"))
  const here = document.documentElement.lang
  const [shown, menu] = [label.querySelector("span"), label.querySelector("select")]
  shown.textContent = here.split("-")[0].toUpperCase()
  menu.replaceChildren(
    ...names.map(([tag, name]) => Object.assign(new Option(name, tag, tag === here, tag === here), { lang: tag })),
  )
  menu.onchange = () => {
    keep("lang", menu.value)
    location.reload()
  }
}
