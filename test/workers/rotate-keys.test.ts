import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDidKeys } from '../../db/repos/identifiers/did-keys.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { newId, newKeyId } from '../../shared/ids.ts'
import { createCurrentKeys } from '../../workers/signing/keys/current-keys.ts'
import { publishList } from '../../workers/signing/lists/publish-list.ts'
import { rotateDueKeys } from '../../workers/signing/rotate-due-keys.ts'
import { removeTenant } from '../../workers/upkeep/remove-deleted.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { openChanges, publishedRow, signingDeps } from '../harness/published.ts'
import { newList } from '../harness/revocable.ts'
import { signed } from '../harness/signing.ts'

const dayMs = 24 * 3_600_000

let service: Service
beforeAll(async () => {
  // Only the tests start due work.
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const keysOf = (tenantId: string, purpose: (typeof keys.$inferSelect)['purpose']) =>
  service.deps.db.read
    .select()
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, purpose)))
const counts = async ({ id }: TestTenant) => {
  const rows = await service.deps.db.read.select().from(keys).where(eq(keys.tenantId, id))
  return Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ purpose }) => purpose)).map(([name, of]) => [name, of.length]),
  )
}

test('keys are rotated after the period of the tenant by one of several processes, and never without a period', async () => {
  const tenant = await service.addTenant()
  const keyRotation = { credentials: { days: 90 }, tokens: { days: 7 } }
  const path = `/v1/tenants/${tenant.id}`
  expect(await service.platform.put(path, { keyRotation })).toMatchObject({ status: 200, body: { keyRotation } })
  expect(await service.platform.put(`${path}?partial=true`, { name: 'Other' })).toMatchObject({ body: { keyRotation } })
  const run = () => Promise.all([1, 2, 3].map(() => rotateDueKeys(signingDeps(service))))
  service.clock.advance(6 * dayMs)
  await run()
  expect(await counts(tenant)).toEqual({ did: 4, token: 1, webhook: 1, encryption: 1, audit: 1 })
  service.clock.advance(2 * dayMs)
  await run()
  expect(await counts(tenant)).toEqual({ did: 4, token: 2, webhook: 1, encryption: 1, audit: 1 })
  await run()
  expect(await counts(tenant)).toEqual({ did: 4, token: 2, webhook: 1, encryption: 1, audit: 1 })
  service.clock.advance(90 * dayMs)
  await run()
  expect(await counts(tenant)).toEqual({ did: 8, token: 3, webhook: 1, encryption: 2, audit: 1 })
  const current = await service.deps.db.read.$count(keys, and(eq(keys.tenantId, tenant.id), isNull(keys.retiredAt)))
  expect(current).toBe(8)
  service.clock.advance(-98 * dayMs)
})

test.each([
  [{ credentials: { days: 0 } }, 'keyRotation.credentials.days'],
  [{ tokens: { days: 1.5 } }, 'keyRotation.tokens.days'],
  [{ webhooks: {} }, 'keyRotation.webhooks.days'],
  [{ encryption: { days: 4000 } }, 'keyRotation.encryption.days'],
])('a period of %j is refused by name', async (keyRotation, param) => {
  const { id } = await service.addTenant()
  const answer = await service.platform.put(`/v1/tenants/${id}`, { keyRotation })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
  expect((await service.platform.get(`/v1/tenants/${id}`)).body.keyRotation).toEqual({})
})

test('a list that a process signs with a key whose end it does not know yet is signed again with the new key', async () => {
  const tenant = await service.addTenant()
  const listId = await newList(service, tenant.id)
  const { db } = service.deps
  const currentKeys = createCurrentKeys(service.keyring)
  const late = signingDeps(service, { currentKeys })
  const [old] = (await keysOf(tenant.id, 'did')).filter(({ algorithm }) => algorithm === 'ES256')
  const own = { kind: 'tenant', id: '' } as const
  await currentKeys.of(db.read, tenant.id, own, { purpose: 'did', algorithm: 'ES256' })
  const { body } = await tenant.operator.post('/v1/keys/credentials/rotate')
  expect(await openChanges(db, listId)).toBe(1)
  expect(await publishList(late, { tenantId: tenant.id, listId })).toBe('published')
  expect(await publishedRow(db, tenant.id, listId)).toMatchObject({ version: 2, keyId: old!.id })
  expect(await openChanges(db, listId)).toBe(1)
  expect(await publishList(late, { tenantId: tenant.id, listId })).toBe('published')
  expect(await publishedRow(db, tenant.id, listId)).toMatchObject({ version: 3, keyId: body.id })
  expect(await openChanges(db, listId)).toBe(0)
})

