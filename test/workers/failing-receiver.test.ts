import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { holdShared } from '../../db/hold.ts'
import { type DeliveryRow, insertDeliveries, newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { createRecorder } from '../../workers/delivery/record-attempts.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueMany, issueOne } from '../harness/issued.ts'
import { freePort } from '../harness/redis.ts'
import { runNow } from '../harness/run-now.ts'
import { type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ retryPausesMs: Array.from({ length: 20 }, () => 40) })
})
afterAll(() => service[Symbol.asyncDispose]())

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Until what is due has been queued, and attempted. */
const settled = () => runNow(service.deps.bus, 'queueDueDeliveries', 'delivery')
/** Stops the clock of the service until the test ends. Only `advance` moves it. */
function stopClock(): void {
  const { clock } = service
  const { advance } = clock
  let at = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => at)
  vi.spyOn(clock, 'advance').mockImplementation((ms) => {
    at = plusMs(at, ms)
    advance(ms)
  })
}
const secondsFromNow = (time: string) => (Date.parse(time) - service.clock.now().getTime()) / 1_000

async function subscribe(tenant: TestTenant, url: string) {
  const { body } = await tenant.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  const path = `/v1/webhooks/${body.id}`
  const deliveryRows = () => service.deps.db.read.select().from(deliveries).where(eq(deliveries.webhookId, body.id))
  return {
    id: body.id as string,
    path,
    get: async () => (await tenant.operator.get(path)).body,
    row: async () => (await service.deps.db.read.select().from(webhooks).where(eq(webhooks.id, body.id)))[0]!,
    /** As if the failures had begun so long ago. */
    failsSince: (ms: number) =>
      service.deps.db.tx(async (tx) => {
        const failingSince = plusMs(service.clock.now(), -ms)
        await tx.update(webhooks).set({ failingSince }).where(eq(webhooks.id, body.id))
      }),
    deliveries: async (query = '') => (await tenant.operator.get(`${path}/deliveries?limit=1000${query}`)).body.data,
    deliveryRows,
    attempts: async () => (await deliveryRows()).reduce((sum, { attempts }) => sum + attempts.length, 0),
    disable: (url: string) => tenant.operator.put(path, { events: ['OpenIdCredentialIssued'], url, disabled: true }),
  }
}

const disabledEvents = async (tenant: TestTenant) =>
  (await tenant.operator.get('/v1/events?types=WEBHOOK_DISABLED')).body.data

test('a delivery is not attempted before it is due, even if another delivery of its webhook is', async () => {
  const tenant = await service.addTenant()
  const answers: ReceiverAnswer[] = [{ status: 503, headers: { 'retry-after': '3600' } }, { status: 500 }]
  await using receiver = await startReceiver(() => answers.shift() ?? {})
  const webhook = await subscribe(tenant, receiver.url)
  const [first] = await issueMany(service, tenant.id, 1)
  await eventually(async () => receiver.deliveries.length === 1)
  await issueOne(service, tenant.id)
  await eventually(async () => (await webhook.deliveries('&status=delivered')).length === 1)
  await settled()
  expect(receiver.deliveries).toHaveLength(3)

  service.clock.advance(3_601_000)
  await eventually(async () => (await webhook.deliveries('&status=delivered')).length === 2)
  expect(receiver.deliveries[3]!.body.event.payload.credentialId).toBe(first!.credentialId)
})

