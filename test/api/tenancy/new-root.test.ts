import { X509Certificate } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { crlOf, iacas, signersPath } from '../../certificates/hierarchy.ts'
import { newOffer, sdJwtConfiguration } from '../../harness/factories.ts'
import { type Service, startService, testTenant } from '../../harness/harness.ts'
import { verifyStrictly } from '../../verifiers/openssl.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterEach(() => service.workers.start())
afterAll(() => service?.[Symbol.asyncDispose]())

const withRoot = { createRoot: true, country: 'NZ' }

test('a tenant that is created with its root issues SD-JWT VCs at once', async () => {
  const name = 'Department of Higher Education and Research of the Southern Islands'
  const created = await service.platform.post('/v1/tenants', { name, subdomain: 'rooted', ...withRoot })
  expect(created).toMatchObject({ status: 201, body: { root: { country: 'NZ' } } })
  const { id, commonName, notAfter } = created.body.root
  expect(commonName).toBe('Department of Higher Education and Research of the Southern root')
  const tenant = await testTenant(service.origin, created.body)

  const { data: roots } = (await tenant.operator.get(iacas)).body
  expect(roots).toMatchObject([{ id, active: true, isManaged: true, certificateData: { commonName, notAfter } }])
  for (const kind of ['document-signer', 'sd-jwt-signer'] as const) {
    const { data: signers } = (await tenant.operator.get(signersPath(kind))).body
    expect(signers).toMatchObject([{ iacaId: id, active: true }])
    const chain = { leaf: signers[0].certificatePem, root: roots[0].certificatePem }
    expect(await verifyStrictly({ ...chain, crl: await crlOf(service, tenant, id) })).toBe('leaf.pem: OK\n')
  }
  expect(new X509Certificate(roots[0].certificatePem).subject).toBe(`C=NZ\nCN=${commonName}`)

  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
  const configurationId = await sdJwtConfiguration(tenant, { claimMappings })
  const { uri } = await newOffer(tenant, [configurationId], { claims: { given_name: 'Ada' } })
  expect(await (await newWallet(tenant, service.origin, uri)).collect()).toMatchObject({ status: 200 })
})

test('a repeated request makes no second root, also after a request that no signing process answered', async () => {
  const body = { name: 'Again', subdomain: 'again', ...withRoot }
  const create = () => service.platform.post('/v1/tenants', body, { 'idempotency-key': 'root-of-again' })
  await service.workers.stop()
  expect(await service.withSigningWait(100, create)).toMatchObject({ status: 503 })
  await service.workers.start()
  const answers = [await create(), await create()]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[1]?.body).toEqual(answers[0]?.body)
  const tenant = await testTenant(service.origin, answers[0]?.body)
  const { data } = (await tenant.operator.get(iacas)).body
  expect(data.map(({ id }: { id: string }) => id)).toEqual([answers[0]?.body.root.id])
})

test.each([
  [{ createRoot: true }, 'Required with createRoot'],
  [{ country: 'NZ' }, 'Requires createRoot: true'],
  [{ createRoot: true, country: 'nz' }, 'Must be two upper-case letters (ISO 3166-1)'],
])('the answer to %j names the country', async (fields, msg) => {
  const answer = await service.platform.post('/v1/tenants', { name: 'Wrong', subdomain: 'wrong', ...fields })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'country', msg }] } })
})

test('a tenant without createRoot has no root', async () => {
  const { body } = await service.platform.post('/v1/tenants', { name: 'Bare', subdomain: 'bare' })
  expect(body).not.toHaveProperty('root')
  const tenant = await testTenant(service.origin, body)
  expect((await tenant.operator.get(iacas)).body.data).toEqual([])
})
