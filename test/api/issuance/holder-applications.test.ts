import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holderInstances } from '../../../db/tables/issuance/holder-instances.ts'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { androidApplication, newHolderInstance } from '../../wallets/android-device.ts'
import { newHolderKey } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const path = '/v1/holder/applications'
const android = androidApplication([], false)
const ios = { type: 'ios', name: 'Wallet', bundleId: 'com.example.wallet', teamId: 'A1B2C3D4E5' }
const create = async (body: object, tenant: TestTenant = service) => (await tenant.operator.post(path, body)).body.id

test('without required attestation, the daily number of registration attempts per address is limited, also outside production', async () => {
  await using limited = await startService({ env: { LIMIT_REGISTRATIONS_PER_DAY: '3', TRUSTED_PROXIES: '127.0.0.1' } })
  const other = await limited.addTenant()
  const open = await create(android, limited)
  const second = await create(android, limited)
  const attested = await create(androidApplication([], true), limited)
  const attempt = async (id: string, address: string, tenant: TestTenant = limited) => {
    const { body } = await tenant.anonymous.post(`${path}/${id}/challenges`)
    const { publicJwk: publicKeyJwk } = await newHolderKey()
    const registration = { challenge: body.challenge, publicKeyJwk }
    return tenant.anonymous.post(`${path}/${id}/instances`, registration, { 'x-forwarded-for': address })
  }
  const address = '192.0.2.1'
  // An application with required attestation is not counted. The applications of a tenant are counted together.
  for (let n = 0; n < 5; n++) expect(await attempt(attested, address)).toMatchObject({ status: 400 })
  for (const id of [open, second, open]) expect(await attempt(id, address)).toMatchObject({ status: 201 })
  const refused = await attempt(second, address)
  expect(refused).toMatchObject({ status: 429, body: { code: 'TooManyRequests', message: 'Too Many Requests' } })
  const retryAfter = Number(refused.headers['retry-after'])
  expect(retryAfter).toBeGreaterThan(86_000)
  expect(retryAfter).toBeLessThanOrEqual(86_400)
  expect(await attempt(attested, address)).toMatchObject({ status: 400 })
  expect(await attempt(open, '192.0.2.2')).toMatchObject({ status: 201 })
  expect(await attempt(await create(android, other), address, other)).toMatchObject({ status: 201 })
  // The platform can set another limit for a tenant.
  const strict = await limited.addTenant({ limits: { registrationsPerDay: 1 } })
  const app = await create(android, strict)
  expect(await attempt(app, address, strict)).toMatchObject({ status: 201 })
  expect(await attempt(app, address, strict)).toMatchObject({ status: 429 })
  const wide = await limited.addTenant({ limits: { registrationsPerDay: 4 } })
  const wideApp = await create(android, wide)
  for (let n = 0; n < 4; n++) expect(await attempt(wideApp, address, wide)).toMatchObject({ status: 201 })
  expect(await attempt(wideApp, address, wide)).toMatchObject({ status: 429 })
})

