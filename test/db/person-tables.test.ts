import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { columnsByTable } from '../../api/issuance/users/export/sections.ts'
import { openDatabase } from '../../db/client.ts'
import { statesOfUser } from '../../db/repos/issuance/users/user-states.ts'
import { withUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { eraseUser } from '../../db/retention/erasure.ts'
import { personTables, searchTables } from '../../db/retention/person-tables.ts'
import { openedData } from '../harness/data-folder.ts'

const names = personTables.map(({ table }) => getTableName(table))

test('an export reads each table of which an erasure removes or empties rows, with the same rows', async () => {
  const { url, facts, held, drop } = await openedData('12.22.0')
  const data = openDatabase(url, { survives: 'crash' })
  const { tenantId } = facts
  const counts = new Map<string, number>()
  for (const { table, read } of personTables) {
    let count = 0
    for await (const portion of read(data.read, { tenantId, userId: held.userId })) count += portion.length
    counts.set(getTableName(table), count)
    let others = 0
    for await (const portion of read(data.read, { tenantId: 'another', userId: held.userId })) others += portion.length
    expect([getTableName(table), others]).toEqual([getTableName(table), 0])
  }
  const terms = await statesOfUser(data.read, tenantId, held.userId)
  const erased = await withUserTerms(terms, (of) =>
    data.tx((tx) => eraseUser(tx, tenantId, held.userId, new Date(), of)),
  )
  await data.close()
  await drop()
  for (const table of searchTables) delete erased?.rows[getTableName(table)]
  // A row of an event is its start and its end. The events of changes stay after an erasure.
  const { events = 0, ...rows } = erased?.rows ?? {}
  expect(events).toBeGreaterThan(0)
  expect(counts.get('events')).toBeGreaterThanOrEqual(events)
  counts.delete('events')
  expect(Object.fromEntries([...counts].filter(([, count]) => count > 0))).toEqual(rows)
})

test('each table of a person is read once, and each of its columns is visible or withheld', () => {
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(columnsByTable).sort()).toEqual(names.toSorted())
  for (const { table } of personTables) {
    const columns = columnsByTable[getTableName(table)]
    const decided = [...(columns?.visible ?? []), ...(columns?.withheld ?? [])]
    const computed = getTableName(table) === 'events' ? ['durationMs'] : []
    const expected = Object.keys(getTableColumns(table)).filter((name) => name !== 'tenantId' && name !== 'userId')
    expect([getTableName(table), decided.sort()]).toEqual([getTableName(table), [...expected, ...computed].sort()])
  }
  const members = Object.values(columnsByTable).map(({ name }) => name)
  expect(new Set(members).size).toBe(members.length)
})
