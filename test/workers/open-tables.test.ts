import { expect, test } from 'vitest'
import type { BulkIssuanceRow } from '../../db/repos/issuance/bulk/bulk-issuances.ts'
import { createOpenTables, type OpenTable } from '../../workers/upkeep/bulk/open-tables.ts'

function fakes() {
  const opened: string[] = []
  const closed: string[] = []
  const tables = createOpenTables((bulk) => {
    opened.push(bulk.id)
    const portions = { return: async () => void closed.push(bulk.id) } as unknown as OpenTable['portions']
    return { portions, position: 0, returned: 0 }
  })
  // Boundary: the open tables need only these fields.
  const bulk = (id: string, progress: number) => ({ id, progress }) as BulkIssuanceRow
  /** One time slice, which reads up to a row. */
  async function runSlice(id: string, from: number, to: number): Promise<void> {
    const table = tables.take(bulk(id, from))
    table.position = to
    table.returned = to
    await tables.keep(bulk(id, to), table)
  }
  return { opened, closed, runSlice }
}

test('with more files than can be open, the longest stay open', async () => {
  const { opened, closed, runSlice } = fakes()
  const start = { a: 0, b: 0, c: 0, d: 0, e: 0 }
  for (let round = 1; round <= 10; round++) {
    for (const [at, id] of Object.keys(start).entries()) {
      const speed = 5 - at
      await runSlice(id, (round - 1) * speed, round * speed)
    }
  }
  // Three are opened once. Only those that are the fastest to read again are opened again.
  for (const id of ['a', 'b', 'c']) expect(opened.filter((each) => each === id)).toHaveLength(1)
  expect(closed.every((id) => id === 'd' || id === 'e')).toBe(true)
})
