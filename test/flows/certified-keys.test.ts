import { webcrypto } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base64Of, type Certified, newCertificate, pemOf } from '../certificates/certificates.ts'
import { newIaca } from '../certificates/hierarchy.ts'
import { newOffer, sdJwtConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { sdJwtClaims } from '../harness/issued-sd-jwt.ts'
import { openssl } from '../verifiers/openssl.ts'
import { readSdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { type HolderKeyPair, newHolderKey, newWallet } from '../wallets/wallet.ts'

// OpenID4VCI 1.0, appendix F.1: a proof can name its key by a certificate (x5c).

let service: Service
let root: Certified
let leaf: Certified
let key: HolderKeyPair
let plain: { tenant: TestTenant; configurationId: string }
let trusting: { tenant: TestTenant; configurationId: string }
beforeAll(async () => {
  service = await startService()
  root = await newCertificate({ name: 'Wallets', ca: true })
  leaf = await newCertificate({ name: 'A key', issuer: root })
  const privateJwk = await webcrypto.subtle.exportKey('jwk', leaf.keys.privateKey)
  const { kty, crv, x, y } = privateJwk
  // Boundary: a key of P-256.
  key = { ...(await newHolderKey()), publicJwk: { kty, crv, x, y }, privateJwk } as HolderKeyPair
  plain = await newIssuer()
  trusting = await newIssuer()
  const settings = { keyAttestationRoots: [pemOf(root)] }
  expect(await service.platform.put(`/v1/tenants/${trusting.tenant.id}`, settings)).toMatchObject({ status: 200 })
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function newIssuer() {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  return { tenant, configurationId: await sdJwtConfiguration(tenant) }
}

/** Collects a credential with a proof of this header. */
async function collected({ tenant, configurationId }: typeof plain, header: object, by = key) {
  const { uri } = await newOffer(tenant, [configurationId], { claims: sdJwtClaims })
  const wallet = await newWallet(tenant, service.origin, uri, by)
  await wallet.redeem()
  const nonce = await wallet.nonce()
  const jwt = await wallet.proof({ nonce, key: by, header: { jwk: undefined, ...header } })
  return wallet.requestCredential({ proofs: { jwt: [jwt] } })
}

test.each(['a tenant without roots', 'a tenant that trusts the root'])(
  'the credential is bound to the key of the first certificate: %s',
  async (which) => {
    const { status, body } = await collected(which.includes('without') ? plain : trusting, { x5c: [base64Of(leaf)] })
    expect(status, JSON.stringify(body)).toBe(200)
    const { payload } = readSdJwt(body.credentials[0].credential)
    expect(payload.cnf).toEqual({ jwk: key.publicJwk })
  },
)

test('without roots nothing else of the certificate counts, and with roots the chain does', async () => {
  const other = await newCertificate({
    name: 'A key',
    issuer: await newCertificate({ name: 'Another', ca: true }),
    keys: leaf.keys,
  })
  const header = { x5c: [base64Of(other)] }
  expect(await collected(plain, header)).toMatchObject({ status: 200 })
  expect(await collected(trusting, header)).toMatchObject({
    status: 400,
    body: { error: 'invalid_proof', error_description: expect.stringMatching(/x5c is not acceptable/) },
  })
})

test('another key than that of the certificate, two names of the key and unreadable certificates are refused', async () => {
  const x5c = [base64Of(leaf)]
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:brainpoolP256r1',
    '-nodes',
    '-subj',
    '/CN=A key',
  ]
  const pem = /-----BEGIN CERTIFICATE-----([^-]+)/.exec(await openssl([...request, '-keyout', 'key.pem']))?.[1] ?? ''
  expect(pem).not.toBe('')
  const refused: [object, HolderKeyPair?][] = [
    [{ x5c }, await newHolderKey()],
    [{ x5c, jwk: key.publicJwk }],
    [{ x5c, kid: key.did }],
    [{ x5c: [] }],
    [{ x5c: ['AAAA'] }],
    [{ x5c: x5c[0] }],
    [{ x5c: [pem.replaceAll(/\s/g, '')] }],
  ]
  for (const [header, by] of refused) {
    const answer = await collected(plain, header, by)
    expect(answer, JSON.stringify(header)).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
  }
})
