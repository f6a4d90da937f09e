import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certifyAccess, newAccessAuthority, registeredId, subject } from '../../certificates/access-authority.ts'
import { base64Of, newCertificate } from '../../certificates/certificates.ts'
import { newRegistrar, type RegistrationChanges } from '../../certificates/registrar.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

const path = '/v1/openid/registration-certificates'
const accessPath = '/v1/openid/access-certificates'
const metadataPath = '/.well-known/openid-credential-issuer'

let service: Service
let authority: Awaited<ReturnType<typeof newAccessAuthority>>
let registrar: Awaited<ReturnType<typeof newRegistrar>>
beforeAll(async () => {
  service = await startService()
  authority = await newAccessAuthority()
  registrar = await newRegistrar()
})
afterAll(() => service[Symbol.asyncDispose]())

async function activate(tenant: TestTenant, id?: string) {
  const { body } = await tenant.operator.post(accessPath, { subject })
  const certificatePem = await certifyAccess(authority.between, body.csrPem, id === undefined ? {} : { id })
  return tenant.operator.put(`${accessPath}/${body.id}`, { active: true, certificatePem })
}

async function registered(): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await compactConfiguration(tenant)
  expect(await activate(tenant)).toMatchObject({ status: 200 })
  return tenant
}

const now = () => Math.floor(service.clock.now().getTime() / 1000)
const registrationCertificate = (changes: RegistrationChanges = {}) => registrar.register(changes, service.clock.now())

test('the metadata contain the registration certificate and the data of the register, also when they are signed', async () => {
  const tenant = await registered()
  const jwt = await registrationCertificate()
  const registrarDataset = { identifier: registeredId, providesAttestations: [{ format: 'dc+sd-jwt' }] }
  const stored = await tenant.operator.put(path, { jwt, registrarDataset })
  const view = { jwt, registrarDataset, subject: registeredId, isPublished: true }
  expect(stored).toMatchObject({ status: 200, body: view })
  expect((await tenant.operator.get(path)).body).toEqual(stored.body)
  const issuerInfo = [
    { format: 'registration_cert', data: jwt },
    { format: 'registrar_dataset', data: registrarDataset },
  ]
  expect((await tenant.anonymous.get(metadataPath)).body.issuer_info).toEqual(issuerInfo)
  const { body: text } = await tenant.anonymous.get(metadataPath, { accept: 'application/jwt' })
  expect(decodeJwt(text).issuer_info).toEqual(issuerInfo)

  expect(await tenant.operator.put(path, { jwt })).toMatchObject({ status: 200 })
  expect((await tenant.anonymous.get(metadataPath)).body.issuer_info).toEqual(issuerInfo.slice(0, 1))
  expect(await tenant.operator.delete(path)).toMatchObject({ status: 204 })
  expect((await tenant.anonymous.get(metadataPath)).body).not.toHaveProperty('issuer_info')
  expect(await tenant.operator.get(path)).toMatchObject({ status: 404 })
  expect(await tenant.operator.delete(path)).toMatchObject({ status: 404 })
})

test('version 1.1.1 of the standard has the identifier in an object', async () => {
  const tenant = await registered()
  const jwt = await registrationCertificate({ payload: { sub: { id: registeredId, legal_name: 'Agency' } } })
  expect(await tenant.operator.put(path, { jwt })).toMatchObject({ status: 200, body: { subject: registeredId } })
})

test('a chain of the registrar up to its root is accepted', async () => {
  const tenant = await registered()
  const jwt = await registrationCertificate({
    header: { x5c: [base64Of(registrar.certified), base64Of(registrar.root)] },
  })
  expect(await tenant.operator.put(path, { jwt })).toMatchObject({ status: 200 })
})

test('an expired registration certificate is not published', async () => {
  const tenant = await registered()
  await tenant.operator.put(path, { jwt: await registrationCertificate({ payload: { exp: now() + 600 } }) })
  service.clock.advance(700_000)
  expect((await tenant.operator.get(path)).body.isPublished).toBe(false)
  expect((await tenant.anonymous.get(metadataPath)).body).not.toHaveProperty('issuer_info')
})

const bad: [what: string, changes: () => Promise<RegistrationChanges> | RegistrationChanges, message: string][] = [
  ['another type', () => ({ header: { typ: 'JWT' } }), 'typ rc-wrp+jwt'],
  ['no certificate', () => ({ header: { x5c: [] } }), 'x5c'],
  ['a certificate that cannot be read', () => ({ header: { x5c: ['AAAA'] } }), 'Its x5c cannot be read'],
  [
    'a chain of others',
    async () => ({
      header: { x5c: [base64Of(registrar.certified), base64Of(await newCertificate({ name: 'Other', ca: true }))] },
    }),
    'Its x5c is refused',
  ],
  [
    'another signature',
    async () => ({ signer: await newCertificate({ name: 'Other' }) }),
    'Its signature is not verified',
  ],
  [
    'the identifier of another',
    () => ({ payload: { sub: 'LEIXG-OTHER' } }),
    'the active access certificate is for LEIXG-',
  ],
  ['no identifier', () => ({ payload: { sub: undefined } }), 'Its payload has no valid sub'],
  ['no time', () => ({ payload: { iat: 'now' } }), 'Its payload has no valid iat'],
  ['a time in the future', () => ({ payload: { iat: now() + 3_600 } }), 'Its iat is in the future'],
  ['a time in the past', () => ({ payload: { exp: now() - 1 } }), 'It has expired'],
]

test.for(bad)('%s is refused, and nothing changes', async ([, changes, message]) => {
  const tenant = await registered()
  await tenant.operator.put(path, { jwt: await registrationCertificate() })
  const before = (await tenant.operator.get(path)).body
  const { status, body } = await tenant.operator.put(path, { jwt: await registrationCertificate(await changes()) })
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: 'jwt' }] } })
  expect(body.details[0].msg).toContain(message)
  expect((await tenant.operator.get(path)).body).toEqual(before)
})

test('a text that is no JWS is refused', async () => {
  const tenant = await registered()
  for (const jwt of ['a.b.c', 'text', `${await registrationCertificate()}A`])
    expect(await tenant.operator.put(path, { jwt })).toMatchObject({ status: 400 })
})

test('a tenant without an active access certificate cannot have a registration certificate', async () => {
  const { operator } = await service.addTenant()
  const { status, body } = await operator.put(path, { jwt: await registrationCertificate() })
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: 'jwt' }] } })
  expect(body.details[0].msg).toContain('has no active access certificate')
})

test('an access certificate of another identifier cannot become active beside it', async () => {
  const tenant = await registered()
  await tenant.operator.put(path, { jwt: await registrationCertificate() })
  const other = await activate(tenant, 'LEIXG-OTHER')
  expect(other).toMatchObject({ status: 400, body: { details: [{ param: 'active' }] } })
  await tenant.operator.delete(path)
  expect(await activate(tenant, 'LEIXG-OTHER')).toMatchObject({ status: 200 })
})

test('the data of the register are limited', async () => {
  const tenant = await registered()
  const jwt = await registrationCertificate()
  const { status, body } = await tenant.operator.put(path, { jwt, registrarDataset: { a: 'x'.repeat(50_000) } })
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: 'registrarDataset' }] } })
})
