import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { type DecoderCheck, decoderChecks, SdJwtError } from '../../../../shared/formats/sd-jwt/decoder-checks.ts'
import { maxDisclosures, maxSdJwtLength } from '../../../../shared/formats/sd-jwt/limits.ts'
import { registeredClaims } from '../../../../shared/formats/sd-jwt/names.ts'
import { part, unsignedJwt } from './factories.ts'

const sha256 = (text: string) => hash('sha256', text, 'base64url')
const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64url')

/** An SD-JWT whose payload is built from the digests of disclosures. */
function presentationOf(payloadOf: (...digests: string[]) => object, ...contents: unknown[]): string {
  const disclosures = contents.map((content) => (typeof content === 'string' ? content : part(content)))
  return [unsignedJwt(payloadOf(...disclosures.map(sha256))), ...disclosures, ''].join('~')
}

function failedCheck(text: string): DecoderCheck | undefined {
  try {
    decodeSdJwt(text)
    return undefined
  } catch (error) {
    if (!(error instanceof SdJwtError)) throw error
    expect(error.message).toContain(error.clause)
    expect(error.clause).toBe(decoderChecks[error.check][0])
    return error.check
  }
}

const claim = ['salt', 'given_name', 'Ada']
const header = { alg: 'ES256', typ: 'dc+sd-jwt' }
const jwt = unsignedJwt({ level: 3 })

test('an SD-JWT without disclosures has the visible claims', () => {
  expect(decodeSdJwt(`${jwt}~`)).toMatchObject({ claims: { level: 3 }, alg: 'ES256', header })
  expect(decodeSdJwt(`${jwt}~`)).not.toHaveProperty('keyBindingJwt')
})

test('disclosures are put in place at all levels, and unknown digests are removed', () => {
  const city = part(['salt', 'city', 'Bern'])
  const address = part(['salt', 'address', { _sd: [sha256(city), 'decoy'], country: 'CH' }])
  const element = part(['salt', { kind: 1 }])
  const payload = {
    _sd: ['decoy 2', sha256(address)],
    list: [{ '...': 'decoy 3' }, { visible: 1 }, null, [{ '...': sha256(element) }], 'plain'],
  }
  const text = `${unsignedJwt({ ...payload, _sd_alg: 'sha-256' })}~${element}~${city}~${address}~`
  expect(decodeSdJwt(text).claims).toEqual({
    address: { city: 'Bern', country: 'CH' },
    list: [{ visible: 1 }, null, [{ kind: 1 }], 'plain'],
  })
})

test.each(['sha-256', 'sha-384', 'sha-512'])('the hash algorithm %s is supported', (name) => {
  const disclosure = part(claim)
  const digest = hash(name.replace('-', ''), disclosure, 'base64url')
  const text = `${unsignedJwt({ _sd: [digest], _sd_alg: name })}~${disclosure}~`
  expect(decodeSdJwt(text)).toMatchObject({
    claims: { given_name: 'Ada' },
    sdHash: hash(name.replace('-', ''), text, 'base64url'),
  })
  expect(decodeSdJwt(text).claims).not.toHaveProperty('_sd_alg')
})

test('the name __proto__ in a disclosure is an ordinary claim', () => {
  const disclosure = encoded('["salt","__proto__",{"admin":true}]')
  const { claims } = decodeSdJwt(`${unsignedJwt({ _sd: [sha256(disclosure)] })}~${disclosure}~`)
  expect(Object.keys(claims)).toEqual(['__proto__'])
  expect(claims.admin).toBeUndefined()
})

