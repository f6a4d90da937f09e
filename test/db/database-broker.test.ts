import { randomBytes, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import type { RunStatement } from '../../db/engine/database.ts'
import { addToOutbox } from '../../db/outbox.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { areQueuesInUse } from '../../db/queue/machine-lease.ts'
import { systemClock } from '../../shared/clock.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { onServer } from '../harness/on-server.ts'

/** Two processes: each has its own connections to the database and its own broker. */
async function startTwo(otherSecret?: Buffer) {
  const database = await openNewDatabase()
  const other = openDatabase(database.url, { survives: 'crash' })
  const secret = randomBytes(32)
  const one = createDatabaseBroker(database.db, createSecrets([secret]))
  const two = createDatabaseBroker(other, createSecrets([otherSecret ?? secret]))
  const [bus, busOfTwo] = [one.openBus(), two.openBus()]
  return {
    ...{ one, two, bus, busOfTwo, dbOfTwo: other, url: database.url },
    async [Symbol.asyncDispose]() {
      await Promise.all([bus.close(), busOfTwo.close()])
      await other.close()
      await database.drop()
    },
  }
}

test('the reply of a job reaches the caller in another process, and only that one', async () => {
  await using processes = await startTwo()
  const { bus, two } = processes
  const consumer = two.openConsumer('signing')
  let channel = ''
  const worker = consumer.createWorker(
    async (job) => {
      channel = job.data.replyTo ?? ''
      await consumer.reply(channel, { id: 'of-another-job', problem: { problem: 'internal', message: 'no' } })
      await consumer.reply(channel, { id: job.id ?? '', problem: { problem: 'not_found', message: 'no such key' } })
    },
    { concurrency: 1, lockDuration: 5_000 },
  )
  const call = bus.call('signWebhooks', { items: [] }, { deadlineMs: 60_000 })
  await expect(call).rejects.toMatchObject({ problem: 'not_found' })
  expect(channel).not.toBe('')
  await worker.close()
})

test('readiness sees a signing process of another process with the same secret only', async () => {
  await using same = await startTwo()
  const heartbeats = same.two.openHeartbeats()
  expect(await same.bus.signingStatus()).toMatchObject({ isRunning: false, hasOtherSecret: false })
  await heartbeats.write('signing', 'working', systemClock)
  expect(await same.bus.signingStatus()).toMatchObject({ isRunning: true, hasOtherSecret: false })
  await heartbeats.remove('signing')
  await heartbeats.write('signing', 'closed', systemClock)
  expect(await same.bus.signingStatus()).toMatchObject({ isRunning: false, cannotOpenKeys: true })
  await heartbeats.removeEnded({ withClosed: true })
  expect(await same.bus.signingStatus()).toMatchObject({ cannotOpenKeys: false })

  await using different = await startTwo(randomBytes(32))
  await different.two.openHeartbeats().write('signing', 'working', systemClock)
  expect(await different.bus.signingStatus()).toMatchObject({ isRunning: false, hasOtherSecret: true })
})

test('one process has the lease of the metrics, until it gives it back', async () => {
  await using processes = await startTwo()
  const { bus, busOfTwo } = processes
  expect(await bus.acquireMetricsLease('one')).toBe(true)
  expect(await busOfTwo.acquireMetricsLease('two')).toBe(false)
  expect(await bus.acquireMetricsLease('one')).toBe(true)
  await busOfTwo.releaseMetricsLease('two')
  expect(await busOfTwo.acquireMetricsLease('two')).toBe(false)
  await bus.releaseMetricsLease('one')
  expect(await busOfTwo.acquireMetricsLease('two')).toBe(true)
})

test('each process reads when the queues were found empty', async () => {
  await using processes = await startTwo()
  const { bus, busOfTwo } = processes
  expect(await bus.emptiedAt(systemClock)).toBeUndefined()
  const at = new Date(Date.now() - 5_000)
  await bus.reportEmptied(at)
  expect(await busOfTwo.emptiedAt(systemClock)).toEqual(at)
})

test('a poke wakes the relay of its process', async () => {
  await using processes = await startTwo()
  const { bus, one } = processes
  let woken = 0
  const subscription = one.subscribeToPokes(() => woken++)
  bus.poke()
  await eventually(async () => woken > 0)
  subscription.close()
})

test('an outbox row of another process wakes the relay', { tags: 'sqlite' }, async () => {
  await using processes = await startTwo()
  const { one, dbOfTwo } = processes
  let woken = 0
  let wokenAfterClose = 0
  one.subscribeToPokes(() => wokenAfterClose++).close()
  const subscription = one.subscribeToPokes(() => woken++)
  const entry = { payload: { tenantId: randomUUID() } }
  await dbOfTwo.tx((tx) => addToOutbox(tx, 'removeTenant', [entry], systemClock.now()))
  await eventually(async () => woken > 0)
  expect(wokenAfterClose).toBe(0)
  subscription.close()
})

test('the status of a queue counts the processes that take its jobs', async () => {
  await using processes = await startTwo()
  const { one, two, dbOfTwo } = processes
  const consumers = [one.openConsumer('delivery'), two.openConsumer('delivery'), two.openConsumer('upkeep')]
  /** A bus counts the workers once in 5 s. */
  async function hasWorkers(counts: Record<string, number>): Promise<boolean> {
    const bus = createDatabaseBroker(dbOfTwo, createSecrets([randomBytes(32)])).openBus()
    const statuses = await bus.queueStatuses()
    await bus.close()
    return statuses.every(({ queue, workers }) => workers === (counts[queue] ?? 0))
  }
  await eventually(() => hasWorkers({ delivery: 2, upkeep: 1 }))
  for (const consumer of consumers) consumer.disconnect()
  await eventually(() => hasWorkers({}))
})

test('a poke wakes the relay of another process, also after its connection was ended', {
  tags: 'postgres',
}, async () => {
  await using processes = await startTwo()
  const { bus, two, url } = processes
  let woken = 0
  const subscription = two.subscribeToPokes(() => woken++)
  const isWoken = async () => {
    const before = woken
    await eventually(async () => {
      bus.poke()
      return woken > before
    })
  }
  await isWoken()
  const ended = await onServer(url, `SELECT pg_terminate_backend(pid) FROM (${listening}) AS listeners`)
  expect(ended.rowCount).toBe(2)
  await isWoken()
  subscription.close()
})

test('the clocks of processes are compared with the clock of the server', { tags: 'postgres' }, async () => {
  await using processes = await startTwo()
  const { bus, two } = processes
  const ahead = { now: () => new Date(Date.now() + 3_600_000) }
  expect(await bus.clockAheadMs(ahead)).toBeGreaterThan(3_500_000)
  await two.openHeartbeats().write('signing', 'working', ahead)
  const { isRunning, clocksAheadMs } = await bus.signingStatus()
  expect(isRunning).toBe(true)
  expect(clocksAheadMs[0]?.aheadMs).toBeGreaterThan(3_500_000)
})

test('a heartbeat is one statement, and has the time of the server', { tags: 'postgres' }, async () => {
  const { db, drop } = await openNewDatabase()
  onTestFinished(drop)
  const { postgres } = db
  const statements: string[] = []
  const counted =
    (run: RunStatement): RunStatement =>
    (statement, values) => {
      statements.push(statement.name)
      return run(statement, values)
    }
  const counting: Database['postgres'] = postgres && {
    ...postgres,
    read: counted(postgres.read),
    write: counted(postgres.write),
  }
  const broker = createDatabaseBroker({ ...db, postgres: counting }, createSecrets([randomBytes(32)]))
  const heartbeats = broker.openHeartbeats()
  await heartbeats.write('signing', 'working', systemClock)
  statements.length = 0
  for (let beat = 0; beat < 3; beat++) await heartbeats.write('signing', 'working', systemClock)
  expect(statements.filter((name) => name.startsWith('put_all'))).toHaveLength(3)
  expect(statements.filter((name) => !name.startsWith('expired'))).toHaveLength(3)
  expect(await areQueuesInUse(db)).toBe(true)
})

test('a value that must survive a crash of the server is in a logged table', { tags: 'postgres' }, async () => {
  await using processes = await startTwo()
  const { bus, url } = processes
  await bus.reportEmptied(new Date())
  const { rows } = await onServer(
    url,
    "SELECT relpersistence FROM pg_class JOIN queue_values ON relname = 'queue_values'",
  )
  expect(rows).toEqual([{ relpersistence: 'p' }])
})

test('the pool of the queues is among the pools of the process until the bus closes', {
  tags: 'postgres',
}, async () => {
  const { db, drop } = await openNewDatabase()
  onTestFinished(drop)
  const bus = createDatabaseBroker(db, createSecrets([randomBytes(32)])).openBus()
  const status = () => db.pools().find(({ pool }) => pool === 'queues')
  expect(status()).toMatchObject({ open: 0, waiting: 0, max: 4 })
  await bus.queue('upkeep').getJobCounts()
  expect(status()?.open).toBeGreaterThan(0)
  await bus.close()
  expect(status()).toBeUndefined()
})

const listening =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trustwright signals'"
