import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertCertificate } from '../../db/repos/certificates/certificates.ts'
import { findCrl, findDueCrls, findRevokedCertificates, insertRevoked } from '../../db/repos/certificates/crls.ts'
import { findEndingSigners } from '../../db/repos/certificates/signers.ts'
import { listAuditEvents } from '../../db/repos/operations/audit/audit.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { crls } from '../../db/tables/certificates/crls.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { makeCertificate } from '../../workers/signing/certificates/make-certificate.ts'
import { publishCrl } from '../../workers/signing/certificates/publish-crl.ts'
import { renewSigners } from '../../workers/signing/certificates/renew-signers.ts'
import { documentSigner } from '../../workers/signing/certificates/signers.ts'
import type { Keyring } from '../../workers/signing/keys/keyring.ts'
import type { Signer } from '../../workers/signing/keys/signer.ts'
import { crlOf, iacas, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { openssl } from '../verifiers/openssl.ts'

const dayMs = 24 * 3_600_000

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'signing-bulk'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const deps = () => signingDeps(service)
const now = () => service.clock.now()

async function withIaca(): Promise<{ tenant: TestTenant; caId: string }> {
  const tenant = await service.addTenant()
  return { tenant, caId: (await newIaca(tenant)).id }
}

async function change(id: string, changes: Partial<typeof certificates.$inferInsert>): Promise<void> {
  await service.deps.db.tx((tx) => tx.update(certificates).set(changes).where(eq(certificates.id, id)))
}

const crlRow = async (tenant: TestTenant, caId: string) => (await findCrl(service.deps.db.read, tenant.id, caId))!

test('the audit records a signer that the service created', async () => {
  const { tenant, caId } = await withIaca()
  const { certificateId } = await documentSigner(deps(), tenant.id)
  const types = ['MOBILE_CREDENTIAL_DOCUMENT_SIGNER_CREATE_AUDIT']
  const { rows } = await listAuditEvents(service.deps.db.read, tenant.id, { types }, 10)
  expect(rows).toMatchObject([{ data: { id: certificateId, iacaId: caId, madeBy: 'service' } }])
})

test('a tenant that is being removed gets no new keys', async () => {
  const { tenant } = await withIaca()
  const { db } = service.deps
  const countKeys = () => db.read.$count(keys, eq(keys.tenantId, tenant.id))
  const before = await countKeys()
  await db.tx((tx) => tx.update(tenants).set({ state: 'deleting' }).where(eq(tenants.id, tenant.id)))
  await expect(documentSigner(deps(), tenant.id)).rejects.toMatchObject({ problem: 'not_found' })
  expect(await countKeys()).toBe(before)
})

test('an expired IACA certifies nothing more and has its last CRL', async () => {
  const { tenant, caId } = await withIaca()
  await change(caId, { notAfter: plusMs(now(), -1000) })
  const { db } = service.deps
  const row = {
    ...{ id: newId(), tenantId: tenant.id, kind: 'document-signer' as const, caId, isManaged: true, isActive: true },
    ...{ madeBy: 'operator' as const, subject: { country: 'NZ', commonName: 'Late' }, createdAt: now() },
  }
  const serialNumber = '7f'.repeat(16)
  await db.tx(async (tx) => {
    await insertCertificate(tx, row)
    await insertRevoked(tx, { caId, tenantId: tenant.id, serialNumber, revokedAt: now() })
  })
  const asked = { tenantId: tenant.id, certificateId: row.id }
  await expect(makeCertificate(deps(), asked)).rejects.toMatchObject({ problem: 'conflict' })
  expect(await db.read.$count(keys, eq(keys.ownerId, row.id))).toBe(0)

  const last = await crlRow(tenant, caId)
  const due = await findDueCrls(db.read, plusMs(now(), 2 * dayMs), 1000)
  expect(due.map((ref) => ref.caId)).not.toContain(caId)
  await publishCrl(deps(), { tenantId: tenant.id, caId })
  expect(await crlRow(tenant, caId)).toEqual(last)
})

test('a certificate of an IACA is not valid before the IACA', async () => {
  const tenant = await service.addTenant()
  const notBefore = new Date(Math.floor(now().getTime() / 1000) * 1000 + 10 * dayMs).toISOString()
  const { body } = await tenant.operator.post(iacas, { commonName: 'Later', country: 'NZ', notBefore })
  const signer = await tenant.operator.post(signersPath('document-signer'), { iacaId: body.id })
  expect(signer.body.certificateData.notBefore).toBe(notBefore)
})

test('a CRL has no revocation dates after its own date, and is newer than CRLs from before a restore', async () => {
  const { tenant, caId } = await withIaca()
  const { db } = service.deps
  const minutes = Math.floor(now().getTime() / 60_000)
  await db.tx(async (tx) => {
    await tx.update(crls).set({ number: 3 }).where(eq(crls.caId, caId))
    const revokedAt = plusMs(now(), 3_600_000)
    await insertRevoked(tx, { caId, tenantId: tenant.id, serialNumber: '7f'.repeat(16), revokedAt })
  })
  await publishCrl(deps(), { tenantId: tenant.id, caId })
  expect((await crlRow(tenant, caId)).number).toBeGreaterThanOrEqual(minutes)
  const crl = await crlOf(service, tenant, caId)
  const text = await openssl(['crl', '-inform', 'DER', '-in', 'crl', '-noout', '-text'], { crl })
  const [, thisUpdate] = /Last Update: (.*)\n/.exec(text) ?? []
  expect(text).toContain(`Revocation Date: ${thisUpdate}\n`)
})

test('no transaction waits for the signature of a CRL, and a CRL that was replaced meanwhile is made again', async () => {
  const { tenant, caId } = await withIaca()
  const revoke = (serialNumber: string) =>
    service.deps.db.tx((tx) => insertRevoked(tx, { caId, tenantId: tenant.id, serialNumber, revokedAt: now() }))
  const [signing, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Keyring = {
    ...service.keyring,
    async signer(...of) {
      const signer = await service.keyring.signer(...of)
      const sign: Signer['sign'] = async (bytes) => {
        signing.resolve()
        await answered.promise
        return signer.sign(bytes)
      }
      return { ...signer, sign }
    },
  }
  const ref = { tenantId: tenant.id, caId }
  await revoke('7a'.repeat(16))
  const late = publishCrl({ ...deps(), keyring: slow }, ref)
  await signing.promise
  await revoke('7b'.repeat(16))
  await publishCrl(deps(), ref)
  const { number } = await crlRow(tenant, caId)
  await revoke('7c'.repeat(16))
  answered.resolve()
  await late

  expect((await crlRow(tenant, caId)).number).toBeGreaterThan(number)
  const crl = await crlOf(service, tenant, caId)
  const text = await openssl(['crl', '-inform', 'DER', '-in', 'crl', '-noout', '-text'], { crl })
  expect(text.match(/Serial Number: 7[A-C]/g)).toHaveLength(3)
  const open = (await findRevokedCertificates(service.deps.db.read, tenant.id, caId)).filter((row) => !row.publishedAt)
  expect(open).toEqual([])
})

test('a replaced signer, or one that is not valid yet, signs nothing new', async () => {
  const { tenant } = await withIaca()
  const first = await documentSigner(deps(), tenant.id)
  await change(first.certificateId, { retiredAt: now() })
  const second = await documentSigner(deps(), tenant.id)
  await change(second.certificateId, { notBefore: plusMs(now(), dayMs) })
  const third = await documentSigner(deps(), tenant.id)
  expect(new Set([first, second, third].map(({ certificateId }) => certificateId)).size).toBe(3)
})

test('replaced or expired signers do not count for the limit', async () => {
  const { tenant, caId } = await withIaca()
  const create = () => tenant.operator.post(signersPath('status-list-signer'), { iacaId: caId })
  const made = [await create(), await create(), await create()]
  expect(await create()).toMatchObject({ status: 409 })
  await change(made[0]!.body.id, { retiredAt: now() })
  await change(made[1]!.body.id, { notAfter: plusMs(now(), -1000) })
  const more = [await create(), await create(), await create()]
  expect(more.map(({ status }) => status)).toEqual([200, 200, 409])
})

test('signers of a deactivated IACA are not renewed, and a process that caches one checks again when it expires', async () => {
  const { tenant, caId } = await withIaca()
  const workerDeps = deps()
  const { certificateId, notAfter } = await documentSigner(workerDeps, tenant.id)
  await change(certificateId, { notAfter: plusMs(now(), 10 * dayMs) })
  await change(caId, { isActive: false })
  const rows = () => service.deps.db.read.$count(certificates, eq(certificates.caId, caId))
  await renewSigners(deps(), { tenantId: tenant.id, caId, kind: 'document-signer' })
  expect(await rows()).toBe(1)
  const ending = { kind: 'document-signer', at: now(), until: plusMs(now(), 30 * dayMs), limit: 1000 } as const
  const due = await findEndingSigners(service.deps.db.read, ending)
  expect(due.map((ref) => ref.caId)).not.toContain(caId)

  await change(caId, { isActive: true })
  const again = await documentSigner(workerDeps, tenant.id)
  service.clock.advance(notAfter.getTime() - now().getTime() + dayMs)
  const next = await documentSigner(workerDeps, tenant.id)
  expect(next.certificateId).not.toBe(again.certificateId)
  expect(next.notAfter > now()).toBe(true)
})
