import type { ConfigurationSettings } from '../../../db/tables/issuance/configurations.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { didWebDocumentUrl } from '../../../shared/formats/did.ts'
import type { CredentialProfile } from '../../../shared/profiles.ts'
import { signCompact } from './compact.ts'
import { signCompactSemantic } from './compact-semantic.ts'
import type { Copy, SigningInput } from './signing-input.ts'
import { signWebSemanticCopies } from './web-semantic.ts'

/** What the copies of one issuance have in common. */
export interface CommonInput extends Omit<SigningInput, keyof Copy> {
  issuerName: string
  settings: ConfigurationSettings
}

/**
 * Builds and signs a credential for each copy, in their order, one at a time. Throws a `FormatError`: `signature_mismatch`
 * is our own fault, the others say that the format has no way to say these claims.
 */
export type Signer = (input: CommonInput, copies: readonly Copy[]) => AsyncIterable<Omit<IssuedCredential, 'format'>>

export const signers: Record<CredentialProfile, Signer> = {
  compact: oneByOne(signCompact),
  'compact-semantic': oneByOne(signCompactSemantic),
  'web-semantic'({ settings, issuerName, ...input }, copies) {
    const issuer = settings.issuer ?? { name: issuerName }
    const { protocol, host } = new URL(didWebDocumentUrl(input.issuerDid))
    return signWebSemanticCopies({ ...input, ...settings, issuer, vocab: `${protocol}//${host}/vocabulary#` }, copies)
  },
}

function oneByOne(sign: (input: SigningInput) => string): Signer {
  return async function* signEach(input, copies) {
    for (const copy of copies) yield { id: copy.credentialId, credential: sign({ ...input, ...copy }) }
  }
}
