import '../../certificates/certificates.ts'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crlOf, iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import type { Api } from '../../harness/api-client.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { openssl, verifyStrictly } from '../../verifiers/openssl.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000

/** Object identifiers of the extensions in order, with a star for critical ones, read by another parser. */
function shapeOf(pem: string): string[] {
  return new x509.X509Certificate(pem).extensions.map(({ type, critical }) => type + (critical ? '*' : ''))
}

function lifeOf(pem: string): number {
  const { notBefore, notAfter } = new x509.X509Certificate(pem)
  return (notAfter.getTime() - notBefore.getTime()) / dayMs
}

test('certificates of managed IACAs and their signers follow their profiles, and openssl verifies them with strict options', async () => {
  const tenant = await service.addTenant()
  const iaca = await newIaca(tenant, { stateOrProvinceName: 'Te Tai Tokerau' })
  const root = iaca.certificatePem
  expect(shapeOf(root)).toEqual(['2.5.29.19*', '2.5.29.15*', '2.5.29.14', '2.5.29.18', '2.5.29.31'])
  const text = await openssl(['x509', '-in', 'root.pem', '-noout', '-text', '-nameopt', 'show_type'], {
    'root.pem': root,
  })
  expect(text).toContain('CA:TRUE, pathlen:0')
  expect(text).toContain('Certificate Sign, CRL Sign')
  expect(text).toContain('C=PRINTABLESTRING:NZ')
  expect(text).toContain(`URI:${tenant.baseUrl}/v2/credentials/mobile/iacas/${iaca.id}/crl`)
  expect(Buffer.from(new x509.X509Certificate(root).serialNumber, 'hex').length).toBeGreaterThanOrEqual(10)

  for (const kind of ['document-signer', 'status-list-signer', 'sd-jwt-signer'] as const) {
    const { status, body } = await tenant.operator.post(signersPath(kind), { iacaId: iaca.id })
    expect(status).toBe(kind === 'status-list-signer' ? 200 : 201)
    expect(body).toMatchObject({ iacaId: iaca.id, active: true })
    expect(body.csrPem).toBeUndefined()
    const renewedBefore = kind === 'status-list-signer' ? 60 : 30
    const { notAfter } = body.certificateData
    expect(body.renewsAt).toBe(new Date(Date.parse(notAfter) - renewedBefore * dayMs).toISOString())
    const inactive = await tenant.operator.put(`${signersPath(kind)}/${body.id}`, { active: false })
    expect(inactive.body.renewsAt).toBeUndefined()
    await tenant.operator.put(`${signersPath(kind)}/${body.id}`, { active: true })
    const leaf = body.certificatePem
    const purpose = { 'document-signer': ['2.5.29.37*'], 'sd-jwt-signer': ['2.5.29.37'], 'status-list-signer': [] }[
      kind
    ]
    const names = kind === 'document-signer' ? ['2.5.29.17', '2.5.29.18'] : ['2.5.29.17']
    expect(shapeOf(leaf)).toEqual([
      '2.5.29.19',
      '2.5.29.14',
      '2.5.29.35',
      '2.5.29.15*',
      ...names,
      '2.5.29.31',
      ...purpose,
    ])
    expect(lifeOf(leaf)).toBeLessThanOrEqual(kind === 'status-list-signer' ? 1187 : 457)
    const words = await openssl(['x509', '-in', 'leaf.pem', '-noout', '-text'], { 'leaf.pem': leaf })
    expect(words).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/)
    if (kind === 'document-signer') expect(words).toMatch(/Extended Key Usage: critical\s+1\.0\.18013\.5\.1\.2\n/)
    if (kind === 'sd-jwt-signer') expect(words).toMatch(/Extended Key Usage:\s+1\.0\.18013\.5\.1\.3\n/)
    expect(body.certificateData).toMatchObject({ country: 'NZ', stateOrProvinceName: 'Te Tai Tokerau' })
    expect(body.certificateFingerprint).toBe(new X509Certificate(leaf).fingerprint256.replaceAll(':', '').toLowerCase())
    expect(await verifyStrictly({ leaf, root, crl: await crlOf(service, tenant, iaca.id) })).toBe('leaf.pem: OK\n')
  }
})

