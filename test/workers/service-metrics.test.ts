import { randomUUID } from 'node:crypto'
import { register } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { findOutboxBacklog } from '../../db/outbox.ts'
import { countEnding } from '../../db/repos/certificates/certificates.ts'
import { findDueCrls } from '../../db/repos/certificates/crls.ts'
import { findIntegrationTotals } from '../../db/repos/ecosystems/due-integrations.ts'
import { countWrapped } from '../../db/repos/identifiers/key-wrapping.ts'
import { countWaitingLines } from '../../db/repos/messaging/due-lines.ts'
import { countWaitingDeliveries } from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { ecosystemIntegrations } from '../../db/tables/ecosystems/integrations.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createServiceMetrics } from '../../workers/service-metrics/service-metrics.ts'
import { plansOf } from '../db/plans.ts'
import { openBrokerWithoutSockets } from '../harness/broker.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { sharedRedisUrl } from '../harness/shared-redis.ts'
import { testQueueIn } from '../harness/test-queue.ts'

const now = new Date()
const clock = { now: () => now }
let database: OpenDatabase
let db: Database
let bus: Bus
beforeAll(async () => {
  database = await openNewDatabase()
  db = database.db
  const secrets = createSecrets([Buffer.alloc(32)])
  const redisUrl = testQueueIn === 'redis' ? await sharedRedisUrl() : ''
  const queues = { queueIn: testQueueIn, redisUrl, redisPrefix: `test-${randomUUID()}` }
  bus = openBrokerWithoutSockets(queues, { db, secrets }).openBus()
  await bus.connected
})
afterAll(async () => {
  await bus.close()
  await database.drop()
})

const row = (ageMs: number, takenForMs: number) => {
  const createdAt = plusMs(now, -ageMs)
  return { id: newId(), job: 'fanOut', payload: {}, priority: 0, createdAt, takenUntil: plusMs(createdAt, takenForMs) }
}

test('one of all processes reports the metrics of the service, and another one takes over when it ends', async () => {
  await db.tx((tx) => tx.insert(outbox).values([row(7_000, 0), row(2_000, 0), row(1_000, 20_000)]))
  await bus.send('recordEvents', { events: [] } as never, { delayMs: 600_000 })
  const [one, other] = ['one', 'other'].map(() => createServiceMetrics({ db, bus, clock }, newId()))
  const linesOf = async (figures: typeof one) => ((await (await figures!.read())?.metrics()) ?? '').split('\n')

  const lines = await linesOf(one)
  for (const line of [
    'trustwright_outbox_rows{state="waiting"} 2',
    'trustwright_outbox_rows{state="taken"} 1',
    'trustwright_outbox_oldest_seconds 7',
    'trustwright_queue_jobs{queue="analytics",state="delayed"} 1',
    'trustwright_queue_jobs{queue="analytics",state="waiting"} 0',
    'trustwright_webhook_deliveries_pending{state="waiting"} 0',
    'trustwright_message_recipients{state="queued"} 0',
    'trustwright_certificates_ending{kind="document-signer"} 0',
    'trustwright_crls_due 0',
    'trustwright_trusted_lists_failing{kind="vical"} 0',
  ])
    expect(lines).toContain(line)
  expect(await linesOf(other)).toEqual([''])
  expect((await linesOf(one)).length).toBe(lines.length)

  await one!.close()
  expect(await linesOf(other)).toContain('trustwright_outbox_oldest_seconds 7')
  expect(await linesOf(one)).toEqual([''])
  await other!.close()
  // They are not among the metrics of each process.
  expect(await register.metrics()).not.toContain('trustwright_outbox_rows')
})

test('during an outage of the queues the reporting process continues with the metrics of the database', async () => {
  const figures = createServiceMetrics({ db, bus, clock }, newId())
  expect(await figures.read()).toBeDefined()
  const away = async () => Promise.reject(new Error('away'))
  const without = createServiceMetrics(
    { db, bus: { ...bus, depths: away, acquireMetricsLease: bus.acquireMetricsLease }, clock },
    'x',
  )
  expect(await without.read()).toBeUndefined()
  await figures.close()
  const text = await (await without.read())?.metrics()
  expect(text).toContain('trustwright_outbox_oldest_seconds 7')
  expect(text).not.toContain('trustwright_queue_jobs{')
  await without.close()
})

test('counts use indexes', async () => {
  const plans = await plansOf(database.url, async (tx) => {
    await findOutboxBacklog(tx, now)
    await countWaitingDeliveries(tx)
    await countWaitingLines(tx)
    await countEnding(tx, 'document-signer', now, plusMs(now, 1))
    await countWrapped(tx)
  })
  // What was found is counted.
  const small = /SCAN counted/
  const scans = plans.filter((plan) =>
    plan.split('\n').some((line) => /Seq Scan|^ *SCAN/.test(line) && !small.test(line)),
  )
  expect(scans).toEqual([])
  expect(await findDueCrls(db.read, now, 10)).toEqual([])
})

test('an external list that was valid counts as failing after two failures in a row', async () => {
  const add = (failures: number, succeededAt: Date | null) =>
    db.tx(async (tx) => {
      const ids = { id: newId(), tenantId: newId(), ecosystemId: newId(), format: 'VICAL' as const }
      const state = { failures, succeededAt, attemptedAt: now, createdAt: now }
      const settings = { url: 'https://list.example/', enabled: true, trustAnchors: [], position: 0 }
      await tx.insert(ecosystemIntegrations).values({ ...ids, ...settings, ...state })
    })
  await add(0, now)
  await add(1, now)
  expect(await findIntegrationTotals(db.read)).toMatchObject({ good: 2, failing: 0, waiting: 0 })
  await add(2, now)
  await add(1, null)
  expect(await findIntegrationTotals(db.read)).toMatchObject({ good: 2, failing: 2, waiting: 0 })
})
