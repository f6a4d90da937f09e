import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { auditEvents } from '../../../db/schema.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/clock.ts'
import { publishCrl } from '../../../workers/signing/certificates/publish-crl.ts'
import { renewSigners } from '../../../workers/signing/certificates/renew-signers.ts'
import { documentSigner, statusListSigner } from '../../../workers/signing/certificates/signers.ts'
import { KeyProviderRefused } from '../../../workers/signing/keys/provider.ts'
import { rotateDueKeys } from '../../../workers/signing/rotate-due-keys.ts'
import { certifyAccess, newAccessAuthority, subject } from '../../certificates/access-authority.ts'
import { crlOf, iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { type Api, createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'

const token = createTestKeyProvider()
const signers = signersPath('document-signer')
let service: Service
beforeEach(async () => {
  // What is due is done by the test alone.
  service = await startService({ keyProviders: [token.provider], roles: ['relay', 'signing', 'signing-bulk'] })
})
afterEach(() => service[Symbol.asyncDispose]())

const accessPath = '/v1/openid/access-certificates'
const newTenant = () => service.addTenant({ keys: { default: 'pkcs11' } })

/** Signs the operator in again, because the clock has moved past the end of the token. */
async function operatorOf({ host, clientId, clientSecret }: TestTenant): Promise<Api> {
  const { origin } = service
  return createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret))
}

async function keyOf({ id: tenantId }: Pick<TestTenant, 'id'>, certificateId: string) {
  const isOf = and(eq(keys.tenantId, tenantId), eq(keys.ownerId, certificateId))
  const [row] = await service.deps.db.read.select().from(keys).where(isOf)
  return row!
}

/** Returns which of these certificates have a key in the token after a time. The keys of the others are not in the token any more. */
async function keptAfter(tenant: TestTenant, ms: number, certificateIds: string[]): Promise<string[]> {
  const before = await Promise.all(certificateIds.map((id) => keyOf(tenant, id)))
  service.clock.advance(ms)
  await rotateDueKeys(signingDeps(service))
  service.deps.bus.poke()
  const kept: string[] = []
  for (const { ownerId, handle } of before) {
    if ((await keyOf(tenant, ownerId)).handle === null) await eventually(async () => !token.stored.has(handle!))
    else kept.push(ownerId)
  }
  expect(kept.map((id) => token.stored.has(before.find(({ ownerId }) => ownerId === id)!.handle!))).not.toContain(false)
  return kept
}

/** The results of destructions in the audit of a tenant. */
async function destructionsOf({ id }: Pick<TestTenant, 'id'>) {
  const isOf = and(eq(auditEvents.tenantId, id), eq(auditEvents.type, 'KEY_DELETE_AUDIT'))
  return (await service.deps.db.read.select().from(auditEvents).where(isOf)).map(({ data }) => data)
}

test('the key of a revoked signer is destroyed, and those of an inactive signer and of their authority stay', async () => {
  const tenant = await newTenant()
  const { operator } = tenant
  const iaca = await newIaca(tenant)
  const inactive = (await operator.post(signers, { iacaId: iaca.id })).body
  const revoked = (await operator.post(signers, { iacaId: iaca.id })).body
  await operator.put(`${signers}/${inactive.id}`, { active: false })
  expect(await operator.post(`${signers}/${revoked.id}/revoke`)).toMatchObject({ status: 200 })
  await operator.put(`${iacas}/${iaca.id}`, { active: false })
  const ids = [iaca.id, inactive.id, revoked.id]

  // Processes that have not seen the revocation sign for some seconds.
  expect(await keptAfter(tenant, hourMs, ids)).toEqual(ids)
  const { publicJwk } = await keyOf(tenant, revoked.id)
  expect(await keptAfter(tenant, 2 * hourMs, ids)).toEqual([iaca.id, inactive.id])

  const retired = await keyOf(tenant, revoked.id)
  expect(retired).toMatchObject({ provider: 'pkcs11', publicJwk, retiredAt: expect.any(Date) })
  await eventually(async () => (await destructionsOf(tenant)).length > 0)
  expect(await destructionsOf(tenant)).toMatchObject([{ ids: [retired.id], provider: 'pkcs11', isDestroyed: true }])
  const destroyedAt = retired.retiredAt!.toISOString()
  const view = (await operator.get(`${signers}/${revoked.id}`)).body
  expect(view).toMatchObject({ provider: 'pkcs11', keyDestroyedAt: destroyedAt })
  expect((await operator.get(`${signers}/${inactive.id}`)).body).not.toHaveProperty('keyDestroyedAt')
  const inventory = (await operator.get('/v1/keys/inventory?limit=100')).body.data
  expect(inventory.find(({ id }: { id: string }) => id === retired.id)).toMatchObject({ retiredAt: destroyedAt })

  // The inactive signer can be activated, and the inactive authority signs its CRL.
  expect(await operator.put(`${signers}/${inactive.id}`, { active: true })).toMatchObject({ status: 200 })
  const crl = await crlOf(service, tenant, iaca.id)
  service.clock.advance(2 * dayMs)
  await publishCrl(signingDeps(service), { tenantId: tenant.id, caId: iaca.id })
  expect((await crlOf(service, tenant, iaca.id)).equals(crl)).toBe(false)
})

