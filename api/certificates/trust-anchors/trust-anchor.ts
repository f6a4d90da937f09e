import type { X509Certificate } from 'node:crypto'
import { wrongField } from '../../../shared/errors/errors.ts'
import { certificateFromStrictPem, subjectOf } from '../../../shared/formats/certificate.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { faultOfAnchor } from '../../../shared/formats/x509-chain.ts'
import { newOrderedId } from '../../../shared/ids.ts'

interface TrustAnchorRow {
  id: string
  tenantId: string
  certificatePem: string
  /** The SHA-256 hash of the certificate, in hex. */
  fingerprint: string
  notBefore: Date
  notAfter: Date
  country: string | null
  commonName: string | null
  createdAt: Date
}

/** Returns the row of an authority that a tenant trusts from `createdAt` on. Throws `bad_request` with the check that failed. */
export function newTrustAnchor(tenantId: string, certificatePem: string, createdAt: Date): TrustAnchorRow {
  const certificate = trustAnchorFrom(certificatePem, createdAt)
  const { country = null, commonName = null } = subjectOf(certificate)
  return {
    id: newOrderedId(createdAt),
    tenantId,
    certificatePem,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    country,
    commonName,
    createdAt,
  }
}

export function presentTrustAnchor({ id, certificatePem, notAfter, notBefore, country, commonName }: TrustAnchorRow) {
  return {
    id,
    certificatePem,
    certificateData: {
      notAfter: notAfter.toISOString(),
      notBefore: notBefore.toISOString(),
      ...(country !== null && { country }),
      ...(commonName !== null && { commonName }),
    },
  }
}

/** Parses the certificate of an authority that chains can end at, now or later. Throws `bad_request`. */
function trustAnchorFrom(pem: string, at: Date): X509Certificate {
  const certificate = parse(pem)
  if (certificate.validToDate < certificate.validFromDate) throw refused('its notAfter is before its notBefore')
  if (certificate.validToDate <= at) throw refused('it has expired')
  const fault = faultOfAnchor(certificate)
  if (fault) throw refused(fault)
  // PostgreSQL cannot store U+0000 in a text.
  if (Object.values(subjectOf(certificate)).some((name) => name.includes('\0'))) {
    throw refused('its subject contains U+0000')
  }
  return certificate
}

function parse(pem: string): X509Certificate {
  try {
    return certificateFromStrictPem(pem)
  } catch (error) {
    if (error instanceof FormatError) throw refused(error.message)
    throw error
  }
}

function refused(reason: string) {
  return wrongField('certificatePem', `The certificate cannot be trusted: ${reason}`)
}
