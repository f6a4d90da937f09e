import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Extensions, id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509'
import { FormatError } from '../format-error.ts'
import { extensionRequest } from './build-csr.ts'
import { type CertificateSubject, certificateSubject } from './name.ts'

export interface ReadCsr {
  subject: CertificateSubject
  publicKey: KeyObject
  /** The URI of its subjectAltName. */
  subjectUrl: string | undefined
}

const block = /^\s*-----BEGIN CERTIFICATE REQUEST-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END CERTIFICATE REQUEST-----\s*$/

/**
 * Reads a certificate request in PEM (PKCS #10, RFC 2986), and verifies that the holder of its key made it. Throws `invalid_csr` and
 * `signature_mismatch`.
 */
export function readCsr(pem: string): ReadCsr {
  const request = parse(pem)
  const { certificationRequestInfo: info, signatureAlgorithm, signature } = request
  const spki = Buffer.from(AsnConvert.serialize(info.subjectPKInfo))
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const subject = certificateSubject(info.subject)
  if (!subject) throw invalid('The certificate request has no country or no common name')
  if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1' || signatureAlgorithm.algorithm !== ecdsaWithSha256)
    throw invalid('The key of the certificate request is not a P-256 key that signed it with SHA-256')
  const signed = Buffer.from(AsnConvert.serialize(info))
  if (!verify('sha256', signed, publicKey, Buffer.from(signature)))
    throw new FormatError('signature_mismatch', 'The certificate request is not signed by its own key')
  return { subject, publicKey, subjectUrl: urlIn(request) }
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

function parse(pem: string): CertificationRequest {
  const [, base64 = ''] = block.exec(pem) ?? []
  try {
    return AsnConvert.parse(Buffer.from(base64, 'base64'), CertificationRequest)
  } catch (cause) {
    throw invalid('The file is not one certificate request in PEM', cause)
  }
}

function invalid(message: string, cause?: unknown): FormatError {
  return new FormatError('invalid_csr', message, { cause })
}

function urlIn({ certificationRequestInfo: { attributes } }: CertificationRequest): string | undefined {
  const requested = attributes.find(({ type }) => type === extensionRequest)?.values[0]
  const extensions = requested && AsnConvert.parse(requested, Extensions)
  const names = extensions?.find(({ extnID }) => extnID === id_ce_subjectAltName)?.extnValue.buffer
  return (
    names &&
    AsnConvert.parse(names, SubjectAlternativeName).find((each) => each.uniformResourceIdentifier)
      ?.uniformResourceIdentifier
  )
}
