import { X509Certificate } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCertificateRow } from '../../../db/repos/certificates/certificates.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { documentSigner } from '../../../workers/signing/certificates/signers.ts'
import type { KeyProvider } from '../../../workers/signing/keys/provider.ts'
import { iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'

const token = createTestKeyProvider()
let held: { reached: PromiseWithResolvers<void>; answered: PromiseWithResolvers<void> } | undefined

/** A provider whose signatures wait while a test holds them. */
const provider: KeyProvider = {
  ...token.provider,
  signer(key) {
    const signer = token.provider.signer(key)
    async function sign(bytes: Uint8Array) {
      held?.reached.resolve()
      await held?.answered.promise
      return signer.sign(bytes)
    }
    return { ...signer, sign }
  },
}

let service: Service
beforeAll(async () => {
  service = await startService({ keyProviders: [provider] })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Runs `work`, and `meanwhile` when it waits for a signature, which comes after. */
async function whileSigning<Result>(work: () => Promise<Result>, meanwhile: () => Promise<unknown>): Promise<Result> {
  const signatures = { reached: Promise.withResolvers<void>(), answered: Promise.withResolvers<void>() }
  held = signatures
  const result = work()
  await signatures.reached.promise
  try {
    await meanwhile()
  } finally {
    held = undefined
    signatures.answered.resolve()
  }
  return result
}

async function writeAs(tenant: TestTenant): Promise<void> {
  expect(await tenant.operator.post('/v1/keys/webhooks/rotate')).toMatchObject({ status: 201 })
  expect(await service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, { name: 'Renamed' })).toMatchObject({
    status: 200,
  })
}

const inToken = { certificateAuthorities: 'pkcs11', documentSigners: 'pkcs11', listSigners: 'pkcs11' }
const keysOf = ({ id }: TestTenant) =>
  service.deps.db.read
    .select()
    .from(keys)
    .where(and(eq(keys.tenantId, id), eq(keys.purpose, 'certificate')))

test('no write waits for a certificate or a CRL whose key is in a slow provider', async () => {
  const [tenant, other] = [await service.addTenant({ keys: inToken }), await service.addTenant()]
  const writes = () => Promise.all([writeAs(other), writeAs(tenant)])
  const created = await whileSigning(
    () => tenant.operator.post(iacas, { commonName: 'Slow IACA', country: 'NZ' }),
    writes,
  )
  expect(created.status).toBe(201)
  const activated = () => tenant.operator.put(`${iacas}/${created.body.id}`, { active: true })
  expect(await whileSigning(async () => (await activated()).status, writes)).toBe(200)
  const signer = await documentSigner(signingDeps(service), tenant.id)
  const root = await findCertificateRow(service.deps.db.read, tenant.id, created.body.id)
  expect(new X509Certificate(signer.certificateDer).verify(new X509Certificate(root!.certificate!).publicKey)).toBe(
    true,
  )
  const made = await whileSigning(
    () => tenant.operator.post(signersPath('status-list-signer'), { iacaId: created.body.id }),
    writes,
  )
  expect(made.status).toBe(200)

  const provisioned = await whileSigning(
    () => service.addTenant({ keys: inToken, createRoot: true, country: 'NZ' }),
    () => writeAs(other),
  )
  expect((await keysOf(provisioned)).map((row) => row.provider)).toEqual(['pkcs11', 'pkcs11', 'pkcs11'])
})

test('a software key under an authority in a slow provider is certified', async () => {
  const tenant = await service.addTenant({ keys: { certificateAuthorities: 'pkcs11' } })
  const { id } = await newIaca(tenant)
  const { certificateDer, key } = await documentSigner(signingDeps(service), tenant.id)
  const root = await findCertificateRow(service.deps.db.read, tenant.id, id)
  const certificate = new X509Certificate(certificateDer)
  expect(certificate.verify(new X509Certificate(root!.certificate!).publicKey)).toBe(true)
  expect([key.provider, certificate.publicKey.equals(key.publicKey)]).toEqual(['software', true])
})

test('a signer that was signed under an authority that ended meanwhile is not stored, and its key is destroyed', async () => {
  const tenant = await service.addTenant({ keys: inToken })
  const { body } = await tenant.operator.post(iacas, { commonName: 'Ends', country: 'NZ' })
  const stored = [...token.stored.keys()]
  const activate = (active: boolean) =>
    service.deps.db.tx((tx) => tx.update(certificates).set({ isActive: active }).where(eq(certificates.id, body.id)))
  await activate(true)
  const making = whileSigning(
    () => documentSigner(signingDeps(service), tenant.id),
    () => activate(false),
  )
  await expect(making).rejects.toMatchObject({ problem: 'service_unavailable' })
  expect(await keysOf(tenant)).toHaveLength(1)
  await eventually(async () => token.stored.size === stored.length)
})
