import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { type CertificateRow, isMade } from '../../db/repos/certificates/certificates.ts'
import { described, exampleCertificate, named, Timestamp } from '../http/fields.ts'

const CertificateData = named(
  'CertificateData',
  'What a certificate says of itself',
  z.object({
    notBefore: described(Timestamp, 'From when it is valid', '2026-01-01T00:00:00.000Z'),
    notAfter: described(Timestamp, 'Until when it is valid', '2045-12-31T23:59:59.000Z'),
    country: described(z.string(), 'Of its subject, two letters (ISO 3166-1)', 'NZ'),
    stateOrProvinceName: z.string().optional().describe('Of its subject'),
    organisationName: z.string().optional().describe('Of its subject'),
    commonName: described(z.string(), 'What its subject is called', 'Transport Agency IACA'),
  }),
)

export const exampleFingerprint = 'ac68f44be3a4ccbda9d34223c622df09036caf8acb3832f6d972f4d0c42b997c'

/** What views say of a certificate, once there is one. */
export const certificateFields = {
  certificatePem: described(
    z.string(),
    'PEM; of a signer, followed by that of an authority between it and its CA',
    exampleCertificate,
  ),
  certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
  certificateData: CertificateData,
}

export function presentCertificate(row: CertificateRow) {
  if (!isMade(row)) return {}
  const { certificate, intermediate, fingerprint, notBefore, notAfter, subject } = row
  const chain = [certificate, ...(intermediate ? [intermediate] : [])]
  return {
    certificatePem: chain.map((each) => new X509Certificate(each).toString()).join(''),
    certificateFingerprint: fingerprint,
    certificateData: { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString(), ...subject },
  }
}
