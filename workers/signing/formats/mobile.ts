import type { CredentialRow } from '../../../db/repos/issuance/issuances.ts'
import { findMisplaced } from '../../../shared/domain/issuance/claims/issuing-place.ts'
import type { MobileSettings } from '../../../shared/domain/issuance/profile-settings.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { encodeElements } from '../../../shared/formats/mdoc/elements.ts'
import type { CertificateSigner } from '../certificates/signer-cache.ts'
import { signEach } from './sign-copies.ts'
import { signMdoc } from './sign-mdoc.ts'
import type { Copy, SigningInput } from './signing-input.ts'

interface MobileInput extends Pick<SigningInput, 'type' | 'claims' | 'issuedAt' | 'validFrom' | 'validUntil'> {
  readonly settings: MobileSettings
}

export interface SignedMobile {
  id: string
  credential: string
  /** Additional columns of the record of the credential. */
  record: Pick<CredentialRow, 'namespaces' | 'msoHash'>
}

/**
 * Signs an mdoc for each copy. The elements are encoded once. Throws `credential_request_denied` if country or jurisdiction differ from those
 * of the signer, and a `FormatError` if an element cannot be encoded.
 */
export async function signMobileCopies(
  { type: docType, settings, claims, issuedAt: signedAt, validFrom, validUntil }: MobileInput,
  signer: CertificateSigner,
  copies: readonly Copy[],
): Promise<SignedMobile[]> {
  checkPlace(claims, signer)
  const elements = encodeElements(docType, claims, settings.claimMappings)
  return signEach(copies, async ({ credentialId, holder, status }) => {
    if (!holder) throw new Error('an mdoc needs a device key')
    const { credential, ...record } = await signMdoc(
      {
        ...{ docType, elements, deviceKey: holder.jwk, signedAt, validFrom, validUntil: validUntil ?? signer.notAfter },
        status: status && { idx: status.index, uri: status.url },
      },
      signer,
    )
    return { id: credentialId, credential, record }
  })
}

function checkPlace(claims: Readonly<Record<string, unknown>>, signer: CertificateSigner): void {
  const misplaced = findMisplaced(claims, signer)
  if (!misplaced) return
  const message = `The claim ${misplaced.path.join(' ')} differs from the certificate of the document signer. Change the claim or the certificate.`
  throw new Problem('credential_request_denied', { message })
}
