import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CertificateOptions,
  type Certified,
  derOf,
  extension,
  KeyUsageFlags,
  newCertificate,
  pemOf,
} from '../../certificates/certificates.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const path = '/v2/credentials/mobile/trusted-issuers'
const trust = (certificatePem: unknown, tenant: TestTenant = service) => tenant.operator.post(path, { certificatePem })
const authority = (changes: Partial<CertificateOptions> = {}) =>
  newCertificate({ name: 'Licences, C=NZ', ca: true, pathLength: 0, ...changes })
const dayMs = 24 * 3_600_000
const today = Math.floor(Date.now() / 1000) * 1000
const inDays = (days: number) => new Date(today + days * dayMs)

test('a verifier adds, reads and deletes a trusted authority', async () => {
  const verifier = await service.as('verifier')
  const [notBefore, notAfter] = [inDays(-1), inDays(700)]
  const made = await authority({ notBefore, notAfter })
  const certificatePem = pemOf(made)
  const { status, body } = await verifier.post(path, { certificatePem, certificateData: { country: 'AU' } })
  expect(status).toBe(201)
  expect(body).toStrictEqual({
    id: expect.any(String),
    certificatePem,
    certificateData: {
      notAfter: notAfter.toISOString(),
      notBefore: notBefore.toISOString(),
      country: 'NZ',
      commonName: 'Licences',
    },
  })
  expect(await verifier.get(`${path}/${body.id}`)).toMatchObject({ status: 200, body })
  expect((await verifier.get(path)).body.data).toContainEqual(body)
  expect(await verifier.delete(`${path}/${body.id}`)).toMatchObject({ status: 204 })
  expect(await verifier.get(`${path}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await verifier.delete(`${path}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await trust(certificatePem)).toMatchObject({ status: 201 })
})

test('a tenant trusts each certificate once, even with concurrent requests and other line breaks', async () => {
  const [tenant, neighbour] = [await service.addTenant(), await service.addTenant()]
  const made = await authority()
  const oneLine = `-----BEGIN CERTIFICATE-----\n${derOf(made).toString('base64')}\n-----END CERTIFICATE-----\n`
  const answers = await Promise.all([pemOf(made), oneLine, pemOf(made)].map((pem) => trust(pem, tenant)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect((await tenant.operator.get(path)).body.data).toHaveLength(1)
  expect(await trust(oneLine, neighbour)).toMatchObject({ status: 201 })
})

test('authorities are listed in pages, oldest first, without missing names', async () => {
  const tenant = await service.addTenant()
  for (const name of ['One', 'Two', 'Three']) await trust(pemOf(await newCertificate({ name, ca: true })), tenant)
  const namesOf = ({ body }: { body: { data: { certificateData: { commonName: string } }[] } }) =>
    body.data.map(({ certificateData }) => certificateData.commonName)
  const first = await tenant.operator.get(`${path}?limit=2`)
  expect(namesOf(first)).toEqual(['One', 'Two'])
  expect(first.body.data[0].certificateData).not.toHaveProperty('country')
  const second = await tenant.operator.get(`${path}?limit=2&cursor=${first.body.nextCursor}`)
  expect(namesOf(second)).toEqual(['Three'])
  expect(second.body).not.toHaveProperty('nextCursor')
})

const accepted: Record<string, () => Promise<Certified>> = {
  'that becomes valid later': () => authority({ notBefore: inDays(10), notAfter: inDays(20) }),
  'under another one': async () => authority({ issuer: await authority({ name: 'Root' }) }),
  'without key usage': () => authority({ usage: null }),
  'with an RSA key': () => authority({ kind: 'RSA-2048' }),
  'with a P-384 key': () => authority({ kind: 'P-384' }),
}

test.each([
  ['Bag Attributes\n    friendlyName: Licences\nsubject=C = NZ\n', ''],
  ['Certificate:\r\n    Data:\r\n        Version: 3 (0x2)\r\n', '\nend\n'],
  ['\ufeff', '\n\n'],
])('text around a certificate, as openssl writes it, is left out: %j', async (before, after) => {
  const certificatePem = pemOf(await authority())
  const trusted = await trust(`${before}${certificatePem.trim()}${after}`)
  expect([trusted.status, trusted.body.certificatePem?.trim()]).toEqual([201, certificatePem.trim()])
})

test.each(Object.keys(accepted))('an authority %s is trusted', async (name) => {
  expect(await trust(pemOf(await accepted[name]!()))).toMatchObject({ status: 201 })
})

const pemOfDer = (der: Buffer) => {
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
const pem = (changes: Partial<CertificateOptions>) => async () => pemOf(await authority(changes))

const refused: Record<string, [pem: () => Promise<unknown>, reason: RegExp]> = {
  'no certificate': [async () => undefined, /./],
  'no text': [async () => 7, /./],
  'text that is not a certificate': [async () => 'nothing', /one certificate in PEM/],
  'two certificates': [async () => pemOf(await authority()).repeat(2), /one certificate in PEM/],
  'a certificate beside a private key': [
    async () => `-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n${pemOf(await authority())}`,
    /one certificate in PEM/,
  ],
  'extra bytes after the certificate': [
    async () => pemOfDer(Buffer.concat([derOf(await authority()), Buffer.alloc(1)])),
    /DER|in PEM/,
  ],
  'a truncated certificate': [async () => pemOfDer(derOf(await authority()).subarray(0, -1)), /certificate/],
  'PEM inside PEM': [async () => pemOfDer(Buffer.from(pemOf(await authority()))), /DER|in PEM/],
  'an expired certificate': [pem({ notBefore: inDays(-20), notAfter: inDays(-1) }), /has expired/],
  'one that ends before it begins': [pem({ notBefore: inDays(9), notAfter: inDays(5) }), /notAfter is before/],
  'a leaf': [pem({ ca: false }), /not a CA certificate/],
  'a certificate without basic constraints': [pem({ constraints: 'absent' }), /not a CA certificate/],
  'an authority whose key may not sign certificates': [
    pem({ usage: KeyUsageFlags.cRLSign }),
    /does not allow it to issue certificates/,
  ],
  'a weak key': [pem({ kind: 'RSA-1024' }), /type or length/],
  'a weak signature': [pem({ kind: 'RSA-2048 with SHA-1' }), /algorithm/],
  'an unknown critical extension': [
    pem({ extensions: [extension('1.3.6.1.4.1.55555.1', true, [5, 0])] }),
    /critical extension/,
  ],
  'a name with a null character': [pem({ name: 'a\0b' }), /U\+0000/],
  'name constraints': [pem({ extensions: [extension('2.5.29.30', true, [0x30, 0])] }), /name constraints/],
  'a signature with another key': [async () => pem({ signer: await authority() })(), /signature is not valid/],
}

describe('the service refuses a certificate that verifiers could not use:', () => {
  test.each(Object.keys(refused))('%s', async (name) => {
    const [certificate, reason] = refused[name]!
    const tenant = await service.addTenant()
    const answer = await trust(await certificate(), tenant)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    expect(answer.body.details).toMatchObject([{ param: 'certificatePem', location: 'body' }])
    expect(answer.body.details[0].msg).toMatch(reason)
    expect((await tenant.operator.get(path)).body.data).toEqual([])
  })
})
