import { z } from 'zod'
import type { Cursor, Walked } from '../../db/page.ts'
import { lastStoredAt } from '../../shared/clock.ts'
import { isText } from './json.ts'

const digits = z.string().regex(/^\d{1,4}$/, 'Must be a number from 1 to 1000')

/** Opaque to callers: the creation time and id of the last row that they have seen. */
export const CursorText = z
  .string()
  .max(200)
  .transform((text, ctx): Cursor => {
    const cursor = readCursor(text)
    if (cursor) return cursor
    ctx.addIssue({ code: 'custom', message: 'Not a cursor of this service' })
    return z.NEVER
  })

/** The query of every list operation. */
export const PageQuery = z.object({
  limit: digits
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 1000, 'Must be a number from 1 to 1000')
    .default(100)
    .meta({
      description: 'How many entries a page has at most, from 1 to 1000',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
    }),
  cursor: CursorText.optional().describe('The `nextCursor` of the page before'),
})

const NextCursor = z.string().optional().describe('The `cursor` of the next page; absent on the last one')

/** The answer of every list operation. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('The entries of this page, in the order of the list'),
    nextCursor: NextCursor,
  })
}

/** Makes a page of rows that were read with one row more than the limit. */
export function toPage<Row, View>(
  rows: Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
  present: (row: Row) => View,
): { data: View[]; nextCursor?: string } {
  const data = rows.slice(0, limit).map(present)
  const last = rows[limit - 1]
  if (rows.length <= limit || !last) return { data }
  return { data, nextCursor: writeCursor(cursorOf(last)) }
}

/** The same for a walk that may have ended early: a page can hold fewer than the limit and still have a next one. */
export function presentWalked<Row, View>(
  { rows, next }: Walked<Row>,
  present: (row: Row) => View,
): { data: View[]; nextCursor?: string } {
  return { data: rows.map(present), ...(next ? { nextCursor: writeCursor(next) } : {}) }
}

export function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([at.getTime(), id])).toString('base64url')
}

const CursorContent = z.tuple([
  z.number().int().min(0).max(lastStoredAt.getTime()),
  z.string().min(1).max(64).refine(isText),
])

function readCursor(text: string): Cursor | undefined {
  try {
    const [at, id] = CursorContent.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { at: new Date(at), id }
  } catch {
    return undefined
  }
}
