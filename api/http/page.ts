import { z } from 'zod'
import type { Cursor, Walked } from '../../db/page.ts'
import { lastStoredAt } from '../../shared/clock.ts'
import { isText } from '../../shared/formats/lossless-json.ts'

const digits = z.string().regex(/^\d{1,4}$/, 'Must be a number from 1 to 1000')

/** Makes the schema of an opaque cursor from the schema of its JSON content. */
export function cursorText<Content extends z.ZodType>(content: Content) {
  return z
    .string()
    .max(200)
    .transform((text, ctx): z.output<Content> => {
      const read = content.safeParse(jsonIn(text))
      if (read.success) return read.data
      ctx.addIssue({ code: 'custom', message: 'Must be the nextCursor of another page' })
      return z.NEVER
    })
}

/** The creation time and id of the last row that the caller has seen. */
export const CursorText = cursorText(
  z
    .tuple([z.number().int().min(0).max(lastStoredAt.getTime()), z.string().min(1).max(64).refine(isText)])
    .transform(([at, id]): Cursor => ({ at: new Date(at), id })),
)

/** The query of every list operation. */
export const PageQuery = z.object({
  limit: digits
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 1000, 'Must be a number from 1 to 1000')
    .default(100)
    .meta({
      description: 'The maximum number of entries of the page, from 1 to 1000',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
    }),
  cursor: CursorText.optional().describe('The `nextCursor` of the previous page'),
})

const NextCursor = z.string().optional().describe('The `cursor` of the next page. Absent on the last page')

/** Makes the schema of the answer of every list operation. */
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

/** Makes a page of an index scan. The page can have fewer rows than the limit and still have a next page. */
export function presentWalked<Row, View>(
  { rows, next }: Walked<Row>,
  present: (row: Row) => View,
): { data: View[]; nextCursor?: string } {
  return { data: rows.map(present), ...(next ? { nextCursor: writeCursor(next) } : {}) }
}

export function writeCursor({ at, id }: Cursor): string {
  return writeCursorText([at.getTime(), id])
}

/** Writes a cursor that `cursorText` reads. */
export function writeCursorText(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** Returns undefined if the text is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
