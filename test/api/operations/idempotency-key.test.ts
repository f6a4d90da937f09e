import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperatorCall } from '../../../api/http/idempotency.ts'
import { changesUnderKey } from '../../../api/operations/idempotency/changes-under-key.ts'
import { claimKey } from '../../../api/operations/idempotency/claim.ts'
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts'
import { claimIdempotencyKey } from '../../../db/repos/operations/idempotency-keys.ts'
import { idempotencyKeys } from '../../../db/tables/operations/idempotency-keys.ts'
import { hourMs, minuteMs, plusMs } from '../../../shared/clock.ts'
import { hashSecret, newId } from '../../../shared/ids.ts'
import { createApi } from '../../harness/api-client.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const withKey = (key: string) => ({ 'idempotency-key': key })
const users = '/v1/users'
const webhooks = '/v1/webhooks'
const hook = (name: string) => ({ events: ['OpenIdCredentialIssued'], url: `https://${name}.example/hook` })

async function countWebhooks({ operator }: TestTenant): Promise<number> {
  return (await operator.get(webhooks)).body.data.length
}

function rowsOf({ id }: TestTenant) {
  return service.deps.db.read.select().from(idempotencyKeys).where(eq(idempotencyKeys.tenantId, id))
}

test('a repeated request gets the answer of the first one, and nothing is created twice', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const first = await operator.post(webhooks, hook('one'), withKey('key-1'))
  expect(first).toMatchObject({ status: 201 })
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  const again = await operator.post(webhooks, hook('one'), withKey('"key-1"'))
  expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } })
  expect(again.headers['content-type']).toBe(first.headers['content-type'])
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  expect(await countWebhooks(tenant)).toBe(1)
})

test('an offer, which is created with status 200, is not created twice', async () => {
  const tenant = await service.addTenant()
  const credentials = [await compactConfiguration(tenant, { type: 'Licence' })]
  const offer = () => tenant.operator.post('/v1/openid/offers/pre-authorized', { credentials }, withKey('offer'))
  const first = await offer()
  expect(first.status).toBe(200)
  expect((await offer()).body).toEqual(first.body)
})

test('of requests at the same time one creates, and the others get its answer or 409 with Retry-After', async () => {
  const tenant = await service.addTenant()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => tenant.operator.post(webhooks, hook('same'), withKey('same'))),
  )
  const [made] = answers.filter(({ status }) => status === 201)
  for (const { status, body, headers } of answers) {
    if (status === 201) expect(body).toEqual(made?.body)
    else expect([status, headers['retry-after']]).toEqual([409, '2'])
  }
  expect(await countWebhooks(tenant)).toBe(1)
})

test('a key belongs to one caller, one operation and one body', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  await operator.post(webhooks, hook('one'), withKey('mine'))
  const reused = { status: 422, body: { code: 'IdempotencyKeyReused' } }
  expect(await operator.post(webhooks, hook('two'), withKey('mine'))).toMatchObject(reused)
  expect(await operator.post(users, { claims: {} }, withKey('mine'))).toMatchObject(reused)
  const other = await tenant.as('admin')
  expect(await other.post(webhooks, hook('two'), withKey('mine'))).toMatchObject({ status: 201 })
  expect(await countWebhooks(tenant)).toBe(2)
})

test('a refused request releases its key', async () => {
  const { operator } = await service.addTenant()
  expect(await operator.post(webhooks, { ...hook('one'), url: 'no URL' }, withKey('fix'))).toMatchObject({
    status: 400,
  })
  const credentials = [newId()]
  const offers = '/v1/openid/offers/pre-authorized'
  expect(await operator.post(offers, { credentials }, withKey('fix'))).toMatchObject({ status: 400 })
  expect(await operator.post(webhooks, hook('one'), withKey('fix'))).toMatchObject({ status: 201 })
})

