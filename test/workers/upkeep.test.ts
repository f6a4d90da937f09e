import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { latePurgesCache } from '../../api/operations/service/readiness-check.ts'
import { createTenant } from '../../api/tenancy/tenants/create.ts'
import { newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { findOldestExpired } from '../../db/retention/oldest-expired.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessionClaims } from '../../db/tables/issuance/session-claims.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { spentProofs } from '../../db/tables/issuance/spent-proofs.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { JobsOf } from '../../shared/jobs/registry.ts'
import { purgeExpired } from '../../workers/upkeep/purge-expired.ts'
import { recoverIssuances } from '../../workers/upkeep/recover-issuances.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

let service: Service
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** Has an upkeep job run now, and waits until it has. */
async function run(name: JobsOf<'upkeep'>): Promise<void> {
  const { bus } = service.deps
  const id = `now-${newId()}`
  await bus.send(name, {}, { id })
  await eventually(async () => (await bus.queue('upkeep').getJob(id)) === undefined)
}

/** How many rows of the tenant's each table has. */
function counts(...tables: (PgTable & { tenantId: PgColumn })[]) {
  return Promise.all(tables.map((table) => service.deps.db.read.$count(table, eq(table.tenantId, service.id))))
}

test('expired rows are purged after their retention period, and not before', async () => {
  const { read } = service.deps.db
  await service.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url: receiver.url })
  const configuration = await compactConfiguration(service)
  const offer = await newOffer(service, [configuration])
  await newOffer(service, [configuration])
  expect(await (await newWallet(service, service.origin, offer.uri)).collect()).toMatchObject({ status: 200 })
  const isDelivered = and(eq(deliveries.tenantId, service.id), eq(deliveries.state, 'delivered'))
  await eventually(async () => (await read.$count(deliveries, isDelivered)) === 1)
  const isSuccess = eq(events.type, 'OPENID_CREDENTIAL_SUCCESS')
  await eventually(async () => (await read.$count(events, isSuccess)) === 1)
  const contents = () => read.$count(issuances, isNotNull(issuances.credentials))

  // As an earlier version left it when a token was revoked.
  const orphan = { tenantId: service.id, sessionId: newId(), configurationId: configuration, issuanceId: newId() }
  await service.deps.db.tx((tx) => tx.insert(sessionClaims).values(orphan))
  await run('purgeExpired')
  expect(await counts(spentProofs, sessions, sessionClaims, offers)).toEqual([1, 1, 1, 2])

  service.clock.advance(hourMs + 6 * minuteMs)
  await run('purgeExpired')
  expect(await counts(spentProofs, sessions, sessionClaims, offers)).toEqual([0, 0, 0, 2])

  service.clock.advance(dayMs)
  await run('purgeExpired')
  expect(await counts(offers)).toEqual([0])
  expect(await contents()).toBe(1)

  service.clock.advance(6 * dayMs)
  await run('purgeExpired')
  expect(await contents()).toBe(0)
  expect(await counts(issuances, deliveries)).toEqual([1, 1])

  service.clock.advance(23 * dayMs)
  await run('purgeExpired')
  expect(await counts(issuances, deliveries)).toEqual([0, 0])
  expect(await read.$count(events, isSuccess)).toBe(1)

  service.clock.advance(60 * dayMs)
  await run('purgeExpired')
  expect(await read.$count(events, isSuccess)).toBe(0)
  // What is known of the credential is kept as long as its user.
  expect(await counts(credentials, users)).toEqual([1, 2])
})

test('an issuance without a waiting request is abandoned, and its claims are wiped', async () => {
  const { db } = service.deps
  const id = newId()
  // What an API process leaves that is killed between its transaction and the queue.
  const left = {
    id,
    tenantId: service.id,
    sessionId: newId(),
    offerId: newId(),
    userId: newId(),
    configurationId: newId(),
    state: 'requested' as const,
    claims: { given_name: 'Ada' },
    holderKeys: [],
    requestedAt: service.clock.now(),
  }
  await db.tx((tx) => tx.insert(issuances).values(left))
  const findIssuance = async () => (await db.read.select().from(issuances).where(eq(issuances.id, id)))[0]
  service.clock.advance(minuteMs)
  await run('recoverIssuances')
  expect(await findIssuance()).toMatchObject({ state: 'requested', claims: left.claims })
  service.clock.advance(minuteMs)
  await run('recoverIssuances')
  expect(await findIssuance()).toMatchObject({ state: 'abandoned', claims: null })
})

