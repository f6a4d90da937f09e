import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkKeyBinding } from '../../shared/formats/sd-jwt/check-key-binding.ts'
import { decodeSdJwt } from '../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { SdJwtError } from '../../shared/formats/sd-jwt/decoder-checks.ts'
import { keyBindingJwt, nestedJwt, nestedPresentation, presentation, simpleIssuance } from './rfc9901.ts'

/** RFC 9901, appendix A.5. */
const issuerKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'b28d4MwZMjw8-00CG4xfnn9SLMVMM19SlqZpVb_uNtQ',
  y: 'Xv5zWwuoaTgdS6hV43yI6gBwTnjukmFQQnJ_kCxzqk8',
} as const
const type = 'example+sd-jwt'
const frame = { iss: 'https://issuer.example.com', iat: 1683000000, exp: 1883000000 }
const cnf = {
  jwk: {
    kty: 'EC',
    crv: 'P-256',
    x: 'TCAER19Zvu3OHF4j4W4vfSVoHIP1ILilDls7vCeGemc',
    y: 'ZxjiWWbZMQGHVWKVQ4hbSIirsVfuecCE6t4jT9F2HZQ',
  },
}
const address = { street_address: '123 Main St', locality: 'Anytown', region: 'Anystate', country: 'US' }

test('the claims of the issuance in section 5.1 are rebuilt, and its signature is valid', () => {
  const decoded = decodeSdJwt(simpleIssuance, type)
  expect(decoded.isSignedWith(issuerKey)).toBe(true)
  expect(decoded.isSignedWith({ ...cnf.jwk, kty: 'EC', crv: 'P-256' })).toBe(false)
  expect(decoded.keyBindingJwt).toBeUndefined()
  expect(decoded.claims).toEqual({
    ...frame,
    cnf,
    sub: 'user_42',
    given_name: 'John',
    family_name: 'Doe',
    email: 'johndoe@example.com',
    phone_number: '+1-202-555-0101',
    phone_number_verified: true,
    address,
    birthdate: '1940-01-01',
    updated_at: 1570000000,
    nationalities: ['US', 'DE'],
  })
})

test('the presentation in section 5.2 has the disclosed claims and a valid key binding', () => {
  const decoded = decodeSdJwt(presentation, type)
  const processed = { ...frame, cnf, sub: 'user_42', given_name: 'John', family_name: 'Doe', address }
  expect(decoded.claims).toEqual({ ...processed, nationalities: ['US'] })
  expect(decoded.sdHash).toBe('0_Af-2B-EhLWX5ydh_w2xzwmO6iM66B_2QCEanI4fUY')
  const expected = { nonce: '1234567890', audience: 'https://verifier.example.org', maxAgeMs: 60_000 }
  const signedAt = new Date(1748537244_000)
  expect(() => checkKeyBinding(decoded, expected, signedAt)).not.toThrow()
  expect(() => checkKeyBinding(decoded, { ...expected, nonce: 'other' }, signedAt)).toThrow(SdJwtError)
})

test('the key binding of section 5.2 does not fit a presentation with other disclosures', () => {
  const other = decodeSdJwt(`${simpleIssuance}${keyBindingJwt}`, type)
  const expected = { nonce: '1234567890', audience: 'https://verifier.example.org', maxAgeMs: 60_000 }
  expect(() => checkKeyBinding(other, expected, new Date(1748537244_000))).toThrow('sd_hash')
})

test('the presentation in appendix A.1 has the disclosed members of a visible object, and no decoys', () => {
  const decoded = decodeSdJwt(nestedPresentation, type)
  expect(decoded.isSignedWith(issuerKey)).toBe(true)
  expect(decoded.claims).toEqual({ ...frame, address: { region: '港区', country: 'JP' } })
})

test('without disclosures, the objects of appendix A.1 are empty', () => {
  expect(decodeSdJwt(`${nestedJwt}~`, type).claims).toEqual({ ...frame, address: {} })
})

/** RFC 9901, sections 4.2.1 to 4.2.3: other spellings of the same claim. */
test.each([
  ['with spaces', 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0'],
  ['with an escape', 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNXHUwMGY2Yml1cyJd'],
  ['without spaces', 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsImZhbWlseV9uYW1lIiwiTcO2Yml1cyJd'],
  ['with new lines', 'WwoiXzI2YmM0TFQtYWM2cTJLSTZjQlc1ZXMiLAoiZmFtaWx5X25hbWUiLAoiTcO2Yml1cyIKXQ'],
])('a disclosure in section 4.2.1 %s is read', (spelling, disclosure) => {
  const digest = hash('sha256', disclosure, 'base64url')
  if (spelling === 'with spaces') expect(digest).toBe('X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = `${part({ alg: 'ES256', typ: 'dc+sd-jwt' })}.${part({ _sd: [digest] })}.AA`
  expect(decodeSdJwt(`${jwt}~${disclosure}~`).claims).toEqual({ family_name: 'Möbius' })
})
