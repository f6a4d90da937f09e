import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import type { CredentialProfile, DidProfile, OfProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { CertificateSigner } from '../certificates/signer-cache.ts'
import { documentSigner, sdJwtSigner } from '../certificates/signers.ts'
import type { SigningDeps } from '../deps.ts'
import { type Issuer, issuerKey } from '../issuer-key.ts'
import { baseUrlOf } from '../lists/issuer-list.ts'
import { signCompact } from './compact.ts'
import { signCompactSemantic } from './compact-semantic.ts'
import { type SignedMobile, signMobileCopies } from './mobile.ts'
import { signSdJwtCopies } from './sd-jwt.ts'
import { signEach } from './sign-copies.ts'
import type { Copy, SigningInput } from './signing-input.ts'
import { vocabularyOf } from './vocabulary.ts'
import { signWebSemanticCopies } from './web-semantic.ts'

/** The common input of the copies of one issuance, for every profile. */
export type CommonInput = Omit<SigningInput, keyof Copy | 'type'>
/** The common input without the signer. */
export type CredentialContent = Omit<CommonInput, 'issuerDid' | 'key'>

export type SignedCopy = Omit<IssuedCredential, 'format'> & Partial<Pick<SignedMobile, 'record'>>

/** The signer of an issuance. */
export interface CredentialSigning {
  /** The id of the certificate or of the key that signs. */
  signerId: string
  /** The certificate that signs, if there is one. Its times limit those of the credential. It can be revoked before the commit. */
  signer?: CertificateSigner
  /** The key of the tenant's DID, if it signs. It stays published while the credential is valid. */
  keyId?: string
  /** Whether the private key is in another process or device. */
  isExternal: boolean
  /**
   * Builds and signs a credential for each copy, and returns them in their order. Throws a `FormatError`: `signature_mismatch` is an internal
   * error, the others mean that the format cannot express the claims.
   */
  sign(content: CredentialContent, copies: readonly Copy[]): Promise<SignedCopy[]>
}

type Configuration<Profile extends CredentialProfile> = OfProfile<{ type: string }, Profile>
type Prepare<Profile extends CredentialProfile> = (
  deps: SigningDeps,
  issuer: Issuer,
  configuration: Configuration<Profile>,
) => Promise<CredentialSigning>

const signers: { [Profile in CredentialProfile]: Prepare<Profile> } = {
  compact: byDid('compact', byCopy(signCompact)),
  'compact-semantic': byDid('compact-semantic', byCopy(signCompactSemantic)),
  async 'web-semantic'(deps, issuer, configuration) {
    const { contexts = [] } = configuration.settings
    const { own } = await findNamedContexts(deps.db.read, issuer.tenantId, contexts)
    const prepare = byDid('web-semantic', ({ type, settings }, input, copies) =>
      signWebSemanticCopies({ ...settings, ...input, type, vocab: vocabularyOf(input.issuerDid), own }, copies),
    )
    return prepare(deps, issuer, configuration)
  },
  async mobile(deps, { tenantId }, { type, settings }) {
    const signer = await documentSigner(deps, tenantId)
    return {
      signer,
      signerId: signer.certificateId,
      isExternal: signer.key.isExternal === true,
      sign: (content, copies) => signMobileCopies({ ...content, type, settings }, signer, copies),
    }
  },
  async 'sd-jwt'(deps, issuer, { type, settings }) {
    const signer = await sdJwtSigner(deps, issuer.tenantId, settings.signerCaId)
    const fixed = { type, settings, baseUrl: baseUrlOf(deps, issuer) }
    return {
      signer,
      signerId: signer.certificateId,
      isExternal: signer.key.isExternal === true,
      sign: (content, copies) => signSdJwtCopies({ ...content, ...fixed }, signer, copies),
    }
  },
}

/** Finds the signer for a configuration. Throws `credential_request_denied` if there is none. */
export function findSigning<Profile extends CredentialProfile>(
  deps: SigningDeps,
  issuer: Issuer,
  configuration: Configuration<Profile>,
): Promise<CredentialSigning> {
  return signers[configuration.profile](deps, issuer, configuration)
}

function byDid<Profile extends DidProfile>(
  profile: Profile,
  sign: (configuration: Configuration<Profile>, input: CommonInput, copies: readonly Copy[]) => Promise<SignedCopy[]>,
): Prepare<Profile> {
  return async (deps, issuer, configuration) => {
    const key = await issuerKey(deps, issuer, profile)
    return {
      keyId: key.kid,
      signerId: key.signerId,
      isExternal: key.signer.isExternal === true,
      sign: (content, copies) => sign(configuration, { ...content, issuerDid: issuer.did, key }, copies),
    }
  }
}

function byCopy(sign: (input: SigningInput) => Promise<string>) {
  return ({ type }: { type: string }, input: CommonInput, copies: readonly Copy[]) =>
    signEach(copies, async (copy) => ({ id: copy.credentialId, credential: await sign({ ...input, type, ...copy }) }))
}