test('the name of a tenant that was never provisioned becomes free', async () => {
  const request = { kind: 'tenant' as const, name: 'Lost', subdomain: 'lost', aliases: [], settings: {} }
  // A web process that is killed while it waits for the keys leaves the row without a remover.
  const killed = Promise.withResolvers<never>()
  const keys = { ...service.deps.keys, call: () => killed.promise }
  void createTenant({ ...service.deps, keys }, request)
  await eventually(async () => (await service.deps.db.read.select().from(tenants)).length === 3)

  service.clock.advance(9 * 60_000)
  await run('recoverIssuances')
  await expect(createTenant(service.deps, request)).rejects.toThrow(Problem)
  service.clock.advance(61_000)
  await run('recoverIssuances')
  expect((await createTenant(service.deps, request)).tenant).toMatchObject({ subdomain: 'lost' })
})

test('deferred issuances are queued again once each, 1,000 in a run, and those of one tenant do not delay others', async () => {
  const { deps } = service
  await service.workers.stop()
  const times = { requestedAt: plusMs(service.clock.now(), -2 * minuteMs), deferredAt: service.clock.now() }
  const row = () => ({ id: newId(), tenantId: service.id, sessionId: newId(), offerId: newId(), userId: newId() })
  const rows = Array.from({ length: 1_100 }, () => {
    return { ...row(), configurationId: newId(), state: 'requested' as const, claims: {}, holderKeys: [], ...times }
  })
  const other = { ...rows.pop()!, tenantId: newId(), requestedAt: plusMs(times.requestedAt, 1) }
  rows.push(other)
  for (const some of [rows.slice(0, 550), rows.slice(550)]) await deps.db.tx((tx) => tx.insert(issuances).values(some))
  const signing = deps.bus.queue('signing')
  const queued = async () =>
    (await signing.getJobs(['waiting', 'prioritized'])).map(({ data, opts }) => {
      return { issuanceId: data.payload.items[0].issuanceId, priority: opts.priority ?? 0 }
    })
  await recoverIssuances(deps)
  expect(await queued()).toHaveLength(1_000)
  for (let run = 0; run < 3; run++) {
    await recoverIssuances(deps)
    const jobs = await queued()
    expect(jobs.map(({ issuanceId }) => issuanceId).sort()).toEqual(rows.map(({ id }) => id).sort())
    expect(jobs.every(({ priority }) => priority >= 1)).toBe(true)
    expect(jobs.find(({ issuanceId }) => issuanceId === other.id)).toMatchObject({ priority: 1 })
  }
  expect(await deps.db.read.$count(outbox, eq(outbox.job, 'signCredentials'))).toBe(0)
  await signing.obliterate({ force: true })
  await deps.db.tx((tx) => tx.delete(issuances).where(eq(issuances.deferredAt, times.deferredAt)))
  await service.workers.start()
})

test('one run removes all rows, however many exist', async () => {
  const expiresAt = service.clock.now()
  const count = 21_000
  for (let from = 0; from < count; from += 3_000) {
    const rows = Array.from({ length: 3_000 }, () => ({ tenantId: service.id, hash: newId(), expiresAt }))
    await service.deps.db.tx((tx) => tx.insert(spentProofs).values(rows))
  }
  service.clock.advance(1_000)
  await run('purgeExpired')
  expect(await counts(spentProofs)).toEqual([0])
})

