import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { participantCertificates } from '../../../db/tables/ecosystems/participant-certificates.ts'
import { vicalEntry } from '../../../shared/formats/trusted-lists/build-list.ts'
import { encodeEntry } from '../../../shared/formats/trusted-lists/entry.ts'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { newEcosystem, newParticipant, newType } from './factories.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const licence = 'org.iso.18013.5.1.mDL'
const photoId = 'org.iso.23220.photoid.1'
const newPem = async (name = 'IACA') => pemOf(await newCertificate({ name, ca: true }))
const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
const rowsOf = (tenant: TestTenant) =>
  service.deps.db.read.select().from(participantCertificates).where(eq(participantCertificates.tenantId, tenant.id))

/** A participant that issues and verifies, with the type in both roles. */
async function newHolder(settings: Record<string, unknown> = {}, body: object = {}) {
  const tenant = await service.addTenant(settings)
  const path = await newEcosystem(tenant)
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: licence })
  const participant = await newParticipant(tenant, path, { isIssuer: true, isVerifier: true, ...body })
  for (const role of ['issuer', 'verifier']) {
    await tenant.operator.post(`${participant}/${role}/credentials`, { credentialId })
  }
  const trusts = async (pem: string, role = 'issuer', type = licence) => {
    const validation = { profile: 'mobile', identifier: fingerprintOf(pem), type }
    return (await tenant.operator.post(`/v1/ecosystems/${role}-validation`, validation)).body.validated
  }
  return { tenant, operator: tenant.operator, path, participant, trusts }
}

describe.each(['issuer', 'verifier'] as const)('a certificate of an %s', (role) => {
  const other = role === 'issuer' ? 'verifier' : 'issuer'

  test('is added, shown, changed and deleted, and is trusted only while it is active', async () => {
    const { operator, participant, trusts } = await newHolder()
    const certificates = `${participant}/${role}-certificates`
    const certificatePem = await newPem()
    const { validFromDate, validToDate } = new X509Certificate(certificatePem)
    const made = await operator.post(certificates, { certificatePem, docTypes: [licence, photoId] })
    const view = {
      id: expect.any(String),
      certificatePem,
      certificateFingerprint: fingerprintOf(certificatePem),
      certificateData: {
        notBefore: validFromDate.toISOString(),
        notAfter: validToDate.toISOString(),
        commonName: 'IACA',
      },
      docTypes: [licence, photoId],
      active: true,
    }
    expect(made).toMatchObject({ status: 201 })
    expect(made.body).toStrictEqual(view)
    const path = `${certificates}/${made.body.id}`
    expect((await operator.get(path)).body).toStrictEqual(view)
    expect((await operator.get(certificates)).body).toStrictEqual({ data: [view] })
    expect((await operator.get(`${participant}/${other}-certificates`)).body.data).toEqual([])
    expect(await operator.get(`${participant}/${other}-certificates/${made.body.id}`)).toMatchObject({ status: 404 })
    expect([await trusts(certificatePem, role), await trusts(certificatePem, other)]).toEqual([true, false])

    expect((await operator.put(`${path}?partial=true`, { active: false })).body).toStrictEqual({
      ...view,
      active: false,
    })
    expect(await trusts(certificatePem, role)).toBe(false)
    expect((await operator.put(path, { active: true, docTypes: [photoId] })).body.docTypes).toEqual([photoId])
    expect(await trusts(certificatePem, role)).toBe(false)
    expect((await operator.put(path, { docTypes: null })).body).not.toHaveProperty('docTypes')
    expect(await trusts(certificatePem, role)).toBe(true)
    expect(await operator.delete(path)).toMatchObject({ status: 204 })
    expect(await operator.delete(path)).toMatchObject({ status: 404 })
    expect(await trusts(certificatePem, role)).toBe(false)
  })
})

test('a participant has each certificate once per role, even with concurrent requests', async () => {
  const { operator, path, participant } = await newHolder()
  const body = { certificatePem: await newPem() }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => operator.post(`${participant}/issuer-certificates`, body)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)])
  expect(await operator.post(`${participant}/verifier-certificates`, body)).toMatchObject({ status: 201 })
  const another = await newParticipant({ operator }, path)
  expect(await operator.post(`${another}/issuer-certificates`, body)).toMatchObject({ status: 201 })
})

