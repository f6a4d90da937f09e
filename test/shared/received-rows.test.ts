import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createReceivedRows } from '../../api/cli/trustwright/bulk/received-rows.ts'
import { tableLines, tableStart } from '../../shared/formats/table-file/write-table.ts'

const columns = ['row', 'externalId', 'link']
const rows = [7, 12, 130].map((row) => ({ row, externalId: `"Ada"\r\n99,${row}\n`, link: 'https://a.example/ä' }))

test.each(['csv', 'jsonl'] as const)(
  'a table in %s that is cut after any byte continues after its last whole row',
  async (format) => {
    const lines = [tableStart(format, columns), ...rows.map((row) => tableLines(format, columns, [row]))]
    const whole = Buffer.from(lines.join(''))
    const ends = lines.map((_, at) => Buffer.byteLength(lines.slice(0, at + 1).join('')))
    for (let cut = 0; cut <= whole.length; cut++) {
      const received = createReceivedRows(format)
      const chunks = Readable.from([whole.subarray(0, cut >> 1), whole.subarray(cut >> 1, cut)])
      await Array.fromAsync(received.follow(chunks))
      const count = ends.findLastIndex((end) => end <= cut)
      const expected = { row: rows[count - 1]?.row ?? 0, sizeBytes: ends[count] ?? 0 }
      expect({ row: received.row, sizeBytes: received.sizeBytes }).toEqual(expected)

      await Array.fromAsync(received.follow(Readable.from([whole.subarray(received.sizeBytes)])))
      expect([received.row, received.sizeBytes]).toEqual([130, whole.length])
    }
  },
)
