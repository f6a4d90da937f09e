import { generateKeyPairSync } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'
import { describe, expect, test } from 'vitest'
import type { RevocationListKind } from '../../db/tables/status/lists.ts'
import { bitsOf, gzipBits } from '../../shared/formats/status-bits.ts'
import { type ListToSign, signList } from '../../workers/signing/lists/sign-list.ts'
import { testSigner } from '../harness/test-signer.ts'
import {
  type DidDocument,
  isValidInList,
  plain,
  readBits,
  verifyCwtBytes,
  verifyJsonLd,
} from '../verifiers/outside-verifiers.ts'

const issuerDid = 'did:web:issuer.example'
const at = new Date('2026-01-02T03:04:05.678Z')
const pairs = {
  es256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed25519: generateKeyPairSync('ed25519'),
}
const ed25519Key = Buffer.from(String(pairs.ed25519.publicKey.export({ format: 'jwk' }).x), 'base64url')
const methods = [
  { id: `${issuerDid}#es256`, type: 'JsonWebKey2020', publicKeyJwk: pairs.es256.publicKey.export({ format: 'jwk' }) },
  {
    id: `${issuerDid}#ed25519`,
    type: 'Ed25519VerificationKey2018',
    publicKeyBase58: base58btc.baseEncode(ed25519Key),
    controller: issuerDid,
  },
]
const did: DidDocument & { '@context': string } = {
  '@context': 'https://www.w3.org/ns/did/v1',
  id: issuerDid,
  verificationMethod: methods,
  assertionMethod: methods.map(({ id }) => id),
}

function list(kind: RevocationListKind, positions: number[], other: Partial<ListToSign> = {}): ListToSign {
  const kid = kind === 'web-semantic' ? 'ed25519' : 'es256'
  const key = { keyId: `${issuerDid}#${kid}`, kid, signer: testSigner(pairs[kid]) }
  const url = `https://issuer.example/v2/credentials/${kind}/revocation-lists/1`
  return { kind, url, issuerDid, key, positions, size: 1_000_000, at, ...other }
}

describe.each(['compact', 'compact-semantic'] as const)('a %s list', (kind) => {
  test('is a CWT with issuer, issue time, expiry and the revoked entries', async () => {
    const { content, expiresAt } = await signList(list(kind, [999_999, 0, 1, 8, 15, 123_456]))
    const { header, claims } = verifyCwtBytes(content, did)
    expect(plain(header)).toEqual({ 1: -7, 4: Buffer.from('es256').toString('hex') })
    const iat = Math.floor(at.getTime() / 1000)
    expect([...claims].slice(0, 3)).toEqual([
      [1, issuerDid],
      [6, iat],
      [4, iat + 2 * 86_400],
    ])
    expect([...claims.keys()]).toEqual([1, 6, 4, -65538])
    expect(expiresAt).toEqual(new Date((iat + 2 * 86_400) * 1000))
    expect(readBits(claims.get(-65538))).toEqual({ size: 1_000_000, positions: [0, 1, 8, 15, 123_456, 999_999] })
  })

  test('without revocations has every entry and is small', async () => {
    const { content } = await signList(list(kind, []))
    expect(readBits(verifyCwtBytes(content, did).claims.get(-65538))).toEqual({ size: 1_000_000, positions: [] })
    expect(content.length).toBeLessThan(500)
  })

  test('is not signed with a key pair whose halves do not match', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const signer = testSigner({ ...pairs.es256, publicKey })
    await expect(signList(list(kind, [], { key: { ...list(kind, []).key, signer } }))).rejects.toThrow(
      'does not verify',
    )
  })
})

describe('a web semantic list', () => {
  test('is a RevocationList2020Credential that libraries verify and read', async () => {
    const positions = [0, 7, 8, 500_000, 999_999]
    const input = list('web-semantic', positions)
    const { content, expiresAt } = await signList(input)
    const document = JSON.parse(content.toString())
    expect(document).toMatchObject({
      '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/vc-revocation-list-2020/v1'],
      id: input.url,
      type: ['VerifiableCredential', 'RevocationList2020Credential'],
      issuer: issuerDid,
      issuanceDate: '2026-01-02T03:04:05Z',
      credentialSubject: { id: `${input.url}#list`, type: 'RevocationList2020' },
      proof: { type: 'Ed25519Signature2018', proofPurpose: 'assertionMethod', verificationMethod: input.key.keyId },
    })
    expect(expiresAt).toBeNull()
    expect(await verifyJsonLd(document, did)).toBe(true)
    const { encodedList } = document.credentialSubject
    expect(encodedList).toMatch(/^[\w-]+$/)
    expect(readBits(Buffer.from(encodedList, 'base64url'))).toEqual({ size: 1_000_000, positions })

    const validOf = (index: number) =>
      isValidInList({ revocationListIndex: String(index), revocationListCredential: input.url }, document, did)
    expect(await Promise.all([0, 1, 7, 8, 9, 500_000, 999_998, 999_999].map(validOf))).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
      true,
      false,
    ])
  })

  test('with a changed bit is refused', async () => {
    const input = list('web-semantic', [5])
    const document = JSON.parse((await signList(input)).content.toString())
    const { content } = await signList(list('web-semantic', [6]))
    document.credentialSubject.encodedList = JSON.parse(content.toString()).credentialSubject.encodedList
    expect(await verifyJsonLd(document, did)).toBe(false)
    const status = { revocationListIndex: '5', revocationListCredential: input.url }
    await expect(isValidInList(status, document, did)).rejects.toThrow('not verified')
  })

  test('is not signed with a key pair whose halves do not match', async () => {
    const { key } = list('web-semantic', [])
    const { publicKey } = generateKeyPairSync('ed25519')
    const input = list('web-semantic', [], { key: { ...key, signer: testSigner({ ...pairs.ed25519, publicKey }) } })
    await expect(signList(input)).rejects.toThrow('does not verify')
  })
})

describe('the bits of a list', () => {
  test('start with the highest bit of each byte, and zeros fill the last byte', () => {
    expect(bitsOf([0, 3, 9], 10).toString('hex')).toBe('9040')
    expect(bitsOf([9, 9], 16).toString('hex')).toBe('0040')
  })

  test.each([10, -1, 1.5])('have no entry %s in a list of 10', (position) => {
    expect(() => bitsOf([position], 10)).toThrow(`no entry ${position}`)
  })

  test('are compressed with gzip, not zlib', async () => {
    const compressed = await gzipBits(bitsOf([1], 1_000_000))
    expect(compressed.subarray(0, 3).toString('hex')).toBe('1f8b08')
  })
})
