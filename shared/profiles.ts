/**
 * What a credential profile is, for every tier. What one tier does for a profile stands in a table of that tier, by the
 * same names: its wire schemas in api/, its signer in workers/signing/formats/signers.ts. A new profile is a row in each.
 */
interface ProfileFacts {
  /** The credential format identifier (protocol: where the interface and the standard part). */
  format: string
  /** Of the key of the tenant's DID that signs. */
  keyAlgorithm: 'ES256' | 'Ed25519'
  /** `credential_signing_alg_values_supported` (OpenID4VCI 1.0, section 12.2.4): COSE integers or suite names. */
  signingAlgorithms: readonly (number | string)[]
  /** The same as drafts before 13 named it. */
  legacySuites: readonly string[]
  /** Where in the credential its claims stand, as a claims path begins. */
  claimRoot: readonly string[]
  /** Whether types are unique over all configurations of profiles that say so: verifiers tell such credentials apart by type alone. */
  hasUniqueTypes: boolean
  /** Whether a JSON-LD processor reads the claims, which not every name and value survives. */
  isJsonLd: boolean
}

/** COSE algorithm identifier of ES256 (RFC 9053, section 2.1). */
const coseEs256 = -7

const cwt = {
  keyAlgorithm: 'ES256',
  signingAlgorithms: [coseEs256],
  legacySuites: ['ES256'],
  hasUniqueTypes: true,
  isJsonLd: false,
} as const

export const profiles = {
  compact: { ...cwt, format: 'cwt', claimRoot: [] },
  'compact-semantic': { ...cwt, format: 'cwt_vc', claimRoot: ['credentialSubject'] },
  'web-semantic': {
    format: 'ldp_vc',
    keyAlgorithm: 'Ed25519',
    signingAlgorithms: ['Ed25519Signature2018'],
    legacySuites: ['Ed25519Signature2018'],
    claimRoot: ['credentialSubject'],
    hasUniqueTypes: false,
    isJsonLd: true,
  },
} as const satisfies Record<string, ProfileFacts>

export type CredentialProfile = keyof typeof profiles
export type CredentialFormat = (typeof profiles)[CredentialProfile]['format']
