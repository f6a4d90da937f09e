import type { DidRelationship, ForeignMethod, MethodOrId, ResolvedDidDocument } from './did-document-read.ts'
import { type DidPublicJwk, readBareKey, readMultibaseKey } from './did-key.ts'
import { FormatError } from './format-error.ts'
import { type PublicJwk, parsePublicJwk } from './jwk.ts'

export interface DidKey {
  /** The DID that the key belongs to. */
  did: string
  /** The full DID URL of the key. */
  keyId: string
  publicJwk: PublicJwk
}

export type DidCurve = PublicJwk['crv']

/** The curve of each type of verification method. Undefined if the key itself names it. */
const curveOfType = new Map<string, DidCurve | undefined>([
  ['JsonWebKey', undefined],
  ['JsonWebKey2020', undefined],
  ['Multikey', undefined],
  ['Ed25519VerificationKey2018', 'Ed25519'],
  ['Ed25519VerificationKey2020', 'Ed25519'],
  ['X25519KeyAgreementKey2019', 'X25519'],
  ['X25519KeyAgreementKey2020', 'X25519'],
  ['EcdsaSecp256r1VerificationKey2019', 'P-256'],
])

/** Maximum keys of a document that are parsed. Parsing a key takes much longer than reading its id. */
const maxKeysRead = 100

/**
 * Finds the key of a document with this relationship: the key that the fragment names, or without a fragment the first one with an
 * accepted curve, among 100. A referenced key must be in the same document. Returns undefined if no key is usable.
 */
export function findDocumentKey(
  document: ResolvedDidDocument,
  fragment: string | undefined,
  relationship: DidRelationship,
  curves: readonly DidCurve[],
): DidKey | undefined {
  const did = document.id
  const full = (id: string) => (id.startsWith('#') ? `${did}${id}` : id)
  const requestedId = fragment === undefined ? undefined : `${did}#${fragment}`
  const methods = new Map(document.verificationMethod?.map((method) => [full(method.id), method]))
  let read = 0
  for (const entry of document[relationship] ?? []) {
    const keyId = full(idOf(entry))
    // A document can refer to keys of other DIDs. They are ignored, because only their own document is authoritative.
    if (requestedId === undefined ? !keyId.startsWith(`${did}#`) : keyId !== requestedId) continue
    if (++read > maxKeysRead) return undefined
    const method = typeof entry === 'string' ? methods.get(keyId) : entry
    const publicJwk = method && publicJwkOf(method)
    if (publicJwk && curves.includes(publicJwk.crv)) return { did, keyId, publicJwk }
  }
  return undefined
}

function idOf(entry: MethodOrId): string {
  return typeof entry === 'string' ? entry : entry.id
}

/** Returns the key of a verification method. Returns undefined for an unknown type or curve, and if key and type disagree. */
function publicJwkOf(method: ForeignMethod): PublicJwk | undefined {
  if (!curveOfType.has(method.type)) return undefined
  const curve = curveOfType.get(method.type)
  try {
    const jwk = readKey(method, curve)
    if (!jwk || jwk.crv === 'Bls12381G2') return undefined
    return curve === undefined || jwk.crv === curve ? jwk : undefined
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** DID core, section 5.2: a method has its key only once. */
function readKey(method: ForeignMethod, curve: DidCurve | undefined): DidPublicJwk | undefined {
  const { publicKeyJwk, publicKeyMultibase, publicKeyBase58 } = method
  const forms = [publicKeyJwk, publicKeyMultibase, publicKeyBase58].filter((each) => each !== undefined)
  if (forms.length !== 1) return undefined
  if (publicKeyJwk !== undefined) return parsePublicJwk(publicKeyJwk)
  if (typeof publicKeyMultibase === 'string') return readMultibaseKey(publicKeyMultibase)
  return curve && typeof publicKeyBase58 === 'string' ? readBareKey(curve, publicKeyBase58) : undefined
}
