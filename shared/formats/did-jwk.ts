import { didDocumentOfKey, type ResolvedDidDocument } from './did-document-read.ts'
import { FormatError } from './format-error.ts'
import { type PublicJwk, parsePublicJwk } from './jwk.ts'

/** Enough for a JWK with the longest coordinates and some other members. */
const maxEncodedLength = 2_000

/**
 * Resolves a did:jwk or a DID URL of its key, which is `#0`. `use` is the use in the JWK, if there is one (did:jwk, section 2.2). Throws
 * `invalid_did`, also for private keys and unsupported curves.
 */
export function resolveDidJwk(didUrl: string): {
  did: string
  keyId: string
  publicJwk: PublicJwk
  use: 'sig' | 'enc' | undefined
} {
  const [, did, encoded = ''] = /^(did:jwk:([A-Za-z0-9_-]+))(?:#0)?$/.exec(didUrl) ?? []
  if (!did || encoded.length > maxEncodedLength) throw new FormatError('invalid_did', 'not a did:jwk')
  const jwk = parseJwk(encoded)
  const { use } = jwk
  if (use !== undefined && use !== 'sig' && use !== 'enc') throw new FormatError('invalid_did', 'its use is not known')
  try {
    return { did, keyId: `${did}#0`, publicJwk: parsePublicJwk(jwk), use }
  } catch (error) {
    throw new FormatError('invalid_did', 'not a key that is known here', { cause: error })
  }
}

/** Builds the document of a did:jwk. `use` and the curve limit the relationships of its key. */
export function didJwkDocument(did: string): ResolvedDidDocument {
  const { publicJwk, use, keyId } = resolveDidJwk(did)
  const signs = use !== 'enc' && publicJwk.crv !== 'X25519'
  const agrees = use !== 'sig' && publicJwk.crv !== 'Ed25519'
  const method = { id: keyId, type: 'JsonWebKey2020', controller: did, publicKeyJwk: publicJwk }
  return didDocumentOfKey(did, method, { signs, agrees })
}

function parseJwk(encoded: string): Record<string, unknown> {
  try {
    const jwk: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    if (typeof jwk === 'object' && jwk !== null) return { ...jwk }
  } catch {
    // handled below
  }
  throw new FormatError('invalid_did', 'not a did:jwk')
}