test('the key of a renewed signer is destroyed, and with the end of an authority its key and those of its signers', async () => {
  const tenant = await newTenant()
  const notAfter = new Date(Math.floor(service.clock.now().getTime() / 1000) * 1000 + 600 * dayMs)
  const iaca = await newIaca(tenant, { notAfter: notAfter.toISOString() })
  const deps = signingDeps(service)
  const first = await documentSigner(deps, tenant.id)
  service.clock.advance(first.notAfter.getTime() - service.clock.now().getTime() - 10 * dayMs)
  await renewSigners(deps, { tenantId: tenant.id, caId: iaca.id, kind: 'document-signer' })
  const second = await documentSigner(deps, tenant.id)
  const list = await statusListSigner(deps, tenant.id, iaca.id)
  const successors = [iaca.id, second.certificateId, list.certificateId]
  expect(await keptAfter(tenant, 3 * hourMs, [first.certificateId, ...successors])).toEqual(successors)
  expect((await documentSigner(deps, tenant.id)).certificateId).toBe(second.certificateId)

  const msLeft = notAfter.getTime() - service.clock.now().getTime()
  const newest = await statusListSigner(deps, tenant.id, iaca.id)
  expect(await keptAfter(tenant, msLeft + minuteMs, [iaca.id, newest.certificateId])).toContain(iaca.id)
  const all = [iaca.id, second.certificateId, newest.certificateId]
  expect(await keptAfter(tenant, 2 * hourMs, all)).toEqual([])
})

test('the key of a signer of an external authority stays after its end, because it can get another certificate', async () => {
  const tenant = await newTenant()
  const { operator } = tenant
  const authority = await newOpensslAuthority()
  const external = (await operator.post(iacas, { certificatePem: authority.pem })).body
  await operator.put(`${iacas}/${external.id}`, { active: true })
  const signer = (await operator.post(signers, { iacaId: external.id })).body
  const change = { active: true, certificatePem: await authority.certify(signer.csrPem, { days: 10 }) }
  expect(await operator.put(`${signers}/${signer.id}`, change)).toMatchObject({ status: 200 })
  expect(await keptAfter(tenant, 20 * dayMs, [signer.id])).toEqual([signer.id])
})

test('the key of an ended access certificate is destroyed, and those of an inactive and of an uncertified one stay', async () => {
  const tenant = await newTenant()
  const { between } = await newAccessAuthority()
  const make = async () => (await tenant.operator.post(accessPath, { subject })).body
  const certify = async (operator: Api, { id, csrPem }: { id: string; csrPem: string }, days: number) => {
    const certificatePem = (await certifyAccess(between, csrPem, { days })) + between.pem
    return operator.put(`${accessPath}/${id}`, { active: true, certificatePem })
  }
  const [inactive, ended, uncertified] = [await make(), await make(), await make()]
  expect(await certify(tenant.operator, inactive, 100)).toMatchObject({ status: 200 })
  const { body: active } = await certify(tenant.operator, ended, 10)
  expect(active).toMatchObject({ active: true, provider: 'pkcs11' })
  const ids = [inactive.id, ended.id, uncertified.id]

  const msLeft = Date.parse(active.notAfter) - service.clock.now().getTime()
  expect(await keptAfter(tenant, msLeft + minuteMs, ids)).toEqual(ids)
  const refused = await certify(await operatorOf(tenant), ended, 30)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'certificatePem' }] } })
  expect(await keptAfter(tenant, 2 * hourMs, ids)).toEqual([inactive.id, uncertified.id])

  const operator = await operatorOf(tenant)
  const { id, retiredAt } = await keyOf(tenant, ended.id)
  await eventually(async () => (await destructionsOf(tenant)).length > 0)
  expect(await destructionsOf(tenant)).toMatchObject([{ ids: [id], provider: 'pkcs11', isDestroyed: true }])
  const view = (await operator.get(`${accessPath}/${ended.id}`)).body
  expect(view).toMatchObject({ provider: 'pkcs11', keyDestroyedAt: retiredAt!.toISOString() })
  expect((await operator.get(`${accessPath}/${inactive.id}`)).body).not.toHaveProperty('keyDestroyedAt')
  expect(await operator.put(`${accessPath}/${inactive.id}`, { active: true })).toMatchObject({ status: 200 })
  expect(await certify(operator, uncertified, 30)).toMatchObject({ status: 200 })
  expect(await operator.delete(`${accessPath}/${ended.id}`)).toMatchObject({ status: 204 })
})

test('a token that refuses to destroy the key of a certificate is in the audit', async () => {
  const tenant = await newTenant()
  const iaca = await newIaca(tenant)
  const signer = (await tenant.operator.post(signers, { iacaId: iaca.id })).body
  await tenant.operator.post(`${signers}/${signer.id}/revoke`)
  const { destroy } = token.provider
  onTestFinished(() => void Object.assign(token.provider, { destroy }))
  token.provider.destroy = async () => {
    throw new KeyProviderRefused('The token is read-only.')
  }
  service.clock.advance(3 * hourMs)
  await rotateDueKeys(signingDeps(service))
  service.deps.bus.poke()
  await eventually(async () => (await destructionsOf(tenant)).length > 0)
  expect(await destructionsOf(tenant)).toMatchObject([{ isDestroyed: false, refusal: 'The token is read-only.' }])
})
