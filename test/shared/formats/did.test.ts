import { createHash, ECDH, generateKeyPairSync, randomBytes } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'
import { describe, expect, test } from 'vitest'
import { didWebDocumentUrl, didWebOf } from '../../../shared/formats/did.ts'
import { didKeyDocument, didWebDocument } from '../../../shared/formats/did-document.ts'
import { type DidPublicJwk, didKeyOf, resolveDidKey } from '../../../shared/formats/did-key.ts'
import {
  coseKeyFromJwk,
  type EcPublicJwk,
  jwkFromCoseKey,
  type OkpPublicJwk,
  parsePublicJwk,
  publicJwk,
  thumbprint,
} from '../../../shared/formats/jwk.ts'

const p256 = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey) as EcPublicJwk
const ed25519 = publicJwk(generateKeyPairSync('ed25519').privateKey) as OkpPublicJwk
const x25519 = publicJwk(generateKeyPairSync('x25519').publicKey) as OkpPublicJwk
const bls12381G2 = { kty: 'OKP', crv: 'Bls12381G2', x: randomBytes(96).toString('base64url') } as const
const keys: [string, DidPublicJwk, string][] = [
  ['P-256', p256, 'did:key:zDn'],
  ['P-384', publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), 'did:key:z82'],
  ['P-521', publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey), 'did:key:z2J9'],
  ['Ed25519', ed25519, 'did:key:z6Mk'],
  ['X25519', x25519, 'did:key:z6LS'],
  ['Bls12381G2', bls12381G2, 'did:key:zUC'],
]

describe('did:key', () => {
  test.each(keys)('%s is encoded and decoded, with the prefix of the specification', (_, jwk, prefix) => {
    const did = didKeyOf(jwk)
    expect(did.startsWith(prefix)).toBe(true)
    const resolved = { did, keyId: `${did}#${did.slice(8)}`, publicJwk: jwk }
    expect(resolveDidKey(did)).toEqual(resolved)
    expect(resolveDidKey(resolved.keyId)).toEqual(resolved)
  })

  test('the specification’s P-256 and Ed25519 examples', () => {
    expect(resolveDidKey('did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169').publicJwk).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: 'fyNYMN0976ci7xqiSdag3buk-ZCwgXU4kz9XNkBlNUI',
      y: 'hW2ojTNfH7Jbi8--CJUo3OCbH3y5n91g-IMA9MLMbTU',
    })
    expect(resolveDidKey('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK').publicJwk).toMatchObject({
      crv: 'Ed25519',
      x: Buffer.from(base58btc.decode('z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK').subarray(2)).toString(
        'base64url',
      ),
    })
  })

  test.each([
    ['z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc'],
    ['z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', 'z6LSj72tK8brWgZja8NLRwPigth2T9QRiG1uH9oKZuKjdh9p'],
  ])('%s has the same agreement key as in other libraries', (key, agreement) => {
    const { did, publicJwk } = resolveDidKey(`did:key:${key}`)
    expect(didKeyDocument(publicJwk)).toMatchObject({
      ...{ id: did, authentication: [`${did}#${key}`], keyAgreement: [`${did}#${agreement}`] },
    })
  })

  test('X25519 is only for key agreement', () => {
    expect(didKeyDocument(x25519)).toMatchObject({
      authentication: [],
      keyAgreement: [resolveDidKey(didKeyOf(x25519)).keyId],
    })
  })

  const multibase = didKeyOf(p256).slice(8)
  const withPrefix = (prefix: number[], key: Uint8Array) =>
    `did:key:${base58btc.encode(Buffer.concat([Buffer.from(prefix), key]))}`
  const offCurve = offCurveX()
  test.each([
    ['nothing', ''],
    ['another method', 'did:web:x'],
    ['another multibase', 'did:key:u7QE'],
    ['a fragment of another key', `did:key:${multibase}#${didKeyOf(ed25519).slice(8)}`],
    ['an empty fragment', `did:key:${multibase}#`],
    ['a query', `did:key:${multibase}?x=1`],
    ['a truncated key', `did:key:${multibase.slice(0, -3)}`],
    ['an unknown codec', withPrefix([0xe7, 0x01], randomBytes(33))],
    ['a padded varint', withPrefix([0xed, 0x81, 0x00], randomBytes(32))],
    ['an endless varint', withPrefix([0xff, 0xff, 0xff, 0xff], randomBytes(33))],
    ['a point off the curve', withPrefix([0x80, 0x24], Buffer.concat([Buffer.from([2]), offCurve]))],
    ['a hybrid point', withPrefix([0x80, 0x24], Buffer.concat([Buffer.from([6]), randomBytes(32)]))],
    ['an overlong key', `did:key:z${'2'.repeat(100_000)}`],
  ])('refuses %s', (_, did) => {
    expect(() => resolveDidKey(did)).toThrow(expect.objectContaining({ name: 'FormatError' }))
  })
})

