import { X509Certificate } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { participantCredentialTypes } from '../../../db/tables/ecosystems/participants.ts'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newEcosystem, newParticipant, newType } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const did = 'did:web:authority.example'
const newPem = async (name = 'IACA') => pemOf(await newCertificate({ name, ca: true }))
const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256

const validate = async (
  { operator }: Pick<TestTenant, 'operator'>,
  role: 'issuer' | 'verifier',
  identifier = did,
  extra: object = {},
) => {
  const body = { profile: 'compact', identifier, type: 'Licence', ...extra }
  const answer = await operator.post(`/v1/ecosystems/${role}-validation`, body)
  return answer.status === 200 ? answer.body.validated : answer
}

test('a participant has the given members, and the others have restrictive defaults', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const body = {
    name: 'Transport Authority',
    identifiers: {
      'web-semantic': 'did:web:a.example',
      'compact-semantic': 'did:web:b.example',
      compact: did,
      mobile: [{ certificatePem: await newPem(), status: 'Inactive' }],
    },
    isIssuer: true,
    isVerifier: true,
    isIssuerConstrained: false,
    isVerifierConstrained: false,
    status: 'Inactive',
    country: 'NZ',
    stateOrProvince: 'Otago',
    contacts: [{ phoneNumber: '+64 1 234', address: 'One Street' }],
  }
  const participant = await newParticipant(tenant, path, body)
  const ids = { id: participant.split('/').at(-1), ecosystemId: path.split('/').at(-1) }
  expect((await tenant.operator.get(participant)).body).toStrictEqual({ ...ids, ...body })
  expect((await tenant.operator.get(`${path}/participants`)).body).toStrictEqual({ data: [{ ...ids, ...body }] })
  const least = {
    ...{ name: 'Other', identifiers: {}, isIssuer: false, isVerifier: false },
    ...{ isIssuerConstrained: true, isVerifierConstrained: true, status: 'Active', contacts: [] },
  }
  const changed = await tenant.operator.put(participant, { name: 'Other' })
  expect(changed).toMatchObject({ status: 200 })
  expect(changed.body).toStrictEqual({ ...ids, ...least })
  expect((await tenant.operator.get(participant)).body).toStrictEqual({ ...ids, ...least })
  expect(await tenant.operator.delete(participant)).toMatchObject({ status: 204 })
  expect(await tenant.operator.get(participant)).toMatchObject({ status: 404 })
})

test('an invalid member is refused with its name and stores nothing', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const pem = await newPem()
  const wrong: Record<string, object> = {
    name: { name: 'x'.repeat(51) },
    country: { country: 'nz' },
    status: { status: 'Suspended' },
    isIssuer: { isIssuer: 'yes' },
    'identifiers.compact': { identifiers: { compact: 'authority.example' } },
    'identifiers.web-semantic': { identifiers: { 'web-semantic': `${did}#key` } },
    'identifiers.mobile.0.certificatePem': { identifiers: { mobile: [{ certificatePem: 'x' }] } },
    'identifiers.mobile.1.certificatePem': {
      identifiers: { mobile: [pem, pem].map((each) => ({ certificatePem: each })) },
    },
    'contacts.0.address': { contacts: [{ address: '' }] },
  }
  for (const [param, body] of Object.entries(wrong)) {
    const answer = await tenant.operator.post(`${path}/participants`, { name: 'Participant', ...body })
    expect([param, answer]).toMatchObject([param, { status: 400, body: { details: [{ param }] } }])
  }
  expect((await tenant.operator.get(`${path}/participants`)).body.data).toEqual([])
})

describe.each(['issuer', 'verifier'] as const)('a %s is validated', (role) => {
  const [is, isConstrained] =
    role === 'issuer' ? ['isIssuer', 'isIssuerConstrained'] : ['isVerifier', 'isVerifierConstrained']
  const other = role === 'issuer' ? 'verifier' : 'issuer'

  test('for its assigned types only, or without constraint for all types of the ecosystem', async () => {
    const tenant = await service.addTenant()
    const path = await newEcosystem(tenant)
    const [credentialId] = [await newType(tenant, path), await newType(tenant, path, { type: 'Permit' })]
    const body = { name: 'A', identifiers: { compact: did }, [is]: true }
    const participant = await newParticipant(tenant, path, body)
    expect(await validate(tenant, role)).toBe(false)
    const assigned = await tenant.operator.post(`${participant}/${role}/credentials`, { credentialId })
    expect(assigned).toMatchObject({ status: 201, body: { id: credentialId, type: 'Licence' } })
    // A repeated assignment changes nothing.
    await tenant.operator.post(`${participant}/${role}/credentials`, { credentialId })
    const listed = async (as: string) => (await tenant.operator.get(`${participant}/${as}/credentials`)).body
    expect([await listed(role), await listed(other)]).toEqual([{ data: [assigned.body] }, { data: [] }])
    expect(await validate(tenant, role)).toBe(true)
    expect(await validate(tenant, other)).toBe(false)
    expect(await validate(tenant, role, did, { type: 'Permit' })).toBe(false)
    expect(await validate(tenant, role, did, { profile: 'compact-semantic' })).toBe(false)
    expect(await validate(tenant, role, 'did:web:stranger.example')).toBe(false)

    await tenant.operator.put(participant, { ...body, [isConstrained]: false })
    expect(await validate(tenant, role, did, { type: 'Permit' })).toBe(true)
    expect(await validate(tenant, role, did, { type: 'Unknown' })).toBe(false)
    await tenant.operator.put(participant, { ...body, status: 'Inactive' })
    expect(await validate(tenant, role)).toBe(false)
    await tenant.operator.put(participant, { ...body, [is]: false })
    expect(await validate(tenant, role)).toBe(false)
    await tenant.operator.put(participant, body)
    expect(await validate(tenant, role)).toBe(true)
    expect(await tenant.operator.delete(`${participant}/${role}/credentials/${credentialId}`)).toMatchObject({
      status: 204,
    })
    expect(await tenant.operator.delete(`${participant}/${role}/credentials/${credentialId}`)).toMatchObject({
      status: 404,
    })
    expect(await validate(tenant, role)).toBe(false)
  })
})

