import { X509Certificate } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertCertificate } from '../../db/repos/certificates/certificates.ts'
import { findCrl, findRevokedCertificates } from '../../db/repos/certificates/crls.ts'
import { holdInUse } from '../../db/repos/certificates/signers.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { queueDueCertificates } from '../../workers/publishing/queue-due-certificates.ts'
import { makeCertificate } from '../../workers/signing/certificates/make-certificate.ts'
import { publishCrl } from '../../workers/signing/certificates/publish-crl.ts'
import { renewSigners } from '../../workers/signing/certificates/renew-signers.ts'
import { documentSigner, statusListSigner } from '../../workers/signing/certificates/signers.ts'
import { crlOf, iacas, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'

const dayMs = 24 * 3_600_000

let service: Service
let iaca: { id: string; certificatePem: string }
beforeEach(async () => {
  // What is due is queued by the test alone.
  service = await startService({ roles: ['signing', 'signing-bulk'] })
  iaca = await newIaca(service)
})
afterEach(() => service[Symbol.asyncDispose]())

const deps = () => signingDeps(service)
const rowsOf = () =>
  service.deps.db.read
    .select()
    .from(certificates)
    .where(and(eq(certificates.tenantId, service.id), eq(certificates.caId, iaca.id)))
const numberOf = async () => (await findCrl(service.deps.db.read, service.id, iaca.id))!.number
const ref = () => ({ tenantId: service.id, caId: iaca.id })

test('signers are replaced a month and two before they expire, and after a long outage no expired signer signs', async () => {
  const first = await documentSigner(deps(), service.id)
  const list = await statusListSigner(deps(), service.id, iaca.id)
  await queueDueCertificates(service.deps)
  expect(await rowsOf()).toHaveLength(2)

  service.clock.advance(first.notAfter.getTime() - Date.now() - 29 * dayMs)
  await queueDueCertificates(service.deps)
  await eventually(async () => (await rowsOf()).length === 3)
  const second = await documentSigner(deps(), service.id)
  expect(second.certificateId).not.toBe(first.certificateId)
  expect(second.notAfter > first.notAfter).toBe(true)
  // An immediate repetition finds it done.
  await Promise.all([1, 2, 3].map(() => renewSigners(deps(), { ...ref(), kind: 'document-signer' })))
  expect(await rowsOf()).toHaveLength(3)
  const old = (await rowsOf()).find(({ id }) => id === first.certificateId)
  expect(old).toMatchObject({ retiredAt: expect.any(Date), revokedAt: null })
  // What it was signing in that moment is issued.
  const active = await service.deps.db.tx((tx) => holdInUse(tx, service.id, [first.certificateId]))
  expect([...active]).toEqual([first.certificateId])
  const crl = await crlOf(service, service, iaca.id)
  expect(crl.length).toBeGreaterThan(0)

  // Away until all of them are over.
  service.clock.advance(list.notAfter.getTime() - service.clock.now().getTime() + dayMs)
  const third = await documentSigner(deps(), service.id)
  expect(third.notAfter > plusMs(service.clock.now(), 400 * dayMs)).toBe(true)
  expect(third.notBefore < service.clock.now()).toBe(true)
  expect((await statusListSigner(deps(), service.id, iaca.id)).notAfter > plusMs(service.clock.now(), dayMs)).toBe(true)
})

test('a signer does not outlive its IACA, and is not renewed repeatedly if both expire together', async () => {
  const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + 10 * dayMs)
  const short = await newIaca(service, { commonName: 'Short', notAfter: notAfter.toISOString() })
  const signer = await statusListSigner(deps(), service.id, short.id)
  expect(signer.notAfter).toEqual(notAfter)
  await renewSigners(deps(), { tenantId: service.id, caId: short.id, kind: 'status-list-signer' })
  expect((await statusListSigner(deps(), service.id, short.id)).certificateId).toBe(signer.certificateId)
  service.clock.advance(11 * dayMs)
  await expect(statusListSigner(deps(), service.id, short.id)).rejects.toMatchObject({
    reason: expect.stringContaining('no active IACA'),
  })
})

test('one signer signs everything in the last hour of an IACA', async () => {
  const tenant = await service.addTenant()
  const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + dayMs)
  const short = await newIaca(tenant, { notAfter: notAfter.toISOString() })
  const earlier = await documentSigner(deps(), tenant.id)
  service.clock.advance(dayMs - 1_800_000)
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    ids.push((await documentSigner(deps(), tenant.id)).certificateId)
    ids.push((await statusListSigner(deps(), tenant.id, short.id)).certificateId)
  }
  expect(new Set(ids).size).toBe(2)
  expect(ids).toContain(earlier.certificateId)
  await renewSigners(deps(), { tenantId: tenant.id, caId: short.id, kind: 'document-signer' })
  expect((await documentSigner(deps(), tenant.id)).certificateId).toBe(earlier.certificateId)
})

