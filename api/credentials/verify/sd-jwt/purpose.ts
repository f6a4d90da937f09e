import { isCertificateOf } from '../../../../db/repos/certificates/certificates.ts'
import { certificateFromBase64, contentOf } from '../../../../shared/formats/certificate.ts'
import { sdJwtPurposes } from '../../../../shared/formats/x509/profiles.ts'
import type { VerificationContext } from '../signer-keys.ts'
import { failed, type SdJwtFailure } from './checks.ts'

/**
 * Checks the extended key usage of the leaf of a verified chain. A certificate without it is for credentials if the tenant has it as an
 * SD-JWT signer. Throws `invalid_certificate` if it cannot be read.
 */
export async function findPurposeFailure(
  { deps, tenantId }: VerificationContext,
  [leaf = '']: readonly string[],
): Promise<SdJwtFailure | undefined> {
  const certificate = certificateFromBase64(leaf)
  const { purposes } = contentOf(certificate)
  if (purposes) {
    const isForCredentials = purposes.some((each) => sdJwtPurposes.includes(each))
    return isForCredentials ? undefined : failed('SignerPurpose', `its extended key usage is ${purposes.join(', ')}`)
  }
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  const isOwnSigner = await isCertificateOf(deps.db.read, tenantId, { kind: 'sd-jwt-signer', fingerprint })
  return isOwnSigner ? undefined : failed('SignerPurpose', 'it has no extended key usage')
}
