// Files that a browser saves by itself.

export function save(name, parts, type) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob(parts, { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

// What a file may be called: the words of a title.
export const slug = (text) =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, 6)
    .join("-") ?? "page"