test('an empty CRL has no revocation list, and revoked signers are on all later CRLs at once without reasons', async () => {
  const tenant = await service.addTenant()
  const iaca = await newIaca(tenant)
  const root = iaca.certificatePem
  const textOf = async () =>
    openssl(['crl', '-inform', 'DER', '-in', 'crl', '-noout', '-text'], { crl: await crlOf(service, tenant, iaca.id) })
  const first = await textOf()
  expect(first).toContain('No Revoked Certificates')
  expect(first).toMatch(/Version 2/)
  const numberIn = (text: string) => Number(/X509v3 CRL Number: \s+(\d+)\n/.exec(text)?.[1])
  const api = tenant.operator
  const created = await Promise.all([1, 2].map(() => api.post(signersPath('document-signer'), { iacaId: iaca.id })))
  const list = await api.post(signersPath('status-list-signer'), { iacaId: iaca.id })

  // Concurrent revocations.
  const paths = [...created.map(({ body }) => `${signersPath('document-signer')}/${body.id}`)]
  paths.push(`${signersPath('status-list-signer')}/${list.body.id}`)
  const answers = await Promise.all(paths.map((path) => api.post(`${path}/revoke`, {})))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body).toEqual({ revoked: true, revocationDate: expect.stringMatching(/^\d{4}-.*Z$/) })
  }
  const text = await textOf()
  expect(text.match(/Serial Number:/g)).toHaveLength(3)
  expect(text).not.toContain('CRL Reason Code')
  expect(numberIn(text)).toBeGreaterThan(numberIn(first))
  for (const { body } of [...created, list]) {
    const verdict = await verifyStrictly({
      leaf: body.certificatePem,
      root,
      crl: await crlOf(service, tenant, iaca.id),
    })
    expect(verdict).toContain('certificate revoked')
  }
  // A repeated revocation returns the same answer and changes nothing.
  expect((await api.post(`${paths[0]}/revoke`, {})).body).toEqual(answers[0]!.body)
  expect(await textOf()).toBe(text)
  expect((await api.put(paths[0]!, { active: true })).body.details).toMatchObject([
    { msg: expect.stringContaining('revoked') },
  ])
  expect((await api.get(paths[0]!)).body).toMatchObject({
    active: false,
    revocationDate: answers[0]!.body.revocationDate,
  })
  expect(await api.delete(paths[0]!)).toMatchObject({ status: 204 })
  expect((await textOf()).match(/Serial Number:/g)).toHaveLength(3)
})

test('used certificates cannot be deleted, certificates over the limit cannot be created, and revoked signers do not count', async () => {
  const tenant = await service.addTenant()
  const iaca = await newIaca(tenant)
  const api = tenant.operator
  const create = (path: string, body: object) => api.post(path, body)
  const signers = signersPath('status-list-signer')
  const made = await Promise.all([1, 2, 3, 4].map(() => create(signers, { iacaId: iaca.id })))
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409])
  const [one] = made.filter(({ status }) => status === 200)
  const path = `${signers}/${one!.body.id}`
  expect(await api.delete(path)).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  expect(await api.delete(`${iacas}/${iaca.id}`)).toMatchObject({ status: 409 })
  await api.post(`${path}/revoke`, {})
  expect(await create(signers, { iacaId: iaca.id })).toMatchObject({ status: 200 })
  await api.put(`${iacas}/${iaca.id}`, { active: false })
  const held = await api.delete(`${iacas}/${iaca.id}`)
  expect(held).toMatchObject({ status: 409, body: { message: expect.stringContaining('signers') } })
  await removeAll(api, signers)
  expect(await api.delete(`${iacas}/${iaca.id}`)).toMatchObject({ status: 204 })
  expect(await tenant.anonymous.get(`${iacas}/${iaca.id}/crl`)).toMatchObject({
    status: 404,
    body: { code: 'NotFound' },
  })

  const more = await Promise.all([1, 2, 3, 4].map((n) => create(iacas, { commonName: `IACA ${n}`, country: 'NZ' })))
  expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409])
  const none = await create(signers, { iacaId: crypto.randomUUID() })
  expect(none.body.details).toMatchObject([{ msg: 'Resource Not Found', param: 'iacaId', location: 'body' }])
})

async function removeAll(api: Api, path: string) {
  for (const { id } of (await api.get(path)).body.data) {
    await api.put(`${path}/${id}`, { active: false })
    expect(await api.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  }
}

test.each<[string, object, string]>([
  ['notAfter', { notAfter: '2100-01-01T00:00:00Z' }, '20 years'],
  ['notAfter', { notAfter: '2020-01-01T00:00:00Z' }, 'in the future'],
  ['country', { country: 'nz' }, 'upper-case'],
  ['commonName', { commonName: 'x'.repeat(65) }, ''],
  ['commonName', { commonName: 'a\u0007b' }, 'control'],
])('an IACA is refused for its %s (%o)', async (param, wrong, msg) => {
  const { status, body } = await service.operator.post(iacas, { commonName: 'IACA', country: 'NZ', ...wrong })
  expect([status, body.details]).toMatchObject([400, [{ param, msg: expect.stringContaining(msg) }]])
})

test('the metadata lists only active IACAs, and a reader with the current CRL receives 304', async () => {
  const tenant: TestTenant = await service.addTenant()
  const iaca = await newIaca(tenant)
  await tenant.operator.post(iacas, { commonName: 'Inactive', country: 'NZ' })
  const metadata = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(metadata.body.mdoc_iacas_uri).toBe(`${tenant.baseUrl}/v1/openid/iacas`)
  const { body } = await tenant.anonymous.get('/v1/openid/iacas')
  expect(body).toEqual({ iacas: [{ certificate: new X509Certificate(iaca.certificatePem).raw.toString('base64') }] })

  const crl = await tenant.anonymous.get(`${iacas}/${iaca.id}/crl`)
  expect(crl.headers).toMatchObject({ 'content-type': 'application/pkix-crl', 'access-control-allow-origin': '*' })
  const again = await tenant.anonymous.get(`${iacas}/${iaca.id}/crl`, { 'if-none-match': String(crl.headers.etag) })
  expect(again.status).toBe(304)
})
