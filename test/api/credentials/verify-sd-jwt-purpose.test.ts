import 'reflect-metadata'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base64Of, type Certified, newCertificate, pemOf, purposesExtension } from '../../certificates/certificates.ts'
import { crlOf, iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { openssl, verifyStrictly } from '../../verifiers/openssl.ts'
import { newEcosystem, newParticipant, newType } from '../ecosystems/factories.ts'

// The certificate of a signer must be for credentials: a status list signer or a TLS server below a trusted root is no issuer.

let service: SharedService
let tenant: TestTenant
let root: Certified
let ecosystemId: string
beforeAll(async () => {
  service = await joinService()
  tenant = await service.addTenant()
  root = await newCertificate({ name: 'Root', ca: true })
  const path = await newEcosystem(tenant)
  await newType(tenant, path, { profile: 'sd-jwt', type: vct })
  const member = await newParticipant(tenant, path, { isIssuer: true, isIssuerConstrained: false })
  await tenant.operator.post(`${member}/issuer-certificates`, { certificatePem: pemOf(root) })
  ecosystemId = path.split('/').at(-1) ?? ''
})
afterAll(() => service?.[Symbol.asyncDispose]())

const vct = 'urn:example:card'
const serverAuth = '1.3.6.1.5.5.7.3.1'

type Purposes = [oids: string[], critical: boolean] | undefined

async function signedWith(purposes: Purposes) {
  const extensions = purposes ? [purposesExtension(...purposes)] : []
  const leaf = await newCertificate({ name: 'Signer', issuer: root, extensions })
  const header = { alg: 'ES256', typ: 'dc+sd-jwt', x5c: [base64Of(leaf)] }
  return `${await new SignJWT({ vct }).setProtectedHeader(header).sign(leaf.keys.privateKey)}~`
}

async function checksOf(payload: string, request: object) {
  const { status, body } = await tenant.operator.post('/v2/credentials/sd-jwt/verify', { payload, ...request })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.verified).toBe(body.failures.length === 0)
  expect(body.claims !== undefined).toBe(body.verified)
  return body.failures.map(({ check }: { check: string }) => check)
}

const accepted: Purposes[] = [
  [['1.0.18013.5.1.2'], true],
  [['1.0.18013.5.1.3'], false],
  [[serverAuth, '1.0.23220.4.1.2'], false],
]
const refused: Purposes[] = [undefined, [[serverAuth], false], [['2.5.29.37.0'], false]]

test.each(accepted.map((purposes) => ({ purposes })))('$purposes is for credentials', async ({ purposes }) => {
  const payload = await signedWith(purposes)
  expect(await checksOf(payload, { trustedIssuers: { ecosystemId } })).toEqual([])
  expect(await checksOf(payload, { trustedIssuers: [pemOf(root)], requireSignerEku: true })).toEqual([])
})

test.each(refused.map((purposes) => ({ purposes })))('$purposes is not for credentials', async ({ purposes }) => {
  const payload = await signedWith(purposes)
  const inEcosystem = { trustedIssuers: { ecosystemId } }
  expect(await checksOf(payload, inEcosystem)).toEqual(['SignerPurpose'])
  expect(await checksOf(payload, { trustedIssuers: [pemOf(root)], requireSignerEku: true })).toEqual(['SignerPurpose'])
  expect(await checksOf(payload, { ...inEcosystem, requireSignerEku: false })).toEqual([])
  expect(await checksOf(payload, { trustedIssuers: [pemOf(root)] })).toEqual([])
})

test('a critical purpose of another kind is never ignored', async () => {
  const payload = await signedWith([[serverAuth], true])
  const request = { trustedIssuers: [pemOf(root)], requireSignerEku: false }
  expect(await checksOf(payload, request)).toEqual(['CertificateChain'])
})

test('below an own IACA without purposes, only the SD-JWT signers of the tenant sign credentials', async () => {
  const owner = await service.addTenant()
  const authority = await newOpensslAuthority()
  const { body: iaca } = await owner.operator.post(iacas, { certificatePem: authority.pem })
  await owner.operator.put(`${iacas}/${iaca.id}`, { active: true })
  const signers = signersPath('sd-jwt-signer')
  const { body: signer } = await owner.operator.post(signers, { iacaId: iaca.id })
  const withoutPurpose = { extensions: { extendedKeyUsage: undefined } }
  const certificatePem = await authority.certify(signer.csrPem, withoutPurpose)
  expect(await owner.operator.put(`${signers}/${signer.id}`, { active: true, certificatePem })).toMatchObject({
    status: 200,
  })
  const { body: signed } = await owner.operator.post('/v2/credentials/sd-jwt/sign', {
    vct,
    claims: { name: 'Ada' },
    claimMappings: { name: { mapFrom: 'claims.name' } },
  })
  const verified = (payload: string) => owner.operator.post('/v2/credentials/sd-jwt/verify', { payload })
  expect((await verified(signed.encoded)).body, JSON.stringify(signed)).toMatchObject({ verified: true })

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
  const csr = await openssl(['req', '-new', '-key', 'key.pem', '-subj', '/C=NZ/CN=Status lists'], { 'key.pem': key })
  const x5c = [new X509Certificate(await authority.certify(csr, withoutPurpose)).raw.toString('base64')]
  const header = { alg: 'ES256', typ: 'dc+sd-jwt', x5c }
  const forged = `${await new SignJWT({ vct }).setProtectedHeader(header).sign(privateKey)}~`
  expect((await verified(forged)).body.failures).toMatchObject([{ check: 'SignerPurpose' }])
})

test('a new SD-JWT signer of a managed IACA has the purpose, and passes strict verifiers', async () => {
  const owner = await service.addTenant()
  const { id: iacaId, certificatePem: rootPem } = await newIaca(owner)
  const { body } = await owner.operator.post(signersPath('sd-jwt-signer'), { iacaId })
  expect(new X509Certificate(body.certificatePem).keyUsage).toEqual(['1.0.18013.5.1.3'])
  const crl = await crlOf(service, owner, iacaId)
  expect(await verifyStrictly({ leaf: body.certificatePem, root: rootPem, crl })).toBe('leaf.pem: OK\n')
})
