import { and, eq } from 'drizzle-orm'
import { pino } from 'pino'
import { register } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStatuses } from '../../db/repos/status/entries.ts'
import { findChangedLists, findListsToRenew } from '../../db/repos/status/publishing.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { openChanges, publishedRow, readList } from '../harness/published.ts'
import { firstContent, newCredentials, newList, type Revocable } from '../harness/revocable.ts'
import { runNow } from '../harness/run-now.ts'
import { type DidDocument, fetchDidDocument, readBits, verifyJsonLd } from '../verifiers/outside-verifiers.ts'

const hourMs = 3_600_000

const logged: Record<string, unknown>[] = []
let service: Service
let did: DidDocument
beforeAll(async () => {
  service = await startService({ log: pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line)) }) })
  did = await fetchDidDocument(service.anonymous)
})
afterAll(() => service[Symbol.asyncDispose]())

const setOf = ({ operator }: TestTenant, { credentialId }: Revocable, isRevoked: boolean) =>
  operator.post(`/v2/credentials/compact/${credentialId}/revocation-status`, { isRevoked })
const versionOf = async (listId: string, tenant: TestTenant = service) =>
  (await publishedRow(service.deps.db, tenant.id, listId)).version
/** In place of a wait in which all that is due would be published. */
const publishDue = () => runNow(service.deps.bus, 'queueDueLists', 'signing-bulk')
const untilPublished = (listId: string) => eventually(async () => (await openChanges(service.deps.db, listId)) === 0)

test('a revocation is in the published list within seconds, and a repeated one leaves the list unchanged', async () => {
  const listId = await newList(service, service.id)
  const made = await newCredentials(service, service.id, { listId, count: 3 })
  const served = () => service.anonymous.get(`/v2/credentials/compact/revocation-lists/${listId}`)
  await setOf(service, made[1]!, true)
  await untilPublished(listId)
  const { content } = await publishedRow(service.deps.db, service.id, listId)
  expect(readList(content, did).positions).toEqual([1])
  const etag = await eventually(async () => (await served()).headers.etag)
  await setOf(service, made[1]!, true)
  await publishDue()
  expect(await versionOf(listId)).toBe(2)
  expect((await served()).headers.etag).toBe(etag)
})

