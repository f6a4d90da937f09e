import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { maxKeys } from '../../../api/issuance/proofs/key-attestation.ts'
import { newNonce } from '../../../api/proofs/nonce.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { HolderKeyPair, ProofOptions } from '../../wallets/wallet.ts'
import {
  attest,
  attested,
  attestKeys,
  boundTo,
  check,
  deps,
  depsAt,
  expectInvalidProof,
  haip,
  jwt,
  jwtsOf,
  key,
  keys,
  lenient,
  nonce,
  now,
  type Proofs,
  refusalOf,
  seconds,
  tenant,
  untrusting,
} from './proof-kit.ts'

// The proofs of a credential request together. proof-limits.test.ts has the claims of one JWT proof, and key-attestations.test.ts has the
// key attestations.

/** The texts of header and payload of a proof, for proofs with spaces between their parts. */
const textsOf = (by: HolderKeyPair) => {
  const header = JSON.stringify({ typ: 'openid4vci-proof+jwt', alg: 'ES256', jwk: by.publicJwk })
  return [header, JSON.stringify({ aud: tenant.issuer, iat: seconds, nonce })] as const
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
    expectInvalidProof({ attestation: [await attest({ payload: { nonce: undefined } })] })
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
