import { canonicalHash } from './canonical-hash.ts'
import { contextsOfCredential } from './credential-contexts.ts'
import { FormatError } from './format-error.ts'
import { revocationListContext } from './json-ld-contexts.ts'
import { findCombinedContextFault, type OwnContexts, withOwnContexts } from './own-contexts.ts'

/**
 * Processes contexts in the order of a credential: after credentials/v1 and before the context of revocation lists. Returns the error
 * code of JSON-LD 1.1 if that fails, or another reason. Returns undefined if the contexts are valid.
 */
export async function findProcessingFault(urls: readonly string[], own: OwnContexts): Promise<string | undefined> {
  const tooMuch = findCombinedContextFault(own)
  if (tooMuch) return `together they ${tooMuch}`
  const named = { '@context': contextsOfCredential('https://vocabulary.example/#', [...urls, revocationListContext]) }
  try {
    for (const part of [credential, proof]) await canonicalHash(withOwnContexts({ ...named, ...part }, own))
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return codeOf(error) ?? 'it cannot be processed'
    // The library is recursive, and contexts can be nested deeply.
    if (error instanceof RangeError) return 'nested too deeply'
    throw error
  }
}

/** The terms that all credentials use. Processing them shows whether a context redefines one. */
const credential = {
  id: 'urn:uuid:1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  type: ['VerifiableCredential'],
  issuer: { id: 'did:example:issuer', name: 'Issuer' },
  issuanceDate: '2026-01-01T00:00:00Z',
  expirationDate: '2027-01-01T00:00:00Z',
  credentialStatus: {
    id: 'https://issuer.example/list#1',
    type: 'RevocationList2020Status',
    revocationListIndex: '1',
    revocationListCredential: 'https://issuer.example/list',
  },
  credentialSubject: { id: 'did:example:holder' },
}

const proof = {
  type: 'Ed25519Signature2018',
  created: '2026-01-01T00:00:00Z',
  verificationMethod: 'did:example:issuer#key',
  proofPurpose: 'assertionMethod',
}

/** Returns the code of the error (JSON-LD 1.1 Processing Algorithms, section 9.6), which the library attaches. */
function codeOf(error: FormatError): string | undefined {
  for (let cause: unknown = error.cause; cause instanceof Error; ) {
    const { details } = cause as Error & { details?: { code?: unknown; cause?: unknown } } // a JsonLdError, which has no types
    if (typeof details?.code === 'string') return details.code
    cause = cause.cause ?? details?.cause
  }
  return undefined
}
