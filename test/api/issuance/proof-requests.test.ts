import { createPrivateKey, type JsonWebKey, randomBytes, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Holder, Tenant } from '../../../api/access/subjects.ts'
import type { Deps } from '../../../api/deps.ts'
import { checkProofs } from '../../../api/issuance/proofs/check-proofs.ts'
import { maxKeys, verifyKeyAttestation } from '../../../api/issuance/proofs/key-attestation.ts'
import { newNonce } from '../../../api/proofs/nonce.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { KeyAttestationRules } from '../../../shared/domain/issuance/profile-settings.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { base64Of } from '../../certificates/certificates.ts'
import { type Attester, type JwtChanges, newAttester } from '../../wallets/attestation.ts'
import { type HolderKeyPair, makeProof, newHolderKey, type ProofOptions } from '../../wallets/wallet.ts'

// The proofs of a credential request together. proof-limits.test.ts has the claims of one JWT proof.

const seconds = Math.floor(Date.now() / 1000)
const now = new Date(seconds * 1000)
const secrets = createSecrets([randomBytes(32)])
// Boundary: the members that the checks read.
const depsAt = (at: Date) => ({ secrets, clock: { now: () => at } }) as unknown as Deps
const deps = depsAt(now)
const holder = { clientId: 'wallet' } as Holder

let attester: Attester
let keys: HolderKeyPair[]
let key: HolderKeyPair
let tenant: Tenant
let haip: Tenant
let lenient: Tenant
let untrusting: Tenant
let nonce: string
let attestationWithoutNonce: string
beforeAll(async () => {
  attester = await newAttester()
  keys = await Promise.all(Array.from({ length: maxKeys + 1 }, () => newHolderKey()))
  key = keys[0]!
  const common = { id: 't', baseUrl: 'https://issuer.example' }
  const trusting = { ...common, settings: { keyAttestationRoots: [attester.rootPem], maxCredentialsPerSession: 1000 } }
  tenant = { ...trusting, profile: 'standard' } as Tenant
  haip = { ...trusting, profile: 'haip' } as Tenant
  lenient = { ...trusting, profile: 'lenient' } as Tenant
  untrusting = { ...tenant, settings: { ...tenant.settings, keyAttestationRoots: [] as string[] } } as Tenant
  nonce = newNonce(deps, tenant)
  attestationWithoutNonce = await attest({ payload: { nonce: undefined } })
})

type Rules = KeyAttestationRules | undefined
type Proofs = Record<string, unknown> | undefined

const check = (proofs: Proofs, { of = tenant, rules = undefined as Rules, by = deps } = {}) =>
  checkProofs(by, of, holder, { settings: { keyAttestationsRequired: rules } } as ConfigurationRow, proofs)

/** Returns the refusal. Any other error fails the test. */
function refusalOf(work: () => unknown): Problem | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return undefined
}

/** Expects `invalid_proof` with a reason. */
function expectInvalidProof(
  proofs: Proofs,
  options: Parameters<typeof check>[1] = {},
  what?: string,
): Problem | undefined {
  const refusal = refusalOf(() => check(proofs, options))
  expect(refusal?.problem, what).toBe('invalid_proof')
  expect(refusal?.message).not.toBe(new Problem('invalid_proof').message)
  return refusal
}

const jwt = ({ payload, ...options }: Partial<ProofOptions> = {}) =>
  makeProof({ issuer: tenant.baseUrl, key, nonce, ...options, payload: { iat: seconds, ...payload } })
const jwtsOf = (some: HolderKeyPair[]) => Promise.all(some.map((each) => jwt({ key: each })))
const publicJwksOf = (some: HolderKeyPair[]) => some.map(({ publicJwk }) => publicJwk)
const boundTo = (...some: HolderKeyPair[]) => some.map(({ publicJwk: { x } }) => ({ jwk: { x } }))

function attest({ header, payload }: JwtChanges = {}, by = attester): Promise<string> {
  const attested_keys = publicJwksOf(keys.slice(0, 3))
  const claims = { iat: seconds, exp: seconds + 300, nonce, attested_keys, ...payload }
  const names = { alg: 'ES256', typ: 'key-attestation+jwt', x5c: by.x5c, ...header }
  const clean = (value: object) => JSON.parse(JSON.stringify(value))
  return new SignJWT(clean(claims)).setProtectedHeader(clean(names)).sign(by.leaf.keys.privateKey)
}
const attestKeys = (some: HolderKeyPair[]) => attest({ payload: { attested_keys: publicJwksOf(some) } })
/** A proof with an attestation of these keys beside it. */
const attested = async (by: HolderKeyPair, some: HolderKeyPair[]) =>
  jwt({ key: by, header: { key_attestation: await attestKeys(some) } })

