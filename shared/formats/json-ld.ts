import { type KeyObject, verify } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Quad } from 'rdf-canonize'
import type { BytesSigner } from './bytes-signer.ts'
import { canonicalHash, canonicalStatements } from './canonical-hash.ts'
import { FormatError } from './format-error.ts'
import { credentialsContext } from './json-ld-contexts.ts'
import { noOwnContexts, type OwnContexts, withOwnContexts } from './own-contexts.ts'

/** A JSON-LD document. `@context` starts with credentials/v1, which defines the terms of the proof. */
export type JsonLdDocument = { readonly '@context': unknown } & Readonly<Record<string, unknown>>

export interface JsonLdProof {
  readonly type: 'Ed25519Signature2018'
  readonly created: string
  readonly proofPurpose: string
  readonly verificationMethod: string
  readonly jws: string
  /** The audience and the challenge of a presentation. */
  readonly challenge?: unknown
  readonly domain?: unknown
}
export type SignedJsonLd = JsonLdDocument & { readonly proof: JsonLdProof }

export interface JsonLdSigner {
  /** The DID URL of the Ed25519 key. */
  readonly verificationMethod: string
  readonly key: BytesSigner
  readonly created: Date
}

/**
 * Signs with Ed25519Signature2018: a detached JWS (RFC 7797) over the SHA-256 hashes of the N-Quads (RDFC-1.0) of proof and document.
 * Runs in safe mode: a term that no context defines throws `invalid_json_ld`, so that no part stays unsigned silently. Throws
 * `unknown_context` for an unknown context. Verifies the signature before it returns. `documentHash` is the `canonicalHash` of the
 * document, if the caller has it. `own` has the tenant's contexts that the document names.
 */
export async function signJsonLd(
  document: JsonLdDocument,
  signer: JsonLdSigner,
  { documentHash, own = noOwnContexts }: { documentHash?: Buffer | undefined; own?: OwnContexts } = {},
): Promise<SignedJsonLd> {
  const options = {
    type: 'Ed25519Signature2018',
    created: `${signer.created.toISOString().slice(0, 19)}Z`,
    verificationMethod: signer.verificationMethod,
    proofPurpose: 'assertionMethod',
  } as const
  const data = signingInput(jwsHeader, await verifyData(withOwnContexts(document, own), options, documentHash))
  const { publicKey } = signer.key
  const signature = await signer.key.sign(data)
  if (publicKey.asymmetricKeyType !== 'ed25519' || !verify(null, data, publicKey, signature)) {
    throw new FormatError('signature_mismatch', 'our own proof does not verify')
  }
  return { ...document, proof: { ...options, jws: `${jwsHeader}..${signature.toString('base64url')}` } }
}

/** The signed bytes of a proof, and the statements of the document. */
export interface SignedContent {
  /** The hashes of the proof options and the document, which the detached JWS covers. */
  data: Buffer
  quads: readonly Quad[]
}

/** Returns the only Ed25519Signature2018 proof of a document, without verification. Throws `invalid_json_ld`. */
export function proofOf(document: JsonLdDocument): JsonLdProof {
  const { proof } = document
  if (!isProof(proof)) throw new FormatError('invalid_json_ld', 'not one Ed25519Signature2018 proof')
  // Protected terms keep their meaning only after credentials/v1. Without it, the text could differ from the signed statements.
  const [first] = [document['@context']].flat()
  if (first !== credentialsContext) throw new FormatError('invalid_json_ld', 'credentials/v1 is not the first context')
  return proof
}

/** Throws `invalid_json_ld` and `unknown_context`. */
export async function signedContent(document: JsonLdDocument): Promise<SignedContent> {
  const { jws: _, ...options } = proofOf(document)
  const { proof: __, ...unsigned } = document
  const { hash, quads } = await canonicalStatements(unsigned)
  // Boundary: the spread loses the type of `@context`. It is the one of the document.
  return { data: await verifyData(unsigned as JsonLdDocument, options, hash), quads }
}

/** Verifies the signature of a proof. The caller checks purpose, time, challenge and whether the key may sign. */
export function isSignedWith({ jws }: JsonLdProof, data: Uint8Array, publicKey: KeyObject): boolean {
  const [header, payload, signature] = jws.split('.')
  if (!header || payload !== '' || !signature || !isDetachedHeader(header)) return false
  if (publicKey.asymmetricKeyType !== 'ed25519') return false
  return verify(null, signingInput(header, data), publicKey, Buffer.from(signature, 'base64url'))
}

const jwsHeader = Buffer.from('{"alg":"EdDSA","b64":false,"crit":["b64"]}').toString('base64url')

/** RFC 7797, section 3: with `b64: false`, the signing input contains the payload without encoding. */
function signingInput(header: string, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${header}.`), payload])
}

async function verifyData(
  document: JsonLdDocument,
  proofOptions: Readonly<Record<string, unknown>>,
  documentHash?: Buffer,
): Promise<Buffer> {
  const proof = { '@context': document['@context'], ...proofOptions }
  return Buffer.concat([await proofHash(proof), documentHash ?? (await canonicalHash(document))])
}

// Proofs of one key differ only in their second, and their canonicalisation takes as long as that of the credential. The cache is
// global, because a hash depends only on the text. Its size is bounded, because proofs to verify come from outside.
const proofHashes = new LRUCache<string, Buffer>({ maxSize: 2_000_000, sizeCalculation: (_, text) => text.length })

async function proofHash(proof: object): Promise<Buffer> {
  const text = JSON.stringify(proof)
  const cachedHash = proofHashes.get(text)
  if (cachedHash) return cachedHash
  const hash = await canonicalHash(proof)
  proofHashes.set(text, hash)
  return hash
}

function isDetachedHeader(header: string): boolean {
  try {
    const { alg, b64, crit, ...others } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const isB64Critical = Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64'
    return alg === 'EdDSA' && b64 === false && isB64Critical && Object.keys(others).length === 0
  } catch {
    return false
  }
}

function isProof(proof: unknown): proof is JsonLdProof {
  if (typeof proof !== 'object' || proof === null || !('type' in proof) || !('jws' in proof)) return false
  if ('@context' in proof || !('proofPurpose' in proof) || !('verificationMethod' in proof)) return false
  const texts = [proof.jws, proof.proofPurpose, proof.verificationMethod]
  return proof.type === 'Ed25519Signature2018' && texts.every((text) => typeof text === 'string')
}
