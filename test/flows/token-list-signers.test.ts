import { afterAll, beforeAll, expect, test } from 'vitest'
import { iacas, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { newOpensslAuthority, type OpensslAuthority } from '../certificates/openssl-authority.ts'
import { mdlConfiguration } from '../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { issueMobile, readNow } from '../harness/mobile-status.ts'
import { publishedRow } from '../harness/published.ts'
import { openssl } from '../verifiers/openssl.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const signers = signersPath('status-list-signer')
const signerIdOf = async (tenant: TestTenant, uri: string) =>
  (await publishedRow(service.deps.db, tenant.id, uri.split('/').at(-2)!)).signerId!

test('seconds after the revocation of its signer, a list is signed by another signer', async () => {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  const [issued] = await issueMobile(service, tenant, await mdlConfiguration(tenant, { includeStatus: true }))
  const { uri } = issued!.reference!
  const before = await readNow(service, tenant, uri)
  const revoked = await tenant.operator.post(`${signers}/${await signerIdOf(tenant, uri)}/revoke`, {})
  expect(revoked.status).toBe(200)
  await eventually(async () => (await readNow(service, tenant, uri)).signer !== before.signer)
})

/** A signer of an IACA that is kept elsewhere, certified there. */
async function certified(
  tenant: TestTenant,
  authority: OpensslAuthority,
  kind: 'document-signer' | 'status-list-signer',
) {
  const iacaId = (await tenant.operator.get(iacas)).body.data[0].id
  const { body } = await tenant.operator.post(signersPath(kind), { iacaId })
  const extensions = kind === 'document-signer' ? {} : { extendedKeyUsage: undefined, issuerAltName: undefined }
  const certificatePem = await authority.certify(body.csrPem, { extensions })
  const put = await tenant.operator.put(`${signersPath(kind)}/${body.id}`, { active: true, certificatePem })
  expect([put.status, put.body.details]).toEqual([200, undefined])
  return body.id as string
}

test('under an external IACA lists wait for a certified signer', async () => {
  const authority = await newOpensslAuthority()
  const tenant = await service.addTenant()
  const made = await tenant.operator.post(iacas, { certificatePem: authority.pem })
  expect(made.status).toBe(201)
  await tenant.operator.put(`${iacas}/${made.body.id}`, { active: true })
  await certified(tenant, authority, 'document-signer')
  const configurationId = await mdlConfiguration(tenant, { includeStatus: true })
  await expect(issueMobile(service, tenant, configurationId)).rejects.toThrow('credential_request_denied')

  const first = await certified(tenant, authority, 'status-list-signer')
  const [issued] = await issueMobile(service, tenant, configurationId)
  const { uri } = issued!.reference!
  const before = await readNow(service, tenant, uri)
  const files = { 'root.pem': authority.pem, 'leaf.pem': before.signer }
  const options = ['-x509_strict', '-no-CApath', '-no-CAstore', '-CAfile', 'root.pem']
  expect(await openssl(['verify', ...options, 'leaf.pem'], files)).toBe('leaf.pem: OK\n')

  expect(await tenant.operator.put(`${signers}/${first}`, { active: false })).toMatchObject({ status: 200 })
  expect((await readNow(service, tenant, uri)).signer).toBe(before.signer)
  const second = await certified(tenant, authority, 'status-list-signer')
  await eventually(async () => (await signerIdOf(tenant, uri)) === second)
  await eventually(async () => (await readNow(service, tenant, uri)).signer !== before.signer)
})
