import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { ecosystemIntegrations } from '../../../db/tables/ecosystems/integrations.ts'
import { trustedListConfigurations, trustedLists } from '../../../db/tables/ecosystems/trusted-lists.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { outgoingLines } from '../../../db/tables/messaging/outgoing-lines.ts'
import { deliveries } from '../../../db/tables/operations/deliveries.ts'
import { webhooks } from '../../../db/tables/operations/webhooks.ts'
import { statusBulks } from '../../../db/tables/status/bulks.ts'
import { statusChanges } from '../../../db/tables/status/changes.ts'
import { statusEntries } from '../../../db/tables/status/entries.ts'
import { publishedLists } from '../../../db/tables/status/published-lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newEcosystemCa, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newCredentials, newList } from '../../harness/revocable.ts'
import { newEcosystem, newListed, newType } from '../ecosystems/factories.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let service: Service
/** A tenant without data. It must not see data of others. */
let otherTenant: TestTenant
beforeAll(async () => {
  // The workers that would do the overdue work are not started.
  service = await startService({ roles: ['signing', 'analytics'] })
  otherTenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const overview = async ({ operator }: Pick<TestTenant, 'operator'>, what: string) => {
  const { status, body } = await operator.get(`/v1/overview/${what}`)
  expect(status).toBe(200)
  return body
}
const nothing = { data: [], hasMore: false }
const ago = (ms: number) => plusMs(service.clock.now(), -ms)
const ahead = (ms: number) => plusMs(service.clock.now(), ms)

test('expiring certificates are listed by urgency until they are replaced', async () => {
  const tenant = await service.addTenant()
  const [iaca, ca] = [await newIaca(tenant), await newEcosystemCa(tenant)]
  const { body: signer } = await tenant.operator.post(signersPath('document-signer'), { iacaId: iaca.id })
  await tenant.operator.put(`${signersPath('document-signer')}/${signer.id}`, { active: true })
  expect(await overview(tenant, 'certificates')).toEqual(nothing)

  const end = (id: string, notAfter: Date) =>
    service.deps.db.tx(
      async (tx) => void (await tx.update(certificates).set({ notAfter }).where(eq(certificates.id, id))),
    )
  await end(iaca.id, ahead(45.5 * day))
  await end(ca.id, ahead(-1))
  // The service renews it in its last 30 days. Before that it is not late.
  await end(signer.id, ahead(30 * day))
  const ends = { kind: 'iaca', id: iaca.id, daysLeft: 45, renewal: 'operator', severity: 'notice' }
  const over = { kind: 'ecosystem-ca', id: ca.id, daysLeft: -1, renewal: 'operator', severity: 'critical' }
  expect((await overview(tenant, 'certificates')).data).toMatchObject([over, ends])
  await end(signer.id, ahead(29.5 * day))
  const late = { kind: 'document-signer', authorityId: iaca.id, daysLeft: 29, renewal: 'late', severity: 'warning' }
  expect((await overview(tenant, 'certificates')).data).toMatchObject([over, late, ends])

  const { body: next } = await tenant.operator.post(signersPath('document-signer'), { iacaId: iaca.id })
  await tenant.operator.put(`${signersPath('document-signer')}/${next.id}`, { active: true })
  await end(iaca.id, ahead(400 * day))
  await end(next.id, ahead(90 * day))
  expect((await overview(tenant, 'certificates')).data).toMatchObject([over])
  await tenant.operator.put(`/v1/ecosystems/certificates/ca/${ca.id}`, { active: false })
  expect(await overview(tenant, 'certificates')).toEqual(nothing)

  await end(iaca.id, ahead(3 * day))
  const seenBy = async (role: string) => (await overview({ operator: await tenant.as(role) }, 'certificates')).data
  expect(await seenBy('issuer')).toMatchObject([{ kind: 'iaca', severity: 'critical' }])
  expect(await seenBy('dts-consumer')).toEqual([])
  expect(await overview(otherTenant, 'certificates')).toEqual(nothing)
})

test('status lists are listed that expired, were not renewed or do not contain a change', async () => {
  const tenant = await service.addTenant()
  const lists: string[] = []
  for (let made = 0; made < 4; made++) lists.push(await newList(service, tenant.id))
  const [fine, late, expired, changed] = lists
  const publish = (listId: string, times: object) =>
    service.deps.db.tx(
      async (tx) => void (await tx.update(publishedLists).set(times).where(eq(publishedLists.listId, listId))),
    )
  const change = (listId: string, changedAt: Date) =>
    service.deps.db.tx(
      async (tx) =>
        void (await tx.insert(statusChanges).values({ id: randomUUID(), tenantId: tenant.id, listId, changedAt })),
    )
  await change(fine!, ago(minute))
  expect(await overview(tenant, 'status-lists')).toEqual(nothing)
  await publish(late!, { renewAt: ago(6 * minute) })
  await publish(expired!, { renewAt: ago(day), expiresAt: ago(1) })
  await change(changed!, ago(2 * hour))
  await change(changed!, ago(1))
  const { data } = await overview(tenant, 'status-lists')
  expect(data).toMatchObject([
    { id: changed, profile: 'compact', reason: 'changesMissing', severity: 'critical' },
    { id: expired, reason: 'expired', severity: 'critical' },
    { id: late, reason: 'notRenewed', severity: 'warning' },
  ])
  expect(Date.parse(data[0].since)).toBeLessThanOrEqual(ago(2 * hour).getTime())
  expect(await overview(otherTenant, 'status-lists')).toEqual(nothing)

  const { body } = await tenant.operator.get('/v2/credentials/status-lists')
  const byId = new Map<string, unknown>(body.data.map((each: { id: string }) => [each.id, each]))
  expect([...byId.keys()].sort()).toEqual([...lists].sort())
  const url = `http://${tenant.host}/v2/credentials/compact/revocation-lists/${changed}`
  expect(byId.get(changed!)).toMatchObject({ profile: 'compact', url, changedAt: data[0].since, size: 1_000_000 })
  expect(byId.get(late!)).toMatchObject({ taken: 0, published: { version: 1, expiresAt: expect.any(String) } })
  expect(byId.get(late!)).not.toHaveProperty('changedAt')
  expect((await otherTenant.operator.get('/v2/credentials/status-lists')).body).toEqual({ data: [] })
})

test('webhooks are listed that fail, have waiting deliveries or are disabled', async () => {
  const tenant = await service.addTenant()
  const url = 'https://receiver.example/hook'
  const add = async (state: Partial<typeof webhooks.$inferInsert> = {}) => {
    const { body } = await tenant.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
    await service.deps.db.tx(
      async (tx) =>
        void (await tx
          .update(webhooks)
          .set({ disabled: false, ...state })
          .where(eq(webhooks.id, body.id))),
    )
    return body.id as string
  }
  const wait = (webhookId: string, createdAt: Date, state: 'pending' | 'failed' = 'pending') =>
    service.deps.db.tx(async (tx) => {
      const ids = { id: randomUUID(), tenantId: tenant.id, webhookId, eventId: randomUUID() }
      const event = { kind: 'OpenIdCredentialIssued' as const, eventAt: createdAt, createdAt }
      await tx.insert(deliveries).values({ ...ids, ...event, state, attempts: [], attemptsMade: 0 })
    })
  const fine = await add()
  await wait(fine, ago(minute))
  await wait(fine, ago(day), 'failed')
  expect(await overview(tenant, 'webhooks')).toEqual(nothing)
  const waiting = await add()
  await wait(waiting, ago(hour))
  const failing = await add({ failures: 3, failingSince: ago(2 * day) })
  const [off, ended] = [
    await add({ disabled: true }),
    await add({ disabled: true, failures: 9, failingSince: ago(9 * day) }),
  ]
  const { data } = await overview(tenant, 'webhooks')
  expect(data).toMatchObject([
    { id: failing, url, reason: 'failing', failures: 3, severity: 'critical' },
    { id: ended, reason: 'disabled', severity: 'warning' },
    { id: waiting, reason: 'waiting', failures: 0, severity: 'warning', waitingSince: expect.any(String) },
    { id: off, reason: 'disabled', severity: 'notice' },
  ])
  expect(data[3]).not.toHaveProperty('since')
  expect(await overview(otherTenant, 'webhooks')).toEqual(nothing)
})

test('trusted lists are listed that failed to publish, are due or expire soon', async () => {
  const tenant = await service.addTenant()
  await newEcosystemCa(tenant)
  const path = await newEcosystem(tenant)
  const ecosystemId = path.split('/').at(-1)
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  await newListed(tenant, path, 'issuer', { credentialId })
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Agency' })
  expect(await tenant.operator.post(`${path}/vicals`)).toMatchObject({ status: 201 })
  expect(await overview(tenant, 'publications')).toEqual(nothing)

  const configure = (state: Partial<typeof trustedListConfigurations.$inferInsert>) =>
    service.deps.db.tx(
      async (tx) =>
        void (await tx
          .update(trustedListConfigurations)
          .set(state)
          .where(eq(trustedListConfigurations.tenantId, tenant.id))),
    )
  const yesterday = { frequency: 'Daily' as const, lastAutomaticAt: ago(3 * day) }
  const automatic = { ...yesterday, autoPublishes: true, autoPublishConfiguredAt: ago(minute) }
  await configure(automatic)
  expect(await overview(tenant, 'publications')).toEqual(nothing)
  await configure({ frequency: 'Weekly', lastAutomaticAt: ago(14 * day), autoPublishConfiguredAt: ago(20 * day) })
  const isMonday = service.clock.now().getUTCDay() === 1 && service.clock.now().getUTCHours() === 0
  const { data: due } = await overview(tenant, 'publications')
  expect(due).toMatchObject(isMonday ? [] : [{ ecosystemId, list: 'VICAL', reason: 'due', severity: 'warning' }])
  const failed = {
    failingSince: ago(hour),
    lastFailureAt: ago(minute),
    lastFailureReason: 'no active CA',
    retryAt: ahead(hour),
  }
  await configure(failed)
  expect((await overview(tenant, 'publications')).data).toMatchObject([
    { ecosystemId, reason: 'failed', failure: 'no active CA', since: failed.failingSince.toISOString() },
  ])
  expect(await overview(otherTenant, 'publications')).toEqual(nothing)

  const reader = { operator: await tenant.as('dts-consumer') }
  await configure({ autoPublishes: false, failingSince: null })
  expect(await overview(reader, 'publications')).toEqual(nothing)
  const endAt = (nextUpdate: Date) =>
    service.deps.db.tx(
      async (tx) =>
        void (await tx.update(trustedLists).set({ nextUpdate }).where(eq(trustedLists.tenantId, tenant.id))),
    )
  await endAt(ahead(14 * day + minute))
  expect(await overview(reader, 'publications')).toEqual(nothing)
  await endAt(ahead(13 * day))
  expect((await overview(reader, 'publications')).data).toMatchObject([{ reason: 'ending', severity: 'warning' }])
  await endAt(ago(1))
  expect((await overview(reader, 'publications')).data).toMatchObject([{ reason: 'ending', severity: 'critical' }])
  await tenant.operator.delete(path)
  expect(await overview(reader, 'publications')).toEqual(nothing)
})

test('integrations are listed that failed repeatedly', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const ecosystemId = path.split('/').at(-1)!
  const add = (url: string, state: Partial<typeof ecosystemIntegrations.$inferInsert>) =>
    service.deps.db.tx(async (tx) => {
      const row = { id: randomUUID(), tenantId: tenant.id, ecosystemId, format: 'VICAL' as const, url, enabled: true }
      await tx.insert(ecosystemIntegrations).values({
        ...{ ...row, trustAnchors: [], position: 0, createdAt: ago(day), nextSyncAt: ahead(day) },
        ...state,
      })
    })
  const result = {
    success: false,
    lastSyncedAt: ago(1).toISOString(),
    failReasons: [{ type: 'TooLarge' as const, message: 'large' }],
  }
  await add('https://late.example/', { failures: 1, succeededAt: ago(1) })
  await add('https://off.example/', { failures: 3, enabled: false })
  expect(await overview(tenant, 'integrations')).toEqual(nothing)
  await add('https://new.example/', { failures: 3, result })
  await add('https://old.example/', { failures: 9, result, succeededAt: ago(8 * day) })
  expect((await overview(tenant, 'integrations')).data).toMatchObject([
    { ecosystemId, url: 'https://old.example/', failures: 9, severity: 'critical', since: expect.any(String) },
    { ecosystemId, url: 'https://new.example/', failures: 3, severity: 'warning', reasons: ['TooLarge'] },
  ])
  expect(await overview(otherTenant, 'integrations')).toEqual(nothing)
})

test('the oldest overdue work per queue is listed for its tenant only', async () => {
  const tenant = await service.addTenant()
  const { body: webhook } = await tenant.operator.post('/v1/webhooks', {
    events: ['OpenIdCredentialIssued'],
    url: 'https://receiver.example/hook',
  })
  const listId = await newList(service, tenant.id)
  const ecosystemId = (await newEcosystem(tenant)).split('/').at(-1)!
  /** Adds work of each kind that is overdue by so much, and more that is due two hours later. */
  const wait = (ms: number) =>
    service.deps.db.tx(async (tx) => {
      for (const since of [ago(ms), ahead(2 * hour - ms)]) {
        const its = () => ({ id: randomUUID(), tenantId: tenant.id, createdAt: since })
        await tx.insert(issuances).values({
          ...{ ...its(), sessionId: '', userId: '', configurationId: '', state: 'requested', holderKeys: [] },
          requestedAt: since,
        })
        await tx.insert(statusChanges).values({ ...its(), listId, changedAt: since })
        const event = { eventId: randomUUID(), kind: 'OpenIdCredentialIssued' as const, eventAt: since }
        const delivery = { ...event, webhookId: webhook.id, state: 'pending' as const, attempts: [], attemptsMade: 0 }
        await tx.insert(deliveries).values({ ...its(), ...delivery, nextAttemptAt: since })
        const line = { recipient: randomUUID(), lastMessageAt: since, nextAttemptAt: since }
        await tx.insert(outgoingLines).values({ ...its(), ...line })
        const bulk = { isRevoked: true, state: 'pending' as const, total: 1, done: 0, failed: [] }
        await tx.insert(statusBulks).values({ ...its(), ...bulk })
        const list = { format: 'VICAL' as const, url: randomUUID(), enabled: true, trustAnchors: [], position: 0 }
        await tx.insert(ecosystemIntegrations).values({ ...its(), ...list, ecosystemId, nextSyncAt: since })
      }
    })
  await wait(minute - 10_000)
  expect(await overview(tenant, 'jobs')).toEqual(nothing)
  await wait(6 * minute)
  const late = [
    { queue: 'signing', work: 'issuance', severity: 'warning', since: expect.any(String) },
    { queue: 'signing-bulk', work: 'statusChange', severity: 'warning' },
    { queue: 'delivery', work: 'delivery', severity: 'warning' },
    { queue: 'delivery', work: 'message', severity: 'warning' },
  ]
  const ofAll = await overview(tenant, 'jobs')
  expect(ofAll.data).toHaveLength(4)
  expect(ofAll.data).toMatchObject(late)
  await wait(2 * hour)
  const older = [
    ...late.map((each) => ({ ...each, severity: 'critical' })),
    { queue: 'upkeep', work: 'bulk', severity: 'warning' },
    { queue: 'integrations', work: 'integration', severity: 'warning' },
  ]
  expect((await overview(tenant, 'jobs')).data).toMatchObject(older)
  const seenBy = async (role: string) => (await overview({ operator: await tenant.as(role) }, 'jobs')).data
  expect(await seenBy('issuer')).toMatchObject(older.slice(0, 5))
  expect(await seenBy('dts-consumer')).toMatchObject(older.slice(5))
  expect(await overview(otherTenant, 'jobs')).toEqual(nothing)
  const pause = (until: Date) =>
    service.deps.db.tx((tx) => tx.update(webhooks).set({ pausedUntil: until }).where(eq(webhooks.id, webhook.id)))
  await pause(plusMs(service.clock.now(), minute))
  expect((await seenBy('issuer')).map(({ work }: { work: string }) => work)).not.toContain('delivery')
  const pausedUntil = plusMs(service.clock.now(), -10 * minute)
  await pause(pausedUntil)
  const since = pausedUntil.toISOString()
  expect(await seenBy('issuer')).toContainEqual(
    expect.objectContaining({ work: 'delivery', since, severity: 'warning' }),
  )
  await tenant.operator.delete(`/v1/webhooks/${webhook.id}`)
  expect((await seenBy('issuer')).map(({ work }: { work: string }) => work)).not.toContain('delivery')
})

const counted = (count: number, isAtLeast = false) => ({ count, isAtLeast })
const none = counted(0)

test('counts contain the objects of the tenant that the roles may read', async () => {
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant)
  await newOffer(tenant, [configurationId])
  await newCredentials(service, tenant.id, { listId: await newList(service, tenant.id), count: 3 })
  await service.deps.db.tx(async (tx) => {
    await tx.update(statusEntries).set({ status: 'invalid' }).where(eq(statusEntries.position, 1))
    const [row] = await tx.select().from(offers).where(eq(offers.tenantId, tenant.id))
    await tx.insert(offers).values({ ...row!, id: randomUUID(), expiresAt: ago(1) })
  })
  await tenant.operator.post('/v1/openid/offers', { credentials: [configurationId] })
  await newEcosystem(tenant)
  const issuing = {
    ...{ users: counted(1), credentials: counted(3), signedCredentials: counted(0), notValid: counted(1) },
    ...{ configurations: counted(1), usableOffers: counted(2), failedOffers: none, pendingDeliveries: none },
    ...{ wallets: none, webhooks: none },
  }
  const trusting = { ecosystems: counted(1), participants: none }
  expect(await overview(tenant, 'counts')).toEqual({ ...issuing, ...trusting })
  expect(await overview({ operator: await tenant.as('issuer') }, 'counts')).toEqual(issuing)
  expect(await overview({ operator: await tenant.as('dts-consumer') }, 'counts')).toEqual(trusting)
  for (const count of Object.values(await overview(otherTenant, 'counts'))) expect(count).toEqual(none)
})

test('counts stop at a maximum, which the answer marks', async () => {
  const tenant = await service.addTenant()
  const row = { tenantId: tenant.id, claims: {}, providerId: null, subjectId: null, issuer: null }
  const add = (count: number) =>
    service.deps.db.tx(async (tx) => {
      for (let made = 0; made < count; made += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, count - made) }, () => ({
          ...row,
          id: randomUUID(),
          createdAt: service.clock.now(),
        }))
        await tx.insert(users).values(rows)
      }
    })
  await add(9_999)
  expect((await overview(tenant, 'counts')).users).toEqual(counted(9_999))
  await add(5)
  expect((await overview(tenant, 'counts')).users).toEqual(counted(10_000, true))
})
