import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { decode, encode, type Tag } from 'cbor2'
import { describe, expect, test } from 'vitest'
import { reservedCwtClaims } from '../../../shared/formats/cwt.ts'
import { decodeCwtCredential, verifyCwtCredential } from '../../../shared/formats/cwt-verify.ts'
import { publicJwk } from '../../../shared/formats/jwk.ts'
import { signCompact } from '../../../workers/signing/formats/compact.ts'
import { signCompactSemantic } from '../../../workers/signing/formats/compact-semantic.ts'
import type { SigningInput } from '../../../workers/signing/formats/signing-input.ts'
import { testSigner } from '../../harness/test-signer.ts'

const issuerKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const holderJwk = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
const credentialId = '0b6a3a6c-5c1f-4d24-9d0a-1f0f6f1f2a3b'

function signingInput(overrides: Partial<SigningInput> = {}): SigningInput {
  return {
    issuerDid: 'did:web:issuer.example',
    key: { keyId: 'did:web:issuer.example#k1', kid: 'k1', signer: testSigner(issuerKey) },
    credentialId,
    type: 'CourseCredential',
    claims: { givenName: 'Ана', score: 98.5, passed: true, modules: ['a', { b: 1 }] },
    holder: { jwk: holderJwk, did: 'did:example:holder' },
    issuedAt: new Date('2026-01-02T03:04:05.678Z'),
    validFrom: new Date('2026-01-02T03:04:05.678Z'),
    validUntil: new Date('2027-01-02T03:04:05Z'),
    status: { index: 123_456, url: 'https://issuer.example/lists/1' },
    ...overrides,
  }
}

/** Reads base32, CBOR and COSE without code of this service. */
function checkIndependently(text: string, publicKey: KeyObject) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.slice(7)].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  const bytes = Uint8Array.from(bits.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2))
  const item = decode<Tag>(bytes)
  const [header, , payload, signature] = item.contents as Uint8Array[]
  const signed = encode(['Signature1', header, new Uint8Array(), payload])
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return {
    tag: Number(item.tag),
    verified: verify('sha256', signed, key, signature!),
    header: decode<Map<number, unknown>>(header!, { preferMap: true }),
    claims: decode<Map<unknown, unknown>>(payload!, { preferMap: true }),
  }
}

describe('a compact credential', () => {
  test('passes an independent COSE check and has the claims in the order of the format', async () => {
    const { tag, verified, header, claims } = checkIndependently(await signCompact(signingInput()), issuerKey.publicKey)
    expect({ tag, verified }).toEqual({ tag: 18, verified: true })
    expect([...header]).toEqual([
      [4, new Uint8Array(Buffer.from('k1'))],
      [1, -7],
    ])
    const keys = [1, 2, 5, 6, 4, 'type', 'givenName', 'score', 'passed', 'modules', 8, -65537, 7]
    expect([...claims.keys()]).toEqual(keys)
    expect(claims.get(6)).toBe(Date.parse('2026-01-02T03:04:05Z') / 1000)
    expect(claims.get(7)).toEqual(new Uint8Array(Buffer.from(credentialId.replaceAll('-', ''), 'hex')))
    const cnf = claims.get(8) as Map<number, Map<number, unknown>>
    expect(cnf.get(1)!.get(-2)).toEqual(new Uint8Array(Buffer.from(holderJwk.x, 'base64url')))
  })

  test('is read as it was written', async () => {
    const { verified, credential } = verifyCwtCredential(await signCompact(signingInput()), issuerKey.publicKey)
    expect(verified).toBe(true)
    expect(credential).toEqual({
      format: 'compact',
      kid: 'k1',
      issuer: 'did:web:issuer.example',
      subject: 'did:example:holder',
      notBefore: new Date('2026-01-02T03:04:05Z'),
      issuedAt: new Date('2026-01-02T03:04:05Z'),
      expiresAt: new Date('2027-01-02T03:04:05Z'),
      credentialId,
      status: { index: 123_456, url: 'https://issuer.example/lists/1' },
      holderJwk,
      claims: { type: 'CourseCredential', ...signingInput().claims },
    })
  })

  test.each(reservedCwtClaims)('refuses a claim named %s', async (name) => {
    await expect(signCompact(signingInput({ claims: { [name]: 'x' } }))).rejects.toThrow(
      expect.objectContaining({ code: 'reserved_claim' }),
    )
  })

  test('can contain 5,000 claims, deep nesting, Unicode and __proto__', async () => {
    const claims = JSON.parse(
      `{"__proto__":{"admin":true},"глубина":${'['.repeat(200)}1${']'.repeat(200)},"😀":"👩‍👩‍👧"}`,
    )
    for (let i = 0; i < 5000; i++) claims[`claim ${i}`] = `value ${i}`
    const text = await signCompact(signingInput({ claims }))
    const { verified, credential } = verifyCwtCredential(text, issuerKey.publicKey)
    expect(verified).toBe(true)
    expect(JSON.stringify(credential.claims)).toBe(JSON.stringify({ type: 'CourseCredential', ...claims }))
    expect(checkIndependently(text, issuerKey.publicKey).verified).toBe(true)
  })

  test('is refused with any changed character', async () => {
    const text = await signCompact(signingInput())
    for (let i = 7; i < text.length; i += 3) {
      const changed = text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1)
      expect(isVerified(changed)).toBe(false)
    }
  })
})

