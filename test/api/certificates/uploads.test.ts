import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentSigner } from '../../../workers/signing/certificates/signers.ts'
import { iacas, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority, type OpensslAuthority, type Wanted } from '../../certificates/openssl-authority.ts'
import { createApi } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { openssl } from '../../verifiers/openssl.ts'

let service: Service
let authority: OpensslAuthority
let tenant: TestTenant
let signer: { path: string; csrPem: string }
beforeAll(async () => {
  service = await startService()
  authority = await newOpensslAuthority()
  tenant = await service.addTenant()
  signer = await newSigner(await upload(tenant, authority))
})
afterAll(() => service[Symbol.asyncDispose]())

async function upload({ operator }: TestTenant, { pem }: OpensslAuthority): Promise<string> {
  const { status, body } = await operator.post(iacas, { certificatePem: pem })
  expect([status, body]).toMatchObject([201, { active: false, isManaged: false }])
  await operator.put(`${iacas}/${body.id}`, { active: true })
  return body.id
}

async function newSigner(iacaId: string) {
  const { body } = await tenant.operator.post(signersPath('document-signer'), { iacaId })
  return { path: `${signersPath('document-signer')}/${body.id}`, csrPem: body.csrPem as string }
}

const faultsOf = ({ body }: { body: { details?: { msg: string; param: string }[] } }) =>
  (body.details ?? []).filter(({ param }) => param === 'certificatePem').map(({ msg }) => msg)

test('a signer of an unmanaged IACA starts as a request and signs after its certificate is uploaded', async () => {
  const other = await service.addTenant()
  const iacaId = await upload(other, authority)
  const paths = signersPath('document-signer')
  const { status, body } = await other.operator.post(paths, { iacaId })
  expect([status, body]).toEqual([
    201,
    { id: body.id, iacaId, active: false, provider: 'software', csrPem: body.csrPem },
  ])
  const checked = await openssl(['req', '-in', 'csr.pem', '-verify', '-noout', '-text'], { 'csr.pem': body.csrPem })
  expect(checked).toContain('verify OK')
  expect(checked).toContain('1.0.18013.5.1.2')
  expect(checked).toMatch(/Subject: C\s?=\s?NZ/)
  const path = `${paths}/${body.id}`
  const none = await other.operator.put(path, { active: true })
  expect(faultsOf(none)).toEqual([expect.stringContaining('Required')])
  await expect(documentSigner(signingDeps(service), other.id)).rejects.toMatchObject({
    reason: expect.stringContaining('is unmanaged'),
  })

  const certificatePem = await authority.certify(body.csrPem)
  const taken = await other.operator.put(path, { active: true, certificatePem })
  expect([taken.status, taken.body]).toMatchObject([200, { active: true, certificateData: { country: 'NZ' } }])
  const signer = await documentSigner(signingDeps(service), other.id)
  expect(signer.certificateDer).toEqual(new X509Certificate(certificatePem).raw)
  expect(new X509Certificate(certificatePem).publicKey.equals(signer.key.publicKey)).toBe(true)

  // Another certificate for the same key replaces it.
  const second = await authority.certify(body.csrPem, { days: 400 })
  expect(await other.operator.put(path, { active: true, certificatePem: second })).toMatchObject({ status: 200 })
  const { body: shown } = await other.operator.get(path)
  expect(new X509Certificate(shown.certificatePem).raw).toEqual(new X509Certificate(second).raw)

  expect(await other.operator.post(`${path}/revoke`, {})).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('external') },
  })
  const crl = await other.anonymous.get(`${iacas}/${iacaId}/crl`)
  expect(crl).toMatchObject({ status: 404, body: { code: 'NoCertificateRevocationList' } })
  const twice = await other.operator.post(iacas, { certificatePem: authority.pem })
  expect(twice).toMatchObject({ status: 409 })
})

