import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { type CertificateRow, isComplete } from '../../db/repos/certificates/certificates.ts'
import { findCertificateKeyPlace } from '../../db/repos/identifiers/key-inventory.ts'
import { described, exampleCertificate, named, Timestamp, withoutExample } from '../http/fields.ts'
import { KeyProviderName } from '../tenancy/tenants/key-provider.ts'

const CertificateData = named(
  'CertificateData',
  'The fields of a certificate',
  z.object({
    notBefore: described(Timestamp, 'The start of its validity', '2026-01-01T00:00:00.000Z'),
    notAfter: described(Timestamp, 'The end of its validity', '2045-12-31T23:59:59.000Z'),
    country: described(z.string(), 'The country of its subject, two letters (ISO 3166-1)', 'NZ'),
    stateOrProvinceName: z.string().optional().describe('The state or province of its subject'),
    organisationName: z.string().optional().describe('The organisation of its subject'),
    commonName: described(z.string(), 'The common name of its subject', 'Transport Agency IACA'),
  }),
)

export const exampleFingerprint = 'ac68f44be3a4ccbda9d34223c622df09036caf8acb3832f6d972f4d0c42b997c'

/** The fields that a view has once the certificate exists. */
export const certificateFields = {
  certificatePem: described(
    z.string(),
    'The certificate in PEM. For a signer, the certificate of an intermediate authority follows, if there is one.',
    exampleCertificate,
  ),
  certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
  certificateData: CertificateData,
}

/** The fields of a certificate whose key this service has or had. */
export const keyField = {
  provider: KeyProviderName.optional().describe('Where the private key is. Absent if this service does not have it'),
  keyDestroyedAt: withoutExample(Timestamp)
    .optional()
    .describe(
      'When the private key was destroyed in its provider, because the certificate cannot sign any more. Absent for other keys.',
    ),
}

/** Presents where the private key of a certificate is or was. Nothing for the certificate of an external authority. */
export async function presentKey(
  db: Reader,
  { tenantId, id }: Pick<CertificateRow, 'tenantId' | 'id'>,
  kind?: 'access-certificate',
) {
  const key = await findCertificateKeyPlace(db, tenantId, id, kind)
  if (!key) return {}
  const { provider, destroyedAt } = key
  return { provider, ...(destroyedAt && { keyDestroyedAt: destroyedAt.toISOString() }) }
}

export function presentCertificate(row: CertificateRow) {
  if (!isComplete(row)) return {}
  const { certificate, intermediate, fingerprint, notBefore, notAfter, subject } = row
  const chain = [certificate, ...(intermediate ? [intermediate] : [])]
  return {
    certificatePem: chain.map((each) => new X509Certificate(each).toString()).join(''),
    certificateFingerprint: fingerprint,
    certificateData: { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString(), ...subject },
  }
}
