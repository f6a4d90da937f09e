import { X509Certificate } from 'node:crypto'
import { decodeProtectedHeader, importX509, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findKeyProviders } from '../../../db/repos/identifiers/key-inventory.ts'
import { accessKeyOwner } from '../../../shared/domain/issuance/access-certificates.ts'
import { certifyAccess, newAccessAuthority, registeredId, subject } from '../../certificates/access-authority.ts'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { openssl } from '../../verifiers/openssl.ts'

const path = '/v1/openid/access-certificates'
const metadataPath = '/.well-known/openid-credential-issuer'

let service: Service
let authority: Awaited<ReturnType<typeof newAccessAuthority>>
beforeAll(async () => {
  service = await startService()
  authority = await newAccessAuthority()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newRequest({ operator }: TestTenant): Promise<{ id: string; csrPem: string }> {
  const { status, body } = await operator.post(path, { subject })
  expect(status).toBe(201)
  return body
}

async function activate(tenant: TestTenant, changes?: Parameters<typeof certifyAccess>[2]) {
  const { id, csrPem } = await newRequest(tenant)
  const leaf = await certifyAccess(authority.between, csrPem, changes)
  const certificatePem = leaf + authority.between.pem + authority.root.pem
  const { status, body } = await tenant.operator.put(`${path}/${id}`, { active: true, certificatePem })
  expect({ status, body }).toMatchObject({ status: 200, body: { active: true } })
  return { id, leaf, body }
}

async function signedMetadata(tenant: TestTenant): Promise<string> {
  const { status, body: text } = await tenant.anonymous.get(metadataPath, { accept: 'application/jwt' })
  expect(status).toBe(200)
  return text
}

test('openssl verifies the request, which has the subject and the address of the tenant', async () => {
  const tenant = await service.addTenant()
  const { csrPem } = await newRequest(tenant)
  const shown = await openssl(['req', '-in', 'a.csr', '-verify', '-text', '-nameopt', 'utf8,sep_comma_plus'], {
    'a.csr': csrPem,
  })
  expect(shown).toContain('verify OK')
  expect(shown).toContain(
    `Subject: C=BE,O=Transport Agency,organizationIdentifier=${registeredId},CN=Ägentur für Verkehr`,
  )
  expect(shown).toContain(`URI:${tenant.baseUrl}`)
})

test('the metadata are signed with the active access certificate, without the trust anchor', async () => {
  const tenant = await service.addTenant()
  await compactConfiguration(tenant)
  const before = decodeProtectedHeader(await signedMetadata(tenant))
  const { id, leaf, body } = await activate(tenant)
  expect(body).toMatchObject({
    certificatePem: leaf + authority.between.pem,
    certificateSubject: { organisationIdentifier: registeredId },
    ...{ warnings: [], provider: 'software' },
  })
  const jwt = await signedMetadata(tenant)
  const header = decodeProtectedHeader(jwt)
  expect(header.x5c).not.toEqual(before.x5c)
  const chain = (header.x5c ?? []).map((each) => new X509Certificate(Buffer.from(each, 'base64')).toString())
  expect(chain).toEqual([leaf, authority.between.pem])
  const { payload } = await jwtVerify(jwt, await importX509(leaf, 'ES256'), {
    ...{ typ: 'openidvci-issuer-metadata+jwt', issuer: tenant.baseUrl, subject: tenant.baseUrl },
    currentDate: service.clock.now(),
  })
  const unsigned = await tenant.anonymous.get(metadataPath)
  const { iss, sub, iat, exp, ...content } = payload
  expect(content).toEqual(unsigned.body)
  const { x5c } = header
  const files = { 'leaf.pem': chain[0] ?? '', 'between.pem': chain[1] ?? '', 'root.pem': authority.root.pem }
  expect(x5c).toHaveLength(2)
  expect(await openssl(['verify', '-CAfile', 'root.pem', '-untrusted', 'between.pem', 'leaf.pem'], files)).toBe(
    'leaf.pem: OK\n',
  )
  // Without it, the earlier signer signs again.
  await tenant.operator.put(`${path}/${id}`, { active: false })
  expect(decodeProtectedHeader(await signedMetadata(tenant)).x5c).toEqual(before.x5c)
})

test('metadata are never valid for longer than the access certificate', async () => {
  const tenant = await service.addTenant()
  await compactConfiguration(tenant)
  const { leaf } = await activate(tenant, { days: 1 })
  const end = new X509Certificate(leaf).validToDate
  service.clock.advance(3_600_000)
  const { payload } = await jwtVerify(await signedMetadata(tenant), await importX509(leaf, 'ES256'), {
    currentDate: service.clock.now(),
  })
  expect(payload.exp).toBe(end.getTime() / 1000)
})

test('an activated certificate replaces the other, and only an inactive one can be deleted, with its key', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const [first, second] = [await activate(tenant), await activate(tenant)]
  const listed = await operator.get(path)
  expect(listed.body.data.map((each: { id: string; active: boolean }) => [each.id, each.active])).toEqual([
    [first.id, false],
    [second.id, true],
  ])
  expect(await operator.delete(`${path}/${second.id}`)).toMatchObject({ status: 409 })
  expect(await operator.delete(`${path}/${first.id}`)).toMatchObject({ status: 204 })
  const keys = (id: string) => findKeyProviders(service.deps.db.read, tenant.id, accessKeyOwner(id), 'certificate')
  expect([(await keys(first.id)).size, (await keys(second.id)).size]).toEqual([0, 1])
})

test('of two certificates that are activated at the same time, one is active', { tags: 'postgres' }, async () => {
  const tenant = await service.addTenant()
  const ids = await Promise.all([activate(tenant), activate(tenant)])
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(ids.map(({ id }) => tenant.operator.put(`${path}/${id}`, { active: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await tenant.operator.get(path)
    expect(body.data.filter((each: { active: boolean }) => each.active)).toHaveLength(1)
  }
})

test('a tenant has at most 20 access certificates', async () => {
  const tenant = await service.addTenant()
  for (let number = 0; number < 20; number++) await newRequest(tenant)
  expect(await tenant.operator.post(path, { subject })).toMatchObject({ status: 409 })
})

test('a certificate with warnings is accepted', async () => {
  const tenant = await service.addTenant()
  const { id, csrPem } = await newRequest(tenant)
  const extensions = { certificatePolicies: undefined, subjectAltName: 'DNS:agency.example' }
  const certificatePem = await certifyAccess(authority.between, csrPem, { id: null, extensions })
  const { status, body } = await tenant.operator.put(`${path}/${id}`, { active: true, certificatePem })
  expect(status).toBe(200)
  expect(body.warnings.map(({ source }: { source: string }) => source)).toEqual([
    'ETSI TS 119 411-8, section 5.3',
    'ETSI TS 119 411-8, GEN-6.6.1-05',
    'ETSI TS 119 411-8, GEN-6.6.1-07',
  ])
})

const bad: [what: string, pem: (csr: string) => Promise<string>, message: string][] = [
  ['another key', async () => pemOf(await newCertificate({ name: 'Other' })), 'does not have the key of csrPem'],
  [
    'an authority first',
    async (csr) => authority.between.pem + (await certifyAccess(authority.between, csr)),
    'does not have the key of csrPem',
  ],
  [
    'an authority that did not issue it',
    async (csr) => (await certifyAccess(authority.between, csr)) + authority.root.pem,
    'not issued by the next one',
  ],
  ['an expired certificate', async (csr) => certifyAccess(authority.between, csr, { days: -1 }), 'not valid now'],
  [
    'a certificate that is an authority',
    async (csr) => certifyAccess(authority.root, csr, { extensions: { basicConstraints: 'critical,CA:TRUE' } }),
    'the leaf is an authority',
  ],
  [
    'a certificate that does not allow signatures',
    async (csr) => certifyAccess(authority.between, csr, { extensions: { keyUsage: 'critical,keyAgreement' } }),
    'does not allow the use of its key',
  ],
  ['text', async () => 'no certificate', 'Must be one certificate in PEM'],
  ['too many certificates', async () => authority.root.pem.repeat(6), 'at most 5 certificates'],
]

test.for(bad)('%s is refused, and nothing changes', async ([, pem, message]) => {
  const tenant = await service.addTenant()
  const { id, csrPem } = await newRequest(tenant)
  const { body: before } = await tenant.operator.get(`${path}/${id}`)
  const { status, body } = await tenant.operator.put(`${path}/${id}`, {
    active: true,
    certificatePem: await pem(csrPem),
  })
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: 'certificatePem' }] } })
  expect(body.details[0].msg).toContain(message)
  expect((await tenant.operator.get(`${path}/${id}`)).body).toEqual(before)
})

test('a request without a certificate cannot be activated', async () => {
  const tenant = await service.addTenant()
  const { id } = await newRequest(tenant)
  expect(await tenant.operator.put(`${path}/${id}`, { active: true })).toMatchObject({
    ...{ status: 400, body: { details: [{ param: 'certificatePem', msg: expect.stringContaining('Required') }] } },
  })
})

test.for([
  ['country', 'be'],
  ['organisationIdentifier', '12345'],
  ['commonName', 'a\u0000b'],
] as const)('the subject is checked: %s', async ([member, value]) => {
  const { operator } = await service.addTenant()
  const { status, body } = await operator.post(path, { subject: { ...subject, [member]: value } })
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: `subject.${member}` }] } })
})

test('another tenant does not see an access certificate', async () => {
  const [one, other] = [await service.addTenant(), await service.addTenant()]
  const { id } = await activate(one)
  for (const answer of [
    await other.operator.get(`${path}/${id}`),
    await other.operator.put(`${path}/${id}`, { active: false }),
    await other.operator.delete(`${path}/${id}`),
  ])
    expect(answer.status).toBe(404)
})