test('a CRL is renewed after a day, once for concurrent requests, with a higher number', async () => {
  const first = await numberOf()
  await publishCrl(deps(), ref())
  expect(await numberOf()).toBe(first)
  service.clock.advance(dayMs + 1000)
  await Promise.all([1, 2, 3, 4].map(() => publishCrl(deps(), ref())))
  const second = await findCrl(service.deps.db.read, service.id, iaca.id)
  expect(second!.number).toBeGreaterThan(first)
  await publishCrl(deps(), ref())
  expect(await findCrl(service.deps.db.read, service.id, iaca.id)).toEqual(second)

  // A week of downtime: the one that is served holds; a month: none is, until there is a new one.
  service.clock.advance(7 * dayMs)
  const chain = { leaf: iaca.certificatePem, root: iaca.certificatePem }
  const served = async () =>
    verifyStrictly({ ...chain, crl: await crlOf(service, service, iaca.id) }, service.clock.now())
  expect(await served()).toBe('leaf.pem: OK\n')
  service.clock.advance(24 * dayMs)
  expect(await service.anonymous.get(`${iacas}/${iaca.id}/crl`)).toMatchObject({ status: 503 })
  await queueDueCertificates(service.deps)
  await eventually(async () => (await numberOf()) > second!.number)
  expect(await served()).toBe('leaf.pem: OK\n')
})

test('the CRL of an IACA that has expired is gone', async () => {
  const notAfter = plusMs(service.clock.now(), 3 * dayMs).toISOString()
  const { id } = await newIaca(service, { notAfter })
  service.clock.advance(3 * dayMs - 60_000)
  expect(await service.anonymous.get(`${iacas}/${id}/crl`)).toMatchObject({ status: 200 })
  service.clock.advance(60_000)
  await publishCrl(deps(), { tenantId: service.id, caId: id })
  expect(await service.anonymous.get(`${iacas}/${id}/crl`)).toMatchObject({ status: 410, body: { code: 'Gone' } })
})

test('verifiers accept a CRL that follows one from a clock that was an hour ahead', async () => {
  service.clock.advance(2 * dayMs)
  await publishCrl(deps(), ref())
  const ahead = await numberOf()
  service.clock.advance(-3_600_000)
  await queueDueCertificates(service.deps)
  await eventually(async () => (await numberOf()) === ahead + 1)
  const { thisUpdate } = (await findCrl(service.deps.db.read, service.id, iaca.id))!
  expect(thisUpdate <= service.clock.now()).toBe(true)
})

test('a revocation without its own CRL is on the next CRL, and stops the signer at once', async () => {
  const signer = await documentSigner(deps(), service.id)
  await service.workers.stop()
  const path = `${signersPath('document-signer')}/${signer.certificateId}/revoke`
  const answer = await service.withSigningWait(100, () => service.operator.post(path, {}))
  expect(answer).toMatchObject({ status: 503 })
  await service.workers.start()
  const next = await documentSigner(deps(), service.id)
  expect(next.certificateId).not.toBe(signer.certificateId)
  await queueDueCertificates(service.deps)
  await eventually(
    async () => (await findRevokedCertificates(service.deps.db.read, service.id, iaca.id))[0]?.publishedAt,
  )
  const verdict = await verifyStrictly({
    leaf: new X509Certificate(signer.certificateDer).toString(),
    root: iaca.certificatePem,
    crl: await crlOf(service, service, iaca.id),
  })
  expect(verdict).toContain('certificate revoked')
})

test('a row of a killed process is completed once or removed, and is never visible with a key alone', async () => {
  const row = (createdAt: Date) => ({
    ...{ id: newId(), tenantId: service.id, kind: 'document-signer' as const, caId: iaca.id, isManaged: true },
    ...{ madeBy: 'operator' as const, isActive: true, subject: { country: 'NZ', commonName: 'Left' }, createdAt },
  })
  const [young, old] = [row(service.clock.now()), row(plusMs(service.clock.now(), -120_000))]
  await service.deps.db.tx(async (tx) => {
    for (const each of [young, old]) await insertCertificate(tx, each)
  })
  expect((await service.operator.get(signersPath('document-signer'))).body.data).toEqual([])
  await Promise.all([1, 2, 3].map(() => makeCertificate(deps(), { tenantId: service.id, certificateId: young.id })))
  await queueDueCertificates(service.deps)
  const rows = await rowsOf()
  expect(rows.map(({ id }) => id)).toEqual([young.id])
  const made = await service.deps.db.read.select().from(keys).where(eq(keys.ownerKind, 'certificate'))
  expect(made.map(({ ownerId }) => ownerId).sort()).toEqual([iaca.id, young.id].sort())
  // A job that comes late finds nothing to do.
  await makeCertificate(deps(), { tenantId: service.id, certificateId: old.id })
  expect(await rowsOf()).toHaveLength(1)
})
