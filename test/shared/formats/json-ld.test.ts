import { generateKeyPairSync } from 'node:crypto'
// @ts-expect-error ships no types
import { Ed25519Signature2018, suiteContext } from '@digitalbazaar/ed25519-signature-2018'
// @ts-expect-error ships no types
import jsigs from 'jsonld-signatures'
import { base58btc } from 'multiformats/bases/base58'
import { describe, expect, test } from 'vitest'
import { didKeyOf } from '../../../shared/formats/did-key.ts'
import { isSignedWith, proofOf, type SignedJsonLd, signedContent } from '../../../shared/formats/json-ld.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { knownContexts } from '../../../shared/formats/json-ld-contexts.ts'
import { publicJwk } from '../../../shared/formats/jwk.ts'
import { loadContext } from '../../../shared/formats/load-context.ts'
import {
  signWebSemantic,
  signWebSemanticCopies,
  type WebSemanticInput,
} from '../../../workers/signing/formats/web-semantic.ts'
import { testSigner } from '../../harness/test-signer.ts'

const issuerDid = 'did:web:issuer.example'
const keyId = `${issuerDid}#ed`
const issuerKey = generateKeyPairSync('ed25519')
const holderJwk = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)

function input(overrides: Partial<WebSemanticInput> = {}): WebSemanticInput {
  return {
    issuerDid,
    key: { keyId, kid: 'ed', signer: testSigner(issuerKey) },
    credentialId: '0b6a3a6c-5c1f-4d24-9d0a-1f0f6f1f2a3b',
    type: 'CourseCredential',
    additionalTypes: ['AlumniCredential'],
    claims: {
      givenName: 'Ана 😀',
      score: 98.5,
      address: { type: 'Home', street: 'Main' },
      'https://x.example/y': true,
    },
    holder: { jwk: holderJwk },
    issuedAt: new Date('2026-01-02T03:04:05.678Z'),
    validFrom: new Date('2026-01-02T03:04:05.678Z'),
    validUntil: new Date('2027-01-02T03:04:05Z'),
    name: 'Course',
    description: 'Completed',
    issuer: { name: 'School', logoUrl: 'https://x.example/logo.png', iconUrl: 'https://x.example/icon.png' },
    credentialBranding: { backgroundColor: '#fff', watermarkImageUrl: 'https://x.example/w.png' },
    vocab: 'https://issuer.example/vocab#',
    ...overrides,
  }
}

async function isVerified(document: SignedJsonLd): Promise<boolean> {
  return isSignedWith(proofOf(document), (await signedContent(document)).data, issuerKey.publicKey)
}

/** A verifier that shares only the static contexts with us. */
async function verifyWithLibrary(document: unknown): Promise<boolean> {
  const jwk = publicJwk(issuerKey.publicKey)
  const documents: Record<string, object> = {
    [keyId]: {
      '@context': suiteContext.constants.CONTEXT_URL,
      id: keyId,
      type: 'Ed25519VerificationKey2018',
      controller: issuerDid,
      publicKeyBase58: base58btc.baseEncode(Buffer.from(jwk.x, 'base64url')),
    },
    [issuerDid]: { '@context': 'https://www.w3.org/ns/did/v1', id: issuerDid, assertionMethod: [keyId] },
  }
  const result = await jsigs.verify(document, {
    suite: new Ed25519Signature2018(),
    purpose: new jsigs.purposes.AssertionProofPurpose(),
    documentLoader: async (url: string) =>
      documents[url] ? { documentUrl: url, document: documents[url] } : loadContext(url),
  })
  return result.verified
}