test.each(['', 'with space', 'ü', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const answer = await service.operator.post(webhooks, hook('one'), {
    'idempotency-key': Buffer.from(key).toString('latin1'),
  })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'Idempotency-Key', location: 'headers' }] } })
})

test('a secret is repeated, and is sealed in the database', async () => {
  const tenant = await service.addTenant()
  const create = () =>
    tenant.operator.post(`/v1/tenants/${tenant.id}/clients`, { name: 'CI', roles: ['issuer'] }, withKey('client'))
  const { body } = await create()
  expect(body.clientSecret).toMatch(/.{20}/)
  expect((await create()).body).toEqual(body)
  expect(JSON.stringify(await rowsOf(tenant))).not.toContain(body.clientSecret)
})

test('a key is free again after 24 hours, and its answer is then purged', async () => {
  await using own = await startService()
  const { operator, origin, host, clientId, clientSecret, clock, deps } = own
  const { body } = await operator.post(webhooks, hook('one'), withKey('daily'))
  clock.advance(24 * hourMs + minuteMs)
  const later = createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret))
  expect((await later.post(webhooks, hook('one'), withKey('daily'))).body.id).not.toBe(body.id)
  clock.advance(24 * hourMs + minuteMs)
  await deps.bus.queue('upkeep').add('purgeExpired', { payload: {} })
  await eventually(async () => (await deps.db.read.select().from(idempotencyKeys)).length === 0 || undefined)
})

test('the answers about a user are erased with the user, also an answer that is stored later', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const { body } = await operator.post(users, { claims: { given_name: 'Ada' } }, withKey('ada'))
  const [row] = await rowsOf(tenant)
  expect(row?.userId).toBe(body.id)
  await operator.delete(`${users}/${body.id}`)
  expect(await rowsOf(tenant)).toEqual([])
  await service.deps.db.tx((tx) => tx.insert(idempotencyKeys).values(row!))
  const finish = { payload: { tenantId: tenant.id, userId: body.id, offerIds: [] } }
  await service.deps.bus.queue('upkeep').add('finishErasure', finish)
  await eventually(async () => (await rowsOf(tenant)).length === 0 || undefined)
})

/** Sets the row to the state that a killed process leaves behind. */
async function leaveBehind(tenant: TestTenant, state: 'running' | 'changed') {
  await service.deps.db.tx((tx) =>
    tx.update(idempotencyKeys).set({ state, sealedAnswer: null }).where(eq(idempotencyKeys.tenantId, tenant.id)),
  )
}

test('after a process was killed, a request that had changed nothing is repeated, and another is not', async () => {
  const tenant = await service.addTenant()
  const create = async () => (await tenant.as('admin')).post(webhooks, hook('one'), withKey('killed'))
  const { operator } = tenant
  const send = () => operator.post(webhooks, hook('one'), withKey('killed'))
  await send()
  await leaveBehind(tenant, 'running')
  expect(await send()).toMatchObject({ status: 409, body: { message: expect.stringContaining('not ended') } })
  await service.deps.db.tx((tx) =>
    tx
      .update(idempotencyKeys)
      .set({ runningUntil: service.clock.now() })
      .where(eq(idempotencyKeys.tenantId, tenant.id)),
  )
  expect(await send()).toMatchObject({ status: 201 })
  expect(await countWebhooks(tenant)).toBe(2)
  await leaveBehind(tenant, 'changed')
  await service.deps.db.tx((tx) =>
    tx
      .update(idempotencyKeys)
      .set({ runningUntil: service.clock.now() })
      .where(eq(idempotencyKeys.tenantId, tenant.id)),
  )
  const unknown = await send()
  expect(unknown).toMatchObject({ status: 409, body: { message: expect.stringContaining('Look whether it exists') } })
  expect(unknown.headers).not.toHaveProperty('retry-after')
  expect(await countWebhooks(tenant)).toBe(2)
  expect(await create()).toMatchObject({ status: 201 })
})