test.each<[string, Wanted, string]>([
  ['that is valid for too long', { days: 458 }, 'It is valid for longer than 457 days'],
  ['that says it is a CA', { extensions: { basicConstraints: 'CA:TRUE' } }, 'say that it is an authority'],
  ['without issuerAltName', { extensions: { issuerAltName: undefined } }, 'It has no issuerAltName'],
  ['without CRL', { extensions: { crlDistributionPoints: undefined } }, 'It has no cRLDistributionPoints'],
  ['without AKI', { extensions: { authorityKeyIdentifier: 'none' } }, 'It has no authorityKeyIdentifier'],
  [
    'with an AKI that names no key',
    { extensions: { authorityKeyIdentifier: 'issuer:always' } },
    'Its authorityKeyIdentifier is not the subjectKeyIdentifier of the IACA',
  ],
  [
    'with a wrong EKU',
    { extensions: { extendedKeyUsage: 'critical,clientAuth' } },
    'extKeyUsage is not 1.0.18013.5.1.2',
  ],
  ['with an additional EKU', { extensions: { extendedKeyUsage: 'critical,1.0.18013.5.1.2,clientAuth' } }, 'alone'],
  [
    'with an EKU that is not critical',
    { extensions: { extendedKeyUsage: '1.0.18013.5.1.2' } },
    'Its extKeyUsage is not critical',
  ],
  [
    'with another key usage',
    { extensions: { keyUsage: 'critical,digitalSignature,keyAgreement' } },
    'Its keyUsage is not exactly',
  ],
  [
    'with a critical issuerAltName',
    { extensions: { issuerAltName: 'critical,email:a@b.nz' } },
    'Its issuerAltName is critical',
  ],
  ['with an IAN without contact', { extensions: { issuerAltName: 'DNS:b.nz' } }, 'Its issuerAltName has neither'],
  ['of another country', { subject: '/C=AU/CN=x' }, 'Its country is not that of the IACA'],
  ['of a country in lower case', { subject: '/C=nz/CN=x' }, 'two upper-case letters'],
  ['without common name', { subject: '/C=NZ' }, 'no common name'],
  ['with name constraints', { extensions: { nameConstraints: 'permitted;DNS:b.nz' } }, 'name or policy constraints'],
  ['with an unknown critical extension', { extensions: { '1.2.3.4': 'critical,DER:0500' } }, 'not of its profile'],
  ['signed with SHA-1', { flags: ['-sha1'] }, 'It is not signed by ECDSA'],
  ['with a short serial number', { flags: ['-set_serial', '1'] }, 'Its serial number'],
])('a certificate of a document signer is refused %s', async (_what, wanted, fault) => {
  const certificatePem = await authority.certify(signer.csrPem, wanted)
  const answer = await tenant.operator.put(signer.path, { active: true, certificatePem })
  expect(answer.status).toBe(400)
  expect(faultsOf(answer)).toEqual([expect.stringContaining(fault)])
  expect((await tenant.operator.get(signer.path)).body).toMatchObject({ active: false })
})

