import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingKeysCache } from '../../../api/operations/service/readiness-check.ts'
import { auditEvents } from '../../../db/schema.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { hourMs, minuteMs } from '../../../shared/clock.ts'
import { measureMissingKeys } from '../../../workers/service-metrics/missing-keys.ts'
import { serviceMetricsRegistry } from '../../../workers/service-metrics/registry.ts'
import { KeyProviderRefused } from '../../../workers/signing/keys/provider.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'

let token: ReturnType<typeof createTestKeyProvider>
let service: Service
let tenant: TestTenant
beforeEach(async () => {
  token = createTestKeyProvider()
  service = await startService({ keyProviders: [token.provider] })
  tenant = await service.addTenant({ keys: { default: 'pkcs11' } })
})
afterEach(() => service[Symbol.asyncDispose]())

/** Compares at least a minute after the last comparison. */
async function compare() {
  service.clock.advance(2 * minuteMs)
  const { status, body } = await service.platform.post('/v1/keys/comparisons', {})
  expect([status, body.data.length]).toEqual([200, 1])
  return body.data[0]
}

const rowsInToken = () => service.deps.db.read.select().from(keys).where(eq(keys.provider, 'pkcs11'))

/** The clock of the test is ahead of that of the database, which is another problem. */
const ofKeys = (problems: string[]) => problems.filter((problem) => problem.includes('key provider'))

async function keyProblems(): Promise<string[]> {
  service.deps.caches.of(missingKeysCache).clear()
  return ofKeys((await service.anonymous.get('/health/ready')).body.problems)
}

/** Stores a key that no row names. */
function leaveKey(tenantId: string): string {
  const handle = `test:${randomUUID()}`
  token.stored.set(handle, [...token.stored.values()][0]!)
  token.labels.set(handle, `${tenantId} webhook ${handle}`)
  return handle
}

test('a key whose private key is missing is named to the platform, and readiness counts it without its name', async () => {
  expect(await compare()).toMatchObject({ provider: 'pkcs11', isComplete: true, missing: { count: 0 } })
  expect(await keyProblems()).toEqual([])
  const [row] = await rowsInToken()
  const privateKey = token.stored.get(row!.handle!)!
  token.stored.delete(row!.handle!)
  const total = (await rowsInToken()).length
  expect(await compare()).toMatchObject({
    ...{ keys: total, keysInProvider: total - 1 },
    missing: { count: 1, first: [{ tenantId: tenant.id, keyId: row!.id }] },
  })
  await measureMissingKeys(service.deps)
  expect(await serviceMetricsRegistry.getSingleMetricAsString('trustwright_missing_private_keys')).toContain(
    'trustwright_missing_private_keys{provider="pkcs11"} 1',
  )
  const [problem, ...more] = await keyProblems()
  expect([problem, more]).toEqual([expect.stringMatching(/^The key provider pkcs11 lacks private keys .*\(1\)/), []])
  token.stored.set(row!.handle!, privateKey)
  expect(await compare()).toMatchObject({ missing: { count: 0, first: [] } })
  expect(await keyProblems()).toEqual([])
})

test('a key that is generated during the comparison is not missing', async () => {
  const { handles } = token.provider
  let isFirst = true
  token.provider.handles = async function* () {
    const before = await Array.fromAsync(handles())
    if (isFirst) expect(await tenant.operator.post('/v1/keys/webhooks/rotate')).toMatchObject({ status: 201 })
    isFirst = false
    yield* before
  }
  expect(await compare()).toMatchObject({ missing: { count: 0 } })
  expect(isFirst).toBe(false)
})

test('a private key without a key is unused after an hour, and only in the token of its own installation', async () => {
  const left = leaveKey(tenant.id)
  leaveKey(randomUUID())
  token.labels.set(leaveKey(tenant.id), 'ceremony 0011223344556677 root')
  expect(await compare()).toMatchObject({ unused: { count: 0, first: [] } })
  service.clock.advance(hourMs - 10 * minuteMs)
  expect(await compare()).toMatchObject({ unused: { count: 0, first: [] } })
  service.clock.advance(10 * minuteMs)
  expect(await compare()).toMatchObject({ unused: { count: 1, first: [left] } })
})

test('unused keys are destroyed on request with an audit entry, and no other key is', async () => {
  const [left, young] = [leaveKey(tenant.id), `test:${randomUUID()}`]
  await compare()
  service.clock.advance(2 * hourMs)
  token.stored.set(young, token.stored.get(left)!)
  token.labels.set(young, `${tenant.id} webhook ${young}`)
  const stored = new Set(token.stored.keys())
  const answer = await service.platform.post('/v1/keys/unused/destroy', { provider: 'pkcs11' })
  expect([answer.status, answer.body]).toEqual([200, { destroyed: 1, refused: 0, left: 0 }])
  stored.delete(left)
  expect(new Set(token.stored.keys())).toEqual(stored)
  const entries = await service.deps.db.read
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.type, 'KEY_UNUSED_DESTROY_AUDIT')))
  expect(entries.map(({ data }) => data)).toEqual([{ provider: 'pkcs11', handles: [left] }])
  const repeated = await service.platform.post('/v1/keys/unused/destroy', { provider: 'pkcs11' })
  expect(repeated.body).toEqual({ destroyed: 0, refused: 0, left: 0 })
  expect(await tenant.operator.post('/v1/keys/webhooks/rotate')).toMatchObject({ status: 201 })
})

test('a key that the provider refuses to destroy is counted and stays listed', async () => {
  const left = leaveKey(tenant.id)
  await compare()
  service.clock.advance(2 * hourMs)
  token.provider.destroy = async () => {
    throw new KeyProviderRefused('The token is read-only.')
  }
  const { body } = await service.platform.post('/v1/keys/unused/destroy', { provider: 'pkcs11' })
  expect(body).toEqual({ destroyed: 0, refused: 1, left: 1 })
  expect(await compare()).toMatchObject({ unused: { first: [left] } })
})

test('readiness and the providers name a provider that does not answer', async () => {
  const provider = async () => (await tenant.operator.get('/v1/keys/providers')).body
  const algorithms = ['ES256', 'Ed25519', 'ECDH-ES']
  await eventually(async () => (await provider()).data.length === 2)
  expect(await provider()).toMatchObject({
    data: [{ name: 'software' }, { name: 'pkcs11', isAvailable: true, algorithms }],
    ...{ default: 'software', requireHardware: [] },
  })
  const ready = async () => (await service.anonymous.get('/health/ready')).body
  expect(await ready()).toMatchObject({ status: 'ok', keyProviders: [{ name: 'pkcs11', status: 'ok' }], problems: [] })
  token.setAway(true)
  await eventually(async () => (await ready()).keyProviders[0].status === 'unavailable')
  expect(await ready()).toMatchObject({
    status: 'ok',
    problems: ['The key provider pkcs11 does not answer a signing process'],
  })
  expect((await provider()).data[1]).toMatchObject({ name: 'pkcs11', isAvailable: false })
  token.setAway(false)
  await eventually(async () => (await ready()).problems.length === 0)
})

test('only the platform compares keys and destroys them', async () => {
  for (const path of ['/v1/keys/comparisons', '/v1/keys/unused/destroy'])
    expect((await tenant.operator.post(path, { provider: 'pkcs11' })).status).not.toBe(200)
  const unknown = await service.platform.post('/v1/keys/unused/destroy', { provider: 'remote:other' })
  expect(unknown.status).toBe(409)
})
