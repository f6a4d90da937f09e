import type { Cursor, Walked } from '../../../db/page.ts'

/**
 * Merges two scans from newest to oldest into one page. Rows older than the end of one scan wait for the next page, because the
 * scan can still have rows before them.
 */
export function mergeWalks<A, B>(
  a: Walked<A>,
  b: Walked<B>,
  limit: number,
  cursorOf: (row: A | B) => Cursor,
): Walked<A | B> {
  const newestFirst = (x: Cursor, y: Cursor) =>
    y.at.getTime() - x.at.getTime() || (x.id < y.id ? 1 : x.id > y.id ? -1 : 0)
  const [end] = [a.next, b.next].filter((next) => next !== undefined).sort(newestFirst)
  const ofBoth = [...a.rows, ...b.rows]
    .filter((row) => !end || newestFirst(cursorOf(row), end) <= 0)
    .sort((x, y) => newestFirst(cursorOf(x), cursorOf(y)))
  const rows = ofBoth.slice(0, limit)
  const last = ofBoth.length > limit && rows.at(-1)
  const next = last ? cursorOf(last) : end
  return { rows, ...(next ? { next } : {}) }
}
