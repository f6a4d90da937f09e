import '../../certificates/certificates.ts'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crlOf, ecosystemCas, iacas, newEcosystemCa, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority, type Wanted } from '../../certificates/openssl-authority.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { openssl, verifyStrictly } from '../../verifiers/openssl.ts'

const kinds = ['vical-signer', 'rical-signer'] as const
let service: SharedService
let tenant: TestTenant
let pending: Record<(typeof kinds)[number], Awaited<ReturnType<typeof withPending>>>
beforeAll(async () => {
  service = await joinService()
  tenant = await service.addTenant()
  const [vical, rical] = await Promise.all(kinds.map((kind) => withPending(tenant, kind)))
  pending = { 'vical-signer': vical!, 'rical-signer': rical! }
})
afterAll(() => service[Symbol.asyncDispose]())

const published = '/v1/ecosystems/public/certificates/ca'
const dayMs = 24 * 3_600_000

/** The openssl extensions of an ecosystem signer, as changes of those of a document signer. */
const listSigner = {
  keyUsage: 'critical,nonRepudiation',
  issuerAltName: undefined,
  extendedKeyUsage: undefined,
} as const
const extensionsOf = {
  'vical-signer': { ...listSigner, extendedKeyUsage: 'critical,1.0.18013.5.1.8' },
  'rical-signer': { ...listSigner, certificatePolicies: '1.3.6.1.4.1.55555.1' },
}

/** Object identifiers of the extensions in order, with a star for critical ones, read by another parser. */
function shapeOf(pem: string): string[] {
  return new x509.X509Certificate(pem).extensions.map(({ type, critical }) => type + (critical ? '*' : ''))
}

function daysOf(pem: string): number {
  const { notBefore, notAfter } = new x509.X509Certificate(pem)
  return (notAfter.getTime() - notBefore.getTime()) / dayMs
}

const textOf = (pem: string) => openssl(['x509', '-in', 'one.pem', '-noout', '-text'], { 'one.pem': pem })
const refusal = (param: string, msg: string) => ({
  status: 400,
  body: { details: [{ param, location: 'body', msg: expect.stringContaining(msg) }] },
})

test('certificates of a managed CA and its signers follow their profiles, and openssl verifies them with strict options', async () => {
  const tenant = await service.addTenant()
  const names = { commonName: 'Aotearoa root', organisationName: 'Aotearoa', country: 'NZ' }
  const created = await tenant.operator.post(ecosystemCas, names)
  expect(created).toMatchObject({ status: 201, body: { active: false, isManaged: true, certificateData: names } })
  const root = created.body.certificatePem
  expect(shapeOf(root)).toEqual(['2.5.29.19*', '2.5.29.15*', '2.5.29.14', '2.5.29.31'])
  expect(daysOf(root)).toBeCloseTo(20 * 365.25, -1)
  const text = await textOf(root)
  expect(text).toContain('CA:TRUE, pathlen:0')
  expect(text).toContain(`URI:${tenant.baseUrl}${ecosystemCas}/${created.body.id}/crl`)

  for (const kind of kinds) {
    const { status, body } = await tenant.operator.post(signersPath(kind), { caId: created.body.id })
    expect([status, body]).toMatchObject([201, { caId: created.body.id, active: true }])
    expect(body.csrPem).toBeUndefined()
    const last = kind === 'vical-signer' ? '2.5.29.37*' : '2.5.29.32'
    expect(shapeOf(body.certificatePem)).toEqual(['2.5.29.14', '2.5.29.35', '2.5.29.15*', '2.5.29.31', last])
    expect(daysOf(body.certificatePem)).toBeLessThanOrEqual(1187)
    const words = await textOf(body.certificatePem)
    expect(words).toMatch(/X509v3 Key Usage: critical\s+Non Repudiation\n/)
    if (kind === 'vical-signer') expect(words).toMatch(/Extended Key Usage: critical\s+1\.0\.18013\.5\.1\.8\n/)
    const { subject } = new X509Certificate(body.certificatePem)
    expect(subject.split('\n').map((line) => line.split('=')[0])).toEqual(['C', 'O', 'CN'])
    const crl = await crlOf(service, tenant, created.body.id, ecosystemCas)
    expect(await verifyStrictly({ leaf: body.certificatePem, root, crl })).toBe('leaf.pem: OK\n')
    expect((await tenant.operator.get(`${signersPath(kind)}/${body.id}`)).body).toEqual(body)
    expect((await tenant.operator.get(signersPath(kind))).body.data).toEqual([body])
  }
})

