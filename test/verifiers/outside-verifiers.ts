import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
// @ts-expect-error ships no types
import { Ed25519Signature2018, suiteContext } from '@digitalbazaar/ed25519-signature-2018'
// @ts-expect-error ships no types
import { checkStatus } from '@digitalbazaar/vc-revocation-list'
import { decode, encode, type Tag } from 'cbor2'
// @ts-expect-error ships no types
import jsigs from 'jsonld-signatures'
import { credentialsContext, findContext, revocationListContext } from '../../shared/formats/json-ld-contexts.ts'
import type { Api } from '../harness/api-client.ts'

/** Verifiers that share no code with the signer. They know the issuer only by its DID document, fetched over HTTP. */

interface VerificationMethod {
  id: string
  type: string
  publicKeyJwk?: JsonWebKey
}
export interface DidDocument {
  id: string
  verificationMethod: VerificationMethod[]
  assertionMethod: string[]
}

export async function fetchDidDocument(api: Api): Promise<DidDocument> {
  return (await api.get('/.well-known/did.json')).body
}

export interface ReadCwt {
  prefix: string
  header: Map<number, unknown>
  claims: Map<unknown, unknown>
}

/**
 * Reads base32, CBOR and COSE, and checks the signature with the key of `iss` and `kid`. Throws if the signature is
 * wrong.
 */
export function verifyCwt(text: unknown, did: DidDocument): ReadCwt {
  const [, prefix = '', base32 = ''] = /^(CS[CS]:\/1\/)([A-Z2-7]+)$/.exec(String(text)) ?? []
  return { prefix, ...verifyCwtBytes(decodeBase32(base32), did) }
}

/** Reads and checks the bytes without base32, as lists are served. */
export function verifyCwtBytes(
  bytes: Uint8Array,
  { verificationMethod, assertionMethod }: DidDocument,
): Omit<ReadCwt, 'prefix'> {
  // From a Buffer, cbor2 would make Buffers. It writes Buffers as maps.
  const { tag, contents } = decode<Tag>(new Uint8Array(bytes), { preferMap: true })
  const [protectedBytes, unprotected, payload, signature] = contents as [
    Uint8Array,
    Map<never, never>,
    Uint8Array,
    Uint8Array,
  ]
  const header = decode<Map<number, unknown>>(protectedBytes, { preferMap: true })
  const claims = decode<Map<unknown, unknown>>(payload, { preferMap: true })
  const keyId = `${claims.get(1)}#${Buffer.from(header.get(4) as Uint8Array).toString()}`
  const method = verificationMethod.find(({ id }) => id === keyId)
  if (Number(tag) !== 18 || unprotected.size > 0 || header.get(1) !== -7) throw new Error('not an ES256 COSE_Sign1')
  if (method?.type !== 'JsonWebKey2020' || !assertionMethod.includes(keyId)) throw new Error(`no such key: ${keyId}`)
  const key = createPublicKey({ key: method.publicKeyJwk!, format: 'jwk' })
  const signed = encode(['Signature1', protectedBytes, new Uint8Array(), payload])
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)) throw new Error('a wrong signature')
  return { header, claims }
}

/** The positions that are set in the bits of a gzip list. The first entry is the highest bit of the first byte. */
export function readBits(compressed: unknown): { size: number; positions: number[] } {
  const bits = [...gunzipSync(compressed as Uint8Array)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return { size: bits.length, positions: [...bits.matchAll(/1/g)].map(({ index }) => index) }
}

/**
 * Verifies a JSON-LD credential with the library. Contexts come from this file and the parameter, never from the
 * network.
 */
export async function verifyJsonLd(
  document: unknown,
  did: DidDocument,
  contexts: Record<string, object> = {},
): Promise<boolean> {
  const { verified } = await jsigs.verify(document, {
    suite: new Ed25519Signature2018(),
    purpose: new jsigs.purposes.AssertionProofPurpose(),
    documentLoader: loaderOf(did, contexts),
  })
  return verified
}

/** The members of a credential that a verifier of RevocationList2020 reads. */
export interface JsonLdStatus {
  revocationListIndex: string
  revocationListCredential: string
}

/**
 * Returns the library's verdict on an entry of a list, and checks the signature of the list. Throws if the list is
 * wrong.
 */
export async function isValidInList(status: JsonLdStatus, list: unknown, did: DidDocument): Promise<boolean> {
  const { verified, error } = await checkStatus({
    credential: {
      '@context': [credentialsContext, revocationListContext],
      issuer: did.id,
      credentialStatus: { type: 'RevocationList2020Status', ...status },
    },
    suite: new Ed25519Signature2018(),
    documentLoader: loaderOf(did, { [status.revocationListCredential]: list as object }),
  })
  if (error) throw error
  return verified
}

function loaderOf(did: DidDocument, others: Record<string, object> = {}) {
  const documents: Record<string, object> = { ...others, [did.id]: did }
  for (const method of did.verificationMethod) {
    documents[method.id] = { '@context': suiteContext.constants.CONTEXT_URL, ...method }
  }
  return async (url: string) => {
    const document = documents[url] ?? findContext(url)
    if (!document) throw new Error(`not known here: ${url}`)
    return { documentUrl: url, document: document }
  }
}

/** Converts maps to plain objects and byte strings to hex. */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof Map)) return value
  return Object.fromEntries([...value].map(([name, item]) => [name, plain(item)]))
}

function decodeBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let [value, bits, at] = [0, 0, 0]
  for (const char of text) {
    value = ((value << 5) | alphabet.indexOf(char)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (value >> bits) & 0xff
  }
  return bytes
}