test('old rows of all owners are purged eventually, however short each run is', async () => {
  const { deps } = service
  const createdAt = plusMs(service.clock.now(), -31 * dayMs)
  const owners = Array.from({ length: 5 }, () => newId())
  const ended = { state: 'delivered', nextAttemptAt: null, queuedUntil: null } as const
  await deps.db.tx(async (tx) => {
    for (const webhookId of owners) {
      const webhook = { events: ['OpenIdCredentialIssued' as const], url: receiver.url, disabled: true }
      await tx.insert(webhooks).values({ id: webhookId, tenantId: service.id, ...webhook, createdAt })
      const event = { eventId: newId(), kind: 'OpenIdCredentialIssued', eventAt: createdAt } as const
      const subject = { subjectKind: 'test', objectId: null } as const
      const made = newDelivery({ tenantId: service.id, webhookId, ...subject, ...event }, createdAt)
      await tx.insert(deliveries).values({ ...made, ...ended })
    }
    await tx.insert(spentProofs).values({ tenantId: service.id, hash: newId(), expiresAt: createdAt })
  })
  await service.workers.stop()
  const left = () => deps.db.read.$count(deliveries, inArray(deliveries.webhookId, owners))
  const readiness = async () => {
    deps.caches.of(latePurgesCache).clear()
    return (await service.anonymous.get('/health/ready')).body.problems.join()
  }
  expect(await readiness()).toContain('spent_proofs')

  // Of each kind a run without time purges one batch, or looks at one owner. The next run begins with the next owner.
  const webhookCount = await deps.db.read.$count(webhooks)
  await purgeExpired(deps, { runMs: 0, timeSliceMs: 0 })
  expect(await counts(spentProofs)).toEqual([0])
  expect(await readiness()).not.toContain('spent_proofs')
  for (let run = 1; run < webhookCount; run++) await purgeExpired(deps, { runMs: 0, timeSliceMs: 0 })
  expect(await left()).toBe(0)
  await purgeExpired(deps)
  expect((await findOldestExpired(deps.db.read, service.clock.now())).get('deliveries')).toBeLessThan(hourMs)

  service.clock.advance(2 * hourMs)
  expect(await readiness()).toMatch(/tables have waited .*: .*deliveries/)
  await purgeExpired(deps)
  expect(await readiness()).not.toContain('tables have waited')
  await service.workers.start()
})

test('a kind of row or an owner that cannot be purged does not stop the others, and the run fails at its end', async () => {
  const { deps } = service
  await service.workers.stop()
  const expiresAt = plusMs(service.clock.now(), -2 * hourMs)
  const createdAt = plusMs(service.clock.now(), -31 * dayMs)
  const owners = Array.from({ length: 3 }, () => newId())
  await deps.db.tx(async (tx) => {
    for (const webhookId of owners) {
      const webhook = { events: ['OpenIdCredentialIssued' as const], url: receiver.url, disabled: true }
      await tx.insert(webhooks).values({ id: webhookId, tenantId: service.id, ...webhook, createdAt })
      const event = { eventId: newId(), kind: 'OpenIdCredentialIssued', eventAt: createdAt } as const
      const about = { subjectKind: 'test', objectId: null } as const
      const made = newDelivery({ tenantId: service.id, webhookId, ...about, ...event }, createdAt)
      await tx.insert(deliveries).values({ ...made, state: 'delivered', nextAttemptAt: null, queuedUntil: null })
    }
    await tx.insert(spentProofs).values({ tenantId: service.id, hash: newId(), expiresAt })
  })
  let failingDeletes = 1
  const tx: typeof deps.db.tx = (work) =>
    deps.db.tx((inner) => {
      const failing = new Proxy(inner, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (name !== 'delete') return typeof value === 'function' ? value.bind(target) : value
          return (table: PgTable) => {
            if (table === spentProofs) throw new Error('spent proofs fail')
            if (table === deliveries && failingDeletes-- > 0) throw new Error('an owner fails')
            return target.delete(table)
          }
        },
      })
      return work(failing)
    })
  const warnings: string[] = []
  const log = { ...deps.log, debug() {}, error() {}, warn: (_: object, text: string) => warnings.push(text) }
  const left = () => deps.db.read.$count(deliveries, inArray(deliveries.webhookId, owners))
  const failing = { ...deps, db: { ...deps.db, tx }, log: log as unknown as typeof deps.log }
  await expect(purgeExpired(failing)).rejects.toThrow('spent proofs fail')
  expect([await left(), await counts(spentProofs)]).toEqual([1, [1]])
  expect(warnings).toEqual(['purge is late'])
  await purgeExpired(deps)
  expect([await left(), await counts(spentProofs)]).toEqual([0, [0]])
  await service.workers.start()
})