test.each<[DecoderCheck, string, string]>([
  ['SdJwtSize', 'a text that is too long', `${jwt}~${'a'.repeat(maxSdJwtLength)}`],
  ['SdJwtSize', 'too many disclosures', `${jwt}~${'a~'.repeat(maxDisclosures + 1)}`],
  ['SdJwtForm', 'a JWT without a tilde', jwt],
  ['JwtForm', 'an empty text', '~'],
  ['JwtForm', 'two parts', `${part(header)}.${part({})}~`],
  ['JwtForm', 'four parts', `${jwt}.AA~`],
  ['JwtForm', 'no signature', `${part(header)}.${part({})}.~`],
  ['JwtForm', 'a signature that is not base64url', `${part(header)}.${part({})}.A=~`],
  ['JwtForm', 'a payload that is not base64url', `${part(header)}.=.AA~`],
  ['JwtForm', 'a payload that is not JSON', `${part(header)}.${encoded('{')}.AA~`],
  ['JwtForm', 'a payload that is not UTF-8', `${part(header)}.${encoded(Buffer.from('7b2261ff223a317d', 'hex'))}.AA~`],
  ['JwtForm', 'a payload that is an array', `${part(header)}.${part([])}.AA~`],
  ['JwtForm', 'a header that is an array', `${part([])}.${part({})}.AA~`],
  ['ClaimName', 'a payload with the same member twice', `${part(header)}.${encoded('{"a":1,"a":2}')}.AA~`],
  [
    'SdJwtDepth',
    'a payload of many levels',
    `${part(header)}.${encoded(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)}.AA~`,
  ],
  ['JwtType', 'a JWT of another type', `${unsignedJwt({}, { ...header, typ: 'jwt' })}~`],
  ['JwtType', 'a JWT without a type', `${unsignedJwt({}, { alg: 'ES256' })}~`],
  ['JwtAlgorithm', 'the algorithm none', `${unsignedJwt({}, { ...header, alg: 'none' })}~`],
  ['JwtAlgorithm', 'a symmetric algorithm', `${unsignedJwt({}, { ...header, alg: 'HS256' })}~`],
  ['JwtAlgorithm', 'no algorithm', `${unsignedJwt({}, { typ: 'dc+sd-jwt' })}~`],
  ['JwtExtensions', 'a critical header parameter', `${unsignedJwt({}, { ...header, crit: ['exp'] })}~`],
  ['HashAlgorithm', 'an unknown hash algorithm', `${unsignedJwt({ _sd_alg: 'md5' })}~`],
  ['HashAlgorithm', 'a hash algorithm that is not a text', `${unsignedJwt({ _sd_alg: ['sha-256'] })}~`],
  ['HashAlgorithm', 'a hash algorithm in capital letters', `${unsignedJwt({ _sd_alg: 'SHA-256' })}~`],
  ['KeyBindingForm', 'a key binding JWT that is not a JWT', `${jwt}~x`],
])('%s: %s is refused', (check, _, text) => {
  expect(failedCheck(text)).toBe(check)
})

const inSd = (digest: string) => ({ _sd: [digest] })
const inArray = (digest: string) => ({ list: [{ '...': digest }] })
const refused: [DecoderCheck, string, (...digests: string[]) => object, ...contents: unknown[]][] = [
  ['DisclosureForm', 'a disclosure that is not base64url', inSd, 'a='],
  ['DisclosureForm', 'an empty disclosure', inSd, ''],
  ['DisclosureForm', 'a disclosure that is not JSON', inSd, encoded('[')],
  ['DisclosureForm', 'a disclosure that is an object', inSd, { 0: 'salt' }],
  ['DisclosureForm', 'an unreferenced disclosure with a salt that is not a text', () => ({}), [1, 'a', 2]],
  ['ClaimName', 'a disclosure with the same member twice', inSd, encoded('["salt","a",{"b":1,"b":2}]')],
  ['PropertyDisclosure', 'a disclosure of an element in _sd', inSd, ['salt', 'Ada']],
  ['PropertyDisclosure', 'a disclosure of four members in _sd', inSd, ['salt', 'given_name', 'Ada', 1]],
  ['PropertyDisclosure', 'a disclosure whose name is not a text', inSd, ['salt', 1, 'Ada']],
  ['ElementDisclosure', 'a disclosure of a property in an array', inArray, claim],
  ['ElementDisclosure', 'a disclosure without a value in an array', inArray, ['salt']],
  ['ReservedName', 'a claim with the name _sd', inSd, ['salt', '_sd', []]],
  ['ReservedName', 'a claim with the name ...', inSd, ['salt', '...', 'x']],
  ['ReservedName', 'a claim with the name _sd_alg', inSd, ['salt', '_sd_alg', 'sha-256']],
  ['ClaimName', 'a disclosed claim that is visible as well', (digest) => ({ _sd: [digest], given_name: 'Bea' }), claim],
  [
    'ClaimName',
    'a claim that is disclosed twice',
    (...digests) => ({ _sd: digests }),
    claim,
    ['other', 'given_name', 'Bea'],
  ],
  ['PropertyDigests', 'a _sd that is not an array', () => ({ _sd: 'x' })],
  ['PropertyDigests', 'a digest that is not a text', () => ({ inner: { _sd: [1] } })],
  ['PropertyDigests', 'a _sd that is null', () => ({ _sd: null })],
  ['ElementDigest', 'a digest of an element that is not a text', () => ({ list: [{ '...': 1 }] })],
  [
    'ElementDigest',
    'a digest of an element beside another member',
    (digest) => ({ list: [{ '...': digest, a: 1 }] }),
    ['salt', 1],
  ],
  ['ElementDigest', 'a digest of an element outside an array', (digest) => ({ inner: { '...': digest } }), ['salt', 1]],
  ['HashAlgorithmPlace', 'a hash algorithm in an inner object', () => ({ inner: { _sd_alg: 'sha-256' } })],
  ['DuplicateDigest', 'a digest twice in an object', (digest) => ({ _sd: [digest, digest] }), claim],
  ['DuplicateDigest', 'a digest in two objects', (digest) => ({ a: inSd(digest), b: inSd(digest) }), claim],
  ['DuplicateDigest', 'a decoy twice', () => ({ a: inSd('decoy'), list: [{ '...': 'decoy' }] })],
  ['DuplicateDisclosure', 'a disclosure twice', inSd, claim, claim],
  ['UnreferencedDisclosure', 'a disclosure without a digest', () => ({ level: 3 }), claim],
  ['UnreferencedDisclosure', 'a digest as the value of a claim', (digest) => ({ digest, list: [digest] }), claim],
  ['VisibleClaim', 'a disclosable member of a registered claim', () => ({ cnf: { _sd: ['x'] } })],
  ['VisibleClaim', 'a disclosable element deep in a registered claim', () => ({ status: { a: [[{ '...': 'x' }]] } })],
]

