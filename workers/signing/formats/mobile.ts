import type { CredentialRow } from '../../../db/repos/issuance/issuances.ts'
import type { MobileSettings } from '../../../shared/domain/issuance/profile-settings.ts'
import { Problem } from '../../../shared/errors.ts'
import { encodeElements } from '../../../shared/formats/mdoc/elements.ts'
import type { Signer } from '../certificates/signer-cache.ts'
import { signMdoc } from './sign-mdoc.ts'
import type { Copy, SigningInput } from './signing-input.ts'

interface MobileInput extends Pick<SigningInput, 'type' | 'claims' | 'issuedAt' | 'validFrom' | 'validUntil'> {
  readonly settings: MobileSettings
}

export interface SignedMobile {
  id: string
  credential: string
  /** What the record of the credential says besides. */
  record: Pick<CredentialRow, 'namespaces' | 'msoHash'>
}

/**
 * An mdoc for each copy; the elements are written once for all. Throws `credential_request_denied` when it would say another
 * place than its signer, and a `FormatError` where an element has no way to be written.
 */
export async function* signMobileCopies(
  { type: docType, settings, claims, issuedAt: signedAt, validFrom, validUntil }: MobileInput,
  signer: Signer,
  copies: readonly Copy[],
): AsyncGenerator<SignedMobile> {
  checkPlace(claims, signer)
  const elements = encodeElements(docType, claims, settings.claimMappings)
  for (const { credentialId, holder, status } of copies) {
    if (!holder) throw new Error('an mdoc is for a device key')
    const { credential, ...record } = signMdoc(
      {
        ...{ docType, elements, deviceKey: holder.jwk, signedAt, validFrom, validUntil: validUntil ?? signer.notAfter },
        status: status && { idx: status.index, uri: status.url },
      },
      signer,
    )
    yield { id: credentialId, credential, record }
  }
}

/** ISO/IEC 18013-5, 9.3.1: readers compare these elements with the signer's certificate. */
function checkPlace(claims: Readonly<Record<string, unknown>>, { country, stateOrProvinceName }: Signer): void {
  const places = { issuing_country: country, issuing_jurisdiction: stateOrProvinceName }
  for (const [namespace, elements] of Object.entries(claims)) {
    for (const [name, place] of Object.entries(places)) {
      // Boundary: the claims of a mobile configuration are objects by namespace.
      const value = (elements as Record<string, unknown>)[name]
      if (place === undefined || value === undefined || value === place) continue
      const message = `The claim ${namespace} ${name} is not what the certificate of the document signer says`
      throw new Problem('credential_request_denied', { message })
    }
  }
}