describe('did:web', () => {
  test.each([
    ['issuer.example', 'did:web:issuer.example', 'https://issuer.example/.well-known/did.json'],
    ['Issuer.Example', 'did:web:issuer.example', 'https://issuer.example/.well-known/did.json'],
    ['localhost:3000', 'did:web:localhost%3A3000', 'https://localhost:3000/.well-known/did.json'],
  ])('%s', (host, did, url) => {
    expect(didWebOf(host)).toBe(did)
    expect(didWebDocumentUrl(did)).toBe(url)
  })

  test('a path precedes did.json', () => {
    expect(didWebDocumentUrl('did:web:w3c.example:user:alice')).toBe('https://w3c.example/user/alice/did.json')
  })

  test.each([
    ...['did:web:', 'did:key:z', 'did:web:a@b', 'did:web:a/b', 'did:web:a:..', 'did:web:a:', 'did:web:a%2Fb'],
    ...['did:web:a%3A99999', 'did:web:a#x', 'did:web:a?x', 'did:web:[::1]', 'did:web:a%3A80%3A80', 'did:web:a b'],
  ])('%s is refused', (did) => {
    expect(() => didWebDocumentUrl(did)).toThrow(expect.objectContaining({ code: 'invalid_did' }))
  })

  test('the document has the four keys in their relationships, and no key twice', () => {
    const did = 'did:web:issuer.example'
    const document = didWebDocument(did, {
      p256: { fragment: 'a', publicJwk: p256 },
      ed25519: { fragment: 'b', publicJwk: ed25519 },
      bls12381G2: { fragment: 'c', publicJwk: bls12381G2 },
      x25519: { fragment: 'd', publicJwk: x25519 },
    })
    expect(document).toMatchObject({
      id: did,
      verificationMethod: [
        { id: `${did}#a`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: p256 },
        { id: `${did}#b`, type: 'Ed25519VerificationKey2018', controller: did },
        { id: `${did}#c`, type: 'Bls12381G2Key2020', controller: did },
        { id: `${did}#d`, type: 'X25519KeyAgreementKey2019', controller: did },
      ],
      assertionMethod: [`${did}#a`, `${did}#b`, `${did}#c`],
      keyAgreement: [`${did}#d`],
    })
    const [, method] = document.verificationMethod as readonly { publicKeyBase58: string }[]
    expect(Buffer.from(base58btc.baseDecode(method!.publicKeyBase58)).toString('base64url')).toBe(ed25519.x)
  })
})

describe('public JWKs', () => {
  test('contain only the key and have the thumbprint of RFC 7638', () => {
    expect(parsePublicJwk({ ...p256, kid: 'x', use: 'sig' })).toEqual(p256)
    const { crv, kty, x, y } = p256
    expect(thumbprint(p256)).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'))
    // RFC 8037, appendix A.3
    const okp = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const
    expect(thumbprint(okp)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  test.each(keys.slice(0, 5))('%s is converted to a COSE_Key and back', (_, jwk) => {
    if (jwk.crv === 'Bls12381G2') throw new Error('not a key of COSE')
    expect(jwkFromCoseKey(coseKeyFromJwk(jwk))).toEqual(jwk)
  })

  test.each<[string, unknown]>([
    ['no object', 'x'],
    ['null', null],
    ['a private key', { ...p256, d: 'AA' }],
    ['a symmetric key', { kty: 'oct', k: 'AA' }],
    ['an inherited curve name', { kty: 'EC', crv: 'constructor', x: p256.x, y: p256.y }],
    ['the curve of another key type', { ...p256, kty: 'OKP' }],
    ['an Edwards key called EC', { ...ed25519, kty: 'EC' }],
    ['a missing y', { kty: 'EC', crv: 'P-256', x: p256.x }],
    ['x of another curve', { ...p256, crv: 'P-384' }],
    ['a point off the curve', { ...p256, y: p256.x }],
    ['the point at infinity', { ...p256, x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    ['padding', { ...p256, x: `${p256.x}=` }],
    ['numbers', { ...p256, x: 5 }],
    ['secp256k1', { ...p256, crv: 'secp256k1' }],
  ])('refuse %s', (_, jwk) => {
    expect(() => parsePublicJwk(jwk)).toThrow(expect.objectContaining({ code: 'invalid_jwk' }))
  })
})

/** An x that no point of P-256 has. */
function offCurveX(): Buffer {
  for (;;) {
    const x = randomBytes(32)
    try {
      ECDH.convertKey(Buffer.concat([Buffer.from([2]), x]), 'prime256v1')
    } catch {
      return x
    }
  }
}