test('an unreachable receiver costs a few attempts, and gets all deliveries when it is reachable again', async () => {
  stopClock()
  const tenant = await service.addTenant()
  const port = await freePort()
  const webhook = await subscribe(tenant, `http://127.0.0.1:${port}/hook`)
  await issueMany(service, tenant.id, 300)
  await eventually(async () => (await webhook.row()).pausedUntil !== null)
  await eventually(async () => (await webhook.deliveries()).length === 300)
  await settled()
  const attempts = await webhook.attempts()
  expect(attempts).toBeGreaterThanOrEqual(10)
  expect(attempts).toBeLessThan(20)
  for (const { status, nextAttemptAt } of await webhook.deliveries()) {
    expect(status).toBe('pending')
    expect(secondsFromNow(nextAttemptAt)).toBeGreaterThan(0)
  }

  // What is issued meanwhile is not attempted either; an operator's test event is.
  await issueMany(service, tenant.id, 50)
  await eventually(async () => (await webhook.deliveries()).length === 350)
  await settled()
  expect(await webhook.attempts()).toBe(attempts)
  await tenant.operator.post(`${webhook.path}/test`)
  await eventually(async () => (await webhook.attempts()) === attempts + 1)

  // When the pause is over, one is tried.
  service.clock.advance(minuteMs)
  await eventually(async () => (await webhook.attempts()) > attempts + 1)
  await settled()
  expect(await webhook.attempts()).toBe(attempts + 2)

  await using receiver = await startReceiver(() => ({}), port)
  service.clock.advance(minuteMs)
  await eventually(async () => (await webhook.deliveries('&status=delivered')).length === 351)
  expect(receiver.deliveries).toHaveLength(351)
  expect(await webhook.row()).toMatchObject({ failures: 0, failingSince: null, pausedUntil: null })
})

test('a success between failures prevents the pause of a webhook', async () => {
  const tenant = await service.addTenant()
  let count = 0
  await using receiver = await startReceiver(() => ({ status: ++count % 4 === 0 ? 200 : 500 }))
  const webhook = await subscribe(tenant, receiver.url)
  for (let round = 0; round < 12; round++) {
    await issueOne(service, tenant.id)
    await eventually(async () => receiver.deliveries.length > round)
  }
  await eventually(async () => (await webhook.deliveries('&status=delivered')).length >= 5)
  expect((await webhook.row()).pausedUntil).toBeNull()
})

test('a webhook whose deliveries failed for five days is disabled, and an event has the reason', async () => {
  const tenant = await service.addTenant()
  let status = 500
  await using receiver = await startReceiver(() => ({ status }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueMany(service, tenant.id, 30)
  await eventually(async () => (await webhook.row()).pausedUntil !== null)
  await webhook.failsSince(5 * dayMs - 20 * minuteMs)
  service.clock.advance(10 * minuteMs)
  const before = await webhook.attempts()
  await eventually(async () => (await webhook.attempts()) > before)
  await settled()
  expect(await webhook.get()).toMatchObject({ disabled: false })

  const { failingSince } = await webhook.row()
  service.clock.advance(15 * minuteMs)
  await eventually(async () => {
    // The next delivery can be one without an attempt. Its failure is no evidence, and the webhook is paused again.
    const { pausedUntil, disabled } = await webhook.row()
    if (pausedUntil && pausedUntil > service.clock.now()) service.clock.advance(6 * minuteMs)
    return disabled
  })
  expect(new Set((await webhook.deliveries()).map((each: { status: string }) => each.status))).toEqual(
    new Set(['failed']),
  )
  expect(await disabledEvents(tenant)).toEqual([
    expect.objectContaining({
      type: 'WEBHOOK_DISABLED',
      category: 'WEBHOOKS',
      data: {
        id: webhook.id,
        reason: `All deliveries failed since ${failingSince!.toISOString()}`,
        lastAttempt: { at: expect.any(String), status: 500 },
      },
    }),
  ])

  // After it is enabled it starts again, once the attempts from before have failed.
  await settled()
  status = 200
  const enabled = { events: ['OpenIdCredentialIssued'], url: receiver.url, disabled: false }
  expect(await tenant.operator.put(webhook.path, enabled)).toMatchObject({ status: 200, body: { disabled: false } })
  expect(await webhook.row()).toMatchObject({ failures: 0, failingSince: null, pausedUntil: null })
  await issueOne(service, tenant.id)
  await eventually(async () => (await webhook.deliveries('&status=delivered')).length === 1)
})

test('one failure after days without deliveries disables nothing', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '43200' } }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  await eventually(async () => (await webhook.attempts()) === 1)
  await service.deps.db.tx(async (tx) => {
    await tx
      .update(deliveries)
      .set({ state: 'failed', nextAttemptAt: null })
      .where(eq(deliveries.webhookId, webhook.id))
  })
  await webhook.failsSince(6 * dayMs)
  await issueOne(service, tenant.id)
  await eventually(async () => (await webhook.attempts()) === 2)
  await settled()
  expect(await webhook.get()).toMatchObject({ disabled: false })
})