test('the list entry of a certificate is built when it is added, even if the certificate is not strict DER or has expired', async () => {
  const { tenant, operator, participant, trusts } = await newHolder()
  // BasicConstraints with an explicit FALSE, as in certificates of some authorities.
  const written = new x509.Extension('2.5.29.19', true, Buffer.from('3003010100', 'hex'))
  const lax = pemOf(await newCertificate({ name: 'Lax', constraints: 'absent', extensions: [written] }))
  const [notBefore, notAfter] = [new Date('2020-01-01'), new Date('2021-01-01')]
  const ended = pemOf(await newCertificate({ name: 'Ended', ca: true, notBefore, notAfter }))
  for (const certificatePem of [lax, ended]) {
    expect(await operator.post(`${participant}/issuer-certificates`, { certificatePem })).toMatchObject({ status: 201 })
  }
  expect([await trusts(lax), await trusts(ended)]).toEqual([true, false])
  for (const { certificatePem, entry } of await rowsOf(tenant)) {
    const expected = vicalEntry(encodeEntry('vical', new X509Certificate(certificatePem)), [licence])
    expect(vicalEntry(entry, [licence]).equals(expected)).toBe(true)
  }
})

test('an invalid certificate or more than one is refused with the name of the field', async () => {
  const { operator, participant } = await newHolder()
  const pem = await newPem()
  for (const certificatePem of ['x', pem + pem, `Certificate of NZ\n${pem}${pem}`, undefined]) {
    expect(await operator.post(`${participant}/issuer-certificates`, { certificatePem })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'certificatePem', location: 'body' }] },
    })
  }
  for (const docTypes of [[], [licence, licence], [''], 'mDL']) {
    const answer = await operator.post(`${participant}/issuer-certificates`, { certificatePem: pem, docTypes })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ param: expect.stringMatching(/^docTypes/) }] } })
  }
  expect(
    await operator.put(participant, {
      name: 'P',
      isIssuer: true,
      identifiers: { mobile: [{ certificatePem: pem + pem }] },
    }),
  ).toMatchObject({
    status: 400,
    body: { details: [{ param: 'identifiers.mobile.0.certificatePem' }] },
  })
  expect((await operator.get(`${participant}/issuer-certificates`)).body.data).toEqual([])
})

test('certificates among the identifiers follow changes of the participant, in each role', async () => {
  const [one, two] = [await newPem('One'), await newPem('Two')]
  const mobile = [{ certificatePem: one }, { certificatePem: two, status: 'Inactive' }]
  const { tenant, operator, participant, trusts } = await newHolder({}, { identifiers: { mobile } })
  const stored = async () =>
    (await rowsOf(tenant))
      .map(({ role, fingerprint, active }) => `${role} ${fingerprint === fingerprintOf(one) ? 1 : 2} ${active}`)
      .sort()
  expect(await stored()).toEqual(['issuer 1 true', 'issuer 2 false', 'verifier 1 true', 'verifier 2 false'])
  // Only the participant shows them.
  expect((await operator.get(`${participant}/issuer-certificates`)).body.data).toEqual([])
  const put = (body: object) => operator.put(participant, { name: 'P', isIssuer: true, ...body })
  await put({ identifiers: { mobile: [{ certificatePem: two }] } })
  expect(await stored()).toEqual(['issuer 2 true'])
  expect([await trusts(one), await trusts(two), await trusts(two, 'verifier')]).toEqual([false, true, false])

  // A certificate that is added by itself takes precedence until it is deleted.
  const added = await operator.post(`${participant}/issuer-certificates`, { certificatePem: two, docTypes: [photoId] })
  expect(added).toMatchObject({ status: 201 })
  await put({ identifiers: { mobile: [{ certificatePem: two }] } })
  expect(await trusts(two)).toBe(false)
  await operator.delete(`${participant}/issuer-certificates/${added.body.id}`)
  expect(await trusts(two)).toBe(true)
  await operator.delete(participant)
  expect(await stored()).toEqual([])
})

test('an ecosystem cannot exceed its limit of certificates, wherever they are added', async () => {
  const { operator, participant } = await newHolder({ limits: { participantCertificates: 3 } })
  const pems = await Promise.all(Array.from({ length: 6 }, () => newPem()))
  const answers = await Promise.all(
    pems.map((certificatePem) => operator.post(`${participant}/issuer-certificates`, { certificatePem })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409])
  const identifiers = { mobile: [{ certificatePem: await newPem() }] }
  expect(await operator.put(participant, { name: 'P', isIssuer: true, identifiers })).toMatchObject({ status: 409 })
  expect((await operator.get(participant)).body.identifiers).toEqual({})
})
