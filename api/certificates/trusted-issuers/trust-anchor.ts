import type { X509Certificate } from 'node:crypto'
import { wrongField } from '../../../shared/errors.ts'
import { certificateFromStrictPem, subjectOf } from '../../../shared/formats/certificate.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { faultOfAnchor } from '../../../shared/formats/x509-chain.ts'

/**
 * The certificate of an authority that chains can end at, now or once it is valid. Throws `bad_request` with the point that
 * fails.
 */
export function trustAnchorFrom(pem: string, at: Date): X509Certificate {
  const certificate = parse(pem)
  if (certificate.validToDate < certificate.validFromDate) throw refused('it ends before it begins')
  if (certificate.validToDate <= at) throw refused('it is not valid any more')
  const fault = faultOfAnchor(certificate)
  if (fault) throw refused(fault)
  // PostgreSQL has no text with it.
  if (Object.values(subjectOf(certificate)).some((name) => name.includes('\0'))) {
    throw refused('its subject holds U+0000')
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
  return wrongField('certificatePem', `Not a certificate to be trusted: ${reason}`)
}