test('a mobile issuer is identified by an active certificate or its fingerprint in any spelling', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const type = 'org.iso.18013.5.1.mDL'
  await newType(tenant, path, { profile: 'mobile', type })
  const [active, inactive] = [await newPem('One'), await newPem('Two')]
  const mobile = [{ certificatePem: active }, { certificatePem: inactive, status: 'Inactive' }]
  const body = { name: 'A', identifiers: { mobile }, isIssuer: true, isIssuerConstrained: false }
  const participant = await newParticipant(tenant, path, body)
  const isValid = (identifier: string) => validate(tenant, 'issuer', identifier, { profile: 'mobile', type })
  const fingerprint = fingerprintOf(active)
  for (const each of [active, fingerprint, fingerprint.replaceAll(':', '').toLowerCase()])
    expect(await isValid(each)).toBe(true)
  for (const each of [inactive, fingerprintOf(inactive), await newPem()]) expect(await isValid(each)).toBe(false)
  for (const each of ['-----BEGIN CERTIFICATE-----', 'abc', did]) {
    expect(await isValid(each)).toMatchObject({ status: 400, body: { details: [{ param: 'identifier' }] } })
  }
  await tenant.operator.put(participant, { ...body, identifiers: { mobile: [{ certificatePem: inactive }] } })
  expect([await isValid(active), await isValid(inactive)]).toEqual([false, true])
  await tenant.operator.delete(participant)
  expect(await isValid(inactive)).toBe(false)
})

test('the policy version is the last change of the ecosystem, and a deleted ecosystem validates nothing', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const credentialId = await newType(tenant, path)
  const participant = await newParticipant(tenant, path, { identifiers: { compact: did }, isIssuer: true })
  await tenant.operator.post(`${participant}/issuer/credentials`, { credentialId })
  const validation = { profile: 'compact', identifier: did, type: 'Licence' }
  const { body } = await tenant.operator.post('/v1/ecosystems/issuer-validation', validation)
  const { policyModifiedAt } = (await tenant.operator.get(`${path}/preview`)).body
  expect(body).toStrictEqual({ validated: true, policyVersion: policyModifiedAt, identifier: did })
  await service.workers.stop()
  await tenant.operator.delete(path)
  expect(await validate(tenant, 'issuer')).toBe(false)
  await service.workers.start()
})

test('a participant cannot be assigned a type of another ecosystem', async () => {
  const tenant = await service.addTenant()
  const [path, other] = [await newEcosystem(tenant), await newEcosystem(tenant)]
  const participant = await newParticipant(tenant, path)
  for (const credentialId of [await newType(tenant, other), 'none', undefined]) {
    expect(await tenant.operator.post(`${participant}/issuer/credentials`, { credentialId })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'credentialId', location: 'body' }] },
    })
  }
})

test('an assignment leaves no row if its participant or type is deleted at the same time', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  for (const deleted of ['participant', 'type'] as const) {
    for (let round = 0; round < 4; round++) {
      const credentialId = await newType(tenant, path, { type: `T${deleted}${round}` })
      const participant = await newParticipant(tenant, path)
      // An earlier assignment must not stay either.
      await tenant.operator.post(`${participant}/verifier/credentials`, { credentialId })
      const gone = deleted === 'participant' ? participant : `${path}/credentials/${credentialId}`
      const [removal, assignment] = await Promise.all([
        tenant.operator.delete(gone),
        tenant.operator.post(`${participant}/issuer/credentials`, { credentialId }),
      ])
      expect(removal).toMatchObject({ status: 204 })
      expect([201, deleted === 'participant' ? 404 : 400]).toContain(assignment.status)
    }
  }
  const { db } = service.deps
  expect(await db.read.$count(participantCredentialTypes, eq(participantCredentialTypes.tenantId, tenant.id))).toBe(0)
})