test('410 disables a webhook at once, with an event', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 410 }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueMany(service, tenant.id, 5)
  await eventually(async () => (await webhook.get()).disabled)
  await settled()
  expect((await disabledEvents(tenant)).map(({ data }: { data: unknown }) => data)).toEqual([
    {
      id: webhook.id,
      reason: 'The receiver answered 410 Gone',
      lastAttempt: { at: expect.any(String), status: 410 },
    },
  ])
})

test('a running attempt of a disabled webhook ends its delivery if it fails', async () => {
  const tenant = await service.addTenant()
  const { promise: isTold, resolve: answer } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(() => isTold.then(() => ({ status: 500 })))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  await eventually(async () => receiver.deliveries.length === 1)
  await webhook.disable(receiver.url)
  answer()
  const attempted = await eventually(async () =>
    (await webhook.deliveries()).find((each: { attempts: [] }) => each.attempts.length),
  )
  expect(attempted.status).toBe('failed')
})

test('410 to a request from before the webhook was disabled and enabled again does not disable it', async () => {
  const tenant = await service.addTenant()
  const { promise: isTold, resolve: answer } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(() => isTold.then(() => ({ status: 410 })))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  await eventually(async () => receiver.deliveries.length === 1)
  await webhook.disable(receiver.url)
  const enabled = { events: ['OpenIdCredentialIssued'], url: receiver.url, disabled: false }
  expect(await tenant.operator.put(webhook.path, enabled)).toMatchObject({ status: 200 })
  answer()
  await eventually(async () => (await webhook.deliveries()).some((each: { attempts: [] }) => each.attempts.length))
  expect(await webhook.get()).toMatchObject({ disabled: false })
})

test('410 from the previous URL of a webhook does not disable it', async () => {
  const tenant = await service.addTenant()
  const { promise: isReplaced, resolve: answer } = Promise.withResolvers<void>()
  await using earlier = await startReceiver(() => isReplaced.then(() => ({ status: 410 })))
  await using later = await startReceiver()
  const webhook = await subscribe(tenant, earlier.url)
  await issueOne(service, tenant.id)
  await eventually(async () => earlier.deliveries.length === 1)
  const replaced = { events: ['OpenIdCredentialIssued'], url: later.url, disabled: false }
  expect(await tenant.operator.put(webhook.path, replaced)).toMatchObject({ status: 200 })
  answer()
  await eventually(async () => (await webhook.deliveries()).some((each: { attempts: [] }) => each.attempts.length))
  expect(await webhook.get()).toMatchObject({ disabled: false })
})

test('a failure does not disable a webhook if another delivery succeeds at the same moment', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueMany(service, tenant.id, 2)
  await eventually(async () => (await webhook.attempts()) === 2)
  const [one, other] = await webhook.deliveryRows()
  await webhook.disable(receiver.url)

  await recordTogether(one!, other!)
  const states = new Map((await webhook.deliveryRows()).map(({ id, state }) => [id, state]))
  expect([states.get(one!.id), states.get(other!.id)]).toEqual(['delivered', 'failed'])
})

/** Attempts that end together: the one was delivered, the other failed. */
async function recordTogether(one: DeliveryRow, other: DeliveryRow) {
  const record = createRecorder(service.deps.db, service.clock)
  const attempt = one.attempts[0]!
  await Promise.all([
    record(one, { attempt, state: 'delivered', nextAttemptAt: null }, 'https://receiver.example'),
    record(other, { attempt, state: 'pending', nextAttemptAt: service.clock.now() }, 'https://receiver.example'),
  ])
}