describe('a web semantic credential', () => {
  test('is accepted by jsonld-signatures with the 2018 suite, and has the shape of the format', async () => {
    const signed = await signWebSemantic(input())
    expect(await verifyWithLibrary(JSON.parse(JSON.stringify(signed)))).toBe(true)
    expect(signed).toMatchObject({
      id: 'urn:uuid:0b6a3a6c-5c1f-4d24-9d0a-1f0f6f1f2a3b',
      type: ['VerifiableCredential', 'CourseCredential', 'AlumniCredential'],
      issuer: { id: issuerDid, name: 'School', logoUrl: 'https://x.example/logo.png' },
      issuanceDate: '2026-01-02T03:04:05Z',
      expirationDate: '2027-01-02T03:04:05Z',
      credentialSubject: { id: didKeyOf(holderJwk), ...input().claims },
      proof: {
        type: 'Ed25519Signature2018',
        created: '2026-01-02T03:04:05Z',
        verificationMethod: keyId,
        proofPurpose: 'assertionMethod',
        jws: expect.stringMatching(/^[\w-]+\.\.[\w-]{86}$/),
      },
    })
  })

  test.each([...knownContexts.keys()])('can be issued with the context %s', async (url) => {
    expect(await verifyWithLibrary(await signWebSemantic(input({ contexts: [url] })))).toBe(true)
  })

  test('names its index in its revocation list', async () => {
    const status = { index: 7, url: 'https://issuer.example/lists/1' }
    const signed = await signWebSemantic(input({ status }))
    expect(await verifyWithLibrary(signed)).toBe(true)
    expect(signed.credentialStatus).toEqual({
      id: `${status.url}#7`,
      type: 'RevocationList2020Status',
      revocationListIndex: '7',
      revocationListCredential: status.url,
    })
  })

  test('is the same as one of several copies and alone, whatever its claims contain', async () => {
    const jwks = Array.from({ length: 3 }, () =>
      publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
    )
    const [first] = jwks
    // One of the claims is about the holder of the first copy: two nodes of the template are one there.
    const claims = {
      ...input().claims,
      knows: [{ id: didKeyOf(first!), score: 98.5 }, { street: 'a' }, { street: 'b' }],
    }
    const copies = jwks.map((jwk, index) => ({
      credentialId: `0b6a3a6c-5c1f-4d24-9d0a-1f0f6f1f2a3${index}`,
      holder: index === 2 ? { jwk, did: 'did:example:holder' } : { jwk },
      status: { index: index * 1000, url: `https://issuer.example/lists/${index % 2}` },
    }))
    const common = input({ claims })
    const signed = await signWebSemanticCopies(common, copies)
    expect(signed.map(({ id }) => id)).toEqual(copies.map(({ credentialId }) => credentialId))
    for (const [at, { credential }] of signed.entries()) {
      expect(await verifyWithLibrary(JSON.parse(JSON.stringify(credential)))).toBe(true)
      expect(credential).toEqual(await signWebSemantic({ ...common, ...copies[at]! }))
    }
  })

  test('can contain 5,000 claims, repeated values and nesting', async () => {
    const claims: Record<string, unknown> = { same: Array.from({ length: 50 }, () => ({ x: 1 })) }
    claims.nested = Array.from({ length: 50 }).reduce<object>((inner, _, i) => ({ [`level${i}`]: inner }), {
      end: true,
    })
    for (let i = 0; i < 5000; i++) claims[`claim${i}`] = `value ${i}`
    expect(await verifyWithLibrary(await signWebSemantic(input({ claims })))).toBe(true)
  })
})

interface Changeable extends Record<string, unknown> {
  credentialSubject: Record<string, unknown> & { address: Record<string, unknown> }
  issuer: Record<string, unknown>
  credentialBranding: Record<string, unknown>
  type: string[]
  proof: Record<string, unknown> & { jws: string }
  '@context': [string, Record<string, unknown>]
}

