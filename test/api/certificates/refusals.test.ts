import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { plusMs } from '../../../shared/clock.ts'
import { iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
let tenant: TestTenant
let iaca: { id: string; certificatePem: string }
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  iaca = await newIaca(tenant)
})
afterAll(() => service[Symbol.asyncDispose]())

const signers = signersPath('document-signer')
const hourMs = 3_600_000

async function newSigner(changes: Partial<typeof certificates.$inferInsert> = {}) {
  const { status, body } = await tenant.operator.post(signers, { iacaId: iaca.id })
  expect(status).toBe(201)
  const { db } = service.deps
  if (Object.keys(changes).length > 0)
    await db.tx((tx) => tx.update(certificates).set(changes).where(eq(certificates.id, body.id)))
  return { path: `${signers}/${body.id}`, id: body.id as string, certificatePem: body.certificatePem as string }
}

const refusal = (param: string, msg: string) => ({
  status: 400,
  body: { details: [{ param, location: 'body', msg: expect.stringContaining(msg) }] },
})
const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * hourMs).toISOString()

test('an IACA must start within a year and end after it starts', async () => {
  const create = (times: object) => tenant.operator.post(iacas, { commonName: 'IACA', country: 'NZ', ...times })
  expect(await create({ notBefore: inHours(24 * 400) })).toMatchObject(refusal('notBefore', 'one year'))
  const reversed = { notBefore: inHours(48), notAfter: inHours(24) }
  expect(await create(reversed)).toMatchObject(refusal('notAfter', 'after notBefore'))
})

test('a certificate that is not an IACA cannot be activated as one and cannot certify signers', async () => {
  const { id } = await newSigner()
  expect(await tenant.operator.put(`${iacas}/${id}`, { active: true })).toMatchObject({ status: 404 })
  expect(await tenant.operator.post(signers, { iacaId: id })).toMatchObject(refusal('iacaId', 'Resource Not Found'))
  const other = `${signersPath('status-list-signer')}/${id}`
  expect(await tenant.operator.put(other, { active: false })).toMatchObject({ status: 404 })
  expect(await tenant.operator.post(`${other}/revoke`, {})).toMatchObject({ status: 404 })
})

test('a certificate cannot be uploaded for a managed signer', async () => {
  const { path, certificatePem: own } = await newSigner()
  expect(await tenant.operator.put(path, { active: true, certificatePem: own })).toMatchObject({ status: 200 })
  const { certificatePem } = iaca
  const answer = await tenant.operator.put(path, { active: true, certificatePem })
  expect(answer).toMatchObject(refusal('certificatePem', 'issues the certificates'))
})

test('a replaced signer cannot be activated and is deleted with its key', async () => {
  const { path, id } = await newSigner({ retiredAt: service.clock.now() })
  expect((await tenant.operator.get(path)).body).toMatchObject({ active: false })
  expect(await tenant.operator.put(path, { active: true })).toMatchObject(refusal('active', 'replaced'))
  const { read } = service.deps.db
  expect(await read.$count(keys, eq(keys.ownerId, id))).toBe(1)
  expect(await tenant.operator.delete(path)).toMatchObject({ status: 204 })
  expect(await read.$count(keys, eq(keys.ownerId, id))).toBe(0)
})

test('an expired signer cannot be activated and can be deleted', async () => {
  const { path } = await newSigner({ notAfter: plusMs(service.clock.now(), -1000) })
  expect(await tenant.operator.put(path, { active: true })).toMatchObject(refusal('active', 'expired'))
  expect(await tenant.operator.delete(path)).toMatchObject({ status: 204 })
})

test('a repeated revocation keeps the first date', async () => {
  const { path } = await newSigner()
  const first = await tenant.operator.post(`${path}/revoke`, {})
  service.clock.advance(5_000)
  expect((await tenant.operator.post(`${path}/revoke`, {})).body).toEqual(first.body)
})

test('an expired IACA signs nothing and can be deleted, and its CRL is not cached beyond its expiry', async () => {
  const other = await service.addTenant()
  const short = await newIaca(other, { notAfter: new Date(service.clock.now().getTime() + 30_000).toISOString() })
  const path = `${iacas}/${short.id}`
  const { headers } = await other.anonymous.get(`${path}/crl`)
  const [, seconds] = /max-age=(\d+)/.exec(String(headers['cache-control'])) ?? []
  expect(Number(seconds)).toBeLessThanOrEqual(30)
  service.clock.advance(31_000)
  expect(await other.operator.put(path, { active: true })).toMatchObject(refusal('active', 'expired'))
  expect(await other.operator.post(signers, { iacaId: short.id })).toMatchObject(refusal('iacaId', 'has expired'))
  expect(await other.operator.delete(path)).toMatchObject({ status: 204 })
})

test('a certificate that the signing process does not sign in time leaves no row and can be requested again', async () => {
  const other = await service.addTenant()
  await service.workers.stop()
  const request = () => other.operator.post(iacas, { commonName: 'Late', country: 'NZ' })
  const answer = await service.withSigningWait(100, request)
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
  await service.workers.start()
  const ofTenant = eq(certificates.tenantId, other.id)
  expect(await service.deps.db.read.$count(certificates, ofTenant)).toBe(0)
  expect((await newIaca(other)).active).toBe(true)
  expect(await service.deps.db.read.$count(certificates, ofTenant)).toBe(1)
})
