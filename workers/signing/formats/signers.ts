import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { didWebDocumentUrl } from '../../../shared/formats/did.ts'
import type { CredentialProfile, OfProfile } from '../../../shared/profiles.ts'
import { signCompact } from './compact.ts'
import { signCompactSemantic } from './compact-semantic.ts'
import type { Copy, SigningInput } from './signing-input.ts'
import { signWebSemanticCopies } from './web-semantic.ts'

/** What the copies of one issuance have in common, whatever the profile. */
export type CommonInput = Omit<SigningInput, keyof Copy | 'type'>

type Configuration<Profile extends CredentialProfile> = OfProfile<{ type: string }, Profile>
type SignedCopies = AsyncIterable<Omit<IssuedCredential, 'format'>>
type Signer<Profile extends CredentialProfile> = (
  configuration: Configuration<Profile>,
  input: CommonInput,
  copies: readonly Copy[],
) => SignedCopies

const signers: { [Profile in CredentialProfile]: Signer<Profile> } = {
  compact: oneByOne(signCompact),
  'compact-semantic': oneByOne(signCompactSemantic),
  'web-semantic'({ type, settings }, input, copies) {
    const { protocol, host } = new URL(didWebDocumentUrl(input.issuerDid))
    return signWebSemanticCopies({ ...settings, ...input, type, vocab: `${protocol}//${host}/vocabulary#` }, copies)
  },
}

/**
 * Builds and signs a credential for each copy, in their order, one at a time. Throws a `FormatError`: `signature_mismatch`
 * is our own fault, the others say that the format has no way to say these claims.
 */
export function signCopies<Profile extends CredentialProfile>(
  configuration: Configuration<Profile>,
  input: CommonInput,
  copies: readonly Copy[],
): SignedCopies {
  return signers[configuration.profile](configuration, input, copies)
}

function oneByOne(sign: (input: SigningInput) => string) {
  return async function* signEach({ type }: { type: string }, input: CommonInput, copies: readonly Copy[]) {
    for (const copy of copies) yield { id: copy.credentialId, credential: sign({ ...input, type, ...copy }) }
  }
}
