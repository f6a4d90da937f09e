import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { openQueueValues } from '../../db/queue/open-values.ts'
import { systemClock } from '../../shared/clock.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createCommands, required } from '../harness/commands.ts'
import { openNewDatabase } from '../harness/database.ts'

const log = pino({ level: 'silent' })

async function start() {
  const database = await openNewDatabase()
  onTestFinished(() => database.drop())
  const openBroker = () => createDatabaseBroker(database.db, createSecrets([randomBytes(32)]))
  const values = openQueueValues(database.db)
  /** Is the lease of processes of a machine with another kernel. */
  const leaseOfAnother = (lastsMs: number) => values.claim('lease', 'machine', 'of another kernel', lastsMs)
  return { url: database.url, openBroker, values, leaseOfAnother }
}

test('a process is refused with one line while processes of another machine use the SQLite database', {
  tags: 'sqlite',
}, async () => {
  const { url, leaseOfAnother } = await start()
  await leaseOfAnother(600_000)
  const { start: startProcess, end } = createCommands({ ...required, DATABASE_URL: url, QUEUE: 'database' })
  onTestFinished(end)
  const worker = startProcess('workers/main.ts relay scheduler', {})
  expect((await worker.ended).code).toBe(1)
  const lines = worker
    .output()
    .split('\n')
    .filter((line) => line.includes('another machine'))
  expect(lines).toEqual([expect.stringMatching(/^Processes of another machine use this SQLite database\. /)])
})

test('a process waits for the end of the lease of another machine', { tags: 'sqlite' }, async () => {
  const { openBroker, leaseOfAnother } = await start()
  await leaseOfAnother(1_000)
  await openBroker().waitUntilReachable(log, Promise.resolve())
  expect(await leaseOfAnother(1_000)).toBe(false)
})

test('processes of one machine share the queues, and their heartbeats renew the lease', {
  tags: 'sqlite',
}, async () => {
  const { openBroker, leaseOfAnother, values } = await start()
  await openBroker().waitUntilReachable(log, Promise.resolve())
  await openBroker().waitUntilReachable(log, Promise.resolve())
  await values.remove('lease', ['machine'])
  await openBroker().openHeartbeats().write('signing', 'working', systemClock)
  expect(await leaseOfAnother(1_000)).toBe(false)
})