test('a request that has lost its key commits nothing', async () => {
  const { deps, clock, id: tenantId } = service
  const at = clock.now()
  const keyHash = hashSecret(newId())
  const claim = (requestId: string, now: Date) => {
    const times = { runningUntil: plusMs(now, minuteMs), expiresAt: plusMs(now, hourMs) }
    const row = { id: newId(), tenantId, callerId: 'caller', keyHash, fingerprint: 'same', requestId, ...times }
    return deps.db.tx((tx) => claimIdempotencyKey(tx, row, now))
  }
  const first = await claim('first', at)
  expect(await claim('second', at)).toHaveProperty('earlier')
  const second = await claim('second', plusMs(at, 2 * minuteMs))
  if (!('claim' in first && 'claim' in second)) throw new Error('both requests must get the key')
  const change = (of: typeof first) =>
    changesUnderKey(deps, of.claim).deps.db.tx((tx) =>
      tx
        .update(idempotencyKeys)
        .set({ callerId: 'changed' })
        .where(and(eq(idempotencyKeys.keyHash, keyHash))),
    )
  await expect(change(first)).rejects.toMatchObject({ status: 409 })
  const read = () => deps.db.read.select().from(idempotencyKeys).where(eq(idempotencyKeys.keyHash, keyHash))
  expect(await read()).toMatchObject([{ callerId: 'caller', state: 'running' }])
  await change(second)
  expect(await read()).toMatchObject([{ callerId: 'changed', state: 'changed' }])
})

test('a request that the signing process did not answer can be repeated with its key', async () => {
  const tenant = await service.addTenant()
  const create = () =>
    tenant.operator.post('/v1/dids', { method: 'key', options: { keyType: 'Ed25519' } }, withKey('did'))
  await service.workers.stop()
  const failed = await service.withSigningWait(200, create)
  expect(failed).toMatchObject({ status: 503 })
  await service.workers.start()
  expect(await create()).toMatchObject({ status: 201 })
  expect((await tenant.operator.get('/v1/dids')).body.data).toHaveLength(2)
})

test('a request to the signing process marks its key before', async () => {
  const tenant = await service.addTenant()
  await service.workers.stop()
  const sign = () => tenant.operator.post('/v2/credentials/compact/sign', { payload: {} }, withKey('signed'))
  const failed = service.withSigningWait(1_000, sign)
  await eventually(async () => (await rowsOf(tenant)).some(({ state }) => state === 'changed') || undefined)
  expect(await failed).toMatchObject({ status: 503 })
  await service.workers.start()
  expect(await sign()).toMatchObject({ status: 200 })
})

test('a request keeps its key if the database does not say whether its change was committed', async () => {
  const { deps, id: tenantId } = service
  const tenant = { id: tenantId, sealedSecret: null }
  const content = { method: 'POST', url: '/v1/webhooks', query: {}, body: {}, rawBody: Buffer.alloc(0) }
  const call = (requestId: string) =>
    ({ ...content, deps, tenantId, tenant, requestId, caller: { clientId: 'caller' } }) as unknown as OperatorCall
  const claimed = await claimKey('uncertain', call('first'))
  if (!('claim' in claimed)) throw new Error('the first request must get the key')
  await claimed.claim.deps.db.tx(async () => {})
  await claimed.claim.release(new DatabaseUnavailable('no reply'))
  await expect(claimKey('uncertain', call('second'))).rejects.toMatchObject({ status: 409 })
  await claimed.claim.release(new Error('a bug'))
  expect(await claimKey('uncertain', call('third'))).toHaveProperty('claim')
})

test('an answer that is too large to store is not sent twice, and nothing is created twice', async () => {
  const { operator } = await service.addTenant()
  const sign = () =>
    operator.post('/v2/credentials/compact/sign', { payload: { text: 'x'.repeat(95_000) } }, withKey('large'))
  expect(await sign()).toMatchObject({ status: 200 })
  expect(await sign()).toMatchObject({ status: 409, body: { message: expect.stringContaining('not stored') } })
})