test('a certificate for another key, of another chain or with invalid text is refused', async () => {
  const { path, csrPem } = signer
  const put = async (certificatePem: string) =>
    faultsOf(await tenant.operator.put(path, { active: true, certificatePem }))
  const other = await newSigner((await tenant.operator.get(path)).body.iacaId)
  expect(await put(await authority.certify(other.csrPem))).toEqual([expect.stringContaining('Its key is not the one')])

  const impostor = await newOpensslAuthority()
  expect(await put(await impostor.certify(csrPem))).toEqual([
    expect.stringContaining('authorityKeyIdentifier'),
    'It is not signed by the key of the IACA',
  ])
  const renamed = await newOpensslAuthority({ subject: '/C=NZ/CN=Another' })
  expect(await put(await renamed.certify(csrPem))).toContain('Its issuer is not the name of the IACA')

  const good = await authority.certify(csrPem)
  expect(await put(good + good)).toHaveLength(1)
  expect(await put('no certificate')).toHaveLength(1)
  const der = Buffer.from(good.replaceAll(/-----.*-----|\s/g, ''), 'base64')
  // The outermost length has more octets than it needs.
  const ber = Buffer.concat([Buffer.from([0x30, 0x83, 0]), der.subarray(2)])
  const lines = (bytes: Buffer) =>
    `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
  expect(await put(lines(ber))).toEqual([expect.stringContaining('cannot be read')])
  // The same serial number for two keys, in concurrent requests.
  const third = await newSigner((await tenant.operator.get(path)).body.iacaId)
  const flags = ['-set_serial', '0x7f00000000000000000000000000001']
  const uploads = [other, third, signer].map(async (each) => {
    return { path: each.path, certificatePem: await authority.certify(each.csrPem, { flags }) }
  })
  const puts = (await Promise.all(uploads)).map(({ path, certificatePem }) =>
    tenant.operator.put(path, { active: false, certificatePem }),
  )
  const answers = (await Promise.all(puts)).toSorted((left, right) => left.status - right.status)
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
  for (const refused of answers.slice(1)) expect(faultsOf(refused)).toEqual([expect.stringContaining('serial number')])
})

test.each<[string, Wanted, string]>([
  ['that is not a CA', { extensions: { basicConstraints: 'critical,CA:FALSE' } }, 'Its basicConstraints are not CA'],
  ['with a longer path', { extensions: { basicConstraints: 'critical,CA:TRUE,pathlen:1' } }, 'Its basicConstraints'],
  [
    'with non-critical basic constraints',
    { extensions: { basicConstraints: 'CA:TRUE,pathlen:0' } },
    'basicConstraints is not critical',
  ],
  ['for more than 20 years', { days: 7400 }, '20 years'],
  ['with an extended key usage', { extensions: { extendedKeyUsage: 'clientAuth' } }, 'It has an extKeyUsage'],
  ['without SKI', { extensions: { subjectKeyIdentifier: 'none' } }, 'It has no subjectKeyIdentifier'],
  ['on another curve', { curve: 'secp256k1' }, 'Its key is not'],
])('a certificate of an IACA is refused %s', async (_what, wanted, fault) => {
  const { pem } = await newOpensslAuthority(wanted)
  const answer = await tenant.operator.post(iacas, { certificatePem: pem })
  expect(answer.status).toBe(400)
  expect(faultsOf(answer)).toContainEqual(expect.stringContaining(fault))
})

test('a certificate of an IACA with a null character in its name is refused', async () => {
  const der = new X509Certificate(authority.pem).raw.toString('latin1').replaceAll('Openssl IACA', 'Openssl\0IACA')
  const lines = Buffer.from(der, 'latin1').toString('base64')
  const certificatePem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  expect(faultsOf(await tenant.operator.post(iacas, { certificatePem }))).toContain('Its subject contains U+0000')
})

test('a certificate of an IACA with a signature of another authority is refused', async () => {
  const csr = await openssl(
    ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'].concat([
      '-subj',
      '/C=NZ/CN=x',
      '-keyout',
      'x.key',
    ]),
  )
  const certificatePem = await authority.certify(csr.slice(csr.indexOf('-----BEGIN CERTIFICATE REQ')))
  expect(faultsOf(await tenant.operator.post(iacas, { certificatePem }))).toContain('It is not self-signed')
})

test('an expired certificate and a certificate with another state than the IACA are refused', async () => {
  const province = await newOpensslAuthority({ subject: '/C=NZ/ST=Otago/CN=Otago IACA' })
  const other = await newSigner(await upload(tenant, province))
  const elsewhere = await province.certify(other.csrPem, { subject: '/C=NZ/ST=Southland/CN=x' })
  const answer = await tenant.operator.put(other.path, { active: true, certificatePem: elsewhere })
  expect(faultsOf(answer)).toEqual(['Its state or province is not that of the IACA'])
  const brief = await newOpensslAuthority({ days: 1 })
  const certificatePem = await authority.certify(signer.csrPem, { days: 1 })

  service.clock.advance(2 * 86_400_000)
  const token = await tokenOf(service.origin, tenant.host, tenant.clientId, tenant.clientSecret)
  const api = createApi(service.origin, tenant.host, token)
  expect(faultsOf(await api.put(signer.path, { active: true, certificatePem }))).toEqual(['It has expired'])
  expect(faultsOf(await api.post(iacas, { certificatePem: brief.pem }))).toEqual(['It has expired'])
})
