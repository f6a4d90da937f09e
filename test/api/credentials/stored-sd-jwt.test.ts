import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storedCredentials, storedCredentialTypes } from '../../../db/tables/credentials/stored-credentials.ts'
import { newIaca } from '../../certificates/hierarchy.ts'
import { sdJwtConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { issueSdJwt, sdJwtClaims } from '../../harness/issued-sd-jwt.ts'
import { pagesOf } from '../../harness/pages.ts'
import { payloads, signed } from '../../harness/signing.ts'
import { verifySdJwt } from '../../verifiers/sd-jwt-verifier.ts'

let service: SharedService
let tenant: TestTenant
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v2/credentials/sd-jwt'

async function newTenant(): Promise<TestTenant> {
  tenant = await service.addTenant()
  await newIaca(tenant)
  return tenant
}

async function idsOf(query: string, limit = 100): Promise<string[]> {
  const pages = await pagesOf<{ id: string }>(tenant.operator, `${path}?limit=${limit}&${query}`)
  return pages.flat().map(({ id }) => id)
}

test('credentials are stored only if their configuration says so, each of a batch with all its disclosures', async () => {
  await newTenant()
  const issued = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant, { persist: true }), { copies: 2 })
  const [plain] = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant))
  for (const { id, credential } of issued) {
    const { status, body } = await tenant.operator.get(`${path}/${id}`)
    const decoded = await verifySdJwt(credential, tenant)
    expect([status, body]).toEqual([200, { id, encoded: credential, decoded, createdAt: expect.any(String) }])
    expect(decoded).toMatchObject({ given_name: 'Ada', address: { locality: 'Bern' } })
  }
  expect(await tenant.operator.get(`${path}/${plain!.id}`)).toMatchObject({ status: 404 })
  expect((await idsOf('')).sort()).toEqual(issued.map(({ id }) => id).sort())
  expect(await idsOf('', 1)).toHaveLength(2)
  expect(await service.operator.get(`${path}/${issued[0]!.id}`)).toMatchObject({ status: 404 })
  expect((await service.operator.get(path)).body.data).toEqual([])
})

test('they are listed by type, and apart from stored web semantic credentials', async () => {
  await newTenant()
  const typed = async (vct: string) => {
    const [issued] = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant, { vct, persist: true }))
    return issued!.id
  }
  const [card, pass] = [await typed('Pass'), await typed('urn:example:pass')]
  const payload = { ...payloads['web-semantic'], type: ['Pass'] }
  const { id: document } = await signed(tenant, 'web-semantic', { payload, persist: true })
  expect(await idsOf('type=Pass')).toEqual([card])
  expect(await idsOf('type=urn:example:pass')).toEqual([pass])
  expect(await idsOf('')).toEqual([card, pass])
  for (const query of ['', '?type=Pass']) {
    const { data } = (await tenant.operator.get(`/v2/credentials/web-semantic${query}`)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([document])
  }
  expect(await tenant.operator.get(`/v2/credentials/web-semantic/${card}`)).toMatchObject({ status: 404 })
  expect(await tenant.operator.get(`${path}/${document}`)).toMatchObject({ status: 404 })
})

test('a directly signed credential of such a configuration is stored, until it is deleted', async () => {
  await newTenant()
  const sign = async (persist: boolean) => {
    const configurationId = await sdJwtConfiguration(tenant, { persist })
    const { status, body } = await tenant.operator.post(`${path}/sign`, { configurationId, claims: sdJwtClaims })
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const { id, encoded, decoded } = await sign(true)
  const plain = await sign(false)
  expect((await tenant.operator.get(`${path}/${id}`)).body).toMatchObject({ id, encoded, decoded })
  expect(await idsOf('')).toEqual([id])
  expect(await tenant.operator.get(`${path}/${plain.id}`)).toMatchObject({ status: 404 })
  expect(await tenant.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect(await tenant.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
})

test('stored credentials are erased with their user', async () => {
  await newTenant()
  const [issued] = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant, { persist: true }))
  expect(await tenant.operator.delete(`/v1/users/${issued!.userId}`)).toMatchObject({ status: 204 })
  for (const table of [storedCredentials, storedCredentialTypes])
    expect(await service.deps.db.read.$count(table, eq(table.tenantId, tenant.id))).toBe(0)
})
