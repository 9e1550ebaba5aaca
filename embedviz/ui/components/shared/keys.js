// Keys that are not ours.

// With Alt, Ctrl or Meta a key belongs to the browser or to the system: Alt and an arrow key go back, for instance.
export const hasModifier = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey

// A button that leads on is pressed once by a key, however long the key is held down.
export const oncePressed = (event) => event.repeat && event.key === "Enter" && event.preventDefault()
