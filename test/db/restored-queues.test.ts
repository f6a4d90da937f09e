import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { postgresQueueTables } from '../../db/queue/queue-tables.ts'
import { systemClock } from '../../shared/clock.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createCommands } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { onServer } from '../harness/on-server.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-queues-'))
const commands = createCommands({ DATA_DIR: dir })
const secrets = createSecrets([randomBytes(32)])
afterAll(() => {
  commands.end()
  rmSync(dir, { recursive: true, force: true })
})

/** Opens the queues of a database file for `work`. */
async function onQueues(url: string, work: (bus: Bus, broker: Broker) => Promise<void>): Promise<void> {
  const db = openDatabase(url, { survives: 'crash' })
  const broker = createDatabaseBroker(db, secrets)
  const bus = broker.openBus()
  try {
    await work(bus, broker)
  } finally {
    await bus.close()
    await db.close()
  }
}

async function fillQueues(bus: Bus, broker: Broker): Promise<void> {
  const entries = Array.from({ length: 1_001 }, () => ({ payload: {} }))
  await bus.sendMany('queueDueDeliveries', entries)
  await bus
    .queue('delivery')
    .upsertJobScheduler('queueDueDeliveries', { every: 60_000 }, { name: 'queueDueDeliveries' })
  await bus.queue('upkeep').pause()
  await bus.acquireMetricsLease('of-before')
  await broker.openHeartbeats().write('of-before', 'working', systemClock)
}

async function expectEmpty(bus: Bus): Promise<void> {
  expect(await bus.queue('delivery').getJobCounts()).toMatchObject({ waiting: 0, delayed: 0 })
  expect(await bus.queue('delivery').getJobSchedulers()).toEqual([])
  expect(await bus.queue('upkeep').isPaused()).toBe(false)
  expect(await bus.signingStatus()).toMatchObject({ isRunning: false })
  expect(await bus.acquireMetricsLease('of-now')).toBe(true)
}

test('a restored SQLite database has no jobs, schedules, heartbeats and leases of before the backup', {
  tags: 'sqlite',
}, async () => {
  const { url } = await newDatabase(dir)
  await onQueues(url, fillQueues)
  const env = { DATABASE_URL: url }
  expect(await commands.run(`db/cli/backup.ts ${join(dir, 'backup')}`, env)).toMatchObject({ code: 0 })
  const restored = join(dir, 'restored')
  const place = { DATA_DIR: restored, DATABASE_URL: `file:${join(restored, 'trustwright.db')}` }
  expect(await commands.run(`db/cli/restore.ts ${join(dir, 'backup')}`, place)).toMatchObject({ code: 0 })
  await onQueues(place.DATABASE_URL, expectEmpty)
})

test('a database that was restored by other means has none of them after the command', async () => {
  const { url, drop } = await newDatabase(dir)
  onTestFinished(drop)
  await onQueues(url, fillQueues)
  const env = { DATABASE_URL: url }
  expect(await commands.run('db/cli/restored.ts', env)).toMatchObject({ code: 0 })
  await onQueues(url, expectEmpty)
})

test('a restored PostgreSQL database has no requests, replies and counts of before the backup', {
  tags: 'postgres',
}, async () => {
  const { url, drop } = await newDatabase(dir)
  onTestFinished(drop)
  for (const table of ['queue_values', 'queue_unlogged_values'])
    await onServer(url, `INSERT INTO ${table} VALUES ('reply:of-before', 'job', '{}', 9e15)`)
  const requests = "SELECT 'signing', 'of-before', '{}', 9e15 FROM generate_series(1, 1001)"
  await onServer(url, `INSERT INTO queue_requests (queue, id, request, expires_at) ${requests}`)
  await onServer(url, "INSERT INTO queue_counters VALUES ('of-before', 1, 9e15)")
  expect(await commands.run('db/cli/restored.ts', { DATABASE_URL: url })).toMatchObject({ code: 0 })
  for (const table of Object.keys(postgresQueueTables))
    expect((await onServer(url, `SELECT * FROM ${table}`)).rows, table).toEqual([])
})
