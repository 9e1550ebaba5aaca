// What components share, by one name.

export * from "./elements.js"
export * from "./files.js"
export * from "./i18n.js"
export * from "./instances.js"
export * from "./keys.js"
export * from "./link.js"
export * from "./payload.js"
export * from "./qr.js"
export * from "./theme.js"
export * from "./touch.js"
