import type { X509Certificate } from 'node:crypto'
import type { ParticipantCertificateRow } from '../../../db/repos/ecosystems/participant-certificates.ts'
import { wrongField } from '../../../shared/errors.ts'
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
 * What is stored of a certificate of a participant: it is read now, and not again when lists are made. It may be written in
 * another way than DER has it, and may have ended: of the lists that are published, some have such certificates. Throws
 * `bad_request` by the name of the field.
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
    if (error instanceof FormatError) throw wrongField(param, `Not a certificate that lists can have: ${error.message}`)
    throw error
  }
}

/** OpenSSL first looks at a key when it is asked for it. */
function requireKnownKey(certificate: X509Certificate): void {
  try {
    certificate.publicKey
  } catch {
    throw refused('its key is of a kind that is not known here')
  }
}

function storableSubject(der: Buffer): Partial<CertificateSubject> {
  const subject = subjectIn(der)
  // PostgreSQL has no text with it.
  if (Object.values(subject).some((text) => text.includes('\0'))) throw refused('its subject holds U+0000')
  return subject
}

function refused(reason: string): FormatError {
  return new FormatError('invalid_certificate', reason)
}
