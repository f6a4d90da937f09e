import { createPrivateKey, hash, sign } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { sdJwtConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { type IssuedSdJwt, issueSdJwt } from '../../harness/issued-sd-jwt.ts'
import { verifySdJwt } from '../../verifiers/sd-jwt-verifier.ts'

let service: Service
let tenant: TestTenant
let root: string
let issued: IssuedSdJwt
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  root = (await newIaca(tenant)).certificatePem
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  const configurationId = await sdJwtConfiguration(tenant, { includeStatus: true })
  ;[issued] = (await issueSdJwt(service, tenant, configurationId)) as [IssuedSdJwt]
})

const path = '/v2/credentials/sd-jwt/verify'
const verify = async (payload: string, assertions: object = {}, by = tenant) => {
  const { status, body } = await by.operator.post(path, { payload, ...assertions })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const failuresOf = async (...given: Parameters<typeof verify>) =>
  (await verify(...given)).failures.map(({ check }: { check: string }) => check)

const audience = 'https://verifier.example'
const keyBinding = { nonce: 'n-1', audience }

/** The library as the wallet of the holder. It discloses the chosen claims and proves its key. */
async function present({ credential, key }: IssuedSdJwt, disclosed: object, kb: object = {}): Promise<string> {
  const holder = createPrivateKey({ key: key.privateJwk as never, format: 'jwk' })
  const wallet = new SDJwtVcInstance({
    kbSigner: (input) =>
      sign('sha256', Buffer.from(input), { key: holder, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    kbSignAlg: 'ES256',
    hasher: (data, algorithm) => hash(algorithm.replace('-', ''), Buffer.from(data as string), 'buffer'),
    hashAlg: 'sha-256',
  })
  const payload = { iat: Math.floor(service.clock.now().getTime() / 1000), aud: audience, nonce: 'n-1', ...kb }
  return wallet.present(credential, disclosed as never, { kb: { payload } })
}

test('a presentation with some claims and the key of the holder is verified, here and by the library', async () => {
  const presented = await present(issued, { address: { locality: true } })
  const { verified, claims, failures } = await verify(presented, { keyBinding })
  expect([verified, failures]).toEqual([true, []])
  expect(claims).toMatchObject({ vct: 'urn:example:student-card', level: 1, address: { locality: 'Bern' } })
  expect(Object.keys(claims).sort()).toEqual(['address', 'cnf', 'exp', 'iat', 'level', 'status', 'vct'])
  expect(await verifySdJwt(presented, { ...tenant, nonce: 'n-1' })).toEqual(claims)
})

test('a credential with a picture is verified, and a larger one is refused', async () => {
  const claimMappings = { portrait: { mapFrom: 'claims.portrait', required: true } }
  const configurationId = await sdJwtConfiguration(tenant, { claimMappings })
  const portrait = 'p'.repeat(300_000)
  const [pictured] = await issueSdJwt(service, tenant, configurationId, { claims: { portrait } })
  expect(await verify(pictured!.credential)).toMatchObject({ verified: true, claims: { portrait } })
  const long = await tenant.operator.post(path, { payload: `${pictured!.credential}${'x'.repeat(200_000)}` })
  expect(long).toMatchObject({ status: 400, body: { details: [{ param: 'payload' }] } })
})

test('a suspended and a revoked credential are named as such, also before the list is published', async () => {
  const setStatus = (status: string) => tenant.operator.post(`/v2/credentials/sd-jwt/${issued.id}/status`, { status })
  await setStatus('suspended')
  expect(await verify(issued.credential)).toMatchObject({
    verified: false,
    claims: { given_name: 'Ada' },
    failures: [{ check: 'Suspended', clause: 'draft-ietf-oauth-status-list, section 7.1' }],
  })
  await setStatus('invalid')
  expect(await failuresOf(issued.credential)).toEqual(['Revoked'])
  expect(await failuresOf(issued.credential, { checkRevocation: false })).toEqual([])
})

/** Seconds from now. Other numbers are times. */
const isOffset = (value: unknown) => typeof value === 'number' && value < 1_000_000

describe('each failing check of the key binding is named', () => {
  const rows: [string, object, object, string[]][] = [
    ['another nonce', {}, { nonce: 'n-2' }, ['KeyBindingNonce']],
    ['another audience', {}, { audience: 'https://other.example' }, ['KeyBindingAudience']],
    ['an old proof', { iat: 1_700_000_000 }, {}, ['KeyBindingTime']],
    ['a proof older than the verifier allows', { iat: -120 }, { maxAge: 60 }, ['KeyBindingTime']],
    ['a proof that has expired', { exp: -61 }, {}, ['KeyBindingTime']],
    ['a proof that expired within the tolerance of clocks', { exp: -30 }, {}, []],
    ['an end that is no number', { exp: '1900000000' }, {}, ['KeyBindingTime']],
    ['a proof whose start is to come', { nbf: 100 }, {}, ['KeyBindingTime']],
    ['a proof whose start is within the tolerance of clocks', { nbf: 30 }, {}, []],
    ['a start that is no number', { nbf: '0' }, {}, ['KeyBindingTime']],
  ]
  test.each(rows)('%s', async (_what, times, expected, checks) => {
    const now = Math.floor(service.clock.now().getTime() / 1000)
    const at = Object.entries(times).map(([name, value]) => [name, isOffset(value) ? now + value : value])
    const presented = await present(issued, {}, Object.fromEntries(at))
    expect(await failuresOf(presented, { keyBinding: { ...keyBinding, ...expected } })).toEqual(checks)
  })

  test('a missing proof, and a proof for other disclosures', async () => {
    expect(await failuresOf(issued.credential, { keyBinding })).toEqual(['KeyBindingRequired'])
    expect(await failuresOf(issued.credential)).toEqual([])
    const presented = await present(issued, { given_name: true })
    const [jwt, , proof] = presented.split('~')
    expect(await failuresOf(`${jwt}~${proof}`, { keyBinding })).toEqual(['KeyBindingHash'])
  })
})

test('several failing checks are all named', async () => {
  await tenant.operator.post(`/v2/credentials/sd-jwt/${issued.id}/status`, { status: 'suspended' })
  const presented = await present(issued, {}, { nonce: 'other' })
  expect(await failuresOf(presented, { keyBinding })).toEqual(['Suspended', 'KeyBindingNonce'])
})

test('only an issuer that is trusted is accepted, and no claim of another one is returned', async () => {
  const { pem } = await newOpensslAuthority()
  const untrusted = await verify(issued.credential, { trustedIssuers: [pem] })
  expect(untrusted).toEqual({
    verified: false,
    failures: [{ check: 'CertificateChain', clause: 'HAIP 1.0, section 6.1.1', message: expect.any(String) }],
  })
  const other = await service.addTenant()
  expect(await failuresOf(issued.credential, {}, other)).toEqual(['CertificateChain'])
  expect(await failuresOf(issued.credential, { trustedIssuers: [root] }, other)).toEqual([])
  const trusted = '/v2/credentials/mobile/trusted-issuers'
  expect(await other.operator.post(trusted, { certificatePem: root })).toMatchObject({ status: 201 })
  expect(await failuresOf(issued.credential, {}, other)).toEqual([])
})

test('a changed signature, payload or disclosure is refused', async () => {
  const [jwt = '', ...disclosures] = issued.credential.split('~')
  const [header, payload = '', signature = ''] = jwt.split('.')
  const other = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...other, level: 2 })).toString('base64url')
  expect(await failuresOf([`${header}.${changed}.${signature}`, ...disclosures].join('~'))).toEqual(['JwtSignature'])
  const forged = Buffer.from(JSON.stringify(['salt', 'given_name', 'Eve'])).toString('base64url')
  expect(await failuresOf([jwt, forged, ''].join('~'))).toEqual(['UnreferencedDisclosure'])
  expect(await failuresOf('not an SD-JWT')).toEqual(['SdJwtForm'])
})

