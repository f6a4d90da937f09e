import { X509Certificate } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEndingSigners } from '../../db/repos/certificates/signers.ts'
import { listAuditEvents } from '../../db/repos/operations/audit/audit.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { renewalDeadline } from '../../shared/domain/certificates/certificates.ts'
import { renewSigners } from '../../workers/signing/certificates/renew-signers.ts'
import { trustedListSigner } from '../../workers/signing/certificates/signers.ts'
import { crlOf, ecosystemCas, newEcosystemCa, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'signing-bulk'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000
const lists = ['vical', 'rical'] as const
const signerOf = ({ id: tenantId }: TestTenant, kind: (typeof lists)[number]) =>
  trustedListSigner(signingDeps(service), { tenantId, kind })

test.each(lists)('a signer of %ss is created once under the active CA when it is first needed', async (kind) => {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  await expect(signerOf(tenant, kind)).rejects.toMatchObject({
    problem: 'bad_request',
    message: 'There is no active ecosystem CA that is valid now. Create or activate one.',
  })
  const ca = await newEcosystemCa(tenant)
  // Of several processes at once.
  const signers = await Promise.all(Array.from({ length: 8 }, () => signerOf(tenant, kind)))
  expect(new Set(signers.map(({ certificateId }) => certificateId)).size).toBe(1)
  const [{ certificateId, certificateDer, caId, key }] = signers as [(typeof signers)[0]]
  expect(caId).toBe(ca.id)
  const certificate = new X509Certificate(certificateDer)
  expect(certificate.publicKey.equals(key.publicKey)).toBe(true)
  const crl = await crlOf(service, tenant, ca.id, ecosystemCas)
  expect(await verifyStrictly({ leaf: certificate.toString(), root: ca.certificatePem, crl })).toBe('leaf.pem: OK\n')
  const types = [`ECOSYSTEM_${kind.toUpperCase()}_SIGNER_CERTIFICATE_CREATE_AUDIT`]
  const { rows } = await listAuditEvents(service.deps.db.read, tenant.id, { types }, 10)
  expect(rows).toMatchObject([{ data: { id: certificateId, caId, madeBy: 'service' } }])

  await tenant.operator.put(`${ecosystemCas}/${ca.id}`, { active: false })
  await expect(signerOf(tenant, kind)).rejects.toMatchObject({ problem: 'bad_request' })
})

test('under an external CA no list is signed before a certificate was uploaded', async () => {
  const tenant = await service.addTenant()
  const { pem } = await newOpensslAuthority()
  const { body } = await tenant.operator.post(ecosystemCas, { certificatePem: pem })
  await tenant.operator.put(`${ecosystemCas}/${body.id}`, { active: true })
  await expect(signerOf(tenant, 'vical')).rejects.toMatchObject({
    problem: 'bad_request',
    message: expect.stringContaining('ecosystem CA is unmanaged and has no active VICAL signer'),
  })
})

test.each(lists)('a signer of %ss that expires soon is replaced, under an active CA only', async (list) => {
  const tenant = await service.addTenant()
  const { id: caId } = await newEcosystemCa(tenant)
  const { certificateId } = await signerOf(tenant, list)
  const { db } = service.deps
  const [kind, at] = [`${list}-signer` as const, service.clock.now()]
  const notAfter = new Date(at.getTime() + 30 * dayMs)
  await db.tx((tx) => tx.update(certificates).set({ notAfter }).where(eq(certificates.id, certificateId)))
  const isDue = async () => {
    const due = await findEndingSigners(db.read, { kind, at, until: renewalDeadline(kind, at), limit: 1000 })
    return due.some((ref) => ref.caId === caId)
  }
  const renew = () => renewSigners(signingDeps(service), { tenantId: tenant.id, caId, kind })
  const path = `${ecosystemCas}/${caId}`
  await tenant.operator.put(path, { active: false })
  expect(await isDue()).toBe(false)
  await renew()
  expect((await signers(tenant, kind)).map(({ active }) => active)).toEqual([true])

  await tenant.operator.put(path, { active: true })
  expect(await isDue()).toBe(true)
  // A second run finds it done.
  await renew()
  await renew()
  expect((await signers(tenant, kind)).map(({ active }) => active).sort()).toEqual([false, true])
  expect((await signerOf(tenant, list)).certificateId).not.toBe(certificateId)
  expect(await isDue()).toBe(false)
})

async function signers({ operator }: TestTenant, kind: 'vical-signer' | 'rical-signer') {
  return (await operator.get(signersPath(kind))).body.data as { active: boolean }[]
}