test('two webhooks that are disabled in one batch are both locked before any delivery', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
  const subscribed = [await subscribe(tenant, receiver.url), await subscribe(tenant, receiver.url)]
  await issueOne(service, tenant.id)
  const rows = await eventually(async () => {
    const rows = (await Promise.all(subscribed.map(({ deliveryRows }) => deliveryRows()))).flat()
    return rows.length === 2 && rows.every(({ attempts }) => attempts.length === 1) && rows
  })
  const updated: string[] = []
  const { db } = service.deps
  const tx: typeof db.tx = (work) =>
    db.tx((inner) =>
      work(
        new Proxy(inner, {
          get(target, name) {
            const value = Reflect.get(target, name)
            if (name !== 'update') return typeof value === 'function' ? value.bind(target) : value
            return (table: typeof webhooks | typeof deliveries) => {
              updated.push(table === webhooks ? 'webhook' : 'delivery')
              return target.update(table)
            }
          },
        }),
      ),
    )
  const record = createRecorder({ ...db, tx }, service.clock)
  await Promise.all(
    rows.map((row) => {
      const attempt = { ...row.attempts[0]!, id: newId(), status: 410 }
      return record(row, { attempt, state: 'failed', nextAttemptAt: null }, receiver.url)
    }),
  )
  // Each webhook is disabled by a statement of its own. The next one ends the deliveries of the first.
  expect(updated.slice(0, 2)).toEqual(['webhook', 'webhook'])
  expect(updated.indexOf('delivery')).toBeGreaterThan(2)
  for (const { get } of subscribed) expect(await get()).toMatchObject({ disabled: true })
  expect((await disabledEvents(tenant)).length).toBe(2)
})

const pendingCount = 1_300

test('disabling ends all pending deliveries, and deliveries that are replayed in the meantime are delivered', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhook = await subscribe(tenant, receiver.url)
  const rows = await addPending(tenant, webhook.id)
  await service.workers.stop()
  await webhook.disable(receiver.url)
  const statesNow = async () => Object.groupBy(await webhook.deliveryRows(), ({ state }) => state)
  // The request ends a bounded number of rows. None of the others has a next attempt.
  expect((await statesNow()).failed).toHaveLength(500)
  const left = await webhook.deliveries('&status=pending')
  expect(left).toHaveLength(pendingCount - 500)
  expect(left.filter((each: object) => 'nextAttemptAt' in each)).toEqual([])

  const enabled = { events: ['OpenIdCredentialIssued'], url: receiver.url, disabled: false }
  expect(await tenant.operator.put(webhook.path, enabled)).toMatchObject({ status: 200 })
  const since = { since: rows[0]!.createdAt.toISOString() }
  expect(await tenant.operator.post(`${webhook.path}/replay`, since)).toMatchObject({ status: 409 })
  const last = rows.at(-1)!
  const replayed = await tenant.operator.post(`${webhook.path}/deliveries/${last.id}/replay`)
  expect(replayed).toMatchObject({ status: 202, body: { status: 'pending', nextAttemptAt: expect.any(String) } })
  await service.workers.start()
  await eventually(async () => {
    const { delivered, failed } = await statesNow()
    return delivered?.length === 1 && failed?.length === pendingCount - 1
  })
  expect(receiver.deliveries.map(({ body }) => body.event.id)).toEqual([last.eventId])

  const again = await eventually(async () => {
    const answer = await tenant.operator.post(`${webhook.path}/replay`, since)
    return answer.status === 202 && answer
  })
  expect(again.body.replayed).toBe(1_000)
  await eventually(async () => ((await statesNow()).delivered?.length ?? 0) >= 1_000)
})

/** Deliveries of test events whose next attempt is due in an hour. */
async function addPending(tenant: TestTenant, webhookId: string): Promise<DeliveryRow[]> {
  const at = service.clock.now()
  const subject = { subjectKind: 'test', objectId: null, kind: 'OpenIdCredentialIssued' } as const
  const rows = Array.from({ length: pendingCount }, (_, place) => ({
    ...newDelivery({ tenantId: tenant.id, webhookId, ...subject, eventId: newId(), eventAt: at }, plusMs(at, place)),
    nextAttemptAt: plusMs(at, 60 * minuteMs),
    queuedUntil: null,
  }))
  await service.deps.db.tx((tx) => insertDeliveries(tx, rows))
  return rows
}

// SQLite has one writer at a time.
test('recording attempts does not wait for new deliveries of the webhook', { tags: 'postgres' }, async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueMany(service, tenant.id, 2)
  await eventually(async () => (await webhook.attempts()) === 2)
  const [one, other] = await webhook.deliveryRows()
  const [held, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const making = service.deps.db.tx(async (tx) => {
    await holdShared(tx, webhooks, tenant.id, webhook.id)
    held.resolve()
    await recorded.promise
  })
  await held.promise
  await recordTogether(one!, other!)
  recorded.resolve()
  await making
  expect((await webhook.deliveryRows()).map(({ state }) => state).toSorted()).toEqual(['delivered', 'pending'])
})
