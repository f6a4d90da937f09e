import type { X509Certificate } from 'node:crypto'
import type { ParticipantCertificateRow } from '../../../db/repos/ecosystems/participant-certificates.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { certificateFromStrictPem } from '../../../shared/formats/certificate.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { encodeEntry, subjectKeyIdentifierOf } from '../../../shared/formats/trusted-lists/entry.ts'
import { rawCertificate } from '../../../shared/formats/trusted-lists/raw-certificate.ts'
import { type CertificateSubject, subjectIn } from '../../../shared/formats/x509/name.ts'

type Content = Pick<
  ParticipantCertificateRow,
  'certificatePem' | 'fingerprint' | 'ski' | 'subject' | 'notBefore' | 'notAfter' | 'entry' | 'role'
>

/**
 * Returns the stored content of a participant's certificate. The certificate is parsed only here, not when lists are created. It
 * can be expired or deviate from DER, because real trusted lists contain such certificates. Throws `bad_request` with the name of
 * the field.
 */
export function certificateContent(pem: string, role: Content['role'], param: string): Content {
  try {
    const certificate = certificateFromStrictPem(pem)
    const { validFromDate: notBefore, validToDate: notAfter, raw } = certificate
    if ([notBefore, notAfter].some((date) => Number.isNaN(date.getTime()))) throw refused('its dates cannot be read')
    requireKnownKey(certificate)
    const entry = encodeEntry(role === 'issuer' ? 'vical' : 'rical', certificate)
    return {
      role,
      certificatePem: pem,
      fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      ski: subjectKeyIdentifierOf(certificate).toString('hex'),
      subject: storableSubject(rawCertificate(raw).subject),
      notBefore,
      notAfter,
      entry,
    }
  } catch (error) {
    if (error instanceof FormatError) throw wrongField(param, `The certificate cannot be listed: ${error.message}`)
    throw error
  }
}

/** Requires a supported key. OpenSSL parses the key only when the property is read. */
function requireKnownKey(certificate: X509Certificate): void {
  try {
    certificate.publicKey
  } catch {
    throw refused('the type of its key is not supported')
  }
}

function storableSubject(der: Buffer): Partial<CertificateSubject> {
  const subject = subjectIn(der)
  // PostgreSQL cannot store U+0000 in a text.
  if (Object.values(subject).some((text) => text.includes('\0'))) throw refused('its subject contains U+0000')
  return subject
}

function refused(reason: string): FormatError {
  return new FormatError('invalid_certificate', reason)
}