test('many changes make few publications', async () => {
  const listId = await newList(service, service.id)
  const made = await newCredentials(service, service.id, { listId, count: 500 })
  const startedAt = performance.now()
  const answers = await Promise.all(made.map((each) => setOf(service, each, true)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await untilPublished(listId)
  const seconds = (performance.now() - startedAt) / 1_000
  const { content, version } = await publishedRow(service.deps.db, service.id, listId)
  expect(readList(content, did).positions).toHaveLength(500)
  // One a second, besides the first of all and those at both ends.
  expect(version).toBeLessThanOrEqual(3 + seconds)
})

/** How often a histogram of this process has seen something. */
async function countOf(name: string, labels: Record<string, string>): Promise<number> {
  const { values = [] } = (await register.getSingleMetric(name)?.get()) ?? {}
  // Boundary: each value of a histogram names its series.
  const counts = values.filter((each) => (each as { metricName?: string }).metricName === `${name}_count`)
  const is = (found: Record<string, unknown>) =>
    Object.entries(labels).every(([label, value]) => found[label] === value)
  return counts.filter((each) => is(each.labels)).reduce((sum, { value }) => sum + value, 0)
}

test('a list that cannot be signed stays available, its failures are counted, and it is published when signing works again', async () => {
  const { db } = service.deps
  const tenant = await service.addTenant()
  const listId = await newList(service, tenant.id)
  const [made] = await newCredentials(service, tenant.id, { listId })
  const ofDid = and(eq(keys.tenantId, tenant.id), eq(keys.purpose, 'did'))
  const taken = await db.tx((tx) => tx.delete(keys).where(ofDid).returning())
  await setOf(tenant, made!, true)
  await eventually(async () => {
    return (await countOf('trustwright_job_duration_seconds', { job: 'publishList', outcome: 'failed' })) >= 2
  })
  const { version, content } = await publishedRow(db, tenant.id, listId)
  expect([version, content.equals(firstContent)]).toEqual([1, true])
  await db.tx((tx) => tx.insert(keys).values(taken))
  await untilPublished(listId)
  expect(await versionOf(listId, tenant)).toBe(2)
})

test('a list whose publication failed after all retries is tried again', async () => {
  const { db, bus } = service.deps
  const tenant = await service.addTenant()
  const listId = await newList(service, tenant.id)
  const [made] = await newCredentials(service, tenant.id, { listId })
  const ofDid = and(eq(keys.tenantId, tenant.id), eq(keys.purpose, 'did'))
  const taken = await db.tx((tx) => tx.delete(keys).where(ofDid).returning())
  await setOf(tenant, made!, true)
  const id = `list-${listId}`
  // The test ends the pauses between the attempts, which grow.
  const attemptsOf = async () => {
    const job = await bus.queue('signing-bulk').getJob(id)
    await job?.promote().catch(() => undefined)
    return job?.attemptsMade
  }
  // After its last attempt the job does not exist until it is queued again.
  await eventually(async () => ((await attemptsOf()) ?? 0) >= 4)
  const again = async () => ((await attemptsOf()) ?? 9) < 4
  await eventually(again)
  const what = { msg: 'job failed', queue: 'signing-bulk', job: 'publishList', jobId: id, attempt: 5 }
  expect(logged).toContainEqual(expect.objectContaining(what))
  await eventually(async () => {
    return (await countOf('trustwright_status_publication_duration_seconds', { outcome: 'failed' })) >= 5
  })
  const { status } = await tenant.anonymous.get(`/v2/credentials/compact/revocation-lists/${listId}`)
  expect([status, await versionOf(listId, tenant)]).toEqual([200, 1])
  await db.tx((tx) => tx.insert(keys).values(taken))
  await untilPublished(listId)
  expect(await versionOf(listId, tenant)).toBe(2)
})

test('the due lists of all tenants are each queued once', async () => {
  const tenants = [service, await service.addTenant(), await service.addTenant()]
  await service.workers.stop()
  try {
    const { db, clock } = service.deps
    const changed: string[] = []
    for (const tenant of tenants) {
      for (let list = 0; list < 3; list++) {
        const listId = await newList(service, tenant.id)
        const made = await newCredentials(service, tenant.id, { listId, count: 3 })
        if (list === 2) continue
        for (const each of made) await setOf(tenant, each, true)
        changed.push(listId)
      }
    }
    const due = await findChangedLists(db.read)
    expect(due.map(({ listId }) => listId).sort()).toEqual(changed.sort())
    expect(await findListsToRenew(db.read, clock.now(), 100)).toEqual([])
  } finally {
    await service.workers.start()
  }
})

test('a clock that jumps an hour ahead and back causes no expired publication of any kind', async () => {
  const { db } = service.deps
  const ids = { compact: await newList(service, service.id), web: await newList(service, service.id, 'web-semantic') }
  const compact = await newCredentials(service, service.id, { listId: ids.compact, count: 2 })
  const web = await newCredentials(service, service.id, { profile: 'web-semantic', listId: ids.web, count: 2 })
  for (const [at, jumpMs] of [hourMs, -hourMs].entries()) {
    service.clock.advance(jumpMs)
    const revoked = [compact[at]!.credentialId, web[at]!.credentialId]
    await db.tx((tx) => setStatuses(tx, service.id, revoked, { status: 'invalid', at: service.clock.now() }))
    const now = service.clock.now().getTime()
    for (const listId of Object.values(ids)) await untilPublished(listId)
    const { content, version } = await publishedRow(db, service.id, ids.compact)
    const { iat, exp, positions } = readList(content, did)
    expect([version, positions]).toEqual([at + 2, compact.slice(0, at + 1).map(({ position }) => position)])
    expect(Math.abs(iat * 1000 - now)).toBeLessThan(60_000)
    expect(exp * 1000).toBeGreaterThan(now + 24 * hourMs)
    const list = JSON.parse(String((await publishedRow(db, service.id, ids.web)).content))
    expect(await verifyJsonLd(list, did)).toBe(true)
    const bits = readBits(Buffer.from(list.credentialSubject.encodedList, 'base64url'))
    expect(bits.positions).toEqual(web.slice(0, at + 1).map(({ position }) => position))
    expect(Math.abs(Date.parse(list.issuanceDate) - now)).toBeLessThan(60_000)
    expect(list).not.toHaveProperty('expirationDate')
    // No response allows caching for zero seconds or for more than a minute.
    const { headers } = await service.anonymous.get(`/v2/credentials/web-semantic/revocation-lists/${ids.web}`)
    expect(headers['cache-control']).toBe('public, max-age=60')
  }
})

test('each list with an expiry is renewed a day later without a change', async () => {
  const [compact, web] = [await newList(service, service.id), await newList(service, service.id, 'web-semantic')]
  service.clock.advance(23 * hourMs)
  await publishDue()
  expect(await versionOf(compact)).toBe(1)
  service.clock.advance(hourMs + 60_000)
  await eventually(async () => (await versionOf(compact)) === 2)
  const { content, expiresAt } = await publishedRow(service.deps.db, service.id, compact)
  expect(readList(content, did).exp * 1000).toBe(expiresAt!.getTime())
  expect(expiresAt!.getTime()).toBeGreaterThan(service.clock.now().getTime() + 47 * hourMs)
  await publishDue()
  expect([await versionOf(compact), await versionOf(web)]).toEqual([2, 1])
})
