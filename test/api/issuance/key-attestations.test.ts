import { describe, expect, test } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import { verifyKeyAttestation } from '../../../api/issuance/proofs/key-attestation.ts'
import type { KeyAttestationRules } from '../../../shared/domain/issuance/profile-settings.ts'
import { base64Of } from '../../certificates/certificates.ts'
import { type Attester, type JwtChanges, newAttester } from '../../wallets/attestation.ts'
import {
  attest,
  attester,
  check,
  expectInvalidProof,
  haip,
  jwt,
  key,
  keys,
  now,
  publicJwksOf,
  seconds,
} from './proof-kit.ts'

// The key attestations of a credential request. proof-requests.test.ts has its proofs together.

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