test('a signed message without an expiry keeps its key published permanently, and one with an expiry until then', async () => {
  const tenant = await service.addTenant()
  const sign = (payload: object) => tenant.operator.post('/v1/messaging/sign', { didUrl: tenant.did, payload })
  const until = async () =>
    (await keysOf(tenant.id, 'did')).find(({ algorithm }) => algorithm === 'Ed25519')!.publishedUntil
  const exp = Math.floor(service.clock.now().getTime() / 1000) + 100 * 24 * 3600
  expect(await sign({ exp })).toMatchObject({ status: 200 })
  expect(Number(await until())).toBeGreaterThanOrEqual(exp * 1000)
  expect(Number(await until())).toBeLessThan(exp * 1000 + 2 * dayMs)
  const { body: jws } = await sign({ text: 'without an end' })
  expect(await until()).toBeNull()
  await tenant.operator.post('/v1/keys/credentials/rotate')
  service.clock.advance(1000 * dayMs)
  const { verificationMethod } = (await tenant.anonymous.get('/.well-known/did.json')).body
  const { kid } = JSON.parse(Buffer.from(String(jws).split('.')[0]!, 'base64url').toString())
  expect(verificationMethod.map(({ id }: { id: string }) => id)).toContain(kid)
  const keys = await findDidKeys(service.deps.db.read, tenant.id, tenant.did, service.clock.now())
  expect(keys.find(({ didUrl }) => didUrl === kid)).toMatchObject({ isRetired: true })
  service.clock.advance(-1000 * dayMs)
})

test('a directly signed credential keeps its key published until it expires', async () => {
  const tenant = await service.addTenant()
  const until = async () =>
    (await keysOf(tenant.id, 'did')).find(({ algorithm }) => algorithm === 'ES256')!.publishedUntil
  const exp = Math.floor(service.clock.now().getTime() / 1000) + 50 * 24 * 3600
  const payload = { iss: tenant.did, type: 'Course', given_name: 'Ada' }
  await signed(tenant, 'compact', { payload: { ...payload, exp } })
  expect(Number(await until())).toBeGreaterThanOrEqual(exp * 1000)
  await signed(tenant, 'compact', { payload })
  expect(await until()).toBeNull()
})

test('a rotation concurrent with the deletion of the tenant leaves no key', async () => {
  for (let round = 0; round < 6; round++) {
    const tenant = await service.addTenant()
    const [rotated, deleted] = await Promise.all([
      tenant.operator.post(`/v1/keys/${round % 2 ? 'credentials' : 'tokens'}/rotate`),
      service.platform.delete(`/v1/tenants/${tenant.id}`),
    ])
    expect([201, 401, 404]).toContain(rotated.status)
    expect(deleted.status).toBe(204)
    // A rotation that was requested before, and arrives late.
    const before = await counts(tenant)
    const late = {
      tenantId: tenant.id,
      use: 'tokens',
      keyId: newKeyId(),
      by: { event: 'KEY_ROTATE', requestId: newId() },
    } as const
    await expect(service.deps.keys.call('rotateKeys', late)).rejects.toMatchObject({ problem: 'not_found' })
    expect(await counts(tenant)).toEqual(before)
    await removeTenant(
      service.deps,
      { tenantId: tenant.id },
      { number: 2, isLast: false, isRepeated: true, starts: 2, interruptedStarts: 1 },
    )
    expect(await counts(tenant)).toEqual({})
  }
})