test('an Android app is created, read, changed and deleted, also by a holder client', async () => {
  const operator = await service.as('holder')
  const { name, type, packageName, packageSigningCertificateThumbprints } = android
  const members = { name, type, packageName, packageSigningCertificateThumbprints }
  const { status, body } = await operator.post(path, { ...members, bundleId: 'com.example', unknown: true })
  expect(status).toBe(201)
  const keyAttestation = { required: true, rootCertificates: [] }
  expect(body).toStrictEqual({ ...members, id: expect.any(String), keyAttestation })
  const rootCertificates = [pemOf(await newCertificate({ name: 'Root', ca: true }))]
  const changed = { ...members, name: 'Wallet 2', keyAttestation: { required: false, rootCertificates } }
  const after = { ...changed, id: body.id }
  expect(await operator.put(`${path}/${body.id}`, changed)).toMatchObject({ status: 200, body: after })
  expect(await operator.get(`${path}/${body.id}`)).toMatchObject({ status: 200, body: after })
  expect((await operator.get(path)).body.data).toContainEqual(after)
  expect(await operator.delete(`${path}/${body.id}`)).toMatchObject({ status: 204 })
  expect(await operator.get(`${path}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await operator.delete(`${path}/${body.id}`)).toMatchObject({ status: 404 })
})

test('an iOS app is stored, and the registration of its instances is refused as not supported', async () => {
  const { status, body } = await service.operator.post(path, ios)
  expect([status, body]).toStrictEqual([201, { ...ios, id: expect.any(String) }])
  const { challenge } = (await service.anonymous.post(`${path}/${body.id}/challenges`)).body
  const registration = { challenge, publicKeyJwk: { kty: 'EC' } }
  expect(await service.anonymous.post(`${path}/${body.id}/instances`, registration)).toMatchObject({
    status: 400,
    body: {
      code: 'BadRequest',
      message: 'Not supported',
      details: [{ msg: 'Not supported: Instances of iOS apps cannot be registered', location: 'params' }],
    },
  })
  expect((await service.operator.get(`${path}/${body.id}/instances`)).body.data).toEqual([])
})

test('the type of an app cannot change', async () => {
  const id = await create(android)
  const refused = await service.operator.put(`${path}/${id}`, ios)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'type', location: 'body' }] } })
  expect((await service.operator.get(`${path}/${id}`)).body).toEqual({ ...android, id })
})

const faults: Record<string, [body: object, param: string]> = {
  'no type': [{ ...android, type: undefined }, 'type'],
  'an unknown type': [{ ...android, type: 'windows' }, 'type'],
  'no name': [{ ...android, name: '' }, 'name'],
  'no package': [{ ...android, packageName: undefined }, 'packageName'],
  'a package without a dot': [{ ...android, packageName: 'wallet' }, 'packageName'],
  'no thumbprint': [{ ...android, packageSigningCertificateThumbprints: [] }, 'packageSigningCertificateThumbprints'],
  'a thumbprint in upper case': [
    { ...android, packageSigningCertificateThumbprints: ['AB'.repeat(32)] },
    'packageSigningCertificateThumbprints.0',
  ],
  'a SHA-1 thumbprint': [
    { ...android, packageSigningCertificateThumbprints: ['ab'.repeat(20)] },
    'packageSigningCertificateThumbprints.0',
  ],
  'a root that is not a certificate': [
    { ...android, keyAttestation: { rootCertificates: ['nothing'] } },
    'keyAttestation.rootCertificates.0',
  ],
  'no bundle id': [{ ...ios, bundleId: undefined }, 'bundleId'],
  'a malformed team id': [{ ...ios, teamId: 'team' }, 'teamId'],
}

describe('an app is refused with the name of the field, and not stored, if it has', () => {
  test.each(Object.keys(faults))('%s', async (name) => {
    const [body, param] = faults[name]!
    const tenant = await service.addTenant()
    const refused = await tenant.operator.post(path, body)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
    expect((await tenant.operator.get(path)).body.data).toEqual([])
  })
})

test('instances are listed in pages, read and deleted', async () => {
  const id = await create(android)
  const other = await create(android)
  const made = []
  for (let n = 0; n < 3; n++) made.push(await newHolderInstance(service, id))
  const operator = await service.as('holder')
  const first = await operator.get(`${path}/${id}/instances?limit=2`)
  const second = await operator.get(`${path}/${id}/instances?limit=2&cursor=${first.body.nextCursor}`)
  const listed = [...first.body.data, ...second.body.data]
  expect(listed.map((each) => each.id)).toEqual(made)
  expect(second.body).not.toHaveProperty('nextCursor')
  const at = `${path}/${id}/instances/${made[0]}`
  expect(await operator.get(at)).toMatchObject({ status: 200, body: listed[0] })
  // The instance is not found under the other app.
  expect(await operator.get(`${path}/${other}/instances/${made[0]}`)).toMatchObject({ status: 404 })
  expect(await operator.delete(`${path}/${other}/instances/${made[0]}`)).toMatchObject({ status: 404 })
  expect(await operator.delete(at)).toMatchObject({ status: 204 })
  expect(await operator.get(at)).toMatchObject({ status: 404 })
  expect(await operator.delete(at)).toMatchObject({ status: 404 })
})

test('the number of instances of each app is limited, and a deleted instance makes room for a new one', async () => {
  const tenant = await service.addTenant({ limits: { holderInstances: 2 } })
  const [id, other] = [await create(android, tenant), await create(android, tenant)]
  const at = `${path}/${id}/instances`
  const register = () => newHolderInstance(tenant, id).catch(({ message }) => message)
  const answers = await Promise.all([register(), register(), register(), register()])
  const refused = answers.filter((each) => each.startsWith('instance: 409'))
  expect(refused).toHaveLength(2)
  expect(refused[0]).toContain('An application can have at most 2 instances')
  const { data } = (await tenant.operator.get(at)).body
  expect(data).toHaveLength(2)
  await newHolderInstance(tenant, other)
  expect(await tenant.operator.delete(`${at}/${data[0].id}`)).toMatchObject({ status: 204 })
  await newHolderInstance(tenant, id)
  expect((await tenant.operator.get(at)).body.data).toHaveLength(2)
})

test('a deleted app is not found at once, and its instances are deleted afterwards', async () => {
  const [id, other] = [await create(android), await create(android)]
  const kept = await newHolderInstance(service, other)
  for (let n = 0; n < 3; n++) await newHolderInstance(service, id)
  const { challenge } = (await service.anonymous.post(`${path}/${id}/challenges`)).body
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  const body = { challenge, publicKeyJwk: { kty: 'EC' } }
  expect(await service.anonymous.post(`${path}/${id}/challenges`)).toMatchObject({ status: 404 })
  expect(await service.anonymous.post(`${path}/${id}/instances`, body)).toMatchObject({ status: 404 })
  expect(await service.operator.get(`${path}/${id}/instances`)).toMatchObject({ status: 404 })
  const left = async () => service.deps.db.read.select().from(holderInstances)
  await eventually(async () => (await left()).every(({ applicationId }) => applicationId !== id))
  expect((await left()).map((each) => each.id)).toContain(kept)
})

test('challenges and registrations of an unknown app are refused', async () => {
  const otherTenant = await service.addTenant()
  const id = await create(android)
  for (const at of [`${path}/${id}`, `${path}/${randomUUID()}`]) {
    const answers = [
      await otherTenant.anonymous.post(`${at}/challenges`),
      await otherTenant.anonymous.post(`${at}/instances`, { challenge: 'one', publicKeyJwk: { kty: 'EC' } }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { details: [{ param: 'applicationId', location: 'params' }] } })
    }
  }
  expect(await service.anonymous.post(`${path}/none/challenges`)).toMatchObject({ status: 400 })
})