test('anyone can read the active and valid roots of the tenant, but no other kinds', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const ca = await newEcosystemCa(tenant, { organisationName: undefined })
  await newIaca(tenant)
  await tenant.operator.post(ecosystemCas, { commonName: 'Not active yet', country: 'NZ' })
  const { body } = await tenant.anonymous.get(published)
  expect(body.rootCertificates).toEqual([
    {
      certificate: ca.certificatePem,
      notBefore: ca.certificateData.notBefore,
      notAfter: ca.certificateData.notAfter,
      fingerprint: ca.certificateFingerprint,
      commonName: 'Aotearoa root',
    },
  ])
  expect((await other.anonymous.get(published)).body).toEqual({ rootCertificates: [] })
  expect((await tenant.anonymous.get('/v1/openid/iacas')).body.iacas).toHaveLength(1)
  // A RICAL signer has an organisation even if its CA has none.
  const signer = await tenant.operator.post(signersPath('rical-signer'), { caId: ca.id })
  expect(signer.body.certificateData.organisationName).toBe('Aotearoa root')

  await tenant.operator.put(`${ecosystemCas}/${ca.id}`, { active: false })
  expect((await tenant.anonymous.get(published)).body).toEqual({ rootCertificates: [] })
})

test('an IACA cannot be used as a CA of ecosystems, and a CA of ecosystems cannot be used as an IACA', async () => {
  const tenant = await service.addTenant()
  const [ca, iaca] = [await newEcosystemCa(tenant), await newIaca(tenant)]
  const { operator, anonymous } = tenant
  for (const path of [`${iacas}/${ca.id}`, `${ecosystemCas}/${iaca.id}`]) {
    expect(await operator.get(path)).toMatchObject({ status: 404 })
    expect(await operator.put(path, { active: false })).toMatchObject({ status: 404 })
    expect(await operator.delete(path)).toMatchObject({ status: 404 })
    expect(await anonymous.get(`${path}/crl`)).toMatchObject({ status: 404, body: { code: 'NotFound' } })
  }
  for (const kind of kinds) {
    const answer = await operator.post(signersPath(kind), { caId: iaca.id })
    expect(answer).toMatchObject(refusal('caId', 'Resource Not Found'))
  }
  const answer = await operator.post(signersPath('document-signer'), { iacaId: ca.id })
  expect(answer).toMatchObject(refusal('iacaId', 'Resource Not Found'))
  // A CA of another tenant cannot be used either.
  const other = await service.addTenant()
  const foreign = await other.operator.post(signersPath('vical-signer'), { caId: ca.id })
  expect(foreign).toMatchObject(refusal('caId', 'Resource Not Found'))
  expect(await other.anonymous.get(`${ecosystemCas}/${ca.id}/crl`)).toMatchObject({ status: 404 })
})

test('an unmanaged certificate can be an IACA and a CA of ecosystems, once each', async () => {
  const { operator } = await service.addTenant()
  const { pem: certificatePem } = pending['vical-signer'].authority
  for (const path of [ecosystemCas, iacas]) {
    expect(await operator.post(path, { certificatePem })).toMatchObject({ status: 201 })
    expect(await operator.post(path, { certificatePem })).toMatchObject({ status: 409 })
  }
})

test('concurrent requests do not exceed the maximum number of CAs and signers', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const cas = await Promise.all(
    [1, 2, 3, 4, 5].map(() => operator.post(ecosystemCas, { commonName: 'CA', country: 'NZ' })),
  )
  expect(cas.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409])
  const caId = cas.find(({ status }) => status === 201)!.body.id
  for (const kind of kinds) {
    const made = await Promise.all(Array.from({ length: 7 }, () => operator.post(signersPath(kind), { caId })))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409])
  }
})

test('a managed RICAL signer cannot be deleted alone, and an inactive CA is deleted with its signers', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const { id: caId } = await newEcosystemCa(tenant)
  const pathOf = async (kind: (typeof kinds)[number]) =>
    `${signersPath(kind)}/${(await operator.post(signersPath(kind), { caId })).body.id}`
  const [vical, rical] = [await pathOf('vical-signer'), await pathOf('rical-signer')]
  expect(await operator.delete(vical)).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  await Promise.all([vical, rical].map((path) => operator.put(path, { active: false })))
  expect(await operator.delete(vical)).toMatchObject({ status: 204 })
  const refused = await operator.delete(rical)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'ricalSignerId', location: 'params' }] } })
  expect(await operator.get(rical)).toMatchObject({ status: 200 })

  expect(await operator.delete(`${ecosystemCas}/${caId}`)).toMatchObject({ status: 409 })
  await operator.put(`${ecosystemCas}/${caId}`, { active: false })
  expect(await operator.delete(`${ecosystemCas}/${caId}`)).toMatchObject({ status: 204 })
  expect(await operator.get(rical)).toMatchObject({ status: 404 })
  expect(await tenant.anonymous.get(`${ecosystemCas}/${caId}/crl`)).toMatchObject({ status: 404 })
})

/** An unmanaged CA with a pending signer. */
async function withPending({ operator }: TestTenant, kind: (typeof kinds)[number], wanted: Wanted = {}) {
  const authority = await newOpensslAuthority(wanted)
  const ca = await operator.post(ecosystemCas, { certificatePem: authority.pem })
  expect([ca.status, ca.body]).toMatchObject([201, { active: false, isManaged: false }])
  const { body } = await operator.post(signersPath(kind), { caId: ca.body.id })
  expect(body).toEqual({ id: body.id, caId: ca.body.id, active: false, provider: 'software', csrPem: body.csrPem })
  return {
    authority,
    caId: ca.body.id as string,
    path: `${signersPath(kind)}/${body.id}`,
    csrPem: body.csrPem as string,
  }
}