describe('a compact semantic credential', () => {
  test('passes an independent COSE check and contains a W3C credential', async () => {
    const text = await signCompactSemantic(signingInput())
    expect(text.startsWith('CSS:/1/')).toBe(true)
    expect(checkIndependently(text, issuerKey.publicKey).verified).toBe(true)
    expect(decodeCwtCredential(text)).toMatchObject({
      format: 'compact-semantic',
      holderJwk,
      claims: {
        vc: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiableCredential', 'CourseCredential'],
          credentialSubject: { id: 'did:example:holder', ...signingInput().claims },
        },
      },
    })
  })

  test('allows any name of a claim except the id of the subject', async () => {
    const claims = { iss: 'x', type: 'y', vc: 'z' }
    const { vc } = decodeCwtCredential(await signCompactSemantic(signingInput({ claims }))).claims
    expect(vc).toMatchObject({ credentialSubject: claims })
    await expect(signCompactSemantic(signingInput({ claims: { id: 'did:example:mallory' } }))).rejects.toThrow(
      expect.objectContaining({ code: 'reserved_claim' }),
    )
  })
})

test('subject and audience are the registered claims of both formats', async () => {
  for (const signCredential of [signCompact, signCompactSemantic]) {
    const text = await signCredential(signingInput({ subject: 'urn:example:s', audience: 'urn:example:a' }))
    expect(decodeCwtCredential(text)).toMatchObject({ subject: 'urn:example:s', audience: 'urn:example:a' })
  }
})

test('a key pair whose halves do not match never signs', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...signingInput().key, signer: testSigner({ ...issuerKey, publicKey }) }
  await expect(signCompact(signingInput({ key }))).rejects.toThrow(
    expect.objectContaining({ code: 'signature_mismatch' }),
  )
})

test.each(['', 'CSC:/2/AAAA', 'CSC:/1/', 'CSC:/1/aaaa', 'CSC:/1/A=', 'NZCP:/1/MFRGG', 'CSC:/1/2KCE3IQEJB5DCMSL'])(
  'the text %j is refused',
  (text) => {
    expect(() => decodeCwtCredential(text)).toThrow(expect.objectContaining({ name: 'FormatError' }))
  },
)

test('an Ed25519 issuer signs with EdDSA', async () => {
  const pair = generateKeyPairSync('ed25519')
  const text = await signCompact(signingInput({ key: { ...signingInput().key, signer: testSigner(pair) } }))
  expect(verifyCwtCredential(text, createPublicKey(pair.privateKey)).verified).toBe(true)
})

function isVerified(text: string): boolean {
  try {
    return verifyCwtCredential(text, issuerKey.publicKey).verified
  } catch {
    return false
  }
}
