import type { ByteRange } from '../../http/representations/ranges.ts'

/** The lines of a page of results. */
export interface ResultPage {
  /** The row before the page. */
  after: number
  bytes: Buffer
}

/** Where the pages of a table begin, to find a byte range without the pages before it. */
export interface ResultIndex {
  lengthBytes: number
  marks: { after: number; offset: number }[]
}

/** Pages between two marks. The index of 2,000,000 rows has 1,000 marks. */
const pagesPerMark = 10

/** Reads all pages once, until `ending` aborts. The first page begins the table. */
export async function indexOf(pages: AsyncIterable<ResultPage>, ending?: AbortSignal): Promise<ResultIndex> {
  const index: ResultIndex = { lengthBytes: 0, marks: [] }
  let count = 0
  for await (const { after, bytes } of pages) {
    ending?.throwIfAborted()
    if (count++ % pagesPerMark === 0) index.marks.push({ after, offset: index.lengthBytes })
    index.lengthBytes += bytes.length
  }
  return index
}

/** Returns the bytes of a range. `pagesFrom` reads the pages after a row, and begins the table if it is the first page. */
export async function* partOf(
  { marks }: ResultIndex,
  { first, last }: ByteRange,
  pagesFrom: (mark: { after: number; isFirst: boolean }) => AsyncIterable<ResultPage>,
): AsyncGenerator<Buffer> {
  const at = marks.findLastIndex(({ offset }) => offset <= first)
  const { after = 0, offset = 0 } = marks[at] ?? {}
  let from = offset
  for await (const { bytes } of pagesFrom({ after, isFirst: at <= 0 })) {
    const part = bytes.subarray(Math.max(0, first - from), last + 1 - from)
    from += bytes.length
    if (part.length > 0) yield part
    if (from > last) return
  }
}