test('a credential that has not started or has ended is refused', async () => {
  const later = new Date(service.clock.now().getTime() + 10 * 86_400_000).toISOString()
  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
  const validFrom = { mapFrom: 'claims.from' }
  const id = await sdJwtConfiguration(tenant, { claimMappings, validFrom })
  const [future] = await issueSdJwt(service, tenant, id, { claims: { given_name: 'Ada', from: later } })
  expect(await failuresOf(future!.credential)).toEqual(['NotYetValid'])
  expect(await failuresOf(future!.credential, { assertValidFrom: false })).toEqual([])
})

test('a list of another service is fetched, and must be signed under a trusted root', async () => {
  const other = await startService()
  try {
    const theirs = await other.addTenant()
    const { certificatePem } = await newIaca(theirs)
    const configurationId = await sdJwtConfiguration(theirs, { includeStatus: true })
    const [foreign] = await issueSdJwt(other, theirs, configurationId)
    const trust = { trustedIssuers: [certificatePem] }
    expect(await failuresOf(foreign!.credential, trust)).toEqual([])
    await theirs.operator.post(`/v2/credentials/sd-jwt/${foreign!.id}/status`, { status: 'suspended' })
    await eventually(async () => (await failuresOf(foreign!.credential, trust)).includes('Suspended'))
  } finally {
    await other[Symbol.asyncDispose]()
  }
})
