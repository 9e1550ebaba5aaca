// What holds for every field of the page, whoever has made it, also for those that come later.
{
  // A whole book that is pasted into a field would be more than the server takes in one message, and it would end the
  // connection after each try. So the field keeps as much as can be sent, and the page then says that it is too long.
  const most = Number(document.currentScript?.dataset.most)
  const cut = ({ target }) => {
    if (!target.matches?.("input[type=text], textarea") || target.value.length <= most) return
    const isHalf = /[\uD800-\uDBFF]/.test(target.value[most - 1]) // of a character that takes two places
    // Not by the element's own property, on which React watches: it is to see the change.
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value") ?? {}
    set?.call(target, target.value.slice(0, most - Number(isHalf)))
  }
  addEventListener("input", cut, true)

  // A phone would begin a sentence with a capital letter, and correct words: another letter is another token.
  const asTyped = { autocapitalize: "off", autocorrect: "off", spellcheck: "false" }
  const keepAsTyped = () => {
    for (const field of document.querySelectorAll(":is(input, textarea):not([autocapitalize])")) {
      for (const [name, value] of Object.entries(asTyped)) field.setAttribute(name, value)
    }
  }
  let frame = 0 // the fields are gone through once a frame, however much has changed
  const schedule = () => {
    if (frame) return
    frame = requestAnimationFrame(() => {
      frame = 0
      keepAsTyped()
    })
  }
  keepAsTyped()
  new MutationObserver(schedule).observe(document, { subtree: true, childList: true })
}