test.each(refused)('%s: %s is refused', (check, _, payloadOf, ...contents) => {
  expect(failedCheck(presentationOf(payloadOf, ...contents))).toBe(check)
})

test.each(registeredClaims)('the claim %s cannot be disclosed, and an inner claim with its name can', (name) => {
  expect(failedCheck(presentationOf(inSd, ['salt', name, 1]))).toBe('VisibleClaim')
  const inner = presentationOf(
    (digest) => ({ inner: { _sd: [digest] } }),
    ['salt', name, { _sd: ['decoy'], a: [{ '...': 'x' }] }],
  )
  expect(decodeSdJwt(inner).claims).toEqual({ inner: { [name]: { a: [] } } })
})

test('a disclosure is refused if the holder left out the disclosure that refers to it', () => {
  const city = part(['salt', 'city', 'Bern'])
  const address = part(['salt', 'address', { _sd: [sha256(city)] }])
  const issued = unsignedJwt({ _sd: [sha256(address)] })
  expect(decodeSdJwt(`${issued}~${city}~${address}~`).claims).toEqual({ address: { city: 'Bern' } })
  expect(failedCheck(`${issued}~${city}~`)).toBe('UnreferencedDisclosure')
})

test('disclosures within disclosures have a limited number of levels', () => {
  const chainOf = (levels: number) => {
    const disclosures = [part(['salt', 'a', {}])]
    while (disclosures.length < levels) disclosures.push(part(['salt', 'a', { _sd: [sha256(disclosures.at(-1)!)] }]))
    return `${unsignedJwt({ _sd: [sha256(disclosures.at(-1)!)] })}~${disclosures.join('~')}~`
  }
  expect(failedCheck(chainOf(63))).toBeUndefined()
  expect(failedCheck(chainOf(64))).toBe('SdJwtDepth')
  expect(failedCheck(chainOf(maxDisclosures))).toBe('SdJwtDepth')
  const inArrays = part(['salt', Array.from({ length: 60 }).reduce((inner) => [inner], []) as unknown])
  expect(failedCheck(`${unsignedJwt({ a: { b: { c: { d: [{ '...': sha256(inArrays) }] } } } })}~${inArrays}~`)).toBe(
    'SdJwtDepth',
  )
})

test('a text of the maximum length is read', () => {
  const keyBinding = 'a'.repeat(maxSdJwtLength - jwt.length - 1)
  expect(failedCheck(`${jwt}~${keyBinding}`)).toBe('KeyBindingForm')
  expect(failedCheck(`${jwt}~${keyBinding}a`)).toBe('SdJwtSize')
})

test('no message contains a claim', () => {
  const text = presentationOf(inSd, ['salt', 'given_name', 'Ada', 'x'])
  expect(() => decodeSdJwt(text)).toThrow(/^((?!Ada|given_name).)*$/)
})
