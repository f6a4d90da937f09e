/** The whole rows of a table of results that have arrived. */
export interface ReceivedRows {
  /** The number of the last whole row. 0 before the first one. */
  readonly row: number
  /** The bytes up to the end of this row. */
  readonly sizeBytes: number
  /** Passes the content on, and reads the numbers of its rows. */
  follow(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
}

/** Both formats begin a row with its number. */
const numberOfRow = /^(?:\{"row":)?(\d+)/
const maxStartLength = 30
const [quote = 0, lineEnd = 0] = Buffer.from('"\n')

/** Follows a table from its begin. A cell of CSV can have line ends in quotes. A line of JSON Lines has none. */
export function createReceivedRows(format: 'csv' | 'jsonl'): ReceivedRows {
  let [row, sizeBytes, lengthBytes] = [0, 0, 0]
  let start = ''
  let isQuoted = false

  function add(byte: number): void {
    lengthBytes++
    if (start.length < maxStartLength) start += String.fromCharCode(byte)
    if (format === 'csv' && byte === quote) isQuoted = !isQuoted
    if (byte !== lineEnd || isQuoted) return
    row = Number(numberOfRow.exec(start)?.[1] ?? row)
    sizeBytes += lengthBytes
    lengthBytes = 0
    start = ''
  }

  return {
    get row() {
      return row
    },
    get sizeBytes() {
      return sizeBytes
    },
    async *follow(content) {
      // The part of a row after the last whole one was lost.
      lengthBytes = 0
      start = ''
      isQuoted = false
      for await (const chunk of content) {
        for (const byte of chunk) add(byte)
        yield chunk
      }
    },
  }
}
