import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { publicJwk } from '../../../../shared/formats/jwk.ts'
import { checkKeyBinding } from '../../../../shared/formats/sd-jwt/check-key-binding.ts'
import { decodeSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { type DecoderCheck, SdJwtError } from '../../../../shared/formats/sd-jwt/decoder-checks.ts'
import { signEcdsa } from '../../../harness/test-signer.ts'
import { part, unsignedJwt } from './factories.ts'

const holder = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicJwk(holder.publicKey)
const now = new Date('2026-11-26T10:00:00Z')
const expected = { nonce: 'n-1', audience: 'https://verifier.example', maxAgeMs: 300_000 }
const iat = now.getTime() / 1000
const header = { alg: 'ES256', typ: 'kb+jwt' }
const disclosure = part(['salt', 'given_name', 'Ada'])

interface Changes {
  header?: object
  payload?: object
  cnf?: unknown
  key?: KeyObject
}

function presentation(changes: Changes = {}): string {
  const { cnf = { jwk }, key = holder.privateKey } = changes
  const digests = [hash('sha256', disclosure, 'base64url')]
  const presented = `${unsignedJwt({ _sd: digests, ...(cnf !== null && { cnf }) })}~${disclosure}~`
  const { sdHash } = decodeSdJwt(presented)
  const payload = { iat, aud: expected.audience, nonce: expected.nonce, sd_hash: sdHash, ...changes.payload }
  const input = `${part({ ...header, ...changes.header })}.${part(payload)}`
  return `${presented}${input}.${signEcdsa('P-256', Buffer.from(input), key).toString('base64url')}`
}

function failedCheck(text: string): DecoderCheck | undefined {
  try {
    checkKeyBinding(decodeSdJwt(text), expected, now)
    return undefined
  } catch (error) {
    if (error instanceof SdJwtError) return error.check
    throw error
  }
}

test('a fresh key binding of the holder for this verifier is accepted', () => {
  expect(failedCheck(presentation())).toBeUndefined()
  expect(failedCheck(presentation({ payload: { iat: iat - 300 } }))).toBeUndefined()
  expect(failedCheck(presentation({ payload: { iat: iat + 60 } }))).toBeUndefined()
})

test.each<[DecoderCheck, string, Changes]>([
  ['KeyBindingType', 'another type', { header: { typ: 'jwt' } }],
  ['KeyBindingAlgorithm', 'the algorithm none', { header: { alg: 'none' } }],
  ['KeyBindingExtensions', 'a critical header parameter', { header: { crit: ['x'] } }],
  ['KeyBindingSignature', 'the signature of another key', { key: other.privateKey }],
  ['KeyBindingSignature', 'an algorithm of another curve', { header: { alg: 'ES384' } }],
  ['HolderKey', 'a credential without a key', { cnf: null }],
  ['HolderKey', 'a confirmation method other than jwk', { cnf: { kid: '1' } }],
  ['HolderKey', 'a key of an unknown curve', { cnf: { jwk: { ...jwk, crv: 'secp256k1' } } }],
  ['KeyBindingForm', 'no time', { payload: { iat: undefined } }],
  ['KeyBindingForm', 'a time that is a text', { payload: { iat: String(iat) } }],
  ['KeyBindingForm', 'several audiences', { payload: { aud: [expected.audience] } }],
  ['KeyBindingForm', 'no nonce', { payload: { nonce: undefined } }],
  ['KeyBindingForm', 'no hash', { payload: { sd_hash: undefined } }],
  ['KeyBindingTime', 'a time before the accepted age', { payload: { iat: iat - 301 } }],
  ['KeyBindingTime', 'a time in the future', { payload: { iat: iat + 61 } }],
  ['KeyBindingNonce', 'another nonce', { payload: { nonce: 'n-2' } }],
  ['KeyBindingAudience', 'another audience', { payload: { aud: 'https://other.example' } }],
  ['KeyBindingHash', 'the hash of another presentation', { payload: { sd_hash: 'x' } }],
])('%s: %s is refused', (check, _, changes) => {
  expect(failedCheck(presentation(changes))).toBe(check)
})

test('KeyBindingRequired: a presentation without a key binding is refused', () => {
  const [jwt] = presentation().split('~')
  expect(failedCheck(`${jwt}~`)).toBe('KeyBindingRequired')
})

test('KeyBindingHash: a presentation without one of the signed disclosures is refused', () => {
  const parts = presentation().split('~')
  expect(parts).toHaveLength(3)
  expect(failedCheck([parts[0], parts[2]].join('~'))).toBe('KeyBindingHash')
})
