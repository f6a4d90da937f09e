import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { openQueueValues } from '../../db/queue/open-values.ts'
import { openRequestRows } from '../../db/queue/request-list.ts'
import type { RequestList } from '../../shared/jobs/broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { answerDirectRequests } from '../../workers/jobs/answer-direct-requests.ts'
import { type ServeOptions, serveQueue } from '../../workers/serve.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { onServer } from '../harness/on-server.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

const log = pino({ level: 'silent' })
const item = { tenantId: 't', method: 'POST' as const, url: 'https://a.example', headers: {} }
const resultOf = (from: string) => ({ outcomes: [{ ok: { headers: { from } } }] })

/** A web process and a signing process of another machine: both have only the database in common. */
function start({ onTestFinished }: TestContext) {
  const secrets = createSecrets([randomBytes(32)])
  const bus = createDatabaseBroker(database.db, secrets).openBus()
  onTestFinished(() => bus.close())

  function listen(handlers: ServeOptions['handlers']) {
    const db = openDatabase(database.url, { survives: 'crash' })
    const broker = createDatabaseBroker(db, secrets)
    const busOfSigning = broker.openBus()
    const list = broker.openRequestList('signing')!
    const options = { queue: 'signing' as const, handlers, list, secrets, log, concurrency: 2 }
    const listener = answerDirectRequests({ ...options, bus: busOfSigning })
    onTestFinished(async () => {
      await listener.stop()
      list.disconnect()
      await busOfSigning.close()
      await db.close()
    })
    return listener
  }
  const send = () => bus.call('signWebhooks', { items: [item] }, { deadlineMs: 60_000 })
  return { bus, secrets, listen, send, heard: () => eventually(async () => bus.hasSigner()) }
}

const rows = async (sql: string) => (await onServer(database.url, sql)).rows
const requests = () => rows('SELECT request FROM queue_requests')

test('a signing process of another machine answers direct requests, in any number', {
  tags: 'postgres',
}, async (context) => {
  const { listen, heard, send } = start(context)
  listen({ signWebhooks: async () => resultOf('row') })
  await heard()
  const answers = await Promise.all(Array.from({ length: 50 }, send))
  expect(answers).toEqual(answers.map(() => resultOf('row')))
  expect(await requests()).toEqual([])
})

test('two signing processes share the requests, and one that stops loses none', {
  tags: 'postgres',
}, async (context) => {
  const { listen, heard, send } = start(context)
  const counts = [0, 0]
  const counting = (process: 0 | 1) => async () => {
    counts[process]!++
    await sleep(20)
    return resultOf('row')
  }
  const first = listen({ signWebhooks: counting(0) })
  listen({ signWebhooks: counting(1) })
  await heard()
  const sent = Promise.all(Array.from({ length: 40 }, send))
  await eventually(async () => counts.every((count) => count > 1))
  await first.stop()
  expect(await sent).toHaveLength(40)
  expect(await send()).toEqual(resultOf('row'))
  expect(counts[0]! + counts[1]!).toBe(41)
})

test('a sealed job is also sealed as a row, and leaves the table at its deadline', {
  tags: 'postgres',
}, async (context) => {
  const { bus, listen, heard } = start(context)
  const { stop } = listen({})
  await heard()
  await stop()
  const tokens = {
    items: [{ tenantId: 't', clientId: 'canary', issuer: 'i', roles: [], tokenGeneration: 0, lifetimeSeconds: 1 }],
  }
  const sent = bus.call('signManagementTokens', tokens, { deadlineMs: 1_500 }).catch((error: unknown) => error)
  const [row] = await eventually(async () => ((await requests()).length === 1 ? requests() : undefined))
  expect(row?.request).toContain('signManagementTokens')
  expect(row?.request).not.toContain('canary')
  expect(await sent).toMatchObject({ problem: 'service_unavailable' })
  await eventually(async () => (await requests()).length === 0)
})

test('a request whose caller ended is not run', { tags: 'postgres' }, async (context) => {
  const { bus, listen, heard, send } = start(context)
  const { stop } = listen({})
  await heard()
  await stop()
  void bus.call('signWebhooks', { items: [item] }, { deadlineMs: 60_000 }).catch(() => undefined)
  await eventually(async () => (await requests()).length === 1)
  await rows('UPDATE queue_requests SET expires_at = 0')
  let runs = 0
  listen({
    async signWebhooks() {
      runs++
      return resultOf('row')
    },
  })
  await eventually(async () => (await requests()).length === 0)
  await heard()
  expect(await send()).toEqual(resultOf('row'))
  expect(runs).toBe(1)
})

test('requests are answered while the connections of signals are ended', { tags: 'postgres' }, async (context) => {
  const { listen, heard, send } = start(context)
  listen({ signWebhooks: async () => resultOf('row') })
  await heard()
  const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'trustwright signals'"
  for (let round = 0; round < 3; round++) {
    await rows(`${end} AND datname = current_database()`)
    expect(await send()).toEqual(resultOf('row'))
  }
})

test('a listener finds a request whose signal was lost when it renews its lease', {
  tags: 'postgres',
}, async ({ onTestFinished }) => {
  const { postgres } = database.db
  const silent = { listen: () => () => undefined, send: () => undefined }
  const values = openQueueValues(database.db)
  const list = openRequestRows(
    { queue: 'signing', postgres: postgres!, signals: silent, values },
    async () => undefined,
  )
  onTestFinished(() => list.endLease())
  // The wait does not end by itself.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const waiting = list.take(1)
  await rows("INSERT INTO queue_requests (queue, id, request, expires_at) VALUES ('signing', 'lost', 'lost', 9e15)")
  expect([...(await renewedUntil(list, waiting)), ...(await list.take(1))]).toEqual(['lost'])
})

/** The wait can begin after a renewal. */
async function renewedUntil(list: RequestList, waiting: Promise<string[]>): Promise<string[]> {
  let texts: string[] | undefined
  void waiting.then((taken) => {
    texts = taken
  })
  for (let renewals = 0; !texts && renewals < 1_000; renewals++) await list.renewLease()
  if (!texts) throw new Error('No renewal ended the wait.')
  return texts
}

test('a request whose taker ended becomes a job', { tags: 'postgres' }, async (context) => {
  const { secrets, heard, send } = start(context)
  const db = openDatabase(database.url, { survives: 'crash' })
  const broker = createDatabaseBroker(db, secrets)
  const consumer = broker.openConsumer('signing')
  const ended = broker.openRequestList('signing')!
  context.onTestFinished(async () => {
    ended.disconnect()
    consumer.disconnect()
    await db.close()
  })
  await ended.renewLease()
  await heard()
  const sent = send()
  await eventually(async () => (await ended.take(1)).length === 1)
  await ended.endLease()

  const handlers = { signWebhooks: async () => resultOf('job') }
  const limits = { concurrency: 1, takeoverMs: 5_000 }
  const worker = serveQueue({ queue: 'signing', handlers, consumer, secrets, log, ...limits })
  context.onTestFinished(() => worker.close())
  expect(await sent).toEqual(resultOf('job'))
  expect(await requests()).toEqual([])
})
