import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts'
import { idempotencyKeys } from '../../../db/tables/operations/idempotency-keys.ts'
import { tenants } from '../../../db/tables/tenancy/tenants.ts'
import { minuteMs } from '../../../shared/clock.ts'
import { createApi } from '../../harness/api-client.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'

const deadlineMs = 3_000
let service: Service
let tenant: TestTenant
let configurationId: string
let webhookId: string
beforeAll(async () => {
  service = await startService({ env: { CREDENTIAL_DEADLINE_MS: String(deadlineMs) } })
  tenant = await service.addTenant()
  configurationId = await compactConfiguration(tenant)
  const hook = { events: ['OpenIdCredentialIssued'], url: 'https://any.example/hook' }
  webhookId = (await tenant.operator.post('/v1/webhooks', hook)).body.id
})
afterAll(() => service[Symbol.asyncDispose]())

const withKey = (key: string) => ({ 'idempotency-key': key })

/** Returns the newest key of a tenant. */
async function rowOf(ownerId: string) {
  const ofTenant = eq(idempotencyKeys.tenantId, ownerId)
  const keys = service.deps.db.read.select().from(idempotencyKeys).where(ofTenant)
  return (await keys.orderBy(desc(idempotencyKeys.id)).limit(1))[0]
}

/** Sends a request whose first change is committed, but whose process gets no reply to the commit. */
async function loseCommitReply(ownerId: string, send: () => Promise<{ status: number }>): Promise<void> {
  const { db } = service.deps
  const { tx } = db
  const before = await rowOf(ownerId)
  const spied = vi.spyOn(db, 'tx').mockImplementation(async (work, options) => {
    const result = await tx(work, options)
    const row = await rowOf(ownerId)
    if (!row || row.id === before?.id || row.state === 'running') return result
    spied.mockRestore()
    throw new DatabaseUnavailable('the reply to the commit was lost')
  })
  try {
    expect((await send()).status).toBe(503)
  } finally {
    spied.mockRestore()
  }
}

const creations: [operation: string, path: () => string, body: () => unknown][] = [
  [
    'createWebhook',
    () => '/v1/webhooks',
    () => ({ events: ['OpenIdCredentialIssued'], url: 'https://one.example/hook' }),
  ],
  ['createClient', () => `/v1/tenants/${tenant.id}/clients`, () => ({ name: 'CI', roles: ['issuer'] })],
  [
    'replaceClientSecret',
    () => `/v1/tenants/${tenant.id}/clients/${tenant.clientId}/secret`,
    () => ({ overlapSeconds: 60 }),
  ],
  ['createUser', () => '/v1/users', () => ({ claims: { given_name: 'Ada' } })],
  [
    'createCompactConfiguration',
    () => '/v2/credentials/compact/configurations',
    () => ({ type: 'Interrupted', name: 'Interrupted', claimMappings: {} }),
  ],
  [
    'createPreAuthorizedOffer',
    () => '/v1/openid/offers/pre-authorized',
    () => ({ credentials: [configurationId], transactionCodeConfiguration: { inputMode: 'numeric', length: 6 } }),
  ],
  ['createOffer', () => '/v1/openid/offers', () => ({ credentials: [configurationId] })],
  ['testWebhook', () => `/v1/webhooks/${webhookId}/test`, () => undefined],
  ['replayWebhookDeliveries', () => `/v1/webhooks/${webhookId}/replay`, () => ({ since: '2026-01-01T00:00:00Z' })],
  [
    'setRevocationStatuses',
    () => '/v2/credentials/revocation-status',
    () => ({ isRevoked: true, credentials: [tenant.id] }),
  ],
]

test.each(creations)('%s: the answer is stored with the change, so that a repeat gets it', async (name, path, body) => {
  const send = () => tenant.operator.post(path(), body(), withKey(name))
  await loseCommitReply(tenant.id, send)
  const again = await send()
  expect(again).toMatchObject({ headers: { 'idempotency-replayed': 'true' } })
  expect(again.status).toBeLessThan(300)
  expect((await send()).body).toEqual(again.body)
  const { clientSecret } = again.body
  if (clientSecret === undefined) return
  expect(await rowOf(tenant.id)).toMatchObject({ sealedAnswer: expect.not.stringContaining(clientSecret) })
  await tokenOf(service.origin, tenant.host, again.body.clientId, clientSecret)
})

test('an answer that comes after the deadline of its request is stored', async () => {
  const { keys } = service.deps
  const { call } = keys
  const answer = Promise.withResolvers<void>()
  const spied = vi.spyOn(keys, 'call').mockImplementation(async (...input) => {
    const result = await call(...input)
    await answer.promise
    return result
  })
  const send = () =>
    tenant.operator.post('/v1/dids', { method: 'key', options: { keyType: 'Ed25519' } }, withKey('late'))
  expect((await send()).status).toBe(503)
  spied.mockRestore()
  expect((await send()).status).toBe(409)
  answer.resolve()
  const again = await eventually(async () => {
    const repeated = await send()
    return repeated.status === 409 ? undefined : repeated
  })
  expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  expect((await tenant.operator.get('/v1/dids')).body.data.map(({ did }: { did: string }) => did)).toContain(
    again.body.did,
  )
})

/** Interrupts the creation of a tenant before it has keys, and waits until the first request cannot run any more. */
async function interruptTenant(subdomain: string) {
  const platform = await platformTenant()
  const send = () => service.platform.post('/v1/tenants', { name: subdomain, subdomain }, withKey(subdomain))
  await loseCommitReply(platform.id, send)
  expect((await send()).status).toBe(409)
  service.clock.advance(minuteMs)
  return send
}

async function platformTenant() {
  const [platform] = await service.deps.db.read.select().from(tenants).where(eq(tenants.kind, 'platform'))
  if (!platform) throw new Error('the service has a platform')
  return platform
}

test('a tenant whose creation was interrupted gets its keys, and the repeat gets its secret', async () => {
  const send = await interruptTenant('interrupted')
  const again = await send()
  expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  const { client, baseUrl, id } = again.body
  const { host } = new URL(baseUrl)
  const token = await tokenOf(service.origin, host, client.clientId, client.clientSecret)
  const dids = await createApi(service.origin, host, token).get('/v1/dids')
  expect(dids).toMatchObject({ status: 200, body: { data: [{ did: again.body.did }] } })
  expect((await send()).body.id).toBe(id)
})

test('a tenant that was removed because it stayed without keys is created by the repeat', async () => {
  const send = await interruptTenant('removed')
  service.clock.advance(20 * minuteMs)
  await service.deps.bus.queue('upkeep').add('recoverIssuances', { payload: {} })
  await eventually(async () => {
    const rows = await service.deps.db.read.select().from(tenants).where(eq(tenants.subdomain, 'removed'))
    return rows.length === 0 || undefined
  })
  const again = await send()
  expect(again).toMatchObject({ status: 201, headers: expect.not.objectContaining({ 'idempotency-replayed': 'true' }) })
  const { client, baseUrl } = again.body
  await tokenOf(service.origin, new URL(baseUrl).host, client.clientId, client.clientSecret)
})