test.each(kinds)('under an unmanaged CA a %s starts as a request and can be deleted later', async (kind) => {
  const tenant = await service.addTenant()
  const { operator, anonymous } = tenant
  // An unmanaged root may have subordinate authorities, no CRL, and a state that its signers do not repeat.
  const root = { basicConstraints: 'critical,CA:TRUE', issuerAltName: undefined, crlDistributionPoints: undefined }
  const setup = await withPending(tenant, kind, { extensions: root, subject: '/C=NZ/ST=Otago/CN=Otago root' })
  const { authority, path, csrPem, caId } = setup
  const checked = await openssl(['req', '-in', 'csr.pem', '-verify', '-noout', '-text'], { 'csr.pem': csrPem })
  expect(checked).toContain('verify OK')
  expect(checked).toMatch(/Non Repudiation/)
  const names = /Subject: (.*)\n/
    .exec(checked)?.[1]
    ?.split(', ')
    .map((each) => each.split('=')[0]!.trim())
  expect(names).toEqual(kind === 'rical-signer' ? ['C', 'O', 'CN'] : ['C', 'CN'])

  const subject = '/C=AU/O=Elsewhere/CN=x'
  const certificatePem = await authority.certify(csrPem, { subject, extensions: extensionsOf[kind] })
  const put = await operator.put(path, { active: true, certificatePem })
  expect([put.status, put.body]).toMatchObject([
    200,
    { active: true, certificateData: { country: 'AU', commonName: 'x' } },
  ])
  expect(await anonymous.get(`${ecosystemCas}/${caId}/crl`)).toMatchObject({
    status: 404,
    body: { code: 'NoCertificateRevocationList' },
  })
  expect(await operator.post(ecosystemCas, { certificatePem: authority.pem })).toMatchObject({ status: 409 })

  expect(await operator.delete(`${ecosystemCas}/${caId}`)).toMatchObject({ status: 409 })
  if (kind === 'vical-signer') {
    expect(await operator.delete(path)).toMatchObject({ status: 409 })
    await operator.put(path, { active: false })
  }
  expect(await operator.delete(path)).toMatchObject({ status: 204 })
  expect(await operator.delete(`${ecosystemCas}/${caId}`)).toMatchObject({ status: 204 })
})

const [vical, rical] = kinds
const subject = '/C=NZ/O=Aotearoa/CN=x'
test.each<[(typeof kinds)[number], string, Wanted, string]>([
  [vical, 'with a too long validity', { days: 1188 }, 'It is valid for longer than 1187 days'],
  [
    vical,
    'for another purpose',
    { extensions: { extendedKeyUsage: 'critical,1.0.18013.5.1.2' } },
    '1.0.18013.5.1.8 alone',
  ],
  [
    vical,
    'with a non-critical purpose',
    { extensions: { extendedKeyUsage: '1.0.18013.5.1.8' } },
    'extKeyUsage is not critical',
  ],
  [vical, 'without purpose', { extensions: { extendedKeyUsage: undefined } }, 'It has no extKeyUsage'],
  [
    vical,
    'with another key usage',
    { extensions: { keyUsage: 'critical,digitalSignature' } },
    'that of a VICAL signer',
  ],
  [rical, 'with a too long validity', { days: 1188 }, 'It is valid for longer than 1187 days'],
  [rical, 'with a purpose', { extensions: { extendedKeyUsage: 'clientAuth' } }, 'It has an extKeyUsage'],
  [rical, 'without policies', { extensions: { certificatePolicies: undefined } }, 'It has no certificatePolicies'],
  [rical, 'with critical policies', { extensions: { certificatePolicies: 'critical,1.2.3' } }, 'Policies is critical'],
  [rical, 'without organisation', { subject: '/C=NZ/CN=x' }, 'exactly one organisationName'],
])('a certificate of a %s is refused %s', async (kind, _what, wanted, fault) => {
  const { authority, path, csrPem } = pending[kind]
  const extensions = { ...extensionsOf[kind], ...wanted.extensions }
  const certificatePem = await authority.certify(csrPem, { subject, ...wanted, extensions })
  expect(await tenant.operator.put(path, { active: true, certificatePem })).toMatchObject(
    refusal('certificatePem', fault),
  )
  expect((await tenant.operator.get(path)).body).toMatchObject({ active: false })
})

test('a CA needs a name and a country, and is valid for at most 20 years', async () => {
  const { operator } = await service.addTenant()
  const create = (body: object) => operator.post(ecosystemCas, body)
  expect((await create({})).body.details).toMatchObject([{ param: 'commonName' }, { param: 'country' }])
  const long = { commonName: 'CA', country: 'NZ', notAfter: '2099-01-01' }
  expect(await create(long)).toMatchObject(refusal('notAfter', 'at most 20 years'))
  const { pem } = await newOpensslAuthority({ extensions: { basicConstraints: 'critical,CA:FALSE' } })
  expect(await create({ certificatePem: pem })).toMatchObject(
    refusal('certificatePem', 'do not say that it is an authority'),
  )
})
