/** Exits with a message on an older Node.js. better-sqlite3 and type stripping need version 24, and fail with unclear messages. */
export function requireNode24(): void {
  if (Number(process.versions.node.split('.')[0]) >= 24) return
  console.error(
    `Node.js 24 or newer is required. This is ${process.versions.node}. Use \`npm start\` or another npm script, which use the right version.`,
  )
  process.exit(1)
}
