import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { type CertificateRow, isMade } from '../../db/repos/certificates/certificates.ts'
import { Timestamp } from '../http/fields.ts'

export const CertificateData = z.object({
  notBefore: Timestamp,
  notAfter: Timestamp,
  country: z.string(),
  stateOrProvinceName: z.string().optional(),
  organisationName: z.string().optional(),
  commonName: z.string(),
})

/** What views say of a certificate, once there is one. */
export const certificateFields = {
  certificatePem: z.string().describe('PEM; of a signer, followed by that of an authority between it and its CA'),
  certificateFingerprint: z.string().describe('SHA-256 of the certificate, hexadecimal'),
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
