import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { systemClock } from '../../shared/clock.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

/** Two processes of a machine: each has its own connection to the file and its own broker. */
async function startTwo(otherSecret?: Buffer) {
  const database = await openNewDatabase()
  const other = openDatabase(database.url, { survives: 'crash' })
  const secret = randomBytes(32)
  const one = createDatabaseBroker(database.db, createSecrets([secret]))
  const two = createDatabaseBroker(other, createSecrets([otherSecret ?? secret]))
  const [bus, busOfTwo] = [one.openBus(), two.openBus()]
  return {
    ...{ one, two, bus, busOfTwo },
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

test('each process reads when the queues were found empty, and a poke wakes the relay of its process', async () => {
  await using processes = await startTwo()
  const { bus, busOfTwo, one } = processes
  expect(await bus.emptiedAt(systemClock)).toBeUndefined()
  const at = new Date(Date.now() - 5_000)
  await bus.reportEmptied(at)
  expect(await busOfTwo.emptiedAt(systemClock)).toEqual(at)

  let woken = 0
  const subscription = one.subscribeToPokes(() => woken++)
  bus.poke()
  await eventually(async () => woken === 1)
  subscription.close()
})