/** The texts of header and payload of a proof, for proofs with spaces between their parts. */
const textsOf = (by: HolderKeyPair) => {
  const header = JSON.stringify({ typ: 'openid4vci-proof+jwt', alg: 'ES256', jwk: by.publicJwk })
  return [header, JSON.stringify({ aud: tenant.baseUrl, iat: seconds, nonce })] as const
}
/** Adds spaces until the length divided by three leaves this rest. */
const padded = (text: string, rest: number) => text.padEnd(text.length + ((rest + 3 - (text.length % 3)) % 3))
function signTexts(header: string, payload: string, { privateJwk }: HolderKeyPair): string {
  const input = [header, payload].map((each) => Buffer.from(each).toString('base64url')).join('.')
  const signer = createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' })
  return `${input}.${sign('sha256', Buffer.from(input), { key: signer, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function proofOfLength(length: number): string {
  const [header, payload] = textsOf(key)
  const before = signTexts(padded(header, 1), '', key).length
  return signTexts(padded(header, 1), payload.padEnd(Math.floor(((length - before) * 3) / 4)), key)
}

describe('credentials are bound', () => {
  test('to the key of each proof, in the order of the proofs, with the DID that names it', async () => {
    const [first, second, third] = keys as [HolderKeyPair, HolderKeyPair, HolderKeyPair]
    const proofs = [await jwt({ key: second }), await jwt({ key: first, by: 'kid' }), await jwt({ key: third })]
    const { holderKeys } = check({ jwt: proofs })
    expect(holderKeys).toMatchObject(boundTo(second, first, third))
    expect(holderKeys.map(({ did }) => did)).toEqual([undefined, first.did, undefined])
    expect(check({ jwt: [proofs[1]] }).holderKeys).toEqual([holderKeys[1]])
  })

  test('to each attested key once, in the order of the attestation', async () => {
    const some = keys.slice(0, 3)
    const [first, second, third] = some as [HolderKeyPair, HolderKeyPair, HolderKeyPair]
    expect(check({ attestation: [await attestKeys(some)] }).holderKeys).toMatchObject(boundTo(first, second, third))
    const key_attestation = await attestKeys(some)
    const named = await jwt({ key: second, by: 'kid', header: { key_attestation } })
    const { holderKeys } = check({ jwt: [named] })
    expect(holderKeys).toMatchObject(boundTo(first, second, third))
    expect(holderKeys.map(({ did }) => did)).toEqual([undefined, second.did, undefined])
    const twice = [await attested(first, some), await attested(second, some)]
    expect(check({ jwt: twice }).holderKeys).toHaveLength(3)
  })

  test('in the profile haip, to keys of one attestation only', async () => {
    const some = keys.slice(0, 2) as [HolderKeyPair, HolderKeyPair]
    const [first, second] = some
    expect(check({ attestation: [await attestKeys(some)] }, { of: haip }).holderKeys).toMatchObject(boundTo(...some))
    expect(check({ jwt: [await attested(first, some)] }, { of: haip }).holderKeys).toMatchObject(boundTo(...some))
    const refused = { jwt: [await attested(first, [first]), await attested(second, [second])] }
    expect(check(refused).holderKeys).toHaveLength(2)
    expectInvalidProof(refused, { of: haip })
    const of = { ...haip, settings: untrusting.settings }
    expect(check({ jwt: await jwtsOf(some) }, { of }).holderKeys).toHaveLength(2)
  })

  test('to at most 100 keys', async () => {
    const most = keys.slice(0, maxKeys)
    expect(check({ jwt: await jwtsOf(most) }).holderKeys).toMatchObject(boundTo(...most))
    expect(check({ attestation: [await attestKeys(most)] }).holderKeys).toMatchObject(boundTo(...most))
    expect(check({ jwt: [await attested(key, most)] }).holderKeys).toHaveLength(maxKeys)
    const rest = keys.slice(-1)
    expectInvalidProof({ jwt: [await attested(key, most), await attested(rest[0]!, rest)] })
  })

  test('to no attested key if the tenant trusts no attester', async () => {
    const proof = await attested(key, keys.slice(0, 3))
    expect(check({ jwt: [proof] }, { of: untrusting }).holderKeys).toMatchObject(boundTo(key))
  })
})

test('a request without acceptable proofs is refused with the reason', async () => {
  const [first = '', second = ''] = await jwtsOf(keys.slice(0, 2))
  const refused: [what: string, proofs: Proofs][] = [
    ['no proofs', undefined],
    ['no type', {}],
    ['two types', { jwt: [first], attestation: [await attest()] }],
    ['another type', { ldp_vp: [first] }],
    ['a proof in the place of the list', { jwt: first }],
    ['a text in the place of the list', { jwt: 'a' }],
    ['no proof', { jwt: [] }],
    ['a number as a proof', { jwt: [first, 7] }],
    ['a list as a proof', { jwt: [first, [second]] }],
    ['two proofs of a key', { jwt: [first, await jwt({ payload: { jti: 'j' } })] }],
    ['a nonce in only one proof', { jwt: [first, await jwt({ key: keys[1]!, nonce: undefined })] }],
    ['an issuer that is another client', { jwt: [await jwt({ payload: { iss: 'other' } })] }],
    ['two attestations', { attestation: [await attestKeys([key]), await attestKeys(keys.slice(1, 2))] }],
  ]
  for (const [what, proofs] of refused) expectInvalidProof(proofs, {}, what)
  expect(check({ jwt: [first, second] })).toBeDefined()
})

test('a request has at most 100 proofs, each of at most 40,000 characters', async () => {
  expectInvalidProof({ jwt: await jwtsOf(keys) })
  const [longest, tooLong] = [await proofOfLength(40_000), await proofOfLength(40_001)]
  expect(check({ jwt: [longest] }).holderKeys).toHaveLength(1)
  expectInvalidProof({ jwt: [tooLong] })
})

test('all keys are attested if the configuration requires it', async () => {
  const rules = {}
  const second = keys[1]!
  const both = [await attested(key, [key]), await attested(second, [second])]
  expect(check({ jwt: both }, { rules }).holderKeys).toMatchObject(boundTo(key, second))
  const one = [both[0], await jwt({ key: second })]
  expect(check({ jwt: one }).holderKeys).toHaveLength(2)
  for (const proofs of [one, [one[1]]]) expectInvalidProof({ jwt: proofs }, { rules })
  for (const proofs of [{ jwt: both }, { attestation: [await attest()] }]) {
    expectInvalidProof(proofs, { rules, of: untrusting })
  }
})

describe('the hash of the proofs', () => {
  test('is the same for the same proofs with other signatures, and no other proofs have it', async () => {
    const [first, second] = [await jwt(), await jwt({ key: keys[1]! })]
    const again = await jwt()
    expect(again).not.toBe(first)
    const { proofHash } = check({ jwt: [first, second] })
    expect(check({ jwt: [again, second] }).proofHash).toBe(proofHash)
    for (const others of [[second, first], [first], [second], [first, await jwt({ key: keys[2]! })]]) {
      expect(check({ jwt: others }).proofHash).not.toBe(proofHash)
    }
    const attestations = [await attest(), await attest()]
    expect(attestations[0]).not.toBe(attestations[1])
    const hashes = attestations.map((each) => check({ attestation: [each] }).proofHash)
    expect(hashes[0]).toBe(hashes[1])
  })

  test('is not the same if a part moves from one proof to the next', () => {
    const [first, second] = keys as [HolderKeyPair, HolderKeyPair]
    const [[header, payload], [nextHeader, nextPayload]] = [textsOf(first), textsOf(second)]
    const whole = padded(payload, 0)
    const hashOf = (atEnd: string, atStart: string) =>
      check({
        jwt: [signTexts(header, whole + atEnd, first), signTexts(atStart + nextHeader, nextPayload, second)],
      }).proofHash
    expect(hashOf('   ', '')).not.toBe(hashOf('', '   '))
  })
})

describe('the values that a request spends', () => {
  const usesOf = (proofs: Proofs, of = tenant) => check(proofs, { of }).singleUse
  const hashesOf = (proofs: Proofs, of = tenant) => usesOf(proofs, of).map(({ hash }) => hash)

  test('are its nonces, each once, until they expire', async () => {
    const [first, second] = keys as [HolderKeyPair, HolderKeyPair]
    const other = newNonce(deps, tenant, 'c_nonce', { expiresAt: plusMs(now, 60_000) })
    const [use, ...more] = usesOf({ jwt: await jwtsOf(keys.slice(0, 3)) })
    expect(more).toEqual([])
    expect(use?.expiresAt).toEqual(plusMs(now, 300_000))
    expect(usesOf({ jwt: [await jwt({ key: second })] })).toEqual([use])
    expect(usesOf({ attestation: [await attest()] })).toEqual([use])
    const [, ofOther] = usesOf({ jwt: [await jwt(), await jwt({ key: second, nonce: other })] })
    expect(ofOther).toEqual({ hash: expect.not.stringContaining(other), expiresAt: plusMs(now, 60_000) })
    expect(ofOther?.hash).not.toBe(use?.hash)
    const beside = async (payload: Record<string, unknown>) =>
      usesOf({ jwt: [await jwt({ header: { key_attestation: await attest({ payload }) } })] })
    expect(await beside({ nonce: other })).toEqual([use, ofOther])
    expect(await beside({ nonce })).toEqual([use])
    expect(await beside({ nonce: undefined, attested_keys: [first.publicJwk] })).toEqual([use])
    const sameTime = newNonce(deps, tenant)
    expect(usesOf({ jwt: [await jwt({ key: first, nonce: sameTime })] })).not.toEqual([use])
  })

  test('sort by the time at which they expire', async () => {
    const hashAfter = async (ms: number) => {
      const expiring = newNonce(deps, tenant, 'c_nonce', { expiresAt: plusMs(now, ms) })
      return hashesOf({ jwt: [await jwt({ nonce: expiring })] })[0]
    }
    const hashes = await Promise.all([10, 200, 3_000, 40_000].map(hashAfter))
    expect(hashes.toSorted()).toEqual(hashes)
  })

  test('are none if a nonce is not valid', async () => {
    const expired = newNonce(deps, tenant, 'c_nonce', { expiresAt: now })
    const foreign = newNonce(deps, { ...tenant, id: 'u' })
    for (const wrong of ['made-up', '', expired, foreign, newNonce(deps, tenant, 'dpop_nonce server')]) {
      const key_attestation = await attest({ payload: { nonce: wrong } })
      const requests: Proofs[] = [
        { jwt: [await jwt({ nonce: wrong })] },
        { jwt: [await jwt(), await jwt({ key: keys[1]!, nonce: wrong })] },
        { jwt: [await jwt({ header: { key_attestation } })] },
        { attestation: [key_attestation] },
      ]
      for (const proofs of requests) expect(refusalOf(() => usesOf(proofs))?.problem).toBe('invalid_nonce')
      expect(refusalOf(() => usesOf(requests[0], lenient))?.problem).toBe('invalid_nonce')
    }
    expectInvalidProof({ attestation: [attestationWithoutNonce] })
  })

  test('are the proofs themselves in the lenient profile, while a proof can be valid', async () => {
    const [first, second] = keys as [HolderKeyPair, HolderKeyPair]
    const bare = (changes: Partial<ProofOptions> = {}) => jwt({ nonce: undefined, ...changes })
    const hashesOfBare = async (...changes: Partial<ProofOptions>[]) =>
      hashesOf({ jwt: await Promise.all(changes.map(bare)) }, lenient)
    const [[one], [two]] = [await hashesOfBare({}), await hashesOfBare({ key: second })]
    expect(new Set([one, two, ...(await hashesOfBare({ payload: { iat: seconds + 1 } }))]).size).toBe(3)
    expect(await hashesOfBare({}, { key: second })).toEqual([one, two])
    const named = (by: HolderKeyPair, jti: string, iat = seconds) => hashesOfBare({ key: by, payload: { jti, iat } })
    expect(await named(first, 'j')).toEqual(await named(first, 'j', seconds + 1))
    expect(
      new Set([one, ...(await named(first, 'j')), ...(await named(second, 'j')), ...(await named(first, 'k'))]).size,
    ).toBe(4)
    expect(hashesOf({ jwt: [await jwt()] }, lenient)).toHaveLength(1)
    const attestedAt = (iat: number) => attest({ payload: { nonce: undefined, iat } })
    const attestation = [await attestedAt(seconds - 600)]
    expect(hashesOf({ attestation }, lenient)).toEqual(hashesOf({ attestation }, lenient))
    expectInvalidProof({ attestation: [await attestedAt(seconds - 601)] }, { of: lenient })

    // A proof that is issued ten minutes ahead of the clock is valid until twenty minutes later.
    const ahead = await bare({ payload: { iat: seconds + 600 } })
    expectInvalidProof({ jwt: [ahead] }, { of: lenient, by: depsAt(usesOf({ jwt: [ahead] }, lenient)[0]!.expiresAt) })
  })
})

describe('a key attestation', () => {
  const rules = { keyStorage: ['high', 'moderate'], userAuthentication: ['pin', 'face'] }
  const strong = { key_storage: ['moderate'], user_authentication: ['face'] }
  const as = async (proof: 'alone' | 'beside a proof', changes: JwtChanges, by?: Attester) => {
    const jws = await attest({ ...changes, payload: { ...strong, ...changes.payload } }, by)
    return proof === 'alone' ? { attestation: [jws] } : { jwt: [await jwt({ header: { key_attestation: jws } })] }
  }

  test.each<[string, JwtChanges]>([
    ['the type of earlier drafts', { header: { typ: 'keyattestation+jwt' } }],
    ['iat in a minute', { payload: { iat: seconds + 60 } }],
    ['exp in a second', { payload: { exp: seconds + 1 } }],
    ['more than one kind of storage', { payload: { key_storage: ['basic', 'high'] } }],
    ['more than one kind of authentication', { payload: { user_authentication: ['none', 'pin'] } }],
    ['members that are not known here', { header: { more: 1 }, payload: { more: 1 } }],
  ])('is accepted with %s', async (_what, changes) => {
    for (const proof of ['alone', 'beside a proof'] as const) {
      expect(check(await as(proof, changes), { rules }).holderKeys).toHaveLength(3)
    }
  })

  test.each<[string, () => JwtChanges]>([
    ['another type', () => ({ header: { typ: 'JWT' } })],
    ['a critical extension', () => ({ header: { crit: ['b64'], b64: true } })],
    ['no chain', () => ({ header: { x5c: undefined } })],
    ['an empty chain', () => ({ header: { x5c: [] } })],
    ['no iat', () => ({ payload: { iat: undefined } })],
    ['iat in more than a minute', () => ({ payload: { iat: seconds + 61 } })],
    ['exp now', () => ({ payload: { exp: seconds } })],
    ['a nonce of 501 characters', () => ({ payload: { nonce: 'n'.repeat(501) } })],
    ['no keys', () => ({ payload: { attested_keys: [] } })],
    ['21 keys', () => ({ payload: { attested_keys: publicJwksOf(keys) } })],
    ['a key twice', () => ({ payload: { attested_keys: publicJwksOf([key, keys[1]!, key]) } })],
    ['a private key', () => ({ payload: { attested_keys: [key.privateJwk] } })],
    ['a key that is no object', () => ({ payload: { attested_keys: ['key'] } })],
    ['no kind of storage', () => ({ payload: { key_storage: undefined } })],
    ['an empty list of kinds of storage', () => ({ payload: { key_storage: [] } })],
    ['another kind of storage', () => ({ payload: { key_storage: ['basic'] } })],
    ['no kind of authentication', () => ({ payload: { user_authentication: undefined } })],
    ['another kind of authentication', () => ({ payload: { user_authentication: ['high', 'none'] } })],
  ])('is refused with %s', async (_what, changes) => {
    for (const proof of ['alone', 'beside a proof'] as const) {
      expectInvalidProof(await as(proof, changes()), { rules })
    }
  })

  test('is refused if its signature is not of the key that a trusted root certifies', async () => {
    const untrusted = await newAttester()
    for (const by of [untrusted, { ...untrusted, x5c: attester.x5c }]) {
      for (const proof of ['alone', 'beside a proof'] as const) {
        expectInvalidProof(await as(proof, {}, by))
      }
    }
  })

  test('needs no exp alone, and needs one beside a proof', async () => {
    const endless = { payload: { exp: undefined } }
    expect(check(await as('alone', endless))).toBeDefined()
    expectInvalidProof(await as('beside a proof', endless))
  })

  test('needs no declaration that the configuration does not require', async () => {
    const bare = await as('alone', { payload: { key_storage: undefined, user_authentication: undefined } })
    for (const allowed of [undefined, {}]) expect(check(bare, { rules: allowed })).toBeDefined()
    const names: [string, KeyAttestationRules][] = [
      ['key_storage', { keyStorage: ['high', 'moderate'] }],
      ['user_authentication', { userAuthentication: ['high', 'moderate'] }],
    ]
    for (const [name, required] of names) {
      const refusal = expectInvalidProof(bare, { rules: required })
      expect(refusal?.message).toMatch(new RegExp(`${name}.*\\bhigh\\b.*\\bmoderate\\b`))
    }
  })

  test('brings at most five certificates, and with HAIP not the root', async () => {
    const x5c = [...attester.x5c, base64Of(attester.root)]
    const withRoot = await as('alone', { header: { x5c } })
    expect(check(withRoot)).toBeDefined()
    expectInvalidProof(withRoot, { of: haip })
    expect(check(await as('alone', {}), { of: haip })).toBeDefined()
    const tooMany = [...attester.x5c, ...Array(5).fill(base64Of(attester.root))]
    expectInvalidProof(await as('alone', { header: { x5c: tooMany } }))
  })

  test('is not refused because of an error of the service', async () => {
    const jws = await attest()
    const broken = {} as Tenant
    expect(() => verifyKeyAttestation(jws, { tenant: broken, rules: undefined, now })).toThrow(TypeError)
  })
})
