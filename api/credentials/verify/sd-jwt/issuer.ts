import { AsnConvert } from '@peculiar/asn1-schema'
import { id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509'
import { certificateFromBase64, extensionOf } from '../../../../shared/formats/certificate.ts'

/** The subject of the certificate that signed a credential. */
export interface SdJwtIssuer {
  /** The attributes of the subject, such as `C=NZ, CN=University`. */
  subject: string
  /** The SHA-256 of the certificate, in hex. */
  fingerprint: string
  /** The URIs and DNS names of the certificate (subject alternative names). */
  names: string[]
  /** The claim `iss`, and whether a name of the certificate proves it. Absent without the claim. */
  iss?: { value: unknown; isProven: boolean }
}

/** Returns the issuer from the leaf of a verified chain. Throws `invalid_certificate` if its names cannot be read. */
export function sdJwtIssuer([leaf = '']: readonly string[], iss: unknown): SdJwtIssuer {
  const certificate = certificateFromBase64(leaf)
  const names = namesIn(extensionOf(certificate, id_ce_subjectAltName))
  return {
    // OpenSSL separates attributes by line ends, and escapes those in values.
    subject: certificate.subject?.replaceAll('\n', ', ') ?? '',
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    names,
    ...(iss !== undefined && { iss: { value: iss, isProven: isNamed(names, iss) } }),
  }
}

function namesIn(extension: ArrayBuffer | undefined): string[] {
  const names = extension ? [...AsnConvert.parse(extension, SubjectAlternativeName)] : []
  return names.flatMap(({ uniformResourceIdentifier, dNSName }) => uniformResourceIdentifier ?? dNSName ?? [])
}

/** `iss` is one of the URIs, or an https URL whose host is one of the DNS names. */
function isNamed(names: readonly string[], iss: unknown): boolean {
  if (typeof iss !== 'string') return false
  const url = URL.parse(iss)
  return names.includes(iss) || (url?.protocol === 'https:' && names.includes(url.hostname))
}
