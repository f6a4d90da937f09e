import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { statementsOf } from '../../db/engine/sqlite-statements.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { onServer } from '../harness/on-server.ts'

/** Two web processes, each with its own connections to the database. */
async function startTwo() {
  const database = await openNewDatabase()
  const other = openDatabase(database.url, { survives: 'crash' })
  const secrets = createSecrets([randomBytes(32)])
  const [one, two] = [database.db, other].map((db) => createDatabaseBroker(db, secrets).openBus())
  return {
    one: one!,
    two: two!,
    async onDatabase(sql: string): Promise<Record<string, unknown>[]> {
      if (database.db.postgres) return (await onServer(database.url, sql)).rows
      // Boundary: the rows are objects by column.
      const read = (on: Parameters<typeof statementsOf>[0]) => statementsOf(on).prepare(sql)
      if (sql.startsWith('SELECT')) return read(database.db.read).all() as Record<string, unknown>[]
      await database.db.tx(async (tx) => void read(tx).run())
      return []
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([one!.close(), two!.close()])
      await other.close()
      await database.drop()
    },
  }
}

test('near a limit, two processes count each event together', async () => {
  await using processes = await startTwo()
  const { one, two } = processes
  const counts: number[] = []
  for (const bus of [one, two, one, two, two, one]) counts.push((await bus.counters.count('key', 5)).count)
  expect(counts).toEqual([1, 2, 3, 4, 5, 6])
  const { count, forgottenInMs } = await two.dailyCounters.count('key of the day', 5)
  expect(count).toBe(1)
  expect(forgottenInMs).toBeGreaterThan(23 * 3_600_000)
})

test('far from a limit, a process counts locally and learns the count of the other', async () => {
  await using processes = await startTwo()
  const { one, two } = processes
  for (let event = 0; event < 20; event++) await one.counters.count('key', 10_000)
  await eventually(async () => (await two.counters.count('key', 10_000)).count > 20)
})

test('a window begins again when it has ended, and ended windows are removed', async () => {
  await using processes = await startTwo()
  const { one, two, onDatabase } = processes
  for (const bus of [one, two, one]) await bus.counters.count('10.1.2.3', 5)
  expect(JSON.stringify(await onDatabase('SELECT key FROM queue_counters'))).not.toContain('10.1.2.3')
  await onDatabase('UPDATE queue_counters SET ends_at = 0')
  expect(await two.counters.count('10.1.2.3', 5)).toMatchObject({ count: 1 })

  await onDatabase('UPDATE queue_counters SET ends_at = 0')
  await one.dailyCounters.count('key of the day', 5)
  await eventually(async () => (await onDatabase('SELECT key FROM queue_counters')).length === 1)
})

test('while the counts are not available, each process counts alone', async () => {
  await using processes = await startTwo()
  const { one, two, onDatabase } = processes
  await one.counters.count('key', 5)
  await onDatabase('ALTER TABLE queue_counters RENAME TO away')
  expect(await two.counters.count('key', 5)).toMatchObject({ count: 1 })
  expect(await one.counters.count('key', 5)).toMatchObject({ count: 2 })
  await onDatabase('ALTER TABLE away RENAME TO queue_counters')
  // Both local events are added after a second.
  await eventually(async () => (await two.counters.count('key', 100_000)).count >= 4)
})