describe('no content stays unsigned', () => {
  const changes: [string, (document: Changeable) => void][] = [
    ['a claim', (d) => (d.credentialSubject.score = 99)],
    ['a nested claim', (d) => (d.credentialSubject.address.street = 'Other')],
    ['an added claim', (d) => (d.credentialSubject.extra = true)],
    ['a removed claim', (d) => delete d.credentialSubject.givenName],
    ['the holder', (d) => (d.credentialSubject.id = 'did:example:mallory')],
    ['the name', (d) => (d.name = 'Other')],
    ['the description', (d) => (d.description = 'Other')],
    ["the issuer's name", (d) => (d.issuer.name = 'Other')],
    ["the issuer's logo", (d) => (d.issuer.logoUrl = 'https://x.example/other.png')],
    ["the issuer's icon", (d) => (d.issuer.iconUrl = 'https://x.example/other.png')],
    ['the branding', (d) => (d.credentialBranding.backgroundColor = '#000')],
    ['a type', (d) => d.type.push('OtherCredential')],
    ['the expiry', (d) => (d.expirationDate = '2037-01-02T03:04:05Z')],
    ['the vocabulary', (d) => (d['@context'][1]['@vocab'] = 'https://other.example/#')],
    ['the time of the proof', (d) => (d.proof.created = '2026-01-02T03:04:06Z')],
    ['the purpose of the proof', (d) => (d.proof.proofPurpose = 'authentication')],
    ['the signature', (d) => (d.proof.jws = `${d.proof.jws.slice(0, -4)}AAAA`)],
  ]
  test.each(changes)('changing %s breaks the proof', async (_, change) => {
    const document: SignedJsonLd & Changeable = JSON.parse(JSON.stringify(await signWebSemantic(input())))
    expect(await isVerified(document)).toBe(true)
    change(document)
    expect(await isVerified(document)).toBe(false)
    expect(await verifyWithLibrary(document)).toBe(false)
  })

  const refused: [string, string][] = [
    ['a null', '{"a":null}'],
    ['a nested null', '{"a":{"b":[1,null]}}'],
    ['an empty array', '{"a":[]}'],
    ['a keyword', '{"a":{"@id":"did:example:x"}}'],
    ['a context of its own', '{"a":{"@context":{"b":"https://x.example/b"},"b":1}}'],
    ['a name with a space', '{"first name":"x"}'],
    ['an empty name', '{"":"x"}'],
    ['a blank node name', '{"_:b":"x"}'],
    ['__proto__', '{"__proto__":{"a":1}}'],
    ['proof', '{"a":{"proof":"x"}}'],
    ['a nested id that is no IRI', '{"a":{"id":"5"}}'],
    ['a type that is no name', '{"type":5}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['nesting without end', `{"a":${'['.repeat(500)}1${']'.repeat(500)}}`],
  ]
  test.each(refused)('%s in the claims is refused', async (_, claims) => {
    await expect(signWebSemantic(input({ claims: JSON.parse(claims) }))).rejects.toMatchObject({
      code: 'unsignable_claim',
    })
  })

  test('the paths of such claims are returned, and valid claims have none', () => {
    expect(findUnsignableClaims({ a: { b: [1, null] }, 'c d': 1, e: 'ok' })).toEqual([
      { name: 'a', path: 'a.b[1]', why: 'must not be null' },
      { name: 'c d', path: 'c d', why: 'must have a name without " "' },
    ])
    expect(findUnsignableClaims(input().claims)).toEqual([])
  })

  test('the search ends after 20 faults, and long paths are cut', () => {
    let read = 0
    const unread = {
      get name() {
        read++
        return ''
      },
    }
    const wrong = Object.fromEntries(Array.from({ length: 45_000 }, (_, at) => [`@${at}`, 1]))
    const faults = findUnsignableClaims({ first: wrong, second: unread, third: [null], type: Array(50).fill('') })
    expect(faults).toHaveLength(20)
    expect(faults.at(-1)).toMatchObject({ name: 'first', path: 'first.@19' })
    expect(read).toBe(0)
    const [long] = findUnsignableClaims({ ['a'.repeat(300_000)]: null })
    expect(long?.path).toBe(`${'a'.repeat(200)}...`)
  })

  test('a value that a context reads as a relative address is refused, not dropped', async () => {
    const contexts = ['https://w3id.org/citizenship/v1']
    const claims = { type: 'PermanentResident', image: 'not-an-address' }
    await expect(signWebSemantic(input({ contexts, claims }))).rejects.toMatchObject({ code: 'invalid_json_ld' })
  })

  test('the id of the subject cannot be a claim', async () => {
    await expect(signWebSemantic(input({ claims: { id: 'did:example:mallory' } }))).rejects.toMatchObject({
      code: 'reserved_claim',
    })
  })
})

test('an unknown context is a typed error during signing', async () => {
  const url = 'https://unknown.example/context'
  await expect(signWebSemantic(input({ contexts: [url] }))).rejects.toMatchObject({ code: 'unknown_context' })
})

test('a key pair whose halves do not match never signs', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = { ...input().key, signer: testSigner({ ...issuerKey, publicKey }) }
  await expect(signWebSemantic(input({ key }))).rejects.toMatchObject({ code: 'signature_mismatch' })
})

test('a key of another kind never signs', async () => {
  const key = { ...input().key, signer: testSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' })) }
  await expect(signWebSemantic(input({ key }))).rejects.toMatchObject({ code: 'signature_mismatch' })
})
